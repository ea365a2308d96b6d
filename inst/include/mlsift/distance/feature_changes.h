#pragma once

#include <cstddef>
#include <vector>

#include "../data/classed_rows.h"
#include "neighbors.h"

// How adding or removing a feature changes distances. `distance(near)` is the squared distance after the change. No row
// at `distance` or farther comes closer than `lowest(distance)`.

namespace mlsift {

/// Squares are only added, so no row comes closer than it was.
struct AddedFeature {
  const double* value;  // the feature's, `stride` apart
  std::size_t stride;
  double own;

  double lowest(double distance) const { return distance; }
  double distance(const Neighbor& near) const {
    const double difference = value[static_cast<std::size_t>(near.row) * stride] - own;
    return near.distance + difference * difference;
  }
};

struct NothingChanged {
  double lowest(double distance) const { return distance; }
  double distance(const Neighbor& near) const { return near.distance; }
};

/// Subtracts a square, at most that of the distance to the feature's farthest value. If little is left, the distance is
/// recomputed: it keeps its digits, and is 0 for equal rows.
struct RemovedFeature {
  const ClassedRows& rows;
  const std::vector<int>& selected;
  std::size_t row, feature;
  double own, farthest;

  double lowest(double distance) const { return distance * (1 - 1e-12) - farthest; }
  double distance(const Neighbor& near) const {
    const double difference = rows.numbers.row(static_cast<std::size_t>(near.row))[feature] - own;
    const double left = near.distance - difference * difference;
    return left < 0.1 * near.distance ? summed(static_cast<std::size_t>(near.row)) : left;
  }

 private:
  double summed(std::size_t other) const {
    const double *const mine = rows.numbers.row(row), *const its = rows.numbers.row(other);
    double sum = 0;
    for (const int s : selected) {
      const std::size_t f = static_cast<std::size_t>(s);
      if (f != feature) sum += (its[f] - mine[f]) * (its[f] - mine[f]);
    }
    return sum;
  }
};

}  // namespace mlsift
