#ifndef MLSIFT_CRITERIA_LABEL_INTERACTION_H
#define MLSIFT_CRITERIA_LABEL_INTERACTION_H

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
/// cost   pairs of labels that meet in rows off the reference level, and a look at all cells of all pairs, per feature.
///        For `interaction`, a feature of two levels whose rarer one has few labels looks at pairs with one of these
///        labels only; what the other pairs add depends on the rows of the level alone.
template <class XLogs = XLogX>
class LabelInteraction : private LabelPairs<XLogs> {
  using Pairs = LabelPairs<XLogs>;
  using Pairs::alone_;
  using Pairs::count;
  using Pairs::count_;
  using Pairs::count_labels;
  using Pairs::count_pairs;
  using Pairs::four;
  using Pairs::g_;
  using Pairs::labels_;
  using Pairs::level_counts;
  using Pairs::meet_;
  using Pairs::q_;

 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    typename Pairs::LevelPairs level;
    std::vector<std::uint64_t> with_feature, row;  // G(f, l) - G(l); as together_, with f
    std::vector<int> rare;                         // rows of the rarer level with both labels; zeros between features
    std::vector<int> present;                      // labels of the rarer level, ascending
    std::unordered_map<int, std::vector<std::uint64_t>> unmet;  // see unmet()
  };

  LabelInteraction(const Targets& labels, const XLogs& xlogx, const int* weights, PairSum kind)
      : Pairs(labels, xlogx, weights), kind_(kind) {
    const int n = static_cast<int>(g_.n());
    together_.resize(kind_ == PairSum::interaction ? q_ : q_ * q_);
    add_pair_cells(meet_, count_, n, together_);
    if (kind_ != PairSum::interaction) return;
    outside_ = together_;
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t m = l + 1; m < q_; ++m) outside_[l] -= g_(n - united(l, m));
    }
  }

  double score(const Column& column, Scratch& s) const {
    const LevelRows& feature = s.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    std::uint64_t alone = g_(static_cast<std::int64_t>(g_.n()));  // N H(f)
    const std::vector<int>& counts = level_counts(feature, s.level.counts);
    for (const int n : counts) alone -= g_(n);
    s.with_feature.assign(q_, 0);
    s.row.assign(together_.size(), 0);
    const bool few = kind_ == PairSum::interaction && feature.n_levels() == 2 && count_few(feature, counts, s);
    if (!few) count_all(feature, counts, s);
    // N I(f; l) is N H(f) and this.
    for (std::size_t l = 0; l < q_; ++l) s.with_feature[l] -= alone_[l];
    if (kind_ == PairSum::interaction) return interaction(alone, s);
    return kind_ == PairSum::sum ? sum(alone, s) : largest(s);
  }

  double work(const Features& features) const { return Pairs::pair_work(features); }

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
  double sum(std::uint64_t alone, const Scratch& s) const {
    double bits = 0;
    for (std::size_t l = 0; l < q_; ++l) {
      std::int64_t sum = 0;
      for (std::size_t m = l + 1; m < q_; ++m) {
        const std::size_t at = l * q_ + m;
        const std::uint64_t co = alone + s.with_feature[l] + s.with_feature[m] + together_[at] - s.row[at];
        sum += std::max(signed_of(co), std::int64_t{0});
      }
      bits += 2 * g_.bits(static_cast<std::uint64_t>(sum));
    }
    return bits;
  }

  // I(f; l | l') = I(f; l, l') - I(f; l'): of a pair, the larger one is given the label that says less about f.
  double largest(const Scratch& s) const {
    std::int64_t most = 0;
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t m = l + 1; m < q_; ++m) {
        const std::size_t at = l * q_ + m;
        const std::int64_t given = std::min(signed_of(s.with_feature[l]), signed_of(s.with_feature[m]));
        most = std::max(most, signed_of(s.row[at] - together_[at]) - given);
      }
    }
    return g_.bits(static_cast<std::uint64_t>(most));
  }

  static std::int64_t signed_of(std::uint64_t sum) { return static_cast<std::int64_t>(sum); }

  // Rows that carry l or m, l < m.
  int united(std::size_t l, std::size_t m) const { return count(l) + count(m) - meet_[l * q_ + m]; }

  // with_feature and row, by a look at all pairs of labels.
  void count_all(const LevelRows& feature, const std::vector<int>& counts, Scratch& s) const {
    Pairs::each_level(feature, counts, s.level, [&](const auto& pair, const auto& single, int n) {
      for (std::size_t l = 0; l < q_; ++l) s.with_feature[l] += g_(single[l]) + g_(n - single[l]);
      add_pair_cells(pair, single, n, s.row);
    });
  }

  // The same where few labels occur at the rarer of two levels; false where they are many.
  bool count_few(const LevelRows& feature, const std::vector<int>& counts, Scratch& s) const {
    const int v = 1 - feature.reference;
    const int n_v = counts[static_cast<std::size_t>(v)];
    s.level.single.assign(q_, 0);
    count_labels(feature, v, s.level.single.data());
    s.present.clear();
    for (std::size_t l = 0; l < q_; ++l) {
      if (s.level.single[l] > 0) s.present.push_back(static_cast<int>(l));
    }
    if (4 * s.present.size() > q_) return false;
    s.rare.resize(q_ * q_, 0);
    for (const int* row = feature.begin(v); row != feature.end(v); ++row)
      count_pairs(static_cast<std::size_t>(*row), s.rare.data());
    const int n_r = counts[static_cast<std::size_t>(feature.reference)];
    for (std::size_t l = 0; l < q_; ++l) {
      s.with_feature[l] = g_(s.level.single[l]) + g_(n_v - s.level.single[l]) + g_(count(l) - s.level.single[l]) +
                          g_(n_r - count(l) + s.level.single[l]);
    }
    add_rare_level(n_v, s);
    add_reference_level(n_r, s);
    for (const int* row = feature.begin(v); row != feature.end(v); ++row)
      clear_pairs(static_cast<std::size_t>(*row), s.rare.data());
    return true;
  }

  // A label that no row of the level carries splits no other label.
  void add_rare_level(int n, Scratch& s) const {
    const std::uint64_t g_n = g_(n);
    std::uint64_t of_present = 0;          // sum over present l' > l of G(l') in the level
    std::uint64_t n_absent = 0;            // l' > l
    std::size_t later = s.present.size();  // present ones from here on are > l
    for (std::size_t l = q_; l-- > 0;) {
      const int n_l = s.level.single[l];
      if (n_l == 0) {
        s.row[l] += n_absent * g_n + of_present;
        ++n_absent;
        continue;
      }
      const std::uint64_t own = g_(n_l) + g_(n - n_l);
      std::uint64_t sum = n_absent * own;
      for (std::size_t i = later; i < s.present.size(); ++i) {
        const std::size_t m = static_cast<std::size_t>(s.present[i]);
        sum += four(s.rare[l * q_ + m], n_l, s.level.single[m], n);
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
      const int all = meet_[l * q_ + m], a = all - s.rare[l * q_ + m];
      s.row[l] += four(a, count(l) - s.level.single[l], count(m) - s.level.single[m], n) - g_(all) -
                  g_(count(l) - all) - g_(count(m) - all) - g_.or_zero(n - united(l, m));
    };
    for (const int present : s.present) {
      const std::size_t p = static_cast<std::size_t>(present);
      for (std::size_t l = 0; l < p; ++l) {
        if (s.level.single[l] == 0) change(l, p);
      }
      for (std::size_t m = p + 1; m < q_; ++m) change(p, m);
    }
  }

  // By l, the cells of all pairs (l, l' > l) among n rows that hold every row with a label.
  const std::vector<std::uint64_t>& unmet(int n, Scratch& s) const {
    const auto known = s.unmet.find(n);
    if (known != s.unmet.end()) return known->second;
    if (s.unmet.size() * q_ * sizeof(std::uint64_t) > most_bytes) s.unmet.clear();
    std::vector<std::uint64_t>& sums = s.unmet[n];
    sums = outside_;
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t m = l + 1; m < q_; ++m) sums[l] += g_.or_zero(n - united(l, m));
    }
    return sums;
  }

  void clear_pairs(std::size_t row, int* pair) const {
    for (const int* a = labels_.begin(row); a != labels_.end(row); ++a) {
      int* to = pair + static_cast<std::size_t>(*a) * q_;
      for (const int* b = a + 1; b != labels_.end(row); ++b) to[*b] = 0;
    }
  }

  // Among n rows, of which single[l] carry l and pair[l, l'] both: adds the cells of all pairs as together_ has them.
  void add_pair_cells(const std::vector<int>& pair, const std::vector<int>& single, int n,
                      std::vector<std::uint64_t>& row) const {
    for (std::size_t l = 0; l < q_; ++l) {
      const int* const meet = pair.data() + l * q_;
      const int n_l = single[l];
      if (kind_ == PairSum::interaction) {
        std::uint64_t sum = 0;
        for (std::size_t m = l + 1; m < q_; ++m) sum += four(meet[m], n_l, single[m], n);
        row[l] += sum;
      } else {
        for (std::size_t m = l + 1; m < q_; ++m) row[l * q_ + m] += four(meet[m], n_l, single[m], n);
      }
    }
  }

  static constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of unmet(), for each thread

  PairSum kind_;
  std::vector<std::uint64_t> together_;  // interaction: sum over l' > l of G(l, l'); otherwise G(l, l') at l * q + l'
  std::vector<std::uint64_t> outside_;   // the same without the cells of rows that carry neither
};

}  // namespace mlsift

#endif
