#ifndef MLSIFT_CRITERIA_LABEL_INTERACTION_H
#define MLSIFT_CRITERIA_LABEL_INTERACTION_H

#include <vector>

#include "../core/xlogx.h"
#include "../data/targets.h"

namespace mlsift {

/// ld(f) = sum_{l < l'} I(f; l; l'), the co-information of a feature with each pair of labels, summed; in bits.
///
/// Lee & Kim (2013), Pattern Recognition Letters 34:349-357 (PMU); Lee & Kim (2015), Pattern Recognition 48:2761-2771
/// (FIMF). With G the sums of n log n over the cells of a table,
///
///   N I(f; l; l') = g(N) - G(f) - G(l) - G(l') + G(f, l) + G(f, l') + G(l, l') - G(f, l, l').
///
/// cost   pairs of labels that meet in rows off the reference level, and a look at all cells of all pairs, per feature
class LabelInteraction {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    std::vector<int> pair, pair_sum, single, single_sum;
    std::vector<std::uint64_t> with_feature, row;  // G(f, l); sum over l' > l of G(f, l, l')
  };

  LabelInteraction(const Targets& labels, const XLogX& xlogx) : labels_(labels), g_(xlogx), q_(labels.count.size()) {
    const int n = static_cast<int>(g_.n());
    meet_.assign(q_ * q_, 0);
    for (std::size_t i = 0; i < labels_.n_rows(); ++i) count_pairs(i, meet_.data());
    for (std::size_t l = 0; l < q_; ++l) alone_.push_back(g_(count(l)) + g_(n - count(l)));
    together_.resize(q_);
    add_pair_cells(meet_, labels_.count, n, together_);
  }

  double score(const Column& column, Scratch& s) const {
    const LevelRows& feature = s.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    s.with_feature.assign(q_, 0);
    s.row.assign(q_, 0);
    s.pair_sum.assign(q_ * q_, 0);
    s.single_sum.assign(q_, 0);
    std::uint64_t g_f = 0;
    for (const int count : feature.count) g_f += g_(count);
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      s.pair.assign(q_ * q_, 0);
      s.single.assign(q_, 0);
      count_classes(feature.begin(v), feature.end(v), labels_, s.single.data());
      for (const int* row = feature.begin(v); row != feature.end(v); ++row)
        count_pairs(static_cast<std::size_t>(*row), s.pair.data());
      for (std::size_t i = 0; i < s.pair.size(); ++i) s.pair_sum[i] += s.pair[i];
      add_level(feature.count[static_cast<std::size_t>(v)], s);
    }
    for (std::size_t i = 0; i < s.pair.size(); ++i) s.pair[i] = meet_[i] - s.pair_sum[i];
    for (std::size_t l = 0; l < q_; ++l) s.single[l] = count(l) - s.single_sum[l];
    add_level(feature.count[static_cast<std::size_t>(feature.reference)], s);

    // Summed label by label in integers that fit, then in doubles.
    std::uint64_t rest = 0;  // sum over l' > l of G(f, l') - G(l')
    double bits = 0;
    for (std::size_t l = q_; l-- > 0;) {
      const std::uint64_t pairs = static_cast<std::uint64_t>(q_ - 1 - l);
      const std::uint64_t own = s.with_feature[l] - alone_[l];
      const std::uint64_t sum =
          pairs * (g_(static_cast<std::int64_t>(g_.n())) - g_f + own) + rest + together_[l] - s.row[l];
      bits += g_.bits(sum);
      rest += own;
    }
    return bits;
  }

  double work(const Features& features) const {
    const double per_row = static_cast<double>(labels_.ids.size()) / static_cast<double>(features.n_rows);
    return stored_values(features) * (1 + per_row * per_row) + 8.0 * static_cast<double>(features.size() * q_ * q_);
  }

 private:
  int count(std::size_t l) const { return labels_.count[l]; }

  void count_pairs(std::size_t row, int* pair) const {
    for (const int* a = labels_.begin(row); a != labels_.end(row); ++a) {
      int* to = pair + static_cast<std::size_t>(*a) * q_;
      for (const int* b = a + 1; b != labels_.end(row); ++b) ++to[*b];
    }
  }

  // Among n rows, of which single[l] carry l and pair[l, l'] both: adds the cells of all pairs l < l' to row[l].
  void add_pair_cells(const std::vector<int>& pair, const std::vector<int>& single, int n,
                      std::vector<std::uint64_t>& row) const {
    for (std::size_t l = 0; l < q_; ++l) {
      const int n_l = single[l];
      const int* meet = pair.data() + l * q_;
      std::uint64_t sum = 0;
      for (std::size_t m = l + 1; m < q_; ++m) {
        const int a = meet[m], n_m = single[m];
        sum += g_(a) + g_(n_l - a) + g_(n_m - a) + g_(n - n_l - n_m + a);
      }
      row[l] += sum;
    }
  }

  void add_level(int n, Scratch& s) const {
    for (std::size_t l = 0; l < q_; ++l) {
      s.with_feature[l] += g_(s.single[l]) + g_(n - s.single[l]);
      s.single_sum[l] += s.single[l];
    }
    add_pair_cells(s.pair, s.single, n, s.row);
  }

  const Targets& labels_;
  const XLogX& g_;
  std::size_t q_;
  std::vector<int> meet_;                // rows that carry both labels, for l < l'
  std::vector<std::uint64_t> alone_;     // G(l)
  std::vector<std::uint64_t> together_;  // sum over l' > l of G(l, l')
};

}  // namespace mlsift

#endif
