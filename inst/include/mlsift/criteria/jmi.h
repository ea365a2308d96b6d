#ifndef MLSIFT_CRITERIA_JMI_H
#define MLSIFT_CRITERIA_JMI_H

#include "linear.h"

namespace mlsift {

/// The JMI family. Sechidis, Spyromitros-Xioufis & Vlahavas (2019), Entropy 21:855, eqs. 1 to 3:
///
///   J(f|S) = sum_{s in S} sum_t I((s, f); t) = sum_{s in S} T(f, s),    with S empty R(f) = sum_t I(f; t)
///
/// in bits, where the targets t are the labels (Single-JMI), the label set (Joint-JMI) or clusters of the values of
/// some labels (Group-JMI).
class Jmi : public Selected {
 public:
  Jmi(Informations& data, GreedyState state) : Selected(data, true, std::move(state)) {}

  double score(int f) const { return size() == 0 ? data().relevance(f) : joint(f); }
};

/// The JMI family as its published program computes it (Group_JMI_Rand.m): every term is divided by the square root of
/// the product of its entropies,
///
///   J(f|S) = sum_{s in S} sum_t I((s, f); t) / sqrt(H(s, f) H(t)),    with S empty sum_t I(f; t) / sqrt(H(f) H(t))
class NormalizedJmi {
 public:
  NormalizedJmi(Informations& data, GreedyState state) : data_(data), state_(std::move(state)) {
    if (state_.n_selected == 0) data_.normalized(-1, alone_);
  }

  double score(int f) const {
    return state_.n_selected == 0 ? alone_[static_cast<std::size_t>(f)] : state_.joint[static_cast<std::size_t>(f)];
  }

  void add(int s) {
    data_.normalized(s, terms_);
    for (std::size_t f = 0; f < terms_.size(); ++f) state_.joint[f] += terms_[f];
    ++state_.n_selected;
  }

  const GreedyState& state() const { return state_; }

 private:
  Informations& data_;
  GreedyState state_;
  std::vector<double> alone_, terms_;
};

}  // namespace mlsift

#endif
