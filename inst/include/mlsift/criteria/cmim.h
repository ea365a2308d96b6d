#ifndef MLSIFT_CRITERIA_CMIM_H
#define MLSIFT_CRITERIA_CMIM_H

#include <algorithm>
#include <limits>
#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// CMIM. Fleuret (2004), Journal of Machine Learning Research 5:1531-1555, summed over targets:
///
///   J(f|S) = min(R(f), min_{s in S} sum_t I(f; t | s)),    R(f) = sum_t I(f; t)
///
/// in bits. A feature that adds nothing to a selected one scores exactly 0.
class Cmim : public GreedyCriterion {
 public:
  bool needs_targets() const override { return true; }

 protected:
  double score(int f) const override { return least_[static_cast<std::size_t>(f)]; }

  void begin() override {
    if (size() == 0) update(-1);
  }

  // With s < 0: R(f).
  void update(int s) override {
    data().with_targets_given(s, given_);
    for (std::size_t f = 0; f < least_.size(); ++f) least_[f] = std::min(least_[f], given_[f]);
  }

 private:
  std::vector<double>& least_ = keep("least", std::numeric_limits<double>::infinity());
  std::vector<double> given_;
};

}  // namespace mlsift

#endif
