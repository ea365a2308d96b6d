#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "leaders.h"

namespace mlsift {

/// Upper bounds on the scores of features, one for each run of `run` consecutive features. A run need not be evaluated
/// if its bound is beaten.
class RunBounds {
 public:
  static constexpr std::size_t run = 512;

  bool empty() const { return bounds_.empty(); }
  void clear() { bounds_.clear(); }

  /// The bound of the run that holds feature f.
  double& of(std::size_t f) { return bounds_[f / run]; }

  void assign(std::size_t n_features, double bound) { bounds_.assign((n_features + run - 1) / run, bound); }

  /// The largest of bound(f) in each run.
  template <class Bound>
  void assign_largest(std::size_t n_features, Bound bound) {
    assign(n_features, -std::numeric_limits<double>::infinity());
    for (std::size_t f = 0; f < n_features; ++f) of(f) = std::max(of(f), bound(static_cast<int>(f)));
  }

  /// Offers score(f) of the features that are not taken, except in runs whose bound is beaten. Without bounds, no run
  /// is skipped.
  template <class Score>
  void offer(const std::vector<char>& taken, Leaders& leaders, Score score) const {
    for (std::size_t begin = 0; begin < taken.size(); begin += run) {
      if (!bounds_.empty() && leaders.beat(bounds_[begin / run])) continue;
      const std::size_t end = std::min(taken.size(), begin + run);
      for (std::size_t f = begin; f < end; ++f) {
        if (!taken[f]) leaders.offer(static_cast<int>(f), score(static_cast<int>(f)));
      }
    }
  }

 private:
  std::vector<double> bounds_;
};

}  // namespace mlsift
