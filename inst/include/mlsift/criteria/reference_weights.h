#pragma once

#include <cstddef>
#include <vector>

#include "../distance/neighbors.h"

namespace mlsift {

/// The weights of rows in the Relief family, 1 each where there are none (null).
struct ReferenceWeights {
  const double* weights = nullptr;
  double total = 0;       ///< of all rows
  double references = 0;  ///< of the reference rows

  ReferenceWeights(const double* of_rows, std::size_t n, const std::vector<std::size_t>& rows)
      : weights(of_rows), total(static_cast<double>(n)), references(static_cast<double>(rows.size())) {
    if (!weights) return;
    total = references = 0;
    for (std::size_t i = 0; i < n; ++i) total += weights[i];
    for (const std::size_t row : rows) references += weights[row];
  }

  double operator[](std::size_t row) const { return weights ? weights[row] : 1; }

  double sum(const std::vector<Neighbor>& rows) const {
    if (!weights) return static_cast<double>(rows.size());
    double sum = 0;
    for (const Neighbor& neighbor : rows) sum += weights[neighbor.row];
    return sum;
  }
};

}  // namespace mlsift
