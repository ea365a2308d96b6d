#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "../core/sum_rows.h"
#include "../core/vectors.h"
#include "../data/standardized.h"

namespace mlsift {

/// How the columns of a linear model are transformed: not at all, to mean 0, or also to (population) deviation 1.
enum class Centering { none, mean, standardize };

/// The columns of a linear model, one after the other. Columns in which fewer than a quarter of the values are nonzero
/// are kept sparse: column j is represented as `stored - mean`, and the mean is never subtracted. This depends only on
/// the values, not on how the features were stored.
///
/// A block of columns that belong together, such as the indicators of a factor, becomes an orthogonal basis of its
/// (centered) columns, each of squared length n. Units are the blocks and the single columns.
///
/// With row weights, means, deviations and squared lengths are weighted, and the sum of weights replaces n.
class CenteredColumns {
 public:
  /// `blocks`: the sizes of consecutive blocks of columns; 1 for single columns. `weights`: of rows, above 0, or null.
  CenteredColumns(const Features& features, Centering centering, const std::vector<int>& blocks,
                  const double* weights = nullptr)
      : n_(features.n_rows), total_(static_cast<double>(n_)), weights_(weights) {
    if (weights) total_ = std::accumulate(weights, weights + n_, 0.0);
    NumberReader reader(n_);
    unit_start_.push_back(0);
    std::size_t column = 0;
    for (const int size : blocks) {
      const std::size_t first = column;
      if (size == 1) {
        add_single(reader.read(features.columns[column++]), centering);
      } else {
        column += static_cast<std::size_t>(size);
        add_block(features, first, column, centering);
      }
      unit_start_.push_back(columns_.size());
      unit_of_.resize(columns_.size(), unit_start_.size() - 2);
    }
  }

  std::size_t n_rows() const { return n_; }
  std::size_t n_columns() const { return columns_.size(); }
  double row_weight(std::size_t row) const { return weights_ ? weights_[row] : 1; }
  /// The sum of the weights of rows.
  double total() const { return total_; }
  std::size_t n_units() const { return squares_.size(); }
  std::size_t unit_of(std::size_t j) const { return unit_of_[j]; }
  std::size_t unit_begin(std::size_t u) const { return unit_start_[u]; }
  std::size_t unit_end(std::size_t u) const { return unit_start_[u + 1]; }
  /// The columns that represent a unit; 0 if it is constant.
  std::size_t unit_size(std::size_t u) const { return unit_start_[u + 1] - unit_start_[u]; }
  /// The squared length of each column of a unit.
  double square(std::size_t u) const { return squares_[u]; }
  /// The square root of the unit's number of columns, by which its penalty is multiplied.
  double weight(std::size_t u) const { return std::sqrt(static_cast<double>(std::max<std::size_t>(unit_size(u), 1))); }
  /// The number of values to read in all columns.
  double stored() const { return static_cast<double>(values_.size()); }
  std::size_t stored(std::size_t j) const { return columns_[j].size; }
  /// The same in some columns.
  double stored(const std::vector<std::size_t>& columns) const {
    double sum = 0;
    for (const std::size_t j : columns) sum += static_cast<double>(stored(j));
    return sum;
  }
  double mean(std::size_t j) const { return columns_[j].mean; }

  /// Multiplies rows by the square roots of their weights, so that sums of products over rows become weighted. Column j
  /// is then represented as `stored - mean * root(row)`.
  void multiply_by_roots() {
    for (std::size_t i = 0; i < n_; ++i) root_.push_back(std::sqrt(row_weight(i)));
    for (const Stored& x : columns_) {
      for (std::size_t s = 0; s < x.size; ++s) values_[x.begin + s] *= root_[row_of(x, s)];
    }
  }
  double root(std::size_t row) const { return root_.empty() ? 1 : root_[row]; }

