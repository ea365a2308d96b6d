#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlsift {

/// Appends the columns that have rows, and how many. Always written, but kept only if there are rows: faster than a
/// branch that is hard to predict.
template <class Count>
void append_met(const Count* rows, std::size_t n_columns, std::vector<int>& columns,
                std::vector<std::int64_t>& counts) {
  std::size_t n = columns.size();
  columns.resize(n + n_columns);
  counts.resize(n + n_columns);
  int* const column = columns.data();
  std::int64_t* const count = counts.data();
  for (std::size_t j = 0; j < n_columns; ++j) {
    column[n] = static_cast<int>(j);
    count[n] = rows[j];
    n += rows[j] != 0;
  }
  columns.resize(n);
  counts.resize(n);
}

/// One feature together with the targets: how many rows have each of its levels, and how many of these have each column
/// of the targets (a label, a class, or the rows in which a label is not known). Where rows have weights, a count is
/// the sum of them.
///
/// Levels that do not occur are left out; the others stand in increasing order. The reference level, the most frequent
/// one and the lowest of several, has no cells: the margins give them.
struct FeatureTable {
  std::vector<std::int64_t> rows;    ///< of each level
  int reference = 0;                 ///< which level has no cells
  std::vector<std::size_t> cell{0};  ///< level v: cells cell[v] .. cell[v + 1] - 1
  std::vector<int> column;           ///< of a cell, ascending within a level
  std::vector<std::int64_t> count;   ///< of a cell, above 0

  int n_levels() const { return static_cast<int>(rows.size()); }
  std::int64_t reference_rows() const { return rows[static_cast<std::size_t>(reference)]; }
  std::size_t begin(int v) const { return cell[static_cast<std::size_t>(v)]; }
  std::size_t end(int v) const { return cell[static_cast<std::size_t>(v) + 1]; }

  void clear() {
    rows.clear();
    cell.assign(1, 0);
    column.clear();
    count.clear();
    reference = 0;
  }

  /// The cells added since the last level are those of the next one, of n rows.
  void end_level(std::int64_t n) {
    rows.push_back(n);
    cell.push_back(column.size());
  }

  /// Makes the most frequent level the reference. `margin`: how many rows have each column.
  template <class Count>
  void choose_reference(const std::vector<Count>& margin) {
    const int most = static_cast<int>(std::max_element(rows.begin(), rows.end()) - rows.begin());
    if (most == reference) return;
    std::vector<std::int64_t> rest(margin.begin(), margin.end());
    for (std::size_t c = 0; c < column.size(); ++c) rest[static_cast<std::size_t>(column[c])] -= count[c];
    FeatureTable other;
    for (int v = 0; v < n_levels(); ++v) {
      if (v == reference) {
        for (std::size_t j = 0; j < rest.size(); ++j) other.add(static_cast<int>(j), rest[j]);
      } else if (v != most) {
        for (std::size_t c = begin(v); c < end(v); ++c) other.add(column[c], count[c]);
      }
      other.end_level(rows[static_cast<std::size_t>(v)]);
    }
    other.reference = most;
    *this = other;
  }

  /// Adds a cell to the current level, unless it is empty.
  void add(int j, std::int64_t n) {
    if (n == 0) return;
    column.push_back(j);
    count.push_back(n);
  }
};

}  // namespace mlsift
