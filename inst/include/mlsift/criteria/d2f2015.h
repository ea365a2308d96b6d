#ifndef MLSIFT_CRITERIA_D2F2015_H
#define MLSIFT_CRITERIA_D2F2015_H

#include "linear.h"

namespace mlsift {

/// D2F as its published program computes it (CAU-AIR-Lab/D2F, d2f.m), which keeps its scores between steps and
/// subtracts the co-information of every selected feature again at each: the j-th selected one k - j times at step k.
class D2f2015 : public Selected {
 public:
  D2f2015(Informations& data, GreedyState state) : Selected(data, true, std::move(state)) {}

  double score(int f) const { return data().relevance(f) - repeated(f); }
};

}  // namespace mlsift

#endif
