#ifndef MLSIFT_CRITERIA_EBLS_H
#define MLSIFT_CRITERIA_EBLS_H

#include <algorithm>
#include <vector>

#include "relevance.h"

namespace mlsift {

/// N H(l) of a label that is on in `count` of the N rows.
inline std::uint64_t label_entropy(const XLogX& g, int count) {
  const std::int64_t n = static_cast<std::int64_t>(g.n());
  return g(n) - g(count) - g(n - count);
}

/// Positions of the labels in decreasing (increasing) order of entropy, equal ones by column.
inline std::vector<int> labels_by_entropy(const std::vector<int>& counts, const XLogX& g, bool decreasing) {
  std::vector<int> order(counts.size());
  for (std::size_t l = 0; l < order.size(); ++l) order[l] = static_cast<int>(l);
  const auto entropy = [&](int l) { return label_entropy(g, counts[static_cast<std::size_t>(l)]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return decreasing ? entropy(a) > entropy(b) : entropy(a) < entropy(b); });
  return order;
}

/// Labels that occur, as EBLS needs them.
struct LabelSplit {
  Targets chosen;           ///< the `n_labels` of largest (smallest) entropy
  std::vector<int> others;  ///< how many rows carry each of the others
};

inline LabelSplit split_labels(const LabelMatrix& labels, std::size_t n_labels, bool largest, const XLogX& g) {
  const std::vector<int> all_counts = labels.counts(), present = labels_that_occur(labels);
  std::vector<int> counts, chosen;
  LabelSplit result;
  for (const int l : present) counts.push_back(all_counts[static_cast<std::size_t>(l)]);
  for (const int p : labels_by_entropy(counts, g, largest)) {
    if (chosen.size() < n_labels) {
      chosen.push_back(present[static_cast<std::size_t>(p)]);
    } else {
      result.others.push_back(counts[static_cast<std::size_t>(p)]);
    }
  }
  result.chosen = targets_of(labels, chosen);
  return result;
}

/// EBLS, entropy-based label selection. Lee & Kim (2016), Entropy 18(11):405, Algorithm 1:
///
///   J(f) = sum_{l in Y} I(f; l) + sum_{l not in Y} min(H(f), H(l))
///
/// in bits, with Y the labels of largest (or smallest) entropy. The second sum is E_a + (t - a) H(f), where a of the t
/// labels outside Y have an entropy of at most H(f) and E_a is the sum of theirs: O(log q) for a feature.
class Ebls {
 public:
  using Scratch = Relevance::Scratch;

  /// `chosen`: the labels in Y, by row; `others`: how many rows carry each of the other labels.
  Ebls(const Targets& chosen, const std::vector<int>& others, const XLogX& xlogx)
      : relevance_(chosen, xlogx), prefix_{0} {
    for (const int count : others) entropies_.push_back(label_entropy(xlogx, count));
    std::sort(entropies_.begin(), entropies_.end());
    for (const std::uint64_t entropy : entropies_) prefix_.push_back(prefix_.back() + entropy);
  }

  double score(const Column& column, Scratch& scratch) const {
    const LevelRows& feature = scratch.coder.code(column);
    const std::uint64_t h = relevance_.entropy(feature);
    const std::size_t a =
        static_cast<std::size_t>(std::upper_bound(entropies_.begin(), entropies_.end(), h) - entropies_.begin());
    const std::uint64_t bound = prefix_[a] + static_cast<std::uint64_t>(entropies_.size() - a) * h;
    const double bits = relevance_.xlogx().bits(relevance_.sum(feature, scratch) + bound);
    return bits > 0 ? bits : 0;
  }

  double work(const Features& features) const { return relevance_.work(features); }

 private:
  Relevance relevance_;
  std::vector<std::uint64_t> entropies_;  // of the labels outside Y, increasing
  std::vector<std::uint64_t> prefix_;
};

}  // namespace mlsift

#endif
