#ifndef MLSIFT_DISTANCE_FEATURE_CHANGES_H
#define MLSIFT_DISTANCE_FEATURE_CHANGES_H

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
    const double difference = rows.numbers.at(static_cast<std::size_t>(near.row), feature) - own;
    const double left = near.distance - difference * difference;
    return left < 0.1 * near.distance ? summed(static_cast<std::size_t>(near.row)) : left;
  }

 private:
  double summed(std::size_t other) const {
    const SplitNumbers& x = rows.numbers;
    double sum = 0;
    const SplitNumbers::Entry *mine = x.row_begin(row), *its = x.row_begin(other);
    for (const int s : selected) {
      const std::size_t f = static_cast<std::size_t>(s);
      const double difference = x.in_table(f) ? x.cell(other, f) - x.cell(row, f)
                                              : next(its, x.row_end(other), s) - next(mine, x.row_end(row), s);
      if (f != feature) sum += difference * difference;
    }
    return sum;
  }

  // The value of a feature, searched among entries from the last one found.
  static double next(const SplitNumbers::Entry*& entry, const SplitNumbers::Entry* end, int feature) {
    while (entry != end && entry->at < feature) ++entry;
    return entry != end && entry->at == feature ? entry->value : 0.0;
  }
};

}  // namespace mlsift

#endif
