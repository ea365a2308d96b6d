#ifndef MLSIFT_CRITERIA_EBLS_H
#define MLSIFT_CRITERIA_EBLS_H

#include <algorithm>
#include <vector>

#include "relevance.h"

namespace mlsift {

/// N H(l) of a label that is on in `count` of the N rows.
template <class G>
std::uint64_t label_entropy(const G& g, std::int64_t count) {
  const std::int64_t n = static_cast<std::int64_t>(g.n());
  return g(n) - g(count) - g(n - count);
}

/// Positions of the labels in decreasing (increasing) order of entropy, equal ones by column.
template <class Count, class G>
std::vector<int> labels_by_entropy(const std::vector<Count>& counts, const G& g, bool decreasing) {
  std::vector<int> order(counts.size());
  for (std::size_t l = 0; l < order.size(); ++l) order[l] = static_cast<int>(l);
  const auto entropy = [&](int l) { return label_entropy(g, counts[static_cast<std::size_t>(l)]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return decreasing ? entropy(a) > entropy(b) : entropy(a) < entropy(b); });
  return order;
}

/// Labels that occur, as EBLS needs them.
template <class Count>
struct LabelSplit {
  std::vector<int> chosen;    ///< the columns of the `n_labels` of largest (smallest) entropy
  std::vector<Count> others;  ///< how many rows carry each of the others
};

/// `rows`: how many carry each label; `present`: the labels that occur.
template <class Count, class G>
LabelSplit<Count> split_labels(const std::vector<Count>& rows, const std::vector<int>& present, std::size_t n_labels,
                               bool largest, const G& g) {
  std::vector<Count> counts;
  LabelSplit<Count> result;
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
  template <class Count, class G>
  EntropyBound(const std::vector<Count>& others, const G& g) : prefix_{0} {
    for (const auto count : others) entropies_.push_back(label_entropy(g, count));
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
class Ebls {
 public:
  using Scratch = Relevance::Scratch;

  /// `chosen`: the labels in Y, by row; `others`: how many rows carry each of the other labels.
  Ebls(const Targets& chosen, const std::vector<int>& others, const XLogX& xlogx)
      : relevance_(chosen, xlogx), bound_(others, xlogx) {}

  double score(const Column& column, Scratch& scratch) const {
    const LevelRows& feature = scratch.coder.code(column);
    const std::uint64_t bound = bound_(relevance_.entropy(feature));
    const double bits = relevance_.xlogx().bits(relevance_.sum(feature, scratch) + bound);
    return bits > 0 ? bits : 0;
  }

  double work(const Features& features) const { return relevance_.work(features); }

 private:
  Relevance relevance_;
  EntropyBound bound_;
};

/// The same scores, bit for bit, from a table of counts.
inline std::vector<double> ebls_scores(const CountSource& source, std::size_t n_labels, bool largest) {
  const CountTables table = source.targets();
  const std::vector<int> present = labels_that_occur(table);
  const XLogXOnDemand g(static_cast<std::size_t>(table.n), static_cast<double>(present.size()));
  const auto split = split_labels(table.in_target, present, n_labels, largest, g);
  const EntropyBound bound(split.others, g);
  const std::vector<std::uint64_t> sums = relevances(table, split.chosen, g);
  std::vector<double> scores;
  for (std::size_t f = 0; f < table.size(); ++f) {
    scores.push_back(std::max(g.bits(sums[f] + bound(entropy_sum(table, f, g))), 0.0));
  }
  return scores;
}

}  // namespace mlsift

#endif
