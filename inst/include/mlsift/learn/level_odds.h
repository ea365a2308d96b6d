#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "naive_bayes.h"

namespace mlsift {

/// What a feature with counted levels adds to the log odds of the labels first .. end - 1.
class LevelOdds {
 public:
  /// Without `all_rows`, `base` gets what the implied level adds, and add() corrects it for a row at another level.
  void prepare(const NaiveBayes& model, std::size_t f, bool all_rows, std::size_t first, std::size_t end,
               double* base) {
    const FixedLevels& levels = model.counts.levels[f];
    const std::size_t implied = static_cast<std::size_t>(levels.implied);
    width_ = end - first;
    slots_ = levels.slots();
    odds_.assign(slots_ * width_, 0);
    read_counts(model, f, implied, first, end);
    take_logs(model, f, first);
    if (all_rows) return;
    const double* const rest = odds_.data() + implied * width_;
    for (std::size_t l = 0; l < width_; ++l) base[l] += rest[l];
    for (std::size_t v = 0; v < slots_; ++v) {
      if (v == implied) continue;
      for (std::size_t l = 0; l < width_; ++l) odds_[v * width_ + l] -= rest[l];
    }
  }

  void add(int level, double* to) const {
    const double* const from = odds_.data() + static_cast<std::size_t>(level) * width_;
    for (std::size_t l = 0; l < width_; ++l) to[l] += from[l];
  }

 private:
  // The rows of each level and label. The implied level has the remaining rows of the label.
  void read_counts(const NaiveBayes& model, std::size_t f, std::size_t implied, std::size_t first, std::size_t end) {
    const CountTables& counts = model.counts;
    double* const rest = odds_.data() + implied * width_;
    for (std::size_t l = 0; l < width_; ++l) rest[l] = model.rows_with(first + l);
    for (std::size_t v = 0; v < slots_; ++v) {
      const int* const begin = counts.target.data() + counts.cell[counts.slot[f] + v];
      const int* const stop = counts.target.data() + counts.cell[counts.slot[f] + v + 1];
      const int* at = std::lower_bound(begin, stop, static_cast<int>(first));
      for (; at != stop && *at < static_cast<int>(end); ++at) {
        const double count = static_cast<double>(counts.count[static_cast<std::size_t>(at - counts.target.data())]);
        const std::size_t l = static_cast<std::size_t>(*at) - first;
        odds_[v * width_ + l] = count;
        rest[l] -= count;
      }
    }
  }

  void take_logs(const NaiveBayes& model, std::size_t f, std::size_t first) {
    const CountTables& counts = model.counts;
    const double smoothing = model.laplace * static_cast<double>(counts.levels[f].size());
    for (std::size_t l = 0; l < width_; ++l) {
      const bool none = model.is_constant(first + l);
      const double others = model.joint ? 0 : std::log(model.rows_without(first + l) + smoothing);
      const double totals = others - std::log(model.rows_with(first + l) + smoothing);
      for (std::size_t v = 0; v < slots_; ++v) {
        double& odds = odds_[v * width_ + l];
        const double without = static_cast<double>(counts.in_level[counts.slot[f] + v]) - odds;
        const double other = model.joint ? 0 : std::log(without + model.laplace);
        odds = none ? 0 : std::log(odds + model.laplace) - other + totals;
      }
    }
  }

  std::size_t width_ = 0, slots_ = 0;
  std::vector<double> odds_;  // [level][label]
};

}  // namespace mlsift
