#ifndef MLSIFT_CRITERIA_MIM_H
#define MLSIFT_CRITERIA_MIM_H

#include <algorithm>

#include "../count/joint_counts.h"
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
  const double occurring = static_cast<double>(
      std::count_if(table.in_target.begin(), table.in_target.end(), [](std::int64_t rows) { return rows > 0; }));
  const XLogX g(static_cast<std::size_t>(table.n), occurring);
  const RelevanceTerms terms(table.in_target, g);
  RelevanceTerms::Unmet unmet;
  std::vector<std::int64_t> met(table.in_target.size(), 0);
  std::vector<double> scores;
  for (std::size_t f = 0; f < table.size(); ++f) {
    const std::int64_t n_r = table.in_level[table.slot[f] + static_cast<std::size_t>(table.levels[f].implied)];
    std::uint64_t total = terms.unmet(n_r, unmet);
    for (std::size_t v = table.slot[f]; v < table.slot[f + 1]; ++v) {
      for (std::size_t c = table.cell[v]; c < table.cell[v + 1]; ++c) {
        total += terms.cell(table.count[c], table.in_level[v], g(table.in_level[v]));
        met[static_cast<std::size_t>(table.target[c])] += table.count[c];
      }
    }
    for (std::size_t l = 0; l < met.size(); ++l) {
      if (met[l] > 0) total += terms.met(l, met[l], n_r);
      met[l] = 0;
    }
    scores.push_back(std::max(g.bits(total), 0.0));
  }
  return scores;
}

}  // namespace mlsift

#endif
