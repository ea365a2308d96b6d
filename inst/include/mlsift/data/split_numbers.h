#ifndef MLSIFT_DATA_SPLIT_NUMBERS_H
#define MLSIFT_DATA_SPLIT_NUMBERS_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// Numbers of n rows and d features: some features in a table, row by row, the others as their nonzeros.
/// Memory: 8 n bytes for a feature in the table, 32 bytes for a nonzero of another.
struct SplitNumbers {
  struct Entry {
    int at;  ///< a row, or a feature
    double value;
  };

  std::size_t n = 0, d = 0;
  std::size_t width = 0;           ///< features in the table
  std::vector<int> place;          ///< by feature: its column in the table, or -1
  std::vector<double> table;       ///< row i: table[i width] .. table[i width + width - 1]
  std::vector<std::size_t> start;  ///< by feature: its first entry; none for a feature in the table
  std::vector<Entry> by_column;    ///< rows, ascending
  std::vector<std::size_t> row_start;
  std::vector<Entry> by_row;  ///< features, ascending

  /// Starts with an empty table for the features marked so; then add() the others, in order.
  void reset(std::size_t n_rows, const std::vector<char>& in_table) {
    n = n_rows, d = in_table.size();
    width = 0;
    place.assign(d, -1);
    for (std::size_t f = 0; f < d; ++f) {
      if (in_table[f]) place[f] = static_cast<int>(width++);
    }
    table.assign(n * width, 0.0);
    start.assign(1, 0);
    by_column.clear();
  }

  /// Adds the entries of the next feature, none if it is in the table.
  void add(const std::vector<Entry>& entries) {
    by_column.insert(by_column.end(), entries.begin(), entries.end());
    start.push_back(by_column.size());
  }

  /// Call this after the last feature.
  void finish() {
    row_start.assign(n + 1, 0);
    for (const Entry& entry : by_column) ++row_start[static_cast<std::size_t>(entry.at) + 1];
    for (std::size_t i = 0; i < n; ++i) row_start[i + 1] += row_start[i];
    by_row.resize(by_column.size());
    std::vector<std::size_t> next(row_start.begin(), row_start.end() - 1);
    for (std::size_t f = 0; f < d; ++f) {
      for (const Entry* e = begin(f); e != end(f); ++e)
        by_row[next[static_cast<std::size_t>(e->at)]++] = {static_cast<int>(f), e->value};
    }
  }

  bool in_table(std::size_t f) const { return place[f] >= 0; }
  double& cell(std::size_t row, std::size_t f) { return table[row * width + static_cast<std::size_t>(place[f])]; }
  double cell(std::size_t row, std::size_t f) const { return table[row * width + static_cast<std::size_t>(place[f])]; }
  const Entry* begin(std::size_t f) const { return by_column.data() + start[f]; }
  const Entry* end(std::size_t f) const { return by_column.data() + start[f + 1]; }
  const Entry* row_begin(std::size_t row) const { return by_row.data() + row_start[row]; }
  const Entry* row_end(std::size_t row) const { return by_row.data() + row_start[row + 1]; }

  double at(std::size_t row, std::size_t f) const {
    if (in_table(f)) return cell(row, f);
    const Entry* const found = first_from(row_begin(row), row_end(row), f);
    return found != row_end(row) && found->at == static_cast<int>(f) ? found->value : 0.0;
  }

  /// The first entry at position `at` or after it.
  static const Entry* first_from(const Entry* begin, const Entry* end, std::size_t at) {
    return std::lower_bound(begin, end, static_cast<int>(at), [](const Entry& e, int v) { return e.at < v; });
  }

  std::vector<double> column(std::size_t f) const {
    std::vector<double> result(n, 0.0);
    if (in_table(f)) {
      for (std::size_t i = 0; i < n; ++i) result[i] = cell(i, f);
    }
    for (const Entry* e = begin(f); e != end(f); ++e) result[static_cast<std::size_t>(e->at)] = e->value;
    return result;
  }

  /// The nonzeros of a feature, wherever it is stored.
  std::vector<Entry> entries(std::size_t f) const {
    std::vector<Entry> result(begin(f), end(f));
    for (std::size_t i = 0; in_table(f) && i < n; ++i) {
      if (cell(i, f) != 0) result.push_back({static_cast<int>(i), cell(i, f)});
    }
    return result;
  }
};

}  // namespace mlsift

#endif
