#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "../core/run_bounds.h"
#include "linear.h"

namespace mlsift {

/// SCLS. Lee & Kim (2017), Pattern Recognition 66:342-352, eq. 8:
///
///   J(f|S) = R(f) (1 - sum_{s in S} I(f;s) / H(f))
///
/// in bits. A constant feature scores 0. J may turn negative and is never clipped.
class Scls : public Selected {
 public:
  Scls() : Selected(false) {}

  /// R(f) is an upper bound if redundancies are nonnegative up to rounding. So is an earlier score, because scores only
  /// fall. Most candidates are ruled out by these bounds.
  bool leaders(const std::vector<char>& taken, Leaders& leaders) override {
    const std::size_t n = data().size();
    if (bounds_.empty()) bounds_.assign_largest(n, [this](int f) { return bound(f, data().relevance(f)); });
    const bool bounded = least_redundancy() >= -rounding * least_entropy();
    for (std::size_t begin = 0; begin < n; begin += RunBounds::run) {
      double& most = bounds_.of(begin);
      if (bounded && leaders.beat(most)) continue;
      most = -infinity;
      for (std::size_t i = begin; i < std::min(n, begin + RunBounds::run); ++i) {
        if (taken[i]) continue;
        const int f = static_cast<int>(i);
        const double its_score = Scls::score(f);
        leaders.offer(f, its_score);
        most = std::max(most, bound(f, its_score));
      }
    }
    return true;
  }

 protected:
  double score(int f) const override {
    const double h = data().entropy(f);
    return h > 0 ? data().relevance(f) * (1 - redundancy(f) / h) : 0;
  }

 private:
  // An upper bound of all later scores of f, given one score.
  double bound(int f, double its_score) const {
    const double r = data().relevance(f);
    return r < 0 ? infinity : its_score + 2 * rounding * r;
  }

  // Of the features that are not constant.
  double least_entropy() {
    if (least_entropy_ > 0) return least_entropy_;
    least_entropy_ = infinity;
    for (std::size_t f = 0; f < data().size(); ++f) {
      const double h = data().entropy(static_cast<int>(f));
      if (h > 0) least_entropy_ = std::min(least_entropy_, h);
    }
    return least_entropy_;
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double rounding = 1e-6;  // of redundancies, as a share of the least entropy

  double least_entropy_ = 0;
  RunBounds bounds_;  // of scores, now and later
};

}  // namespace mlsift
