#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../count/relevance.h"
#include "../count/target_margins.h"

namespace mlsift {

/// A label: its number, the rows in which it is known, and those of them that carry it.
struct LabelMargin {
  int label;
  std::int64_t ones, known;

  /// The share of its rarer value. The entropy grows with it.
  double share() const { return static_cast<double>(std::min(ones, known - ones)) / static_cast<double>(known); }
};

/// Labels that occur, as EBLS needs them.
struct LabelSplit {
  std::vector<LabelMargin> chosen;  ///< the `n_labels` of largest (smallest) entropy, equal ones by column
  std::vector<LabelMargin> others;  ///< the others that are known in all n rows
  std::vector<LabelMargin> partly;  ///< and those that are not
  std::int64_t n;

  LabelSplit(const TargetMargins& margins, std::size_t n_labels, bool largest) : n(margins.n) {
    std::vector<LabelMargin> labels;
    for (const int l : margins.occurring()) {
      labels.push_back({l, margins.count[static_cast<std::size_t>(l)], n - margins.missing(l)});
    }
    std::stable_sort(labels.begin(), labels.end(), [&](const LabelMargin& a, const LabelMargin& b) {
      return largest ? a.share() > b.share() : a.share() < b.share();
    });
    for (const LabelMargin& label : labels) {
      (chosen.size() < n_labels ? chosen : label.known == n ? others : partly).push_back(label);
    }
  }

  bool all_known() const {
    return partly.empty() && std::all_of(chosen.begin(), chosen.end(), [&](const auto& l) { return l.known == n; });
  }

  TargetColumns chosen_columns() const {
    TargetColumns columns(n);
    const bool known = all_known();
    for (const LabelMargin& l : chosen) {
      if (known) {
        columns.add({l.ones});
      } else {
        columns.add_label(l.ones, n - l.known);
      }
    }
    return columns;
  }

  /// What EBLS needs of rows: the chosen labels, then the rows in which each label of `partly` is not known.
  ChosenTargets targets(const TargetMargins& margins) const {
    ChosenTargets needed{{}, {}, chosen_columns()};
    for (const LabelMargin& l : chosen) {
      needed.column.push_back(l.label);
      if (l.known < n) needed.column.push_back(margins.unknown_column(l.label));
    }
    for (const LabelMargin& l : partly) {
      needed.column.push_back(margins.unknown_column(l.label));
      needed.columns.add({n - l.known});
      needed.columns.set_unknown(static_cast<int>(needed.columns.n_columns()) - 1);
    }
    return needed;
  }
};

/// sum_{l not in Y} min(H(f), H(l)) = E_a + (t - a) H(f), where a of the t labels outside Y have an entropy of at most
/// H(f) and E_a is the sum of theirs: O(log q) for a feature. As XLogX sums.
class EntropyBound {
 public:
  template <class G>
  EntropyBound(const std::vector<LabelMargin>& others, const G& g) : prefix_{0} {
    for (const LabelMargin& l : others) entropies_.push_back(g(l.known) - g(l.ones) - g(l.known - l.ones));
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

/// The same for labels that are not known in all n rows, each on the n_l rows in which it is known: the sum of
/// n / n_l min(n_l H(f), n_l H(l)), each rounded to a whole number.
template <class G>
class PartlyKnownBound {
 public:
  /// Of one thread.
  struct Scratch {
    LevelCells<std::int64_t> cells;
    std::vector<std::uint64_t> entropy;  // n_l H(f), by label
  };

  /// `columns`: of all targets, of which these labels are the last.
  PartlyKnownBound(const std::vector<LabelMargin>& labels, const TargetColumns& columns, const G& g)
      : t_(columns), g_(g), first_(columns.size() - labels.size()) {
    for (const LabelMargin& l : labels) {
      g_known_.push_back(g(l.known));
      entropy_.push_back(static_cast<std::int64_t>(g(l.known) - g(l.ones) - g(l.known - l.ones)));
    }
  }

  std::uint64_t operator()(const FeatureTable& f, Scratch& s) const {
    if (entropy_.empty()) return 0;
    s.entropy = g_known_;
    each_known_cell(t_, f, s.cells, [&](std::size_t t, int, std::int64_t known, std::int64_t) {
      if (t >= first_) s.entropy[t - first_] -= g_(known);
    });
    std::uint64_t total = 0;
    for (std::size_t l = 0; l < entropy_.size(); ++l) {
      const std::int64_t least = std::min(static_cast<std::int64_t>(s.entropy[l]), entropy_[l]);
      total += t_.scaled(first_ + l, static_cast<std::uint64_t>(least));
    }
    return total;
  }

 private:
  const TargetColumns& t_;
  const G& g_;
  std::size_t first_;
  std::vector<std::uint64_t> g_known_;  // n_l log n_l
  std::vector<std::int64_t> entropy_;   // n_l H(l)
};

/// EBLS, entropy-based label selection. Lee & Kim (2016), Entropy 18(11):405, Algorithm 1:
///
///   J(f) = sum_{l in Y} I(f; l) + sum_{l not in Y} min(H(f), H(l))
///
/// in bits, with Y the labels of largest (or smallest) entropy. A label that is not known in all rows contributes what
/// it does on the rows in which it is known.
template <class G>
class Ebls {
 public:
  struct Scratch {
    typename Relevance<G>::Scratch chosen;
    typename PartlyKnownBound<G>::Scratch partly;
  };

  /// `chosen`: LabelSplit::chosen_columns(); `columns`: those of LabelSplit::targets(), which the rows have.
  Ebls(const LabelSplit& labels, const TargetColumns& chosen, const TargetColumns& columns, const G& xlogx)
      : relevance_(chosen, xlogx), bound_(labels.others, xlogx), partly_(labels.partly, columns, xlogx) {}

  double score(const FeatureTable& feature, Scratch& scratch) const {
    const std::uint64_t bound = bound_(relevance_.entropy(feature)) + partly_(feature, scratch.partly);
    return std::max(relevance_.xlogx().bits(relevance_.sum(feature, scratch.chosen) + bound), 0.0);
  }

 private:
  Relevance<G> relevance_;
  EntropyBound bound_;
  PartlyKnownBound<G> partly_;
};

}  // namespace mlsift
