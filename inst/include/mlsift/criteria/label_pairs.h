#ifndef MLSIFT_CRITERIA_LABEL_PAIRS_H
#define MLSIFT_CRITERIA_LABEL_PAIRS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/xlogx.h"
#include "../data/targets.h"

namespace mlsift {

/// The labels and their pairs, for criteria that count them with each feature. Pairs are those with l < l', at
/// l * q + l'; G is the sum of n log n over the cells of a table.
class LabelPairs {
 protected:
  LabelPairs(const Targets& labels, const XLogX& xlogx) : labels_(labels), g_(xlogx), q_(labels.count.size()) {
    const int n = static_cast<int>(g_.n());
    meet_.assign(q_ * q_, 0);
    for (std::size_t i = 0; i < labels_.n_rows(); ++i) count_pairs(i, meet_.data());
    for (std::size_t l = 0; l < q_; ++l) alone_.push_back(g_(count(l)) + g_(n - count(l)));
  }

  int count(std::size_t l) const { return labels_.count[l]; }

  void count_pairs(std::size_t row, int* pair) const {
    for (const int* a = labels_.begin(row); a != labels_.end(row); ++a) {
      int* to = pair + static_cast<std::size_t>(*a) * q_;
      for (const int* b = a + 1; b != labels_.end(row); ++b) ++to[*b];
    }
  }

  /// G of two labels among n rows, of which n_l and n_m carry the one and the other, and `both` both.
  std::uint64_t four(int both, int n_l, int n_m, int n) const {
    return g_(both) + g_(n_l - both) + g_(n_m - both) + g_(n - n_l - n_m + both);
  }

  const Targets& labels_;
  const XLogX& g_;
  std::size_t q_;
  std::vector<int> meet_;             // rows that carry both labels
  std::vector<std::uint64_t> alone_;  // G(l)
};

}  // namespace mlsift

#endif
