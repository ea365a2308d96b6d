#ifndef MLSIFT_DATA_CLASSED_ROWS_H
#define MLSIFT_DATA_CLASSED_ROWS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numbers.h"
#include "split_numbers.h"

namespace mlsift {

/// Some rows of the features, as numbers, with the class of each: for searches that use many features of few rows.
struct ClassedRows {
  std::size_t n = 0, d = 0;
  SplitNumbers numbers;
  std::vector<double> deviation;          ///< population standard deviation, by feature; 0: constant on these rows
  std::vector<int> class_of;              ///< from 0
  std::vector<std::vector<int>> members;  ///< rows of each class, ascending

  bool varies(int f) const { return deviation[static_cast<std::size_t>(f)] > 0; }
};

struct ClassedRowsOptions {
  bool zscore = false;            ///< divide by the population standard deviation of these rows
  const double* noise = nullptr;  ///< a number for each row and feature, by columns: 1e-10 deviations of it are added
  bool dense_in_table = false;    ///< dense columns too, not only those with many nonzeros: memory and time only
};

namespace detail {

// Reads the nonzeros of columns in some rows, ascending.
class RowsReader {
 public:
  using Entry = SplitNumbers::Entry;

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

  void read(const Column& column, std::vector<Entry>& entries) const {
    entries.clear();
    visit(column, [&](int row, double value) { entries.push_back({row, value}); });
  }

 private:
  const std::vector<int>& rows_;
  std::vector<int> position_;  // of each row among the selected ones, or -1
};

inline double largest(const std::vector<SplitNumbers::Entry>& entries) {
  double result = 0;
  for (const auto& entry : entries) result = std::max(result, std::fabs(entry.value));
  return result;
}

// Mean and population standard deviation of n values; exactly 0 where all are equal.
inline void moments(const std::vector<SplitNumbers::Entry>& nonzeros, std::size_t n, double& mean, double& deviation) {
  mean = deviation = 0;
  if (nonzeros.empty()) return;
  const double first = nonzeros[0].value, rows = static_cast<double>(n);
  if (nonzeros.size() == n && std::all_of(nonzeros.begin(), nonzeros.end(),
                                          [&](const SplitNumbers::Entry& entry) { return entry.value == first; })) {
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
/// other features only to save digits. A feature has many nonzeros if a table takes about as much memory.
inline ClassedRows classed_rows(const Features& features, const std::vector<int>& rows,
                                const std::vector<int>& class_of, int n_classes, const ClassedRowsOptions& options) {
  ClassedRows result;
  const std::size_t n = result.n = rows.size(), d = result.d = features.size();
  result.class_of = class_of;
  result.members.resize(static_cast<std::size_t>(n_classes));
  for (std::size_t i = 0; i < n; ++i)
    result.members[static_cast<std::size_t>(class_of[i])].push_back(static_cast<int>(i));

  const detail::RowsReader reader(features.n_rows, rows);
  std::vector<char> many(d, 0), in_table(d, 0);
  double most = 0;  // distances add up features unscaled, so one factor must serve all
  std::size_t stored = 0;
  for (std::size_t f = 0; f < d; ++f) {
    const Column& column = features.columns[f];
    std::size_t nonzeros = 0;
    reader.visit(column, [&](int, double value) {
      ++nonzeros;
      most = std::max(most, std::fabs(value));
    });
    many[f] = 4 * nonzeros >= n;
    in_table[f] = many[f] || options.noise || (options.dense_in_table && !column.sparse());
    if (!in_table[f]) stored += nonzeros;
  }

  SplitNumbers& numbers = result.numbers;
  numbers.reset(n, in_table);
  numbers.by_column.reserve(stored);
  std::vector<SplitNumbers::Entry> entries;
  const std::vector<SplitNumbers::Entry> none;
  for (std::size_t f = 0; f < d; ++f) {
    reader.read(features.columns[f], entries);
    const double factor = square_factor(options.zscore ? detail::largest(entries) : most);
    for (auto& entry : entries) entry.value *= factor;
    double mean, deviation;
    detail::moments(entries, n, mean, deviation);
    result.deviation.push_back(deviation / factor);
    if (!(deviation > 0)) entries.clear();
    const double shift = options.zscore && many[f] ? mean : 0, divisor = options.zscore ? deviation : 1;
    for (auto& entry : entries) entry.value = (entry.value - shift) / divisor;
    numbers.add(in_table[f] ? none : entries);
    if (!in_table[f] || !(deviation > 0)) continue;
    for (std::size_t i = 0; i < n; ++i) numbers.cell(i, f) = (0.0 - shift) / divisor;
    for (const auto& entry : entries) numbers.cell(static_cast<std::size_t>(entry.at), f) = entry.value;
    for (std::size_t i = 0; options.noise && i < n; ++i)
      numbers.cell(i, f) += 1e-10 * (options.zscore ? 1 : deviation) * options.noise[f * n + i];
  }
  numbers.finish();
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

#endif