  /// to = column j' R for R (rows x q, by rows). If the columns are centered, those of R (times the roots) must add up
  /// to 0.
  void cross(std::size_t j, const double* r, std::size_t q, double* to) const {
    sum_rows(values(j), rows(j), stored(j), r, q, to);
  }

  /// z += factor * (stored values of column j) w', for z (rows x q, by rows). The caller subtracts mean(j) w' (times
  /// the roots).
  void add_outer(std::size_t j, const double* w, double factor, std::size_t q, double* z) const {
    const Stored& x = columns_[j];
    for (std::size_t s = 0; s < x.size; ++s) add_scaled(z + row_of(x, s) * q, w, factor * values_[x.begin + s], q);
  }

  /// Calls visit(row, stored value).
  template <class Visit>
  void each(std::size_t j, Visit visit) const {
    const Stored& x = columns_[j];
    for (std::size_t s = 0; s < x.size; ++s) visit(row_of(x, s), values_[x.begin + s]);
  }

  bool dense(std::size_t j) const { return columns_[j].dense; }
  const double* values(std::size_t j) const { return values_.data() + columns_[j].begin; }
  /// The rows of the stored values; null if they are all rows.
  const int* rows(std::size_t j) const { return dense(j) ? nullptr : rows_.data() + columns_[j].rows; }

  /// Column j' column k. `scattered` has the stored values of column j in their rows.
  double inner_product(std::size_t j, std::size_t k, const std::vector<double>& scattered) const {
    const Stored& x = columns_[k];
    const double* const value = values_.data() + x.begin;
    double sum = 0;
    if (x.dense) {
      if (columns_[j].dense) return inner(value, scattered.data(), n_);
      // The same sum with the roles exchanged.
      each(j, [&](std::size_t i, double v) { sum += v * value[i]; });
    } else {
      for (std::size_t s = 0; s < x.size; ++s) sum += value[s] * scattered[static_cast<std::size_t>(rows_[x.rows + s])];
    }
    return sum - total_ * columns_[j].mean * x.mean;
  }

  /// The coefficients of the features' own columns, from those of the columns of a unit: `own` (as many rows as the
  /// block has columns) x q.
  void own_coefficients(std::size_t u, const double* w, std::size_t q, double* own) const {
    const Basis& basis = bases_[u];
    std::fill(own, own + basis.size * q, 0.0);
    const std::size_t rank = unit_size(u);
    for (std::size_t c = 0; c < basis.size; ++c) {
      for (std::size_t r = 0; r < rank; ++r) add_scaled(own + c * q, w + r * q, basis.to_own[c * rank + r], q);
    }
  }
  /// The columns of unit u's block, and the mean of each.
  std::size_t own_size(std::size_t u) const { return bases_[u].size; }
  const std::vector<double>& own_means(std::size_t u) const { return bases_[u].mean; }

 private:
  struct Stored {
    std::size_t begin = 0, rows = 0, size = 0;
    bool dense = false;
    double mean = 0;  // to be subtracted from the stored values
  };

  std::size_t row_of(const Stored& x, std::size_t s) const {
    return x.dense ? s : static_cast<std::size_t>(rows_[x.rows + s]);
  }

  // How the coefficients of a unit become those of the features' columns.
  struct Basis {
    std::size_t size = 0;        // columns of the block
    std::vector<double> to_own;  // size x rank
    std::vector<double> mean;    // by column of the block
  };

