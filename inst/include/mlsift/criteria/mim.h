#ifndef MLSIFT_CRITERIA_MIM_H
#define MLSIFT_CRITERIA_MIM_H

#include "relevance.h"

namespace mlsift {

/// MIM-BR. Yang & Pedersen (1997), ICML:
///
///   J(f) = R(f) = sum_l I(f; l)
///
/// in bits. Labels never on, like labels always on, add nothing. A constant feature scores 0.
class Mim {
 public:
  using Scratch = Relevance::Scratch;

  Mim(const Targets& labels, const XLogX& xlogx) : relevance_(labels, xlogx) {}

  double score(const Column& column, Scratch& scratch) const {
    const double bits = relevance_.xlogx().bits(relevance_.sum(scratch.coder.code(column), scratch));
    return bits > 0 ? bits : 0;  // rounding of the table may leave a last bit below 0
  }

  double work(const Features& features) const { return relevance_.work(features); }

 private:
  Relevance relevance_;
};

}  // namespace mlsift

#endif
