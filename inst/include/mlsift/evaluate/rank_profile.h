#ifndef MLSIFT_EVALUATE_RANK_PROFILE_H
#define MLSIFT_EVALUATE_RANK_PROFILE_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// What separates items of equal score: nothing, the earlier item ranks better, or the later one does.
enum class TieOrder { none, first, last };

/// Where the irrelevant items stand among the relevant ones, from which every ranking measure follows.
///
/// The relevant items are sorted, best first, into levels of equal score; each irrelevant item is placed among the
/// levels by binary search. Cost n log m for m relevant items of n.
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
    n_irrelevant_ = static_cast<double>(n) - n_relevant_;
    if (!levels_.empty() && n_irrelevant_ > 0) place_irrelevant(score, relevant, n, step);
  }

  const std::vector<Level>& levels() const { return levels_; }
  double n_relevant() const { return n_relevant_; }
  double n_irrelevant() const { return n_irrelevant_; }

  /// Pairs (relevant, irrelevant) in the wrong order; a tied pair counts `tied`.
  double wrong_pairs(double tied) const {
    double result = 0;  // exact: whole numbers and halves
    for (const Level& level : levels_) result += level.size * (level.above + tied * level.tied);
    return result;
  }

 private:
  struct Key {
    double score;
    double place;  // column or row number, negative when later is better, 0 when ties stay ties
  };

  static bool better(const Key& a, const Key& b) {
    return (a.score > b.score) | ((a.score == b.score) & (a.place < b.place));
  }

  void collect_levels(const double* score, const int* relevant, std::size_t n, int step) {
    keys_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (relevant[i] != 0) keys_.push_back({score[i], step * static_cast<double>(i)});
    }
    n_relevant_ = static_cast<double>(keys_.size());
    std::sort(keys_.begin(), keys_.end(), better);
    levels_.clear();
    for (const Key& key : keys_) {
      if (levels_.empty() || better(keys_[levels_.size() - 1], key)) {
        keys_[levels_.size()] = key;  // one key for each level, in place
        levels_.push_back({0, 0, 0});
      }
      levels_.back().size += 1;
    }
  }

  void place_irrelevant(const double* score, const int* relevant, std::size_t n, int step) {
    const std::size_t n_levels = levels_.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (relevant[i] != 0) continue;
      const Key key{score[i], step * static_cast<double>(i)};
      const std::size_t level = first_not_better(key, n_levels);
      if (level == n_levels) continue;
      if (better(key, keys_[level])) levels_[level].above += 1;
      else levels_[level].tied += 1;
    }
    double above = 0;  // so far only the items just above each level are counted
    for (Level& level : levels_) {
      level.above += above;
      above = level.above + level.tied;
    }
  }

  // The number of levels that are better than `key`; no branch depends on the data.
  std::size_t first_not_better(const Key& key, std::size_t n_levels) const {
    std::size_t base = 0, length = n_levels;
    while (length > 1) {
      const std::size_t half = length / 2;
      base += better(keys_[base + half - 1], key) ? half : 0;
      length -= half;
    }
    return base + (better(keys_[base], key) ? 1 : 0);
  }

  std::vector<Key> keys_;
  std::vector<Level> levels_;
  double n_relevant_ = 0, n_irrelevant_ = 0;
};

}  // namespace mlsift

#endif
