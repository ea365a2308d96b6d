#pragma once

namespace mlsift {

/// The best two of candidates that are offered in increasing order. Among equal scores the one offered first is better,
/// unless another value breaks the tie.
class Leaders {
 public:
  int best = -1;  ///< -1: no candidate was offered
  double score = 0;
  int runner_up = -1;  ///< -1: there was no other candidate
  double runner_up_score = 0;

  /// Among equal scores the one with the larger `second` is better.
  void offer(int candidate, double its_score, double its_second = 0) {
    const auto better = [&](int than, double of_that, double second) {
      return than < 0 || its_score > of_that || (its_score == of_that && its_second > second);
    };
    if (better(best, score, second_)) {
      runner_up = best;
      runner_up_score = score;
      runner_up_second_ = second_;
      best = candidate;
      score = its_score;
      second_ = its_second;
    } else if (better(runner_up, runner_up_score, runner_up_second_)) {
      runner_up = candidate;
      runner_up_score = its_score;
      runner_up_second_ = its_second;
    }
  }

  /// Whether a candidate with at most this score ranks below both.
  bool beat(double at_most) const { return runner_up >= 0 && at_most <= runner_up_score; }

 private:
  double second_ = 0, runner_up_second_ = 0;
};

}  // namespace mlsift
