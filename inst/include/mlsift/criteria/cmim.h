#pragma once

#include <vector>

#include "least.h"

namespace mlsift {

/// CMIM. Fleuret (2004), Journal of Machine Learning Research 5:1531-1555, summed over targets:
///
///   J(f|S) = min(R(f), min_{s in S} sum_t I(f; t | s)),    R(f) = sum_t I(f; t)
///
/// in bits. A feature that adds nothing to a selected one scores exactly 0.
class Cmim : public Least {
 public:
  Cmim() : Least(true) {}

 protected:
  void first(std::vector<double>& first) override { terms(-1, first, Informations::all_features); }

  void terms(int s, std::vector<double>& terms, int only) override { data().with_targets_given(s, terms, only); }
};

}  // namespace mlsift
