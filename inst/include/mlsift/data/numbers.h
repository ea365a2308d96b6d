#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "column.h"

namespace mlsift {

/// A column of real numbers as its nonzero rows, ascending, and their values. Sums over it do not depend on whether the
/// column was dense or sparse.
struct Nonzeros {
  const int* rows = nullptr;
  const double* values = nullptr;
  std::size_t size = 0;
};

/// A factor for differences of this size that keeps their squares within the range of doubles: 1, unless they are very
/// large or very small; otherwise a power of two, which loses no digits.
inline double square_factor(double size) {
  return size > 1e100 || size < 1e-100 ? std::ldexp(1.0, -std::ilogb(std::max(size, 1e-300))) : 1;
}

/// Reads columns as Nonzeros. Scratch space of one thread: the result holds until the next call.
class NumberReader {
 public:
  explicit NumberReader(std::size_t n_rows) : n_(n_rows) {}

  Nonzeros read(const Column& column) {
    const std::size_t m = column.sparse() ? column.stored : n_;
    if (column.pattern || (column.sparse() && std::find(column.reals, column.reals + m, 0.0) == column.reals + m)) {
      return {column.rows, column.reals, m};
    }
    rows_.clear();
    values_.clear();
    for (std::size_t i = 0; i < m; ++i) {
      if (column.reals[i] != 0) add(column.sparse() ? column.rows[i] : static_cast<int>(i), column.reals[i]);
    }
    return view();
  }

  /// The rows in which a (dense) column has this value, each with value 1.
  Nonzeros indicator(const Column& column, double value) {
    rows_.clear();
    values_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      if (column.reals[i] == value) add(static_cast<int>(i), 1);
    }
    return view();
  }

 private:
  void add(int row, double value) {
    rows_.push_back(row);
    values_.push_back(value);
  }
  Nonzeros view() const { return {rows_.data(), values_.data(), rows_.size()}; }

  std::size_t n_;
  std::vector<int> rows_;
  std::vector<double> values_;
};

/// The weights of rows, or 1 each if there are none (null).
struct RowWeights {
  const double* weights = nullptr;
  double total = 0;

  RowWeights(const double* of_rows, std::size_t n_rows) : weights(of_rows), total(static_cast<double>(n_rows)) {
    if (weights) total = std::accumulate(weights, weights + n_rows, 0.0);
  }

  double operator[](int row) const { return weights ? weights[row] : 1.0; }

  /// The rows of a column that are not listed, of n.
  double zeros(const Nonzeros& x, std::size_t n) const {
    if (x.size == n) return 0;
    if (!weights) return static_cast<double>(n - x.size);
    double seen = 0;
    for (std::size_t i = 0; i < x.size; ++i) seen += weights[x.rows[i]];
    return total - seen;
  }
};

/// The mean of a column times `factor`, which keeps squares within the range of doubles.
struct Center {
  double factor = 1, mean = 0;
  bool constant = true;

  double off(double value) const { return value * factor - mean; }
};

inline Center center_of(const Nonzeros& x, std::size_t n, const RowWeights& weights) {
  Center result;
  if (x.size == 0) return result;
  result.constant = x.size == n && std::all_of(x.values, x.values + n, [&](double v) { return v == x.values[0]; });
  if (result.constant) return result;
  double largest = 0;
  for (std::size_t i = 0; i < x.size; ++i) largest = std::max(largest, std::fabs(x.values[i]));
  result.factor = square_factor(largest);
  for (std::size_t i = 0; i < x.size; ++i) result.mean += weights[x.rows[i]] * (x.values[i] * result.factor);
  result.mean /= weights.total;
  return result;
}

/// The sum of squares of what is off the center.
inline double squares_of(const Nonzeros& x, std::size_t n, const RowWeights& weights, const Center& center) {
  double squares = weights.zeros(x, n) * center.mean * center.mean;
  for (std::size_t i = 0; i < x.size; ++i) {
    squares += weights[x.rows[i]] * center.off(x.values[i]) * center.off(x.values[i]);
  }
  return squares;
}

/// Calls visit(nonzeros) once for a number column, and once for each level of a nominal one (level numbers 1, 2, ...),
/// with its indicator.
template <class Visit>
void visit_numbers(const Column& column, int n_levels, NumberReader& reader, Visit visit) {
  if (n_levels == 0) {
    visit(reader.read(column));
  } else {
    for (int v = 1; v <= n_levels; ++v) visit(reader.indicator(column, v));
  }
}

}  // namespace mlsift
