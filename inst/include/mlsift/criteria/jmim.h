#ifndef MLSIFT_CRITERIA_JMIM_H
#define MLSIFT_CRITERIA_JMIM_H

#include <algorithm>
#include <limits>
#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// JMIM. Bennasar, Hicks & Setchi (2015), Expert Systems with Applications 42:8520-8532, summed over targets:
///
///   J(f|S) = min_{s in S} sum_t I((f, s); t) = min_{s in S} T(f, s),    with S empty R(f) = sum_t I(f; t)
///
/// in bits.
class Jmim : public GreedyCriterion {
 public:
  bool needs_targets() const override { return true; }

 protected:
  double score(int f) const override { return size() == 0 ? data().relevance(f) : least_[static_cast<std::size_t>(f)]; }

  void update(int s) override {
    data().with_feature_and_targets(s, information_, together_);
    for (std::size_t f = 0; f < least_.size(); ++f) least_[f] = std::min(least_[f], together_[f]);
  }

 private:
  std::vector<double>& least_ = keep("least", std::numeric_limits<double>::infinity());
  std::vector<double> information_, together_;
};

}  // namespace mlsift

#endif
