#pragma once

#include <vector>

#include "leaders.h"

namespace mlsift {

/// Scores of features that may depend on those added before, as used by the greedy driver. scores() and add() are
/// enough; the others are faster ways to the same result. All of them may be interrupted.
class StepScores {
 public:
  virtual ~StepScores() = default;

  /// scores[i]: the score of candidates[i], which are in increasing order.
  virtual void scores(const std::vector<int>& candidates, std::vector<double>& scores) = 0;

  /// Adds a feature to those selected.
  virtual void add(int s) = 0;

  /// scores() for the two candidates with the best scores (ties: the lowest column), and for the others a number that
  /// does not rank before theirs.
  virtual void leading(const std::vector<int>& candidates, std::vector<double>& scores) {
    this->scores(candidates, scores);
  }

  /// Offers the features that are not barred, or only those that may score best, to `leaders`. Returns whether
  /// it did.
  virtual bool leaders(const std::vector<char>& /*barred*/, Leaders& /*leaders*/) { return false; }

  /// By feature, the tie breaker among features that score 0 (the larger first); null: only their columns.
  virtual const std::vector<double>* among_zeros() const { return nullptr; }

 protected:
  StepScores() = default;
  StepScores(const StepScores&) = default;
  StepScores& operator=(const StepScores&) = default;
};

}  // namespace mlsift
