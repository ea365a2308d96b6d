#pragma once

#include <algorithm>

#include "../count/relevance.h"

namespace mlsift {

/// MIM-BR. Yang & Pedersen (1997), ICML:
///
///   J(f) = R(f) = sum_t I(f; t)
///
/// in bits. Labels never on, like labels always on, add nothing. A constant feature scores 0.
template <class G>
class Mim {
 public:
  using Scratch = typename Relevance<G>::Scratch;

  Mim(const TargetColumns& targets, const G& xlogx) : relevance_(targets, xlogx) {}

  double score(const FeatureTable& feature, Scratch& scratch) const {
    const double bits = relevance_.xlogx().bits(relevance_.sum(feature, scratch));
    return std::max(bits, 0.0);  // rounding of the table may leave a last bit below 0
  }

 private:
  Relevance<G> relevance_;
};

}  // namespace mlsift
