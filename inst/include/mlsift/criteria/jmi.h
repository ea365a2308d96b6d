#pragma once

#include <vector>

#include "../core/run_bounds.h"
#include "../count/answer_sums.h"
#include "greedy_criterion.h"

namespace mlsift {

/// The JMI family. Sechidis, Spyromitros-Xioufis & Vlahavas (2019), Entropy 21:855, eqs. 1 to 3:
///
///   J(f|S) = sum_{s in S} sum_t I((s, f); t) = sum_{s in S} T(f, s),    with S empty R(f) = sum_t I(f; t)
///
/// in bits, where the targets t are the labels (Single-JMI), the label set (Joint-JMI) or clusters of the values of
/// some labels (Group-JMI).
class Jmi : public GreedyCriterion {
 public:
  WithTargets needs_targets() const override { return WithTargets::all; }

  bool leaders(const std::vector<char>& taken, Leaders& leaders) override {
    bounds_.offer(taken, leaders, [this](int f) { return Jmi::score(f); });
    return true;
  }

 protected:
  double score(int f) const override { return size() == 0 ? data().relevance(f) : joint_[static_cast<std::size_t>(f)]; }

  void update(int s) override {
    if (data().by_class(s, true, answers_)) {
      return AnswerSums::add(
          answers_, joint_, [](const ClassAnswers::Answer& answer) { return answer.joint; }, &bounds_);
    }
    bounds_.clear();
    data().with_targets(s, together_);
    for (std::size_t f = 0; f < joint_.size(); ++f) joint_[f] += together_[f];
  }

 private:
  std::vector<double>& joint_ = keep("joint");
  std::vector<double> together_;
  ClassAnswers answers_;
  RunBounds bounds_;  // of `joint`
};

}  // namespace mlsift
