#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../core/vectors.h"
#include "../data/standardized.h"
#include "../solve/gram.h"

namespace mlsift {

/// How features become columns of a linear model with an intercept: (x - center) / scale. A column with scale 0, which
/// was constant in training, becomes 0.
///
/// If fewer than a quarter of all values are nonzero, the columns are kept sparse and only those without zeros are
/// centered: centering affects only the intercept.
struct Scaling {
  std::vector<double> center, scale;
  bool sparse = false;
};

/// From training rows. With `zscore`, scales are (population) standard deviations, else 1. `weights`: of rows, or null.
inline Scaling scaling_of(const Features& features, bool zscore, const double* weights) {
  NumberReader reader(features.n_rows);
  Scaling result;
  std::vector<double> mean;
  std::size_t nonzero = 0;
  for (const Column& column : features.columns) {
    const Nonzeros x = reader.read(column);
    const Standardized s = standardize(x, features.n_rows, weights);
    result.center.push_back(s.shift);
    result.scale.push_back(s.constant ? 0 : zscore ? s.scale : 1);
    mean.push_back(s.mean);
    if (!s.constant) nonzero += x.size;
  }
  result.sparse = 4 * nonzero < features.n_rows * features.size();
  if (!result.sparse) result.center = mean;
  return result;
}

/// The matrix X of a linear model, without the column of ones. All functions refer to its first k columns. Results
/// depend only on the values, not on how the features were stored.
class Design {
 public:
  Design(const Features& features, const Scaling& scaling)
      : n_(features.n_rows), d_(features.size()), sparse_(scaling.sparse) {
    if (sparse_) {
      fill_sparse(features, scaling);
    } else {
      fill_dense(features, scaling);
    }
  }

  /// The given rows and the first k columns of another design.
  Design(const Design& all, const std::vector<std::size_t>& rows, std::size_t k)
      : n_(rows.size()), d_(k), sparse_(all.sparse_) {
    if (sparse_) {
      start_.push_back(0);
      for (const std::size_t i : rows) {
        all.each_in_row(i, k, [&](std::size_t j, double x) {
          column_.push_back(static_cast<int>(j));
          values_.push_back(x);
        });
        start_.push_back(values_.size());
      }
    } else {
      stride_ = (n_ + 7) / 8 * 8;
      values_.assign(stride_ * d_, 0.0);
      for (std::size_t j = 0; j < k; ++j) {
        double* to = values_.data() + j * stride_;
        for (std::size_t i = 0; i < n_; ++i) to[i] = all.column(j)[rows[i]];
      }
    }
  }

  std::size_t n_rows() const { return n_; }
  std::size_t n_columns() const { return d_; }
  /// The number of values to read in all columns.
  double stored() const { return static_cast<double>(sparse_ ? values_.size() : n_ * d_); }

  /// Updates hash[i] of row i with the columns from `begin` to `end`; equal columns give equal numbers.
  void add_to_hashes(std::size_t begin, std::size_t end, std::vector<std::uint64_t>& hash) const {
    const auto add = [&](std::size_t i, std::size_t j, double x) {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      std::uint64_t h = (hash[i] ^ bits) * 0x9e3779b97f4a7c15u + j;
      hash[i] = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    };
    if (sparse_) {
      for (std::size_t i = 0; i < n_; ++i) {
        each_in_row(i, end, [&](std::size_t j, double x) {
          if (j >= begin) add(i, j, x);
        });
      }
    } else {
      for (std::size_t j = begin; j < end; ++j) {
        for (std::size_t i = 0; i < n_; ++i) add(i, j, column(j)[i]);
      }
    }
  }

  /// Whether two rows agree in the first k columns.
  bool equal_rows(std::size_t a, std::size_t b, std::size_t k) const {
    if (!sparse_) {
      for (std::size_t j = 0; j < k; ++j) {
        if (column(j)[a] != column(j)[b]) return false;
      }
      return true;
    }
    const auto end = [&](std::size_t i) {
      return static_cast<std::size_t>(std::lower_bound(column_.begin() + static_cast<std::ptrdiff_t>(start_[i]),
                                                       column_.begin() + static_cast<std::ptrdiff_t>(start_[i + 1]),
                                                       static_cast<int>(k)) -
                                      column_.begin());
    };
    const std::size_t size = end(a) - start_[a];
    if (size != end(b) - start_[b]) return false;
    for (std::size_t e = 0; e < size; ++e) {
      if (column_[start_[a] + e] != column_[start_[b] + e] || values_[start_[a] + e] != values_[start_[b] + e]) {
        return false;
      }
    }
    return true;
  }

  /// to += X w.
  void add_times(const double* w, std::size_t k, double* to) const {
    if (sparse_) {
      for (std::size_t i = 0; i < n_; ++i) {
        double sum = 0;
        each_in_row(i, k, [&](std::size_t j, double x) { sum += w[j] * x; });
        to[i] += sum;
      }
    } else {
      for (std::size_t j = 0; j < k; ++j) {
        if (w[j] != 0) add_scaled(to, column(j), w[j], n_);
      }
    }
  }

  /// to = X' r.
  void inner_products(const double* r, std::size_t k, double* to) const {
    if (sparse_) {
      std::fill(to, to + k, 0.0);
      for (std::size_t i = 0; i < n_; ++i) each_in_row(i, k, [&](std::size_t j, double x) { to[j] += r[i] * x; });
    } else {
      for (std::size_t j = 0; j < k; ++j) to[j] = inner(column(j), r, n_);
    }
  }

