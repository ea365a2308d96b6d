#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "label_pairs.h"

namespace mlsift {

/// What pairs of labels add to the relevance of a feature, in bits, where all labels are known; 0 with a single label.
///
///   interaction  sum_{l < l'} I(f; l; l')            Lee & Kim (2013), Pattern Recognition Letters 34:349-357 (PMU);
///                                                    Lee & Kim (2015), Pattern Recognition 48:2761-2771 (FIMF)
///   sum          2 sum_{l < l'} max(0, I(f; l; l'))  Zhang, Liu, Gao & Song (2021), Pattern Recognition 120:108137, as
///   largest      max_{l != l'} I(f; l | l')          the program of PyIT-MLFS has it (LSMFS, MLSMFS); labels must vary
///
/// With G the sums of n log n over the cells of a table,
///
///   N I(f; l | l') = G(l') - G(f, l') - G(l, l') + G(f, l, l'),   I(f; l; l') = I(f; l) - I(f; l | l').
///
/// cost   a look at all cells of all pairs, per feature. For `interaction`, a feature of two levels whose rarer one has
///        few labels looks at pairs with one of these labels only; what the other pairs add depends on the rows of the
///        level alone.
template <class XLogs = XLogX>
class LabelInteraction : private LabelPairs<XLogs> {
  using Pairs = LabelPairs<XLogs>;
  using Pairs::columns_;
  using Pairs::count;
  using Pairs::four;
  using Pairs::g_;
  using Pairs::meet;
  using Pairs::q_;

 public:
  struct Scratch {
    LevelCells<int> cells;
    std::vector<int> single;                       // what the labels alone count in a level
    std::vector<std::uint64_t> with_feature, row;  // G(f, l) - G(l); as together_, with f
    std::vector<int> rare;                         // what all columns count in the rarer level; zeros between features
    std::vector<int> present;                      // labels of the rarer level, ascending
    std::vector<std::int64_t> sums;                // by label
    std::unordered_map<int, std::vector<std::uint64_t>> unmet;  // see unmet()
  };

  /// `pairs`: see LabelPairs.
  LabelInteraction(const TargetColumns& pairs, const XLogs& xlogx, PairSum kind) : Pairs(pairs, xlogx), kind_(kind) {
    const std::vector<int> all(pairs.count.begin(), pairs.count.end());
    std::vector<int> single;
    Pairs::take_single(all.data(), single);
    for (std::size_t l = 0; l < q_; ++l) alone_.push_back(g_(count(l)) + g_(Pairs::n() - count(l)));
    together_.resize(kind_ == PairSum::interaction ? q_ : all.size());
    add_pair_cells(all.data(), single, Pairs::n(), together_);
    if (kind_ != PairSum::interaction) return;
    outside_ = together_;
    for (std::size_t m = 0; m < q_; ++m) {
      for (std::size_t l = 0; l < m; ++l) outside_[l] -= g_(Pairs::n() - united(l, m));
    }
  }

  double score(const FeatureTable& feature, Scratch& s) const {
    if (feature.n_levels() == 1) return 0;
    std::uint64_t alone = g_(columns_.n);  // N H(f)
    for (const std::int64_t rows : feature.rows) alone -= g_(rows);
    s.with_feature.assign(q_, 0);
    s.row.assign(together_.size(), 0);
    const bool few = kind_ == PairSum::interaction && feature.n_levels() == 2 && count_few(feature, s);
    if (!few) count_all(feature, s);
    // N I(f; l) is N H(f) and this.
    for (std::size_t l = 0; l < q_; ++l) s.with_feature[l] -= alone_[l];
    if (kind_ == PairSum::interaction) return interaction(alone, s);
    return kind_ == PairSum::sum ? sum(alone, s) : largest(s);
  }

 private:
  // Summed label by label in integers that fit, then in doubles.
  double interaction(std::uint64_t alone, const Scratch& s) const {
    std::uint64_t rest = 0;  // of with_feature, over l' > l
    double bits = 0;
    for (std::size_t l = q_; l-- > 0;) {
      const std::uint64_t pairs = static_cast<std::uint64_t>(q_ - 1 - l);
      bits += g_.bits(pairs * (alone + s.with_feature[l]) + rest + together_[l] - s.row[l]);
      rest += s.with_feature[l];
    }
    return bits;
  }

  // Likewise.
  double sum(std::uint64_t alone, Scratch& s) const {
    s.sums.assign(q_, 0);
    for (std::size_t m = 0; m < q_; ++m) {
      for (std::size_t l = 0; l < m; ++l) {
        const std::size_t at = pair_column(l, m);
        const std::uint64_t co = alone + s.with_feature[l] + s.with_feature[m] + together_[at] - s.row[at];
        s.sums[l] += std::max(signed_of(co), std::int64_t{0});
      }
    }
    double bits = 0;
    for (const std::int64_t sum : s.sums) bits += 2 * g_.bits(static_cast<std::uint64_t>(sum));
    return bits;
  }

  // I(f; l | l') = I(f; l, l') - I(f; l'): of a pair, the larger one is given the label that says less about f.
  double largest(const Scratch& s) const {
    std::int64_t most = 0;
    for (std::size_t m = 0; m < q_; ++m) {
      for (std::size_t l = 0; l < m; ++l) {
        const std::size_t at = pair_column(l, m);
        const std::int64_t given = std::min(signed_of(s.with_feature[l]), signed_of(s.with_feature[m]));
        most = std::max(most, signed_of(s.row[at] - together_[at]) - given);
      }
    }
    return g_.bits(static_cast<std::uint64_t>(most));
  }

  static std::int64_t signed_of(std::uint64_t sum) { return static_cast<std::int64_t>(sum); }

