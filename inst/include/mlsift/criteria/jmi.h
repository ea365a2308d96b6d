#ifndef MLSIFT_CRITERIA_JMI_H
#define MLSIFT_CRITERIA_JMI_H

#include "linear.h"

namespace mlsift {

/// The JMI family. Sechidis, Spyromitros-Xioufis & Vlahavas (2019), Entropy 21:855, eqs. 1 to 3:
///
///   J(f|S) = sum_{s in S} sum_t I((s, f); t) = sum_{s in S} T(f, s),    with S empty R(f) = sum_t I(f; t)
///
/// in bits, where the targets t are the labels (Single-JMI), the label set (Joint-JMI) or clusters of the values of some
/// labels (Group-JMI).
class Jmi : public Selected {
 public:
  Jmi(Informations& data, GreedyState state) : Selected(data, true, std::move(state)) {}

  double score(int f) const { return size() == 0 ? data().relevance(f) : joint(f); }
};

}  // namespace mlsift

#endif
