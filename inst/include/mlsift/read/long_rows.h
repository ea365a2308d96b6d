#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// Converts the cells of a long table, (row, column) from 0 with ascending rows, into compressed columns: p has
/// n_columns + 1 entries, i has n_cells, and place (unless null) says where each cell went. Returns the first cell that
/// repeats an earlier one, or n_cells if there is none.
inline std::size_t compress_cells(const int* row, const int* column, std::size_t n_cells, std::size_t n_columns, int* p,
                                  int* i, std::size_t* place) {
  std::fill(p, p + n_columns + 1, 0);
  for (std::size_t cell = 0; cell < n_cells; ++cell) ++p[column[cell] + 1];
  for (std::size_t c = 0; c < n_columns; ++c) p[c + 1] += p[c];
  std::vector<int> next(p, p + n_columns);
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    const std::size_t c = static_cast<std::size_t>(column[cell]);
    const int at = next[c]++;
    if (at > p[c] && i[at - 1] == row[cell]) return cell;
    i[at] = row[cell];
    if (place) place[cell] = static_cast<std::size_t>(at);
  }
  return n_cells;
}

}  // namespace mlsift
