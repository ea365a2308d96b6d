#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "../core/step_scores.h"

namespace mlsift {

/// A ranking, for the greedy driver: scores that do not change. A feature that the ranking leaves out is only taken
/// after another one of its unit.
class RankedScores : public StepScores {
 public:
  /// `order`: features, best first; `score`: theirs, in this order; `d`: the number of all features.
  RankedScores(std::vector<int> order, std::vector<double> score, std::size_t d)
      : order_(std::move(order)), score_(std::move(score)), place_(d) {
    for (std::size_t f = 0; f < d; ++f) place_[f] = order_.size() + f;
    for (std::size_t i = 0; i < order_.size(); ++i) place_[static_cast<std::size_t>(order_[i])] = i;
  }

  /// Of candidates from one unit, whose order alone matters.
  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    scores.clear();
    for (const int f : candidates) scores.push_back(-static_cast<double>(place_[static_cast<std::size_t>(f)]));
  }

  void add(int) override {}

  /// The best one only: a ranking has no runners-up. What is barred once stays so.
  bool leaders(const std::vector<char>& barred, Leaders& leaders) override {
    while (next_ < order_.size() && barred[static_cast<std::size_t>(order_[next_])]) ++next_;
    if (next_ < order_.size()) leaders.offer(order_[next_], score_[next_]);
    return true;
  }

 private:
  std::vector<int> order_;
  std::vector<double> score_;
  std::vector<std::size_t> place_;  ///< by feature
  std::size_t next_ = 0;            ///< place from which features may be free
};

}  // namespace mlsift