  void add_single(const Nonzeros& x, Centering centering) {
    const Standardized s = standardize(x, n_, weights_);
    Basis basis;
    basis.size = 1;
    // Without centering, a constant nonzero column is treated like any other.
    const bool nothing = centering == Centering::none ? x.size == 0 : s.constant;
    basis.mean = {nothing || centering == Centering::none ? 0 : s.mean};
    if (nothing) {
      squares_.push_back(0);
      bases_.push_back(basis);
      return;
    }
    const double scale = centering == Centering::standardize ? s.scale : 1;
    const double mean = centering == Centering::none ? 0 : s.mean;
    Stored stored;
    stored.begin = values_.size();
    stored.rows = rows_.size();
    stored.dense = 4 * x.size >= n_;
    double sum = 0, met = 0;
    if (stored.dense) {
      stored.size = n_;
      std::size_t at = 0;
      for (std::size_t i = 0; i < n_; ++i) {
        const bool here = at < x.size && static_cast<std::size_t>(x.rows[at]) == i;
        const double value = ((here ? x.values[at++] : 0) - mean) / scale;
        values_.push_back(value);
        sum += row_weight(i) * value * value;
      }
    } else {
      stored.size = x.size;
      stored.mean = mean / scale;
      for (std::size_t at = 0; at < x.size; ++at) {
        const double weight = row_weight(static_cast<std::size_t>(x.rows[at]));
        rows_.push_back(x.rows[at]);
        values_.push_back(x.values[at] / scale);
        sum += weight * (values_.back() - stored.mean) * (values_.back() - stored.mean);
        met += weight;
      }
      sum += (total_ - met) * stored.mean * stored.mean;
    }
    basis.to_own = {1 / scale};
    columns_.push_back(stored);
    squares_.push_back(sum);
    bases_.push_back(basis);
  }

  // The inner product of two columns over weighted rows.
  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    if (!weights_) return inner(a.data(), b.data(), n_);
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) sum += weights_[i] * a[i] * b[i];
    return sum;
  }

  // Gram-Schmidt, twice for each column; a column that depends on earlier ones adds nothing.
  void add_block(const Features& features, std::size_t first, std::size_t end, Centering centering) {
    NumberReader reader(n_);
    Basis basis;
    basis.size = end - first;
    std::vector<std::vector<double>> found, coordinates;  // coordinates: of each found column in the block's columns
    for (std::size_t c = first; c < end; ++c) {
      const Nonzeros x = reader.read(features.columns[c]);
      const double mean = centering == Centering::none ? 0 : standardize(x, n_, weights_).mean;
      basis.mean.push_back(mean);
      std::vector<double> column(n_, -mean), of(basis.size, 0.0);
      for (std::size_t s = 0; s < x.size; ++s) column[static_cast<std::size_t>(x.rows[s])] += x.values[s];
      of[c - first] = 1;
      const double before = product(column, column);
      for (int twice = 0; twice < 2; ++twice) {
        for (std::size_t r = 0; r < found.size(); ++r) {
          const double part = product(found[r], column) / total_;
          add_scaled(column.data(), found[r].data(), -part, n_);
          add_scaled(of.data(), coordinates[r].data(), -part, basis.size);
        }
      }
      const double left = product(column, column);
      if (!(left > 1e-20 * before) || before == 0) continue;
      const double scale = std::sqrt(total_ / left);
      for (double& value : column) value *= scale;
      for (double& value : of) value *= scale;
      found.push_back(column);
      coordinates.push_back(of);
    }
    basis.to_own.resize(basis.size * found.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
      for (std::size_t c = 0; c < basis.size; ++c) basis.to_own[c * found.size() + r] = coordinates[r][c];
      Stored stored;
      stored.begin = values_.size();
      stored.rows = rows_.size();
      stored.size = n_;
      stored.dense = true;
      values_.insert(values_.end(), found[r].begin(), found[r].end());
      columns_.push_back(stored);
    }
    squares_.push_back(found.empty() ? 0 : total_);
    bases_.push_back(basis);
  }

  std::size_t n_;
  double total_;
  const double* weights_;     // of rows, or null
  std::vector<double> root_;  // of the weights, once rows are multiplied by them
  std::vector<std::size_t> unit_start_, unit_of_;
  std::vector<Stored> columns_;
  std::vector<double> squares_;  // by unit
  std::vector<Basis> bases_;     // by unit
  std::vector<int> rows_;
  std::vector<double> values_;
};

}  // namespace mlsift
