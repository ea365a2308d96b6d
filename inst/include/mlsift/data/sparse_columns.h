#pragma once

#include <cstddef>
#include <vector>

namespace mlsift {

/// Compressed sparse columns, rows increasing within a column.
struct SparseColumns {
  std::size_t n_rows = 0, n_columns = 0;
  const int* start = nullptr;  // n_columns + 1
  const int* row = nullptr;
  const double* value = nullptr;
};

/// The same by row, features increasing within a row.
struct SparseRows {
  struct Entry {
    std::size_t feature;
    double value;
  };

  explicit SparseRows(const SparseColumns& x)
      : start(x.n_rows + 1, 0), entries(static_cast<std::size_t>(x.start[x.n_columns])) {
    for (std::size_t e = 0; e < entries.size(); ++e) ++start[static_cast<std::size_t>(x.row[e]) + 1];
    for (std::size_t i = 0; i < x.n_rows; ++i) start[i + 1] += start[i];
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t f = 0; f < x.n_columns; ++f) {
      for (int e = x.start[f]; e < x.start[f + 1]; ++e)
        entries[next[static_cast<std::size_t>(x.row[e])]++] = {f, x.value[e]};
    }
  }

  const Entry* begin(std::size_t row) const { return entries.data() + start[row]; }
  const Entry* end(std::size_t row) const { return entries.data() + start[row + 1]; }
  std::size_t size(std::size_t row) const { return start[row + 1] - start[row]; }

  std::vector<std::size_t> start;
  std::vector<Entry> entries;
};

}  // namespace mlsift