  // Rows that carry l or m, l < m.
  int united(std::size_t l, std::size_t m) const { return count(l) + count(m) - meet(l, m); }

  // with_feature and row, by a look at all pairs of labels.
  void count_all(const FeatureTable& feature, Scratch& s) const {
    each_level(columns_, feature, s.cells, [&](int, int n, const int* with) {
      Pairs::take_single(with, s.single);
      for (std::size_t l = 0; l < q_; ++l) s.with_feature[l] += g_(s.single[l]) + g_(n - s.single[l]);
      add_pair_cells(with, s.single, n, s.row);
    });
  }

  // The same where few labels occur at the rarer of two levels; false where they are many.
  bool count_few(const FeatureTable& feature, Scratch& s) const {
    const int v = 1 - feature.reference;
    const auto fill = [&](bool count) {
      for (std::size_t i = feature.begin(v); i < feature.end(v); ++i) {
        s.rare[static_cast<std::size_t>(feature.column[i])] = count ? static_cast<int>(feature.count[i]) : 0;
      }
    };
    s.rare.resize(columns_.size(), 0);
    fill(true);
    Pairs::take_single(s.rare.data(), s.single);
    s.present.clear();
    for (std::size_t l = 0; l < q_; ++l) {
      if (s.single[l] > 0) s.present.push_back(static_cast<int>(l));
    }
    const bool few = 4 * s.present.size() <= q_;
    if (few) {
      const int n_v = static_cast<int>(feature.rows[static_cast<std::size_t>(v)]);
      const int n_r = static_cast<int>(feature.reference_rows());
      for (std::size_t l = 0; l < q_; ++l) {
        s.with_feature[l] =
            g_(s.single[l]) + g_(n_v - s.single[l]) + g_(count(l) - s.single[l]) + g_(n_r - count(l) + s.single[l]);
      }
      add_rare_level(n_v, s);
      add_reference_level(n_r, s);
    }
    fill(false);
    return few;
  }

  // A label that no row of the level carries splits no other label.
  void add_rare_level(int n, Scratch& s) const {
    const std::uint64_t g_n = g_(n);
    std::uint64_t of_present = 0;          // sum over present l' > l of G(l') in the level
    std::uint64_t n_absent = 0;            // l' > l
    std::size_t later = s.present.size();  // present ones from here on are > l
    for (std::size_t l = q_; l-- > 0;) {
      const int n_l = s.single[l];
      if (n_l == 0) {
        s.row[l] += n_absent * g_n + of_present;
        ++n_absent;
        continue;
      }
      const std::uint64_t own = g_(n_l) + g_(n - n_l);
      std::uint64_t sum = n_absent * own;
      for (std::size_t i = later; i < s.present.size(); ++i) {
        const std::size_t m = static_cast<std::size_t>(s.present[i]);
        sum += four(s.rare[pair_column(l, m)], n_l, s.single[m], n);
      }
      s.row[l] += sum;
      of_present += own;
      --later;
    }
  }

  // All pairs as if the feature met none of them, and the changes from those it meets.
  void add_reference_level(int n, Scratch& s) const {
    const std::vector<std::uint64_t>& as_unmet = unmet(n, s);
    for (std::size_t l = 0; l < q_; ++l) s.row[l] += as_unmet[l];
    const auto change = [&](std::size_t l, std::size_t m) {
      const int all = meet(l, m), a = all - s.rare[pair_column(l, m)];
      s.row[l] += four(a, count(l) - s.single[l], count(m) - s.single[m], n) - g_(all) - g_(count(l) - all) -
                  g_(count(m) - all) - g_.or_zero(n - united(l, m));
    };
    // In the order in which the counts of pairs are stored.
    for (std::size_t m = 0; m < q_; ++m) {
      if (s.single[m] > 0) {
        for (std::size_t l = 0; l < m; ++l) change(l, m);
      } else {
        for (std::size_t i = 0; i < s.present.size() && static_cast<std::size_t>(s.present[i]) < m; ++i) {
          change(static_cast<std::size_t>(s.present[i]), m);
        }
      }
    }
  }

  // By l, the cells of all pairs (l, l' > l) among n rows that hold every row with a label.
  const std::vector<std::uint64_t>& unmet(int n, Scratch& s) const {
    const auto known = s.unmet.find(n);
    if (known != s.unmet.end()) return known->second;
    if (s.unmet.size() * q_ * sizeof(std::uint64_t) > most_bytes) s.unmet.clear();
    std::vector<std::uint64_t>& sums = s.unmet[n];
    sums = outside_;
    for (std::size_t m = 0; m < q_; ++m) {
      for (std::size_t l = 0; l < m; ++l) sums[l] += g_.or_zero(n - united(l, m));
    }
    return sums;
  }

  // Among n rows, of which the columns count `with` and single labels `single`: adds the cells of all pairs as
  // together_ has them.
  void add_pair_cells(const int* with, const std::vector<int>& single, int n, std::vector<std::uint64_t>& row) const {
    for (std::size_t m = 0; m < q_; ++m) {
      const std::size_t first = pair_column(0, m);
      std::uint64_t* const to = row.data() + (kind_ == PairSum::interaction ? 0 : first);
      for (std::size_t l = 0; l < m; ++l) to[l] += four(with[first + l], single[l], single[m], n);
    }
  }

  static constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of unmet(), for each thread

  PairSum kind_;
  std::vector<std::uint64_t> alone_;     // G(l)
  std::vector<std::uint64_t> together_;  // interaction: sum over l' > l of G(l, l'); otherwise G(l, l') by column
  std::vector<std::uint64_t> outside_;   // the same without the cells of rows that carry neither
};

}  // namespace mlsift
