#pragma once

#include <vector>

#include "least.h"

namespace mlsift {

/// JMIM. Bennasar, Hicks & Setchi (2015), Expert Systems with Applications 42:8520-8532, summed over targets:
///
///   J(f|S) = min_{s in S} sum_t I((f, s); t) = min_{s in S} T(f, s),    with S empty R(f) = sum_t I(f; t)
///
/// in bits.
class Jmim : public Least {
 public:
  Jmim() : Least(false) {}

 protected:
  void first(std::vector<double>& first) override {
    first.clear();
    for (std::size_t f = 0; f < data().size(); ++f) first.push_back(data().relevance(static_cast<int>(f)));
  }

  void terms(int s, std::vector<double>& terms, int only) override { data().with_targets(s, terms, only); }
};

}  // namespace mlsift
