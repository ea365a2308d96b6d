#pragma once

#include "linear.h"

namespace mlsift {

/// MDMR. Lin, Hu, Liu & Duan (2015), Neurocomputing 168:92-103:
///
///   J(f|S) = R(f) - 1 / |S| sum_{s in S} [I(f;s) - sum_l I(f; l | s)],    with S empty R(f)
///
/// in bits; sum_l I(f; l | s) = T(f, s) - R(s) = R(f) - sum_l I(f; s; l).
class Mdmr : public Selected {
 public:
  Mdmr() : Selected(true) {}

 protected:
  double score(int f) const override {
    const double r = data().relevance(f);
    return size() == 0 ? r : 2 * r - (redundancy(f) + conditional(f)) / size();
  }
};

}  // namespace mlsift
