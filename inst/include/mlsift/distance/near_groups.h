#ifndef MLSIFT_DISTANCE_NEAR_GROUPS_H
#define MLSIFT_DISTANCE_NEAR_GROUPS_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "../data/row_groups.h"
#include "../data/sparse_candidates.h"
#include "near_rows.h"

namespace mlsift {

/// The nearest other groups of each group of rows, to find the smallest distance between rows that lack a feature.
class NearGroups {
 public:
  explicit NearGroups(const RowGroups& groups) : groups_(groups), near_(groups.size()) {}

  /// `all`: all rows as seen from the group.
  void find(std::size_t group, NearRows& all) {
    Near& near = near_[group];
    std::size_t p = all.first_apart();
    for (std::size_t looked = 0; p < all.size(); ++p, ++looked) {
      const int other = static_cast<int>(groups_.of(static_cast<std::size_t>(all[p].row)));
      if (std::find(near.group, near.group + near.size, other) != near.group + near.size) continue;
      if (near.size == most_near || looked >= most_looked) {
        near.beyond = all[p].distance;
        return;
      }
      near.group[near.size] = other;
      near.distance[near.size++] = all[p].distance;
    }
  }

  /// Call this once all groups have been found.
  void sort() {
    for (std::size_t g = 0; g < near_.size(); ++g) by_nearest_.push_back(g);
    std::sort(by_nearest_.begin(), by_nearest_.end(), [&](std::size_t a, std::size_t b) {
      return near_[a].first() != near_[b].first() ? near_[a].first() < near_[b].first() : a < b;
    });
  }

  /// The smallest positive squared distance between two rows that lack candidate c, if it is below `most`; else `most`.
  /// `distances(row)`: distances to all rows.
  template <class Distances>
  double smallest_without(const SparseCandidates& candidates, std::size_t c, std::size_t n_rows, double most,
                          const Distances& distances) const {
    std::vector<int> having(groups_.size(), 0);
    std::vector<char> has(n_rows, 0);
    for (const auto* e = candidates.begin(c); e != candidates.end(c); ++e) {
      ++having[groups_.of(static_cast<std::size_t>(e->at))];
      has[static_cast<std::size_t>(e->at)] = 1;
    }
    const auto all_have = [&](std::size_t group) { return having[group] == groups_.rows(group); };
    for (const std::size_t group : by_nearest_) {
      const Near& near = near_[group];
      if (near.first() >= most) break;
      if (all_have(group)) continue;
      const int* const end = near.group + near.size;
      const int* const nearest =
          std::find_if(near.group, end, [&](int other) { return !all_have(static_cast<std::size_t>(other)); });
      if (nearest != end) {
        most = std::min(most, near.distance[nearest - near.group]);
      } else if (near.beyond < most) {
        const std::vector<double> distance = distances(static_cast<std::size_t>(*groups_.begin(group)));
        for (std::size_t j = 0; j < n_rows; ++j) {
          if (!has[j] && distance[j] > 0) most = std::min(most, distance[j]);
        }
      }
    }
    return most;
  }

 private:
  static constexpr int most_near = 4;
  static constexpr std::size_t most_looked = 64;

  // The rows of one group that are apart from it; all others are at `beyond` or farther.
  struct Near {
    int size = 0;
    int group[most_near] = {};
    double distance[most_near] = {};
    double beyond = std::numeric_limits<double>::infinity();

    double first() const { return size > 0 ? distance[0] : beyond; }
  };

  const RowGroups& groups_;
  std::vector<Near> near_;
  std::vector<std::size_t> by_nearest_;
};

}  // namespace mlsift

#endif
