#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/xlogx.h"
#include "feature_table.h"

namespace mlsift {

/// N / N_t; a label that is known in no row adds nothing.
inline double known_share(std::int64_t n, std::int64_t known) {
  return known == 0 ? 1 : static_cast<double>(n) / static_cast<double>(known);
}

/// The targets of counted rows, with their margins. A target has a column for each of its levels, one of which may be
/// left out, such as that of rows without a label. Another column, its last, holds the rows in which it is unknown, if
/// any. Where rows have weights, a count is the sum of them.
///
/// A target that is known in N_t of N rows is evaluated on these rows, and its informations are multiplied by N / N_t:
/// N I(f; t) is scaled(t, N_t I(f; t)), where sums are whole numbers until then. So a feature that tells nothing more
/// than another one adds exactly 0 to it.
struct TargetColumns {
  std::int64_t n = 0;                   ///< rows
  std::vector<std::size_t> first{0};    ///< target t: columns first[t] .. first[t + 1] - 1
  std::vector<std::int64_t> count;      ///< rows of each column
  std::vector<std::int64_t> reference;  ///< by target: rows that have none of its columns
  std::vector<int> unknown;             ///< by target: the column of rows in which it is not known, or -1; empty: none
  std::vector<double> share;            ///< by target: N / N_t; empty: all are known

  explicit TargetColumns(std::int64_t rows) : n(rows) {}

  std::size_t size() const { return reference.size(); }
  std::size_t n_columns() const { return count.size(); }
  bool all_known() const { return unknown.empty(); }
  bool one_each() const { return n_columns() == size(); }  ///< whether each target has one column
  double largest_share() const { return all_known() ? 1 : *std::max_element(share.begin(), share.end()); }

  /// The end of the columns that are levels of target t.
  std::size_t end_of_levels(std::size_t t) const { return first[t + 1] - (all_known() || unknown[t] < 0 ? 0 : 1); }

  /// In how many of `rows` rows target t is known, where so many of them have each column.
  template <class Count>
  Count known(std::size_t t, Count rows, const Count* with) const {
    return all_known() || unknown[t] < 0 ? rows : rows - with[unknown[t]];
  }
  std::int64_t known(std::size_t t) const { return known(t, n, count.data()); }

  /// A sum over the rows in which target t is known, as one over all rows.
  std::uint64_t scaled(std::size_t t, std::uint64_t sum) const { return all_known() ? sum : times(share[t], sum); }

  void add(const std::vector<std::int64_t>& columns) {
    std::int64_t rest = n;
    for (const std::int64_t rows : columns) {
      count.push_back(rows);
      rest -= rows;
    }
    first.push_back(count.size());
    reference.push_back(rest);
    if (!all_known()) set_unknown(-1);
  }

  /// Of the target that was added last: its column of rows in which it is not known, or -1.
  void set_unknown(int column) {
    unknown.resize(size(), -1);
    share.resize(size(), 1);
    unknown.back() = column;
    if (column >= 0) share.back() = known_share(n, known(size() - 1));
  }

  /// A label with a column, which is not known in `missing` rows.
  void add_label(std::int64_t rows, std::int64_t missing) {
    add(missing > 0 ? std::vector<std::int64_t>{rows, missing} : std::vector<std::int64_t>{rows});
    set_unknown(missing > 0 ? static_cast<int>(count.size()) - 1 : -1);
  }
};

/// Scratch space of each_level(): by column, the rows of a level, and those that are in none of the levels so far.
template <class Count>
struct LevelCells {
  std::vector<Count> with, left;
};

/// Calls take(v, rows, with) for every level v of a feature, the reference last: so many rows it has, and so many of
/// these have each column of the targets. Further columns of the table are not read.
template <class Count, class Take>
void each_level(const TargetColumns& targets, const FeatureTable& f, LevelCells<Count>& s, Take take) {
  s.left.assign(targets.count.begin(), targets.count.end());
  for (int v = 0; v < f.n_levels(); ++v) {
    if (v == f.reference) continue;
    s.with.assign(s.left.size(), 0);
    for (std::size_t i = f.begin(v); i < f.end(v); ++i) {
      const std::size_t c = static_cast<std::size_t>(f.column[i]);
      if (c >= s.left.size()) break;
      s.with[c] = static_cast<Count>(f.count[i]);
      s.left[c] -= s.with[c];
    }
    take(v, static_cast<Count>(f.rows[static_cast<std::size_t>(v)]), s.with.data());
  }
  take(f.reference, static_cast<Count>(f.reference_rows()), s.left.data());
}

/// Calls take(t, v, rows, ones) for every level v of a feature, the reference last, and every label t: in so many rows
/// of the level it is known, and so many of these have it.
template <class Take>
void each_known_cell(const TargetColumns& labels, const FeatureTable& f, LevelCells<std::int64_t>& s, Take take) {
  each_level(labels, f, s, [&](int v, std::int64_t rows, const std::int64_t* with) {
    for (std::size_t t = 0; t < labels.size(); ++t) take(t, v, labels.known(t, rows, with), with[labels.first[t]]);
  });
}

/// Labels, a column each.
inline TargetColumns label_columns(std::int64_t n, const std::vector<std::int64_t>& rows) {
  TargetColumns result(n);
  for (const std::int64_t with_label : rows) result.add({with_label});
  return result;
}

/// Targets as indicators, whose rows count as in `count`.
inline TargetColumns target_columns(std::int64_t n, const std::vector<int>& first, const std::vector<int>& unknown,
                                    const std::vector<std::int64_t>& count) {
  TargetColumns result(n);
  for (std::size_t t = 0; t + 1 < first.size(); ++t) {
    result.add({count.begin() + first[t], count.begin() + first[t + 1]});
    if (!unknown.empty()) result.set_unknown(unknown[t]);
  }
  return result;
}

}  // namespace mlsift
