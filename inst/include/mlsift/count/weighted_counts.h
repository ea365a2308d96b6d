#ifndef MLSIFT_COUNT_WEIGHTED_COUNTS_H
#define MLSIFT_COUNT_WEIGHTED_COUNTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "count_joint.h"
#include "joint_tables.h"

namespace mlsift {

/// What each row has of the indicators of targets.
inline Targets targets_by_row(const Indicators& indicators) {
  Targets result;
  result.n_classes = indicators.n_indicators();
  RowBlock rows(indicators, [&] {
    std::vector<int> all;
    for (int t = 0; t < indicators.n_variables(); ++t) all.push_back(t);
    return all;
  }());
  result.start = std::move(rows.start);
  result.ids = std::move(rows.ids);
  result.count = std::move(rows.count);
  return result;
}

/// Rows in memory that have weights, whole numbers, as a source of joint counts: a row of weight w counts as w rows.
/// So all answers are those of the rows repeated, bit for bit.
///
/// cost   of a step: for each row of s off its reference level, its levels times its targets
class WeightedCounts : public JointTables {
 public:
  /// `targets`: indicators of those that vary. `weights`: at least 1; their sum is an int.
  WeightedCounts(const Features& features, const Indicators& targets, const int* weights, const Context& context)
      : WeightedCounts(features, targets, targets_by_row(targets), weights, context) {}

 private:
  WeightedCounts(const Features& features, const Indicators& targets, Targets by_row, const int* weights,
                 const Context& context)
      : JointTables(count_joint(features, by_row, levels_of(features, context), context, weights),
                    target_columns(total_weight(weights, features.n_rows), targets.first, targets.unknown,
                                   counts_of_classes(by_row, weights)),
                    same_columns(by_row), std::size_t{512} << 20),
        column_(features),
        targets_of_(std::move(by_row)),
        weights_(weights, weights + features.n_rows),
        context_(context),
        start_(features.n_rows + 1, 0) {
    for (std::size_t f = 0; f < column_.size(); ++f) {
      visit(f, [&](std::size_t row, int) { ++start_[row + 1]; });
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) start_[i + 1] += start_[i];
    ids_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t f = 0; f < column_.size(); ++f) {
      visit(f, [&](std::size_t row, int level) { ids_[next[row]++] = static_cast<int>(features_.first[f]) + level; });
    }
  }

  static std::int64_t total_weight(const int* weights, std::size_t n) {
    return std::accumulate(weights, weights + n, std::int64_t{0});
  }

  static ColumnMap same_columns(const Targets& targets) {
    ColumnMap to;
    for (int c = 0; c < targets.n_classes; ++c) to.push_back({c});
    return to;
  }

  // Calls each(row, indicator of f) for the rows off its reference level.
  template <class Each>
  void visit(std::size_t f, Each each) const {
    const int* const indicator = indicator_.data() + first_.slot[f];
    visit_levels(column_.columns[f], weights_.size(), first_.levels[f], [&](int row, int level) {
      if (indicator[level] >= 0) each(static_cast<std::size_t>(row), indicator[level]);
    });
  }

  void count_pass(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides) override {
    of_s_.clear();
    double met = 0;
    visit(static_cast<std::size_t>(s), [&](std::size_t row, int level) {
      of_s_.emplace_back(row, level);
      met += static_cast<double>(start_[row + 1] - start_[row]);
    });
    const bool all = begin == 0 && end == column_.size();
    parallel_for(context_, end - begin, met * (sides > 1 ? 4 : 1), [&](int, std::size_t from, std::size_t to) {
      const bool whole = all && to - from == column_.size();
      const int lowest = static_cast<int>(features_.first[begin + from]),
                highest = static_cast<int>(features_.first[begin + to]);
      int* const table = table_of(begin, begin, levels, sides);
      for (const auto& one : of_s_) {
        const int *c = ids_.data() + start_[one.first], *last = ids_.data() + start_[one.first + 1];
        if (!whole) c = std::lower_bound(c, last, lowest);
        const int* const t = targets_of_.begin(one.first);
        const int* const t_end = targets_of_.end(one.first);
        const int w = weights_[one.first];
        for (; c != last && *c < highest; ++c) {
          const std::size_t at = static_cast<std::size_t>(*c) - features_.first[begin];
          int* const cell = table + (at * levels + static_cast<std::size_t>(one.second)) * sides;
          *cell += w;
          if (sides == 1) continue;
          for (const int* l = t; l != t_end; ++l) cell[1 + *l] += w;
        }
      }
    });
  }

  Features column_;
  Targets targets_of_;
  std::vector<int> weights_;
  Context context_;
  std::vector<std::size_t> start_;  // row i has the indicators ids_[start_[i]] .. ids_[start_[i + 1]] - 1, ascending
  std::vector<int> ids_;
  std::vector<std::pair<std::size_t, int>> of_s_;  // rows of s off its reference level, with their indicator
};

}  // namespace mlsift

#endif