  /// to = the diagonal of X' W X.
  void weighted_squares(const double* weight, std::size_t k, double* to) const {
    std::fill(to, to + k, 0.0);
    if (sparse_) {
      for (std::size_t i = 0; i < n_; ++i) {
        each_in_row(i, k, [&](std::size_t j, double x) { to[j] += weight[i] * x * x; });
      }
    } else {
      for (std::size_t j = 0; j < k; ++j) {
        const double* x = column(j);
        for (std::size_t i = 0; i < n_; ++i) to[j] += weight[i] * x[i] * x[i];
      }
    }
  }

  /// Adds the inner products of rows in the columns from `begin` to `end` to the lower triangle of `h`, n x n by rows.
  void add_row_products(std::size_t begin, std::size_t end, Gram& gram, double* h) const {
    if (sparse_) {
      std::vector<double> row(end, 0.0);
      for (std::size_t i = 0; i < n_; ++i) {
        each_in_row(i, end, [&](std::size_t j, double x) { row[j] = j < begin ? 0 : x; });
        for (std::size_t o = 0; o <= i; ++o) {
          double sum = 0;
          each_in_row(o, end, [&](std::size_t j, double x) { sum += row[j] * x; });
          h[i * n_ + o] += sum;
        }
        each_in_row(i, end, [&](std::size_t j, double) { row[j] = 0; });
      }
      return;
    }
    constexpr std::size_t most = 256;
    std::vector<double> rows(n_ * most), products(n_ * n_);
    const std::vector<double> ones(most, 1.0);
    for (; begin < end; begin += most) {
      const std::size_t size = std::min(most, end - begin);
      std::fill(rows.begin(), rows.end(), 0.0);
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t i = 0; i < n_; ++i) rows[i * most + j] = column(begin + j)[i];
      }
      gram(rows.data(), most, size, ones.data(), n_, products.data());
      add_scaled(h, products.data(), 1, n_ * n_);
    }
  }

  /// h = the lower triangle of X' W X, k x k by rows.
  void weighted_gram(const double* weight, std::size_t k, Gram& gram, double* h) const {
    if (!sparse_) return gram(values_.data(), stride_, n_, weight, k, h);
    std::fill(h, h + k * k, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t begin = start_[i];
      for (std::size_t e = begin; e < start_[i + 1]; ++e) {
        const std::size_t a = static_cast<std::size_t>(column_[e]);
        if (a >= k) break;
        const double wx = weight[i] * values_[e];
        double* to = h + a * k;
        for (std::size_t f = begin; f <= e; ++f) to[column_[f]] += wx * values_[f];
      }
    }
  }

 private:
  template <class Visit>
  void each_in_row(std::size_t i, std::size_t k, Visit visit) const {
    const std::size_t end = start_[i + 1];
    for (std::size_t e = start_[i]; e < end && static_cast<std::size_t>(column_[e]) < k; ++e) {
      visit(static_cast<std::size_t>(column_[e]), values_[e]);
    }
  }

  const double* column(std::size_t j) const { return values_.data() + j * stride_; }

  void fill_dense(const Features& features, const Scaling& scaling) {
    stride_ = (n_ + 7) / 8 * 8;
    values_.assign(stride_ * d_, 0.0);
    for (std::size_t j = 0; j < d_; ++j) {
      double* to = values_.data() + j * stride_;
      each_value(features.columns[j], scaling, j, [&](std::size_t i, double x) { to[i] = x; });
    }
  }

  void fill_sparse(const Features& features, const Scaling& scaling) {
    start_.assign(n_ + 1, 0);
    for (std::size_t j = 0; j < d_; ++j) {
      each_value(features.columns[j], scaling, j, [&](std::size_t i, double) { ++start_[i + 1]; });
    }
    for (std::size_t i = 0; i < n_; ++i) start_[i + 1] += start_[i];
    column_.resize(start_[n_]);
    values_.resize(start_[n_]);
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t j = 0; j < d_; ++j) {
      each_value(features.columns[j], scaling, j, [&](std::size_t i, double x) {
        column_[next[i]] = static_cast<int>(j);
        values_[next[i]++] = x;
      });
    }
  }

  // Scaled values by row; only those of nonzero rows where the center is 0.
  template <class Visit>
  void each_value(const Column& from, const Scaling& scaling, std::size_t j, Visit visit) const {
    const double center = scaling.center[j], scale = scaling.scale[j];
    if (scale == 0) return;
    NumberReader reader(n_);
    const Nonzeros x = reader.read(from);
    std::size_t s = 0;
    if (center != 0) {
      for (std::size_t i = 0; i < n_; ++i) {
        const bool here = s < x.size && static_cast<std::size_t>(x.rows[s]) == i;
        visit(i, ((here ? x.values[s++] : 0) - center) / scale);
      }
    } else {
      for (; s < x.size; ++s) visit(static_cast<std::size_t>(x.rows[s]), x.values[s] / scale);
    }
  }

  std::size_t n_, d_;
  bool sparse_;
  std::size_t stride_ = 0;          // dense: one column after the other, this far apart
  std::vector<std::size_t> start_;  // sparse: one row after the other, columns ascending
  std::vector<int> column_;
  std::vector<double> values_;
};

/// The coefficients of one linear model, for scaled columns.
struct LinearModel {
  double intercept = 0;
  std::vector<double> weights;
};

/// to = the intercept + X w.
inline void linear_predictor(const Design& design, double intercept, const double* weights, std::size_t k, double* to) {
  std::fill(to, to + design.n_rows(), intercept);
  design.add_times(weights, k, to);
}

}  // namespace mlsift
