#ifndef MLSIFT_CORE_STEP_SCORES_H
#define MLSIFT_CORE_STEP_SCORES_H

#include <vector>

#include "leaders.h"

namespace mlsift {

/// Scores of features that may depend on those added before: what the greedy driver runs. scores() and add() are
/// enough; the others are faster ways to the same result. All of them may be interrupted.
class StepScores {
 public:
  virtual ~StepScores() = default;

  /// scores[i]: of candidates[i], which are in increasing order.
  virtual void scores(const std::vector<int>& candidates, std::vector<double>& scores) = 0;

  /// Takes a feature into account.
  virtual void add(int s) = 0;

  /// scores() for the two candidates that score best (equal scores to the lowest column), and for the others a number
  /// that does not come before theirs.
  virtual void leading(const std::vector<int>& candidates, std::vector<double>& scores) {
    this->scores(candidates, scores);
  }

  /// Offers the features that are not barred, or those that may score best, to `leaders`. False: it did not.
  virtual bool leaders(const std::vector<char>& /*barred*/, Leaders& /*leaders*/) { return false; }

  /// By feature, what decides between those that score 0, the larger first; null: nothing but their columns.
  virtual const std::vector<double>* among_zeros() const { return nullptr; }

 protected:
  StepScores() = default;
  StepScores(const StepScores&) = default;
  StepScores& operator=(const StepScores&) = default;
};

}  // namespace mlsift

#endif
