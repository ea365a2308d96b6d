#pragma once

#include "linear.h"

namespace mlsift {

/// D2F as its published program computes it (CAU-AIR-Lab/D2F, d2f.m), which keeps its scores between steps and
/// subtracts the co-information of every selected feature again at each: the j-th selected one k - j times at step k.
class D2f2015 : public Selected {
 public:
  D2f2015() : Selected(true) {}

 protected:
  double score(int f) const override { return data().relevance(f) - repeated_[static_cast<std::size_t>(f)]; }

  void update(int s) override {
    Selected::update(s);
    for (std::size_t f = 0; f < repeated_.size(); ++f) repeated_[f] += conditional(static_cast<int>(f));
  }

 private:
  std::vector<double>& repeated_ = keep("repeated");  // sum over steps of conditional(f) at that step
};

}  // namespace mlsift
