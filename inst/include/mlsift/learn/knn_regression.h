#pragma once

#include "../distance/neighbors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// kNN regression. Altman (1992), The American Statistician 46:175-185: the mean of the neighbors' targets.
///
/// y         targets of the training rows, [row * q + t]
/// response  for each prefix n_query x q by column. Neighbors are added up in row order, whatever their distances, so
///           the same neighbors give the same bits.
/// cost      one search for all targets and prefixes, then k q additions for each row and prefix
template <class Distances>
void mean_of_neighbors(const Context& context, const Distances& distances, std::size_t k,
                       const std::vector<std::size_t>& prefixes, const std::vector<double>& y, std::size_t q,
                       const std::vector<double*>& response) {
  struct Worker {
    std::vector<int> rows;
    std::vector<double> sums;
  };
  const std::size_t n = distances.n_query();
  nearest(context, distances, k, prefixes, false, Worker{std::vector<int>(k), std::vector<double>(q)},
          [&](Worker& mine, std::size_t p, std::size_t row, const Neighbor* neighbors) {
            std::vector<int>& rows = mine.rows;
            std::vector<double>& sums = mine.sums;
            for (std::size_t j = 0; j < k; ++j) rows[j] = neighbors[j].row;
            std::sort(rows.begin(), rows.end());
            std::fill(sums.begin(), sums.end(), 0.0);
            for (const int neighbor : rows) {
              const double* const values = y.data() + static_cast<std::size_t>(neighbor) * q;
              for (std::size_t t = 0; t < q; ++t) sums[t] += values[t];
            }
            for (std::size_t t = 0; t < q; ++t) response[p][t * n + row] = sums[t] / static_cast<double>(k);
          });
}

}  // namespace mlsift
