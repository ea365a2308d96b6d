#pragma once

#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// JIM, joint impurity. Kursa (2021), SoftwareX 16:100819 (praznik), summed over targets:
///
///   J(f|S) = sum_{s in S} sum_t G((f, s); t),    with S empty sum_t G(f; t),
///   G(x; t) = sum_{x,y} p(x, y)^2 / p(x) - sum_y p(y)^2
///
/// which is a pure number. For a target and a feature of two levels each, G = 2 p (1 - p) chi^2 / N with p the share of
/// a level of the target.
class Jim : public GreedyCriterion {
 public:
  WithTargets needs_targets() const override { return WithTargets::all; }

 protected:
  double score(int f) const override { return (size() == 0 ? gain_ : joint_)[static_cast<std::size_t>(f)]; }

  void begin() override {
    if (size() == 0) data().impurity_gain(-1, gain_);
  }

  void update(int s) override {
    data().impurity_gain(s, gain_);
    for (std::size_t f = 0; f < joint_.size(); ++f) joint_[f] += gain_[f];
  }

 private:
  std::vector<double>& joint_ = keep("joint");
  std::vector<double> gain_;
};

}  // namespace mlsift
