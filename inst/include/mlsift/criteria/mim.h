#ifndef MLSIFT_CRITERIA_MIM_H
#define MLSIFT_CRITERIA_MIM_H

#include <algorithm>

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
    return std::max(bits, 0.0);  // rounding of the table may leave a last bit below 0
  }

  double work(const Features& features) const { return relevance_.work(features); }

 private:
  Relevance relevance_;
};

/// The same scores, bit for bit, from a table of counts.
inline std::vector<double> mim_scores(const CountSource& source) {
  const CountTables table = source.targets();
  const std::vector<int> labels = labels_that_occur(table);
  const XLogXOnDemand g(static_cast<std::size_t>(table.n), static_cast<double>(labels.size()));
  std::vector<double> scores;
  for (const std::uint64_t sum : relevances(table, labels, g)) scores.push_back(std::max(g.bits(sum), 0.0));
  return scores;
}

}  // namespace mlsift

#endif
