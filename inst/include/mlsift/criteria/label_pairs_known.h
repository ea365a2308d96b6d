#pragma once

#include <algorithm>
#include <vector>

#include "label_pairs.h"

namespace mlsift {

/// What a criterion takes from the pairs of labels, in bits, if some labels are unknown in some rows. Each pair is
/// evaluated on the rows O in which both labels are known:
///
///   interaction  sum_{l < l'} I_O(f; l; l')
///   given        sum_{l != l'} I_O(f; l | l')
///   sum          2 sum_{l < l'} max(0, I_O(f; l; l'))
///   largest      max_{l != l'} I_O(f; l | l')
///
/// The cells of O follow from those of all rows by the pairs of labels with unknown ones: of the rows of a level that
/// carry l, those that do not know l' are left out, and so on.
///
/// cost  a look at all cells of all pairs, per level
template <class XLogs = XLogX>
class KnownLabelPairs : private LabelPairs<XLogs> {
  using Pairs = LabelPairs<XLogs>;
  using Pairs::columns_;
  using Pairs::four;
  using Pairs::g_;
  using Pairs::q_;

  // G over the levels of a feature, of the rows of one pair: G(f), G(f, l), G(f, l'), G(f, l, l').
  struct Cells {
    std::uint64_t f = 0, one = 0, other = 0, both = 0;
  };

 public:
  struct Scratch {
    LevelCells<int> level;
    std::vector<Cells> cells;
  };

  /// `pairs`: see LabelPairs, of labels and unknown labels as with_unknown() has them.
  KnownLabelPairs(const TargetColumns& pairs, const XLogs& xlogx, PairSum kind)
      : Pairs(pairs, xlogx), kind_(kind), n_labels_(q_ / 2), known_(n_labels_ * n_labels_, 0) {
    whole_.assign(n_labels_ * n_labels_, Cells());
    const std::vector<int> all(pairs.count.begin(), pairs.count.end());
    add_level(all.data(), Pairs::n(), whole_, &known_);
  }

  double score(const FeatureTable& feature, Scratch& s) const {
    if (feature.n_levels() == 1) return 0;
    s.cells.assign(n_labels_ * n_labels_, Cells());
    each_level(columns_, feature, s.level, [&](int, int n, const int* with) { add_level(with, n, s.cells, nullptr); });
    double result = 0;
    for (std::size_t l = 0; l < n_labels_; ++l) {
      for (std::size_t m = l + 1; m < n_labels_; ++m) {
        const std::size_t at = l * n_labels_ + m;
        const Cells &all = whole_[at], &of = s.cells[at];
        const double share = known_share(static_cast<std::int64_t>(g_.n()), known_[at]);
        const auto bits = [&](std::uint64_t sum) { return g_.bits(times(share, sum)); };
        // N I(f; l | l') and N I(f; l' | l), each the information of f and the pair without that of f and one of them.
        const std::uint64_t of_pair = of.both - all.both;
        const std::uint64_t one = of_pair + all.other - of.other, other = of_pair + all.one - of.one;
        const std::uint64_t interaction = all.f - of.f + of.one - all.one - one;
        switch (kind_) {
          case PairSum::interaction:
            result += bits(interaction);
            break;
          case PairSum::given:
            result += bits(one + other);
            break;
          case PairSum::sum:
            result += 2 * std::max(0.0, bits(interaction));
            break;
          case PairSum::largest:
            result = std::max({result, bits(one), bits(other)});
            break;
        }
      }
    }
    return result;
  }

 private:
  // Among n rows, of which the columns count `with`. `known`: gets the rows of each pair.
  void add_level(const int* with, int n, std::vector<Cells>& cells, std::vector<int>* known) const {
    const auto pair = [with](std::size_t a, std::size_t b) { return with[pair_column(a, b)]; };
    for (std::size_t l = 0; l < n_labels_; ++l) {
      for (std::size_t m = l + 1; m < n_labels_; ++m) {
        const std::size_t no_l = l + n_labels_, no_m = m + n_labels_;
        const int of_pair = n - pair(no_l, no_l) - pair(no_m, no_m) + pair(no_l, no_m);
        const int n_l = pair(l, l) - pair(l, no_m), n_m = pair(m, m) - pair(m, no_l);
        Cells& to = cells[l * n_labels_ + m];
        to.f += g_(of_pair);
        to.one += g_(n_l) + g_(of_pair - n_l);
        to.other += g_(n_m) + g_(of_pair - n_m);
        to.both += four(pair(l, m), n_l, n_m, of_pair);
        if (known) (*known)[l * n_labels_ + m] = of_pair;
      }
    }
  }

  PairSum kind_;
  std::size_t n_labels_;
  std::vector<int> known_;    // rows in which both labels are known
  std::vector<Cells> whole_;  // G of all rows of a pair: without f
};

}  // namespace mlsift
