#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../../core/parallel.h"
#include "../count_tables.h"
#include "target_counter.h"

namespace mlsift {

namespace detail {

/// Counts one feature at fixed levels. Scratch space of one thread.
class FeatureCounter {
 public:
  struct Counted {
    std::vector<std::size_t> cells;      // of each level
    std::vector<std::int64_t> in_level;  // rows of each level
    std::vector<int> target;
    std::vector<std::int64_t> count;
  };

  FeatureCounter(std::size_t n_rows, const CountableTargets& targets, const int* weights, std::int64_t n)
      : n_rows_(n_rows), n_(n), counter_(targets, weights) {}

  Counted count(const Column& column, const FixedLevels& levels) {
    const bool pattern =
        column.sparse() && levels.slots() == 3 && levels.implied == 0 && !levels.cut && levels.at[0] == 0 &&
        std::all_of(column.reals, column.reals + column.stored, [&](double value) { return value == levels.at[1]; });
    Counted result;
    result.in_level.assign(levels.slots(), 0);
    result.cells.assign(levels.slots(), 0);
    sizes_.assign(levels.slots(), 0);
    const int* rows = column.rows;
    if (levels.slots() == 1) {  // no levels to count
    } else if (pattern) {
      sizes_[1] = column.stored;
    } else {
      group(column, levels);
      rows = rows_.data();
    }
    std::int64_t rest = n_;
    for (std::size_t v = 0; v < levels.slots(); ++v) {
      const std::size_t before = result.target.size();
      const int* const end = rows + sizes_[v];
      result.in_level[v] = counter_.rows(rows, end);
      counter_.count(rows, end, result.target, result.count);
      rows = end;
      rest -= result.in_level[v];
      result.cells[v] = result.target.size() - before;
    }
    result.in_level[static_cast<std::size_t>(levels.implied)] = rest;
    return result;
  }

 private:
  // rows_: by level, without the implied one; sizes_: how many of each.
  void group(const Column& column, const FixedLevels& levels) {
    met_.clear();
    met_level_.clear();
    visit_levels(column, n_rows_, levels, [&](int row, int level) {
      met_.push_back(row);
      met_level_.push_back(level);
      ++sizes_[static_cast<std::size_t>(level)];
    });
    next_.assign(sizes_.size(), 0);
    for (std::size_t v = 1; v < sizes_.size(); ++v) next_[v] = next_[v - 1] + sizes_[v - 1];
    rows_.resize(met_.size());
    for (std::size_t i = 0; i < met_.size(); ++i) rows_[next_[static_cast<std::size_t>(met_level_[i])]++] = met_[i];
  }

  std::size_t n_rows_;
  std::int64_t n_;  // rows, or the sum of their weights
  TargetCounter counter_;
  std::vector<int> rows_, met_, met_level_;
  std::vector<std::size_t> sizes_, next_;
};

}  // namespace detail

/// The counts of rows in memory. `weights`: how many rows each counts for; null for 1.
inline CountTables count_joint(const Features& features, const Targets& targets, std::vector<FixedLevels> levels,
                               const Context& context, const int* weights = nullptr) {
  CountTables result(std::move(levels), static_cast<std::size_t>(targets.n_classes));
  const double per_row = static_cast<double>(targets.ids.size()) / static_cast<double>(features.n_rows);
  const double work = stored_values(features) * (1 + per_row) +
                      static_cast<double>(result.in_level.size()) * static_cast<double>(targets.n_classes);
  const CountableTargets in_rows(targets, weights ? 0 : stored_values(features));
  result.n = weights ? std::accumulate(weights, weights + features.n_rows, std::int64_t{0})
                     : static_cast<std::int64_t>(features.n_rows);
  std::vector<detail::FeatureCounter::Counted> counted(features.size());
  const auto make = [&] { return detail::FeatureCounter(features.n_rows, in_rows, weights, result.n); };
  parallel_each(context, features.size(), work, make, [&](detail::FeatureCounter& mine, std::size_t f) {
    counted[f] = mine.count(features.columns[f], result.levels[f]);
  });
  std::size_t s = 0;
  for (const auto& feature : counted) {
    result.target.insert(result.target.end(), feature.target.begin(), feature.target.end());
    result.count.insert(result.count.end(), feature.count.begin(), feature.count.end());
    for (std::size_t v = 0; v < feature.cells.size(); ++v, ++s) {
      result.cell[s + 1] = result.cell[s] + feature.cells[v];
      result.in_level[s] = feature.in_level[v];
    }
  }
  result.in_target = counts_of_classes(targets, weights);
  return result;
}

}  // namespace mlsift
