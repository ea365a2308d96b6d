#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numbers.h"

namespace mlsift {

/// Numbers of n rows and d features, row by row.
struct NumberTable {
  std::size_t n = 0, d = 0;
  std::vector<double> cells;

  NumberTable() = default;
  NumberTable(std::size_t n_rows, std::size_t n_features) : n(n_rows), d(n_features), cells(n * d, 0.0) {}

  double* row(std::size_t i) { return cells.data() + i * d; }
  const double* row(std::size_t i) const { return cells.data() + i * d; }

  std::vector<double> column(std::size_t f) const {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = row(i)[f];
    return result;
  }
};

/// Some rows of the features, as numbers, with the class of each: for searches that use many features of few rows.
struct ClassedRows {
  std::size_t n = 0, d = 0;
  NumberTable numbers;
  std::vector<double> deviation;          ///< population standard deviation, by feature; 0: constant on these rows
  std::vector<int> class_of;              ///< from 0
  std::vector<std::vector<int>> members;  ///< rows of each class, ascending

  bool varies(int f) const { return deviation[static_cast<std::size_t>(f)] > 0; }
};

struct ClassedRowsOptions {
  bool zscore = false;            ///< divide by the population standard deviation of these rows
  const double* noise = nullptr;  ///< a number for each row and feature, by columns: 1e-10 deviations of it are added
};

namespace detail {

struct Nonzero {
  int row;
  double value;
};

// Reads the nonzeros of columns in some rows, ascending.
class RowsReader {
 public:
  RowsReader(std::size_t n_rows, const std::vector<int>& rows) : rows_(rows), position_(n_rows, -1) {
    for (std::size_t i = 0; i < rows.size(); ++i) position_[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  }

  template <class Visit>
  void visit(const Column& column, Visit visit) const {
    if (column.sparse()) {
      for (std::size_t s = 0; s < column.stored; ++s) {
        const int at = position_[static_cast<std::size_t>(column.rows[s])];
        if (at >= 0 && column.reals[s] != 0) visit(at, column.reals[s]);
      }
    } else {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (column.reals[rows_[i]] != 0) visit(static_cast<int>(i), column.reals[rows_[i]]);
      }
    }
  }

  void read(const Column& column, std::vector<Nonzero>& nonzeros) const {
    nonzeros.clear();
    visit(column, [&](int row, double value) { nonzeros.push_back({row, value}); });
  }

 private:
  const std::vector<int>& rows_;
  std::vector<int> position_;  // of each row among the selected ones, or -1
};

inline double largest(const std::vector<Nonzero>& nonzeros) {
  double result = 0;
  for (const Nonzero& entry : nonzeros) result = std::max(result, std::fabs(entry.value));
  return result;
}

// Mean and population standard deviation of n values; exactly 0 where all are equal.
inline void moments(const std::vector<Nonzero>& nonzeros, std::size_t n, double& mean, double& deviation) {
  mean = deviation = 0;
  if (nonzeros.empty()) return;
  const double first = nonzeros[0].value, rows = static_cast<double>(n);
  if (nonzeros.size() == n &&
      std::all_of(nonzeros.begin(), nonzeros.end(), [&](const Nonzero& entry) { return entry.value == first; })) {
    return;
  }
  for (const auto& entry : nonzeros) mean += entry.value / rows;
  for (const auto& entry : nonzeros) deviation += (entry.value - mean) * (entry.value - mean) / rows;
  deviation += static_cast<double>(n - nonzeros.size()) * (mean * mean / rows);
  deviation = std::sqrt(deviation);
}

}  // namespace detail

/// `rows` (ascending) of the features (all numeric), with their classes 0 .. n_classes - 1. Constant features are 0.
/// With `zscore`, a feature with mostly zeros keeps its zeros: only differences matter, and the mean is subtracted from
/// other features only to save digits.
inline ClassedRows classed_rows(const Features& features, const std::vector<int>& rows,
                                const std::vector<int>& class_of, int n_classes, const ClassedRowsOptions& options) {
  ClassedRows result;
  const std::size_t n = result.n = rows.size(), d = result.d = features.size();
  result.class_of = class_of;
  result.members.resize(static_cast<std::size_t>(n_classes));
  for (std::size_t i = 0; i < n; ++i)
    result.members[static_cast<std::size_t>(class_of[i])].push_back(static_cast<int>(i));

  const detail::RowsReader reader(features.n_rows, rows);
  double most = 0;  // distances add up features unscaled, so one factor must serve all
  for (std::size_t f = 0; f < d; ++f)
    reader.visit(features.columns[f], [&](int, double value) { most = std::max(most, std::fabs(value)); });

  NumberTable& numbers = result.numbers = NumberTable(n, d);
  std::vector<detail::Nonzero> nonzeros;
  for (std::size_t f = 0; f < d; ++f) {
    reader.read(features.columns[f], nonzeros);
    const double factor = square_factor(options.zscore ? detail::largest(nonzeros) : most);
    for (auto& entry : nonzeros) entry.value *= factor;
    double mean, deviation;
    detail::moments(nonzeros, n, mean, deviation);
    result.deviation.push_back(deviation / factor);
    if (!(deviation > 0)) continue;
    const bool many = 4 * nonzeros.size() >= n;
    const double shift = options.zscore && many ? mean : 0, divisor = options.zscore ? deviation : 1;
    for (std::size_t i = 0; i < n; ++i) numbers.row(i)[f] = (0.0 - shift) / divisor;
    for (const auto& entry : nonzeros)
      numbers.row(static_cast<std::size_t>(entry.row))[f] = (entry.value - shift) / divisor;
    for (std::size_t i = 0; options.noise && i < n; ++i)
      numbers.row(i)[f] += 1e-10 * (options.zscore ? 1 : deviation) * options.noise[f * n + i];
  }
  return result;
}

/// Whether a column varies in the `n` rows of `reader`, and most of them share their value with more than `times` of
/// the others.
inline bool repeats(const Column& column, const detail::RowsReader& reader, std::size_t n, std::size_t times) {
  std::vector<double> values;
  reader.visit(column, [&](int, double value) { values.push_back(value); });
  const std::size_t zeros = n - values.size();
  std::sort(values.begin(), values.end());
  if (values.empty() || (zeros == 0 && values.front() == values.back())) return false;
  std::size_t repeated = zeros > times + 1 ? zeros : 0, begin = 0;
  for (std::size_t i = 1; i <= values.size(); ++i) {
    if (i < values.size() && values[i] == values[begin]) continue;
    if (i - begin > times + 1) repeated += i - begin;
    begin = i;
  }
  return 2 * repeated > n;
}

}  // namespace mlsift
