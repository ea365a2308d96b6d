#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../core/run_bounds.h"
#include "../count/answer_sums.h"
#include "greedy_criterion.h"

namespace mlsift {

/// Sums shared by several criteria, for every feature f: sum over s of I(f; s), and with `joint` sum
/// over s and targets t of the co-information I(f; s; t) = R(f) + R(s) - T(f, s).
class Selected : public GreedyCriterion {
 public:
  explicit Selected(bool joint) : joint_(joint), conditional_(joint ? &keep("conditional") : nullptr) {}

  WithTargets needs_targets() const override { return joint_ ? WithTargets::all : WithTargets::none; }

 protected:
  void begin() override {
    least_redundancy_ = 0;
    for (const double redundancy : redundancy_) least_redundancy_ = std::min(least_redundancy_, redundancy);
  }

  void update(int s) override {
    const double r_s = data().relevance(s);
    if (data().by_class(s, joint_, answers_)) {
      double least = 0;
      AnswerSums::add(answers_, redundancy_, [&](const ClassAnswers::Answer& answer) {
        least = std::min(least, answer.information);
        return answer.information;
      });
      least_redundancy_ += least;
      if (joint_) {
        AnswerSums::add(answers_, *conditional_, [&](const ClassAnswers::Answer& answer) {
          return data().relevance(answer.feature) + r_s - answer.joint;
        });
      }
      return;
    }
    if (joint_) {
      data().with_feature_and_targets(s, information_, together_);
    } else {
      data().with_feature(s, information_);
    }
    least_redundancy_ += std::min(0.0, *std::min_element(information_.begin(), information_.end()));
    for (std::size_t f = 0; f < data().size(); ++f) {
      redundancy_[f] += information_[f];
      if (joint_) (*conditional_)[f] += data().relevance(static_cast<int>(f)) + r_s - together_[f];
    }
  }

  double redundancy(int f) const { return redundancy_[static_cast<std::size_t>(f)]; }
  double conditional(int f) const { return (*conditional_)[static_cast<std::size_t>(f)]; }

  /// A lower bound of all redundancies, at most 0.
  double least_redundancy() const { return least_redundancy_; }

 private:
  bool joint_;
  double least_redundancy_ = 0;
  std::vector<double>& redundancy_ = keep("redundancy");
  std::vector<double>* conditional_;
  std::vector<double> information_, together_;
  ClassAnswers answers_;
};

/// The linear family, in bits:
///
///   J(f|S) = relevance R(f) - label_interaction ld(f) - w sum_{s in S} [redundancy I(f;s) + conditional sum_t
///   I(f;s;t)]
///
/// with ld(f) the sum over pairs of labels of I(f; l; l'), and w = 1 / |S| if `average`, else 1. With S empty:
/// relevance R(f) - label_interaction ld(f).
struct LinearWeights {
  double relevance = 1, label_interaction = 0, redundancy = 0, conditional = 0;
  bool average = false;
};

class Linear : public Selected {
 public:
  /// `interaction`: ld(f), or empty where its weight is 0.
  Linear(const LinearWeights& weights, std::vector<double> interaction)
      : Selected(weights.conditional != 0), weights_(weights), interaction_(std::move(interaction)) {}

  bool leaders(const std::vector<char>& taken, Leaders& leaders) override {
    RunBounds().offer(taken, leaders, [this](int f) { return Linear::score(f); });
    return true;
  }

 protected:
  double score(int f) const override {
    double score = weights_.relevance * data().relevance(f);
    if (weights_.label_interaction != 0)
      score -= weights_.label_interaction * interaction_[static_cast<std::size_t>(f)];
    if (size() == 0) return score;
    double penalty = 0;
    if (weights_.redundancy != 0) penalty += weights_.redundancy * redundancy(f);
    if (weights_.conditional != 0) penalty += weights_.conditional * conditional(f);
    return score - (weights_.average ? penalty / size() : penalty);
  }

 private:
  LinearWeights weights_;
  std::vector<double> interaction_;
};

}  // namespace mlsift
