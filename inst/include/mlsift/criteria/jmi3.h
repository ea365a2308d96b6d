#pragma once

#include <utility>
#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// JMI3. Sechidis, Azzimonti, Pocock, Corani, Weatherall & Brown (2019), Machine Learning 108:1261-1286, summed over
/// targets:
///
///   J(f|S) = sum over {s, u} in S of sum_t I((f, s, u); t)
///
/// in bits; with S empty R(f) = sum_t I(f; t), and with one feature in S sum_t I((f, s); t).
///
/// cost   counts of all features with the pairs of the newest feature: as many as S has features
class Jmi3 : public GreedyCriterion {
 public:
  WithTargets needs_targets() const override { return WithTargets::all; }

 protected:
  double score(int f) const override { return size() == 0 ? data().relevance(f) : joint_[static_cast<std::size_t>(f)]; }

  void update(int s) override {
    if (size() == 0) {
      data().with_targets(s, joint_);
      return;
    }
    // All or nothing, as it may be interrupted.
    std::vector<double> sums(joint_.size(), 0);
    if (size() > 1) sums = joint_;
    for (int i = 0; i < size(); ++i) {
      data().with_two_and_targets(selected(i), s, together_);
      for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += together_[f];
    }
    joint_ = std::move(sums);
  }

 private:
  std::vector<double>& joint_ = keep("joint");
  std::vector<double> together_;
};

}  // namespace mlsift
