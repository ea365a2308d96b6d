#ifndef MLSIFT_CRITERIA_LABEL_SUPPLEMENT_H
#define MLSIFT_CRITERIA_LABEL_SUPPLEMENT_H

#include <algorithm>
#include <vector>

#include "label_pairs.h"

namespace mlsift {

enum class Supplement { sum, largest };

/// What pairs of labels add to the relevance of a feature, in bits. Zhang, Liu, Gao & Song (2021), Pattern Recognition
/// 120:108137, as the program of PyIT-MLFS has it:
///
///   sum       2 sum_{l < l'} max(0, I(f; l; l'))   (LSMFS)
///   largest   max_{l != l'} I(f; l | l')           (MLSMFS)
///
/// and 0 with a single label. Labels must vary. With G the sums of n log n over the cells of a table,
///
///   N I(f; l | l') = G(l') - G(f, l') - G(l, l') + G(f, l, l'),   I(f; l; l') = I(f; l) - I(f; l | l').
///
/// cost   pairs of labels that meet in rows off the reference level, and a look at all cells of all pairs, per feature.
template <class XLogs = XLogX>
class LabelSupplement : private LabelPairs<XLogs> {
  using Pairs = LabelPairs<XLogs>;
  using Pairs::alone_;
  using Pairs::count_;
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
    std::vector<std::uint64_t> with_feature, cells;  // G(f, l), G(f, l, l')
  };

  LabelSupplement(const Targets& labels, const XLogs& xlogx, const int* weights, Supplement kind)
      : Pairs(labels, xlogx, weights), kind_(kind) {
    together_.assign(q_ * q_, 0);
    add_pairs(meet_, count_, static_cast<int>(g_.n()), together_);
  }

  double score(const Column& column, Scratch& s) const {
    const LevelRows& feature = s.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    const std::vector<int>& counts = level_counts(feature, s.level.counts);
    count_levels(feature, counts, s);
    std::uint64_t alone = g_(static_cast<std::int64_t>(g_.n()));  // N H(f)
    for (const int n : counts) alone -= g_(n);
    // own(l) = G(f, l) - G(l), so that N I(f; l) = N H(f) + own(l).
    for (std::size_t l = 0; l < q_; ++l) s.with_feature[l] -= alone_[l];
    return kind_ == Supplement::sum ? sum(alone, s) : largest(s);
  }

  double work(const Features& features) const { return Pairs::pair_work(features); }

 private:
  // with_feature and cells.
  void count_levels(const LevelRows& feature, const std::vector<int>& counts, Scratch& s) const {
    s.with_feature.assign(q_, 0);
    s.cells.assign(q_ * q_, 0);
    Pairs::each_level(feature, counts, s.level, [&](const auto& pair, const auto& single, int n) {
      for (std::size_t l = 0; l < q_; ++l) s.with_feature[l] += g_(single[l]) + g_(n - single[l]);
      add_pairs(pair, single, n, s.cells);
    });
  }

  // Among n rows, of which single[l] carry l and pair[l, l'] both.
  void add_pairs(const std::vector<int>& pair, const std::vector<int>& single, int n,
                 std::vector<std::uint64_t>& cells) const {
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t m = l + 1; m < q_; ++m) cells[l * q_ + m] += four(pair[l * q_ + m], single[l], single[m], n);
    }
  }

  // Summed label by label in integers that fit, then in doubles.
  double sum(std::uint64_t alone, const Scratch& s) const {
    double bits = 0;
    for (std::size_t l = 0; l < q_; ++l) {
      std::uint64_t sum = 0;
      for (std::size_t m = l + 1; m < q_; ++m) {
        const std::uint64_t co =
            alone + s.with_feature[l] + s.with_feature[m] + together_[l * q_ + m] - s.cells[l * q_ + m];
        sum += static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(co), std::int64_t{0}));
      }
      bits += 2 * g_.bits(sum);
    }
    return bits;
  }

  // I(f; l | l') = I(f; l, l') - I(f; l'): of a pair, the larger one is given the label that says less about f.
  double largest(const Scratch& s) const {
    std::int64_t most = 0;
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t m = l + 1; m < q_; ++m) {
        const std::int64_t given = std::min(signed_of(s.with_feature[l]), signed_of(s.with_feature[m]));
        most = std::max(most, signed_of(s.cells[l * q_ + m] - together_[l * q_ + m]) - given);
      }
    }
    return g_.bits(static_cast<std::uint64_t>(most));
  }

  static std::int64_t signed_of(std::uint64_t sum) { return static_cast<std::int64_t>(sum); }

  Supplement kind_;
  std::vector<std::uint64_t> together_;  // G(l, l')
};

}  // namespace mlsift

#endif
