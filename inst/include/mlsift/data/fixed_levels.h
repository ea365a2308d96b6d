#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "column.h"

namespace mlsift {

/// The levels of one feature, fixed before rows are counted: single values, or the intervals between cuts. Values that
/// are none of them, missing ones among them, share one more level, number size().
struct FixedLevels {
  std::vector<double> at;  ///< the values, or the cuts; increasing
  bool cut = false, right = false;
  int implied = 0;  ///< the level whose cells are not stored, because the margins give them

  int size() const { return static_cast<int>(at.size()) + cut; }
  std::size_t slots() const { return at.size() + cut + 1; }

  int level(double value) const {
    if (std::isnan(value)) return size();
    if (cut) return Cuts{at.data(), at.size(), right}.level(value);
    const auto found = std::lower_bound(at.begin(), at.end(), value);
    return found != at.end() && *found == value ? static_cast<int>(found - at.begin()) : size();
  }

  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(at);
    for (bool* one : {&cut, &right}) bytes(*one);
    bytes(implied);
  }

  bool operator==(const FixedLevels& other) const {
    return at == other.at && cut == other.cut && right == other.right && implied == other.implied;
  }
};

/// Calls visit(row, level) for the rows of a column that are not at the implied level, in order; of a sparse column
/// whose zeros are at the implied level, only for what is stored.
template <class Visit>
void visit_levels(const Column& column, std::size_t n_rows, const FixedLevels& levels, Visit visit) {
  const auto meet = [&](std::size_t row, double value) {
    const int level = levels.level(value);
    if (level != levels.implied) visit(static_cast<int>(row), level);
  };
  if (!column.sparse()) {
    for (std::size_t i = 0; i < n_rows; ++i) meet(i, column.number(i));
  } else if (levels.level(0) == levels.implied) {
    for (std::size_t s = 0; s < column.stored; ++s) meet(static_cast<std::size_t>(column.rows[s]), column.reals[s]);
  } else {
    std::size_t s = 0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const bool here = s < column.stored && column.rows[s] == static_cast<int>(i);
      meet(i, here ? column.reals[s++] : 0.0);
    }
  }
}

/// The values of a column, increasing, without missing ones.
inline std::vector<double> distinct_values(const Column& column, std::size_t n_rows) {
  std::vector<double> values;
  if (column.sparse() && column.stored < n_rows) values.push_back(0);
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  std::size_t sorted = 0;
  for (std::size_t i = 0; i < m; ++i) {
    const double value = column.number(i);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(sorted);
    const auto at = std::lower_bound(values.begin(), end, value);
    if (std::isnan(value) || (at != end && *at == value)) continue;
    values.push_back(value);
    if (sorted < 64 || values.size() > 2 * sorted) {  // most columns have few values, which later searches find
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      sorted = values.size();
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The levels that occur in a column, missing values aside; implied is the most frequent one, the lowest of several. A
/// column that is cut has the levels of its cuts.
inline FixedLevels levels_of(const Column& column, std::size_t n_rows) {
  FixedLevels result;
  if (column.cut) {
    result.cut = true;
    result.right = column.cuts.right;
    result.at.assign(column.cuts.at, column.cuts.at + column.cuts.size);
  } else {
    result.at = distinct_values(column, n_rows);
  }
  std::vector<std::int64_t> rows(result.slots(), 0);
  result.implied = -1;
  if (column.sparse()) {
    for (std::size_t s = 0; s < column.stored; ++s) ++rows[static_cast<std::size_t>(result.level(column.reals[s]))];
    rows[static_cast<std::size_t>(result.level(0))] += static_cast<std::int64_t>(n_rows - column.stored);
  } else {
    for (std::size_t i = 0; i < n_rows; ++i) ++rows[static_cast<std::size_t>(result.level(column.number(i)))];
  }
  result.implied = static_cast<int>(std::max_element(rows.begin(), rows.end()) - rows.begin());
  return result;
}

}  // namespace mlsift
