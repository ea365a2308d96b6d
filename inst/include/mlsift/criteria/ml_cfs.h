#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../core/step_scores.h"
#include "feature_correlations.h"

namespace mlsift {

/// What ML-CFS knows about the selected features.
struct MlCfsState {
  std::vector<double> correlation;  ///< sum of |r(f, s)| over the selected s, by feature
  double relevance = 0, pairs = 0;  ///< sums over the selected features, and over their pairs
  int n_selected = 0;
};

/// ML-CFS. Jungjit et al. (2013):
///
///   Merit(S) = k r_FL / sqrt(k + k (k - 1) r_FF),    k = |S|
///
/// r_FL     mean of |r(f, l)| over the features of S and the q targets (labels that occur)
/// r_FF     mean of |r(f, s)| over the pairs of features in S
/// score    of f: Merit(S + f)
/// cost     one pass over the values off zero for each feature added; the sums of |r(f, s)| over S are kept
class MlCfs : public StepScores {
 public:
  /// `relevance`: sum over targets of |r(f, l)|, by feature.
  MlCfs(const Correlations& data, const std::vector<double>& relevance, int q, MlCfsState state)
      : data_(data), relevance_(relevance), q_(std::max(1, q)), state_(std::move(state)) {
    state_.correlation.resize(data_.size(), 0.0);
  }

  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    scores.clear();
    for (const int f : candidates) {
      const std::size_t i = static_cast<std::size_t>(f);
      const double relevance = state_.relevance + relevance_[i], pairs = state_.pairs + state_.correlation[i];
      scores.push_back(merit(relevance, pairs, state_.n_selected + 1));
    }
  }

  void add(int s) override {
    const std::size_t i = static_cast<std::size_t>(s);
    state_.relevance += relevance_[i];
    state_.pairs += state_.correlation[i];
    ++state_.n_selected;
    data_.add(i, state_.correlation);
  }

  /// Whether a score exceeds the merit of the selected features by more than rounding.
  bool raises(double score) const {
    return state_.n_selected == 0 || score > merit(state_.relevance, state_.pairs, state_.n_selected) * (1 + 1e-12);
  }

  const MlCfsState& state() const { return state_; }

 private:
  double merit(double relevance, double pairs, int k) const { return relevance / q_ / std::sqrt(k + 2 * pairs); }

  const Correlations& data_;
  const std::vector<double>& relevance_;
  int q_;
  MlCfsState state_;
};

}  // namespace mlsift
