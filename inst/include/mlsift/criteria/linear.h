#ifndef MLSIFT_CRITERIA_LINEAR_H
#define MLSIFT_CRITERIA_LINEAR_H

#include <vector>

#include "../count/informations.h"

namespace mlsift {

/// What a greedy criterion keeps for every candidate f while features s are selected. It is all that a later run needs
/// to go on.
struct GreedyState {
  std::vector<double> redundancy;   ///< sum over s of I(f; s)
  std::vector<double> conditional;  ///< sum over s and t of the co-information I(f; s; t) = R(f) + R(s) - T(f, s)
  std::vector<double> joint;        ///< sum over s of T(f, s)
  std::vector<double> repeated;     ///< sum over steps of what `conditional` was then
  int n_selected = 0;

  explicit GreedyState(std::size_t d = 0) : redundancy(d), conditional(d), joint(d), repeated(d) {}
};

/// The features selected so far, as every greedy information criterion sees them: adds I(f; s), and with `joint` T(f,
/// s), of the newest one to the state.
class Selected {
 public:
  Selected(Informations& data, bool joint, GreedyState state) : data_(data), joint_(joint), state_(std::move(state)) {}

  void add(int s) {
    if (joint_) {
      data_.with_feature_and_targets(s, information_, together_);
    } else {
      data_.with_feature(s, information_);
    }
    const double r_s = data_.relevance(s);
    for (std::size_t f = 0; f < data_.size(); ++f) {
      state_.redundancy[f] += information_[f];
      if (!joint_) continue;
      state_.joint[f] += together_[f];
      state_.conditional[f] += data_.relevance(static_cast<int>(f)) + r_s - together_[f];
      state_.repeated[f] += state_.conditional[f];
    }
    ++state_.n_selected;
  }

  const GreedyState& state() const { return state_; }
  int size() const { return state_.n_selected; }

 protected:
  const Informations& data() const { return data_; }
  double redundancy(int f) const { return state_.redundancy[static_cast<std::size_t>(f)]; }
  double conditional(int f) const { return state_.conditional[static_cast<std::size_t>(f)]; }
  double joint(int f) const { return state_.joint[static_cast<std::size_t>(f)]; }
  double repeated(int f) const { return state_.repeated[static_cast<std::size_t>(f)]; }

 private:
  Informations& data_;
  bool joint_;
  GreedyState state_;
  std::vector<double> information_, together_;
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
  Linear(Informations& data, const LinearWeights& weights, const std::vector<double>& interaction, GreedyState state)
      : Selected(data, weights.conditional != 0, std::move(state)), weights_(weights), interaction_(interaction) {}

  double score(int f) const {
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
  const std::vector<double>& interaction_;
};

}  // namespace mlsift

#endif
