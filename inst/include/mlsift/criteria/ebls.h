#ifndef MLSIFT_CRITERIA_EBLS_H
#define MLSIFT_CRITERIA_EBLS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../count/relevance.h"

namespace mlsift {

/// N H(l) of a label that is on in `count` of the N rows.
template <class G>
std::uint64_t label_entropy(const G& g, std::int64_t count) {
  const std::int64_t n = static_cast<std::int64_t>(g.n());
  return g(n) - g(count) - g(n - count);
}

/// Positions of the labels in decreasing (increasing) order of entropy, equal ones by column. `counts`: rows of each.
template <class G>
std::vector<int> labels_by_entropy(const std::vector<std::int64_t>& counts, const G& g, bool decreasing) {
  std::vector<int> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto entropy = [&](int l) { return label_entropy(g, counts[static_cast<std::size_t>(l)]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return decreasing ? entropy(a) > entropy(b) : entropy(a) < entropy(b); });
  return order;
}

/// Labels that occur, as EBLS needs them.
struct LabelSplit {
  std::vector<int> chosen;           ///< the columns of the `n_labels` of largest (smallest) entropy
  std::vector<std::int64_t> others;  ///< how many rows carry each of the others
};

/// `rows`: how many carry each label; `present`: the labels that occur.
template <class G>
LabelSplit split_labels(const std::vector<std::int64_t>& rows, const std::vector<int>& present, std::size_t n_labels,
                        bool largest, const G& g) {
  std::vector<std::int64_t> counts;
  LabelSplit result;
  for (const int l : present) counts.push_back(rows[static_cast<std::size_t>(l)]);
  for (const int p : labels_by_entropy(counts, g, largest)) {
    if (result.chosen.size() < n_labels) {
      result.chosen.push_back(present[static_cast<std::size_t>(p)]);
    } else {
      result.others.push_back(counts[static_cast<std::size_t>(p)]);
    }
  }
  return result;
}

/// sum_{l not in Y} min(H(f), H(l)) = E_a + (t - a) H(f), where a of the t labels outside Y have an entropy of at most
/// H(f) and E_a is the sum of theirs: O(log q) for a feature. As XLogX sums.
class EntropyBound {
 public:
  /// `others`: how many rows carry each label outside Y.
  template <class G>
  EntropyBound(const std::vector<std::int64_t>& others, const G& g) : prefix_{0} {
    for (const std::int64_t count : others) entropies_.push_back(label_entropy(g, count));
    std::sort(entropies_.begin(), entropies_.end());
    for (const std::uint64_t entropy : entropies_) prefix_.push_back(prefix_.back() + entropy);
  }

  std::uint64_t operator()(std::uint64_t h) const {
    const std::size_t a =
        static_cast<std::size_t>(std::upper_bound(entropies_.begin(), entropies_.end(), h) - entropies_.begin());
    return prefix_[a] + static_cast<std::uint64_t>(entropies_.size() - a) * h;
  }

 private:
  std::vector<std::uint64_t> entropies_;  // increasing
  std::vector<std::uint64_t> prefix_;
};

/// EBLS, entropy-based label selection. Lee & Kim (2016), Entropy 18(11):405, Algorithm 1:
///
///   J(f) = sum_{l in Y} I(f; l) + sum_{l not in Y} min(H(f), H(l))
///
/// in bits, with Y the labels of largest (or smallest) entropy.
template <class G>
class Ebls {
 public:
  using Scratch = typename Relevance<G>::Scratch;

  /// `chosen`: the labels in Y; `others`: how many rows carry each of the other labels.
  Ebls(const TargetColumns& chosen, const std::vector<std::int64_t>& others, const G& xlogx)
      : relevance_(chosen, xlogx), bound_(others, xlogx) {}

  double score(const FeatureTable& feature, Scratch& scratch) const {
    const std::uint64_t bound = bound_(relevance_.entropy(feature));
    return std::max(relevance_.xlogx().bits(relevance_.sum(feature, scratch) + bound), 0.0);
  }

 private:
  Relevance<G> relevance_;
  EntropyBound bound_;
};

}  // namespace mlsift

#endif
