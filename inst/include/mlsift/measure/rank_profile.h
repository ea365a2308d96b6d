#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "overlap.h"

namespace mlsift {

/// How items of equal score are ordered: not at all, the earlier item first, or the later one first.
enum class TieOrder { none, first, last };

/// The positions of the irrelevant items among the relevant ones, from which every ranking measure follows.
///
/// The relevant items are sorted, best first, into levels of equal score; each irrelevant item is placed among the
/// levels by binary search. Items whose `relevant` is negative are unknown, and left out. Cost n log m for m relevant
/// items of n.
class RankProfile {
 public:
  struct Level {
    double size;   ///< relevant items on this level
    double above;  ///< irrelevant items that rank strictly better
    double tied;   ///< irrelevant items on this level; 0 when ties are broken by position
  };

  void build(const double* score, const int* relevant, std::size_t n, TieOrder order) {
    const int step = order == TieOrder::none ? 0 : order == TieOrder::first ? 1 : -1;
    collect_levels(score, relevant, n, step);
    n_irrelevant_ = static_cast<double>(std::count(relevant, relevant + n, 0));
    if (!levels_.empty() && n_irrelevant_ > 0) place_irrelevant(score, relevant, n, step);
  }

  /// After build() with TieOrder::none: uses sums of weights instead of counts.
  void weigh(const double* score, const int* relevant, std::size_t n, const Weights& weights) {
    if (!weights.given()) return;
    for (Level& level : levels_) level = {0, 0, 0};
    n_relevant_ = n_irrelevant_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (relevant[i] < 0) continue;
      const double weight = weights.of_cell(i);
      (relevant[i] != 0 ? n_relevant_ : n_irrelevant_) += weight;
      if (levels_.empty()) continue;
      const std::size_t level = first_not_larger(score[i]);
      if (level == levels_.size()) continue;
      if (relevant[i] != 0)
        levels_[level].size += weight;
      else
        (values_[level] == score[i] ? levels_[level].tied : levels_[level].above) += weight;
    }
    add_up_above();
  }

  const std::vector<Level>& levels() const { return levels_; }
  double n_relevant() const { return n_relevant_; }
  double n_irrelevant() const { return n_irrelevant_; }

  /// Pairs (relevant, irrelevant) in the wrong order; a tied pair counts `tied`.
  double wrong_pairs(double tied) const {
    double result = 0;  // exact: integers and halves
    for (const Level& level : levels_) result += level.size * (level.above + tied * level.tied);
    return result;
  }

 private:
  struct Key {
    double score;
    double place;  // position, negative when later is better, 0 when ties stay ties
  };

  static bool better(const Key& a, const Key& b) {
    return a.score > b.score || (a.score == b.score && a.place < b.place);
  }

  void collect_levels(const double* score, const int* relevant, std::size_t n, int step) {
    keys_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (relevant[i] > 0) keys_.push_back({score[i], step * static_cast<double>(i)});
    }
    n_relevant_ = static_cast<double>(keys_.size());
    std::sort(keys_.begin(), keys_.end(), better);
    levels_.clear();
    values_.clear();
    starts_.clear();
    for (const Key& key : keys_) {
      const bool new_value = values_.empty() || values_.back() != key.score;
      if (new_value) {
        values_.push_back(key.score);
        starts_.push_back(levels_.size());
      }
      if (new_value || step != 0) levels_.push_back({0, 0, 0});
      levels_.back().size += 1;
    }
    starts_.push_back(levels_.size());
  }

  void place_irrelevant(const double* score, const int* relevant, std::size_t n, int step) {
    for (std::size_t i = 0; i < n; ++i) {
      if (relevant[i] != 0) continue;
      const std::size_t value = first_not_larger(score[i]);
      std::size_t level = starts_[value];
      if (value < values_.size() && values_[value] == score[i]) {
        if (step == 0) {
          levels_[level].tied += 1;
          continue;
        }
        const Key key{score[i], step * static_cast<double>(i)};
        const auto begin = keys_.begin();
        const auto tied_end = begin + static_cast<std::ptrdiff_t>(starts_[value + 1]);
        level = static_cast<std::size_t>(
            std::lower_bound(begin + static_cast<std::ptrdiff_t>(level), tied_end, key, better) - begin);
      }
      if (level < levels_.size()) levels_[level].above += 1;
    }
    add_up_above();
  }

  // At this point each level counts only the items between it and the previous level.
  void add_up_above() {
    double above = 0;
    for (Level& level : levels_) {
      level.above += above;
      above = level.above + level.tied;
    }
  }

  // How many of the levels' scores are larger. The search has no data-dependent branch.
  std::size_t first_not_larger(double score) const {
    const double* base = values_.data();
    std::size_t length = values_.size();
    while (length > 1) {
      const std::size_t half = length / 2;
      base += base[half - 1] > score ? half : 0;
      length -= half;
    }
    return static_cast<std::size_t>(base - values_.data()) + (*base > score ? 1 : 0);
  }

  std::vector<Key> keys_;            // the relevant items, best first
  std::vector<double> values_;       // their distinct scores
  std::vector<std::size_t> starts_;  // first level of each score, and the number of levels
  std::vector<Level> levels_;
  double n_relevant_ = 0, n_irrelevant_ = 0;
};

}  // namespace mlsift
