#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../solve/sparse_symmetric.h"

namespace mlsift {

/// Item `is` is among the nearest neighbors of item `of`, at this squared distance.
struct NearPair {
  int of, is;
  double squared;
};

/// Weights of a neighbor graph: 1, or exp(-d^2 / (2 width^2)), and how the two directions of a pair are combined.
struct GraphWeights {
  double width = 0;     ///< 0: all weights are 1; below 0: the root of half the mean squared distance of the pairs
  bool larger = false;  ///< the larger weight of both directions (0 where there is none) instead of their mean
};

/// The Laplacian D - S of such a graph of n items.
inline SparseSymmetric neighbor_laplacian(std::size_t n, const std::vector<NearPair>& pairs, GraphWeights weights) {
  if (weights.width < 0) {
    double sum = 0;
    for (const NearPair& pair : pairs) sum += pair.squared;
    weights.width = std::sqrt(sum / static_cast<double>(2 * std::max<std::size_t>(pairs.size(), 1)));
  }
  struct Entry {
    int row;
    double forth, back;
  };
  std::vector<std::vector<Entry>> columns(n);
  for (const NearPair& pair : pairs) {
    const double s = weights.width > 0 ? std::exp(-pair.squared / (2 * weights.width * weights.width)) : 1;
    columns[static_cast<std::size_t>(pair.of)].push_back({pair.is, s, 0});
    columns[static_cast<std::size_t>(pair.is)].push_back({pair.of, 0, s});
  }
  SparseSymmetric result;
  result.start.push_back(0);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Entry>& entries = columns[j];
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
    const std::size_t first = result.row.size();
    double degree = 0;
    for (std::size_t e = 0; e < entries.size();) {
      double forth = 0, back = 0;
      const int row = entries[e].row;
      for (; e < entries.size() && entries[e].row == row; ++e) {
        forth = std::max(forth, entries[e].forth);
        back = std::max(back, entries[e].back);
      }
      const double s = weights.larger ? std::max(forth, back) : (forth + back) / 2;
      if (row == static_cast<int>(j) || s == 0) continue;
      degree += s;
      result.row.push_back(row);
      result.value.push_back(-s);
    }
    const std::size_t at =
        static_cast<std::size_t>(std::lower_bound(result.row.begin() + static_cast<std::ptrdiff_t>(first),
                                                  result.row.end(), static_cast<int>(j)) -
                                 result.row.begin());
    result.row.insert(result.row.begin() + static_cast<std::ptrdiff_t>(at), static_cast<int>(j));
    result.value.insert(result.value.begin() + static_cast<std::ptrdiff_t>(at), degree);
    result.start.push_back(result.row.size());
  }
  return result;
}

}  // namespace mlsift
