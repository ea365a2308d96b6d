#ifndef MLSIFT_COUNT_TARGET_COLUMNS_H
#define MLSIFT_COUNT_TARGET_COLUMNS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../data/indicators.h"
#include "../data/targets.h"

namespace mlsift {

/// The targets of counted rows, with their margins. A target has a column for each of its levels, one of which may be
/// left out, such as that of rows without a label. Another column holds the rows in which it is unknown, if any.
/// Where rows have weights, a count is the sum of them.
struct TargetColumns {
  std::int64_t n = 0;                   ///< rows
  std::vector<std::size_t> first{0};    ///< target t: columns first[t] .. first[t + 1] - 1
  std::vector<std::int64_t> count;      ///< rows of each column
  std::vector<std::int64_t> reference;  ///< by target: rows that have none of its columns
  std::vector<int> unknown;             ///< by target: the column of rows in which it is not known, or -1; empty: none

  explicit TargetColumns(std::int64_t rows) : n(rows) {}

  std::size_t size() const { return reference.size(); }
  std::size_t n_columns() const { return count.size(); }
  bool all_known() const { return unknown.empty(); }
  bool one_each() const { return n_columns() == size(); }  ///< whether each target has one column

  /// Whether targets are not all known; the column of target t must be its first one, those of unknown rows its last.
  std::int64_t known(std::size_t t) const {
    return all_known() || unknown[t] < 0 ? n : n - count[static_cast<std::size_t>(unknown[t])];
  }

  void add(const std::vector<std::int64_t>& columns) {
    std::int64_t rest = n;
    for (const std::int64_t rows : columns) {
      count.push_back(rows);
      rest -= rows;
    }
    first.push_back(count.size());
    reference.push_back(rest);
  }

  /// A label with a column, which is not known in `missing` rows.
  void add_label(std::int64_t rows, std::int64_t missing) {
    unknown.resize(size(), -1);
    if (missing == 0) {
      add({rows});
      unknown.push_back(-1);
    } else {
      add({rows, missing});
      unknown.push_back(static_cast<int>(count.size()) - 1);
    }
  }
};

/// Targets as a block, for counts that are ints.
inline Block block_of(const TargetColumns& targets) {
  Block block;
  for (std::size_t t = 0; t < targets.size(); ++t) block.variables.push_back(static_cast<int>(t));
  block.first = targets.first;
  block.count.assign(targets.count.begin(), targets.count.end());
  block.reference.assign(targets.reference.begin(), targets.reference.end());
  block.unknown = targets.unknown;
  return block;
}

/// Labels, a column each.
inline TargetColumns label_columns(std::int64_t n, const std::vector<std::int64_t>& rows) {
  TargetColumns result(n);
  for (const std::int64_t with_label : rows) result.add({with_label});
  return result;
}

/// Targets as indicators, whose rows count as in `count`.
inline TargetColumns target_columns(std::int64_t n, const std::vector<int>& first, std::vector<int> unknown,
                                    const std::vector<std::int64_t>& count) {
  TargetColumns result(n);
  for (std::size_t t = 0; t + 1 < first.size(); ++t)
    result.add({count.begin() + first[t], count.begin() + first[t + 1]});
  result.unknown = std::move(unknown);
  return result;
}

}  // namespace mlsift

#endif
