#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// A sparse symmetric matrix, by columns, rows ascending.
struct SparseSymmetric {
  std::vector<std::size_t> start;  ///< of each column, and the number of entries
  std::vector<int> row;
  std::vector<double> value;

  std::size_t size() const { return start.empty() ? 0 : start.size() - 1; }

  double at(std::size_t j, std::size_t k) const {
    const auto begin = row.begin() + static_cast<std::ptrdiff_t>(start[j]);
    const auto end = row.begin() + static_cast<std::ptrdiff_t>(start[j + 1]);
    const auto found = std::lower_bound(begin, end, static_cast<int>(k));
    return found != end && *found == static_cast<int>(k) ? value[static_cast<std::size_t>(found - row.begin())] : 0;
  }

  /// to = A x.
  void product(const double* x, double* to) const {
    for (std::size_t j = 0; j < size(); ++j) {
      double sum = 0;
      for (std::size_t e = start[j]; e < start[j + 1]; ++e) sum += value[e] * x[row[e]];
      to[j] = sum;
    }
  }
};

}  // namespace mlsift
