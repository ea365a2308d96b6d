#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "column.h"
#include "discretize.h"

namespace mlsift {

struct Cell {
  bool found = false;
  std::size_t row = 0, column = 0;
};

/// The first cell (by column, then row) whose number satisfies the predicate. Integers satisfy it only if they are
/// missing and `missing` is set.
template <class Odd>
Cell find_cell(const Features& features, Odd odd, bool missing) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Column& column = features.columns[f];
    const std::size_t m = column.sparse() ? column.stored : features.n_rows;
    std::size_t at = m;
    if (column.pattern) continue;
    if (column.reals) {
      at = static_cast<std::size_t>(std::find_if(column.reals, column.reals + m, odd) - column.reals);
    } else if (missing) {
      at = static_cast<std::size_t>(std::find(column.ints, column.ints + m, int_missing) - column.ints);
    }
    if (at < m) return {true, column.sparse() ? static_cast<std::size_t>(column.rows[at]) : at, f};
  }
  return {};
}

/// Whether a column holds only 0, 1 and missing values.
inline bool is_zero_one(const Column& column, std::size_t n_rows) {
  if (column.pattern) return true;
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  if (column.reals) {
    return std::all_of(column.reals, column.reals + m, [](double v) { return v == 0 || v == 1 || std::isnan(v); });
  }
  return std::all_of(column.ints, column.ints + m, [](int v) { return v == 0 || v == 1 || v == int_missing; });
}

/// Whether the values of a column of numbers are levels: only 0 and 1, or at most `most` different whole numbers that
/// are not mostly 0, as counts are. `weights`: of rows, null for 1; `total`: their sum. Missing values do not count.
inline bool holds_levels(const Column& column, std::size_t n_rows, std::size_t most, const double* weights,
                         double total) {
  if (column.pattern) return true;
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  const bool mostly_zero = !weights && m < n_rows - m;
  bool zero_one = true;
  double not_zero = 0;  // the weight of the rows that are not 0
  std::vector<double> seen;
  if (m < n_rows) seen.push_back(0);
  for (std::size_t i = 0; i < m; ++i) {
    const double v = column.number(i);
    const double weight = weights ? weights[column.sparse() ? static_cast<std::size_t>(column.rows[i]) : i] : 1;
    if (weight == 0) continue;
    if (v != 0) not_zero += weight;
    if (std::isnan(v) || (!seen.empty() && v == seen.back())) continue;
    zero_one = zero_one && (v == 0 || v == 1);
    if (!zero_one && (mostly_zero || v != std::floor(v))) return false;
    const auto at = std::find(seen.begin(), seen.end(), v);
    if (at != seen.end()) {
      std::swap(*at, seen.back());
      continue;
    }
    seen.push_back(v);
    if (!zero_one && seen.size() > most) return false;
  }
  return zero_one || 2 * not_zero >= total;
}

/// Whether a column has more than `most` distinct values, not counting missing ones.
inline bool has_more_values(const Column& column, std::size_t n_rows, int most) {
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  if (n_rows <= static_cast<std::size_t>(most) || m < static_cast<std::size_t>(most)) return false;
  const auto more = [&](auto seen, const auto* values, auto missing) {
    if (column.sparse() && m < n_rows) seen.insert(0);
    for (std::size_t i = 0; i < m; ++i) {
      if (!missing(values[i])) seen.insert(values[i]);
      if (seen.size() > static_cast<std::size_t>(most)) return true;
    }
    return false;
  };
  if (column.reals) return more(std::unordered_set<double>(), column.reals, [](double v) { return std::isnan(v); });
  const auto range = std::minmax_element(column.ints, column.ints + m);
  if (*range.first != int_missing && static_cast<std::int64_t>(*range.second) - *range.first < most) return false;
  return more(std::unordered_set<int>(), column.ints, [](int v) { return v == int_missing; });
}

/// Whether all rows of a column have the same value, or the same level if the column has cuts. Zeros that are not
/// stored count; missing values count as a value of their own.
inline bool is_constant(const Column& column, std::size_t n_rows) {
  const std::size_t stored = column.sparse() ? column.stored : n_rows;
  const auto level = [&column](double value) {
    if (std::isnan(value)) return std::numeric_limits<double>::infinity();
    return column.cut ? static_cast<double>(column.cuts.level(value)) : value;
  };
  if (column.pattern) return stored == 0 || stored == n_rows;
  const double first = level(stored < n_rows ? 0 : column.number(0));
  for (std::size_t i = 0; i < stored; ++i) {
    if (level(column.number(i)) != first) return false;
  }
  return true;
}

/// Whether each column that varies holds only 0 and 1, or counts that are mostly 0: whole numbers, none of them
/// negative, of which fewer than half differ from 0. Missing values do not count.
inline bool share_unit(const Features& features) {
  return std::all_of(features.columns.begin(), features.columns.end(), [&](const Column& column) {
    const Spread values = spread_of(column, features.n_rows, 0);
    if (!(values.low < values.high)) return true;
    if (!values.whole || values.low < 0) return false;
    return (values.low == 0 && values.high == 1) || values.positive < values.zero;
  });
}

/// Why the parts of a matrix in compressed columns are inconsistent; empty if they are consistent.
inline std::string sparse_problem(int n_rows, int n_columns, const int* start, std::ptrdiff_t n_start, const int* rows,
                                  std::ptrdiff_t n_stored, std::ptrdiff_t n_values) {
  if (n_start != static_cast<std::ptrdiff_t>(n_columns) + 1) return "slot p does not have one entry more than columns";
  if (start[0] != 0 || start[n_columns] != n_stored) return "slot p does not run from 0 to the length of slot i";
  if (n_values != n_stored) return "slots i and x differ in length";
  for (int j = 0; j < n_columns; ++j) {
    if (start[j + 1] < start[j]) return "slot p decreases";
  }
  for (int j = 0; j < n_columns; ++j) {
    int last = -1;
    for (int s = start[j]; s < start[j + 1]; ++s) {
      if (rows[s] < 0 || rows[s] >= n_rows) return "slot i holds a row that does not exist";
      if (rows[s] <= last) return "the rows of a column do not increase";
      last = rows[s];
    }
  }
  return "";
}

}  // namespace mlsift
