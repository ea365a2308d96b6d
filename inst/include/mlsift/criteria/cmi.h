#pragma once

#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// CMI, conditional mutual information, summed over targets:
///
///   J(f|S) = sum_t I(f; t | S)
///
/// in bits, with all of S taken together. A feature that adds nothing to S scores exactly 0; between such features the
/// larger R(f) = sum_t I(f; t) decides.
class Cmi : public GreedyCriterion {
 public:
  WithTargets needs_targets() const override { return WithTargets::none; }

  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    if (known_ != size()) {
      std::vector<int> set;
      for (int i = 0; i < size(); ++i) set.push_back(selected(i));
      known_ = -1;  // if it is interrupted
      data().with_targets_given(set, given_);
      known_ = size();
    }
    GreedyCriterion::scores(candidates, scores);
  }

  const std::vector<double>* among_zeros() const override { return &relevance_; }

 protected:
  void begin() override {
    known_ = -1;
    data().with_targets_given(std::vector<int>(), relevance_);
  }

  double score(int f) const override { return given_[static_cast<std::size_t>(f)]; }

  void update(int) override {}

 private:
  int known_ = -1;  // how many of S `given_` is about
  std::vector<double> given_, relevance_;
};

}  // namespace mlsift
