#ifndef MLSIFT_CRITERIA_LABEL_PAIRS_H
#define MLSIFT_CRITERIA_LABEL_PAIRS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/xlogx.h"
#include "../data/targets.h"

namespace mlsift {

/// What a criterion takes from the pairs of labels.
enum class PairSum { interaction, given, sum, largest };

/// The labels and their pairs, for criteria that count them with each feature. Pairs are those with l < l', at
/// l * q + l'; G is the sum of n log n over the cells of a table. With `weights`, whole numbers, a row counts as so
/// many rows.
///
/// XLogs  XLogX, or XLogXOnDemand where rows are many
template <class XLogs>
class LabelPairs {
 protected:
  LabelPairs(const Targets& labels, const XLogs& xlogx, const int* weights)
      : labels_(labels),
        g_(xlogx),
        weights_(weights),
        q_(labels.count.size()),
        count_(weights ? weighted_count(labels, weights) : labels.count) {
    const int n = static_cast<int>(g_.n());
    meet_.assign(q_ * q_, 0);
    for (std::size_t i = 0; i < labels_.n_rows(); ++i) count_pairs(i, meet_.data());
    for (std::size_t l = 0; l < q_; ++l) alone_.push_back(g_(count(l)) + g_(n - count(l)));
  }

  int count(std::size_t l) const { return count_[l]; }

  void count_pairs(std::size_t row, int* pair) const {
    const int w = weights_ ? weights_[row] : 1;
    for (const int* a = labels_.begin(row); a != labels_.end(row); ++a) {
      int* to = pair + static_cast<std::size_t>(*a) * q_;
      for (const int* b = a + 1; b != labels_.end(row); ++b) to[*b] += w;
    }
  }

  // Adds the labels of the rows of one level.
  void count_labels(const LevelRows& feature, int v, int* single) const {
    if (!weights_) return count_classes(feature.begin(v), feature.end(v), labels_, single);
    for (const int* row = feature.begin(v); row != feature.end(v); ++row) {
      const std::size_t i = static_cast<std::size_t>(*row);
      for (const int* l = labels_.begin(i); l != labels_.end(i); ++l) single[*l] += weights_[i];
    }
  }

  // What the levels of a feature count; `counts` has it where rows have weights.
  const std::vector<int>& level_counts(const LevelRows& feature, std::vector<int>& counts) const {
    if (!weights_) return feature.count;
    counts.assign(feature.count.size(), 0);
    int& rest = counts[static_cast<std::size_t>(feature.reference)];
    rest = static_cast<int>(g_.n());
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      int& count = counts[static_cast<std::size_t>(v)];
      for (const int* row = feature.begin(v); row != feature.end(v); ++row) count += weights_[*row];
      rest -= count;
    }
    return counts;
  }

  /// What levels count: pairs of labels and single ones, in one level and in the reference level.
  struct LevelPairs {
    std::vector<int> counts, pair, rest, single, single_rest;
  };

  /// Calls take(pairs, single labels, rows) for every level of a feature, the reference last.
  template <class Take>
  void each_level(const LevelRows& feature, const std::vector<int>& counts, LevelPairs& s, Take take) const {
    s.rest = meet_;
    s.single_rest = count_;
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      s.pair.assign(q_ * q_, 0);
      s.single.assign(q_, 0);
      count_labels(feature, v, s.single.data());
      for (const int* row = feature.begin(v); row != feature.end(v); ++row)
        count_pairs(static_cast<std::size_t>(*row), s.pair.data());
      for (std::size_t i = 0; i < s.pair.size(); ++i) s.rest[i] -= s.pair[i];
      for (std::size_t l = 0; l < q_; ++l) s.single_rest[l] -= s.single[l];
      take(s.pair, s.single, counts[static_cast<std::size_t>(v)]);
    }
    take(s.rest, s.single_rest, counts[static_cast<std::size_t>(feature.reference)]);
  }

  /// G of two labels among n rows, of which n_l and n_m carry the one and the other, and `both` both.
  std::uint64_t four(int both, int n_l, int n_m, int n) const {
    return g_(both) + g_(n_l - both) + g_(n_m - both) + g_(n - n_l - n_m + both);
  }

  /// Elementary steps for all features.
  double pair_work(const Features& features) const {
    const double per_row = static_cast<double>(labels_.ids.size()) / static_cast<double>(features.n_rows);
    return stored_values(features) * (1 + per_row * per_row) + 8.0 * static_cast<double>(features.size() * q_ * q_);
  }

  const Targets& labels_;
  const XLogs& g_;
  const int* weights_;  // null: every row counts once
  std::size_t q_;
  std::vector<int> count_;            // rows of each label
  std::vector<int> meet_;             // rows that carry both labels
  std::vector<std::uint64_t> alone_;  // G(l)
};

}  // namespace mlsift

#endif
