#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../data/target_bits.h"
#include "../../data/targets.h"
#include "../feature_table.h"

namespace mlsift {

/// The target columns of rows, to count them for many features: as bits, or listed by row where that is faster.
struct CountableTargets {
  TargetBits bits;
  Targets listed;  ///< empty where there are bits
  std::size_t entries = 0;

  CountableTargets() = default;

  /// visit(c, take): calls take(row) for the rows of column c; `entries`: how many these are in all; `lookups`: the
  /// total number of rows that will be looked up, 0 if these have weights, which bits cannot add.
  template <class Visit>
  CountableTargets(std::size_t n_rows, std::size_t n_columns, std::size_t n_entries, double lookups, Visit visit)
      : bits(n_rows, n_columns, n_entries, lookups, visit), entries(n_entries) {
    if (!bits.empty()) return;
    listed = targets_of(n_rows, n_columns, visit);
    entries = listed.ids.size();
  }
  CountableTargets(const Targets& targets, double lookups) : bits(targets, lookups), entries(targets.ids.size()) {
    if (bits.empty()) listed = targets;
  }
};

/// Counts how many rows of a list have each column of the targets. Scratch space of one thread.
class TargetCounter {
 public:
  /// `weights`: how many rows each row counts for, null for 1.
  TargetCounter(const CountableTargets& targets, const int* weights)
      : targets_(targets.listed), bits_(targets.bits), weights_(weights) {
    if (weights_) {
      sum_.resize(n_classes(), 0);
    } else {
      count_.resize(n_classes(), 0);
    }
    if (bits_.empty()) {
      per_row_ =
          static_cast<double>(targets.entries) / static_cast<double>(std::max<std::size_t>(1, targets_.n_rows()));
    }
  }

  /// Appends the classes that occur in the rows, ascending, with their counts.
  void count(const int* row, const int* end, std::vector<int>& classes, std::vector<std::int64_t>& counts) {
    if (!bits_.empty()) {
      bits_.count(row, end, [this](std::size_t c, int n) { count_[c] += n; });
      return take_all(count_, classes, counts);
    }
    // Whether there are so few entries that listing the classes met is faster.
    const bool few = 8 * static_cast<double>(end - row) * per_row_ < static_cast<double>(n_classes());
    if (weights_) {
      add_listing(row, end, sum_, [this](std::size_t i) { return weights_[i]; });
      return few ? take_touched(sum_, classes, counts) : take_all(sum_, classes, counts);
    }
    if (few) {
      add_listing(row, end, count_, [](std::size_t) { return 1; });
      return take_touched(count_, classes, counts);
    }
    count_classes(row, end, targets_, count_.data());
    take_all(count_, classes, counts);
  }

  /// The number of rows, or the sum of their weights.
  std::int64_t rows(const int* row, const int* end) const {
    if (!weights_) return end - row;
    std::int64_t sum = 0;
    for (; row != end; ++row) sum += weights_[*row];
    return sum;
  }

 private:
  std::size_t n_classes() const {
    return bits_.empty() ? static_cast<std::size_t>(targets_.n_classes) : bits_.n_classes();
  }

  // Lists the classes met; `weight`: of a row.
  template <class Count, class Weight>
  void add_listing(const int* row, const int* end, std::vector<Count>& to, Weight weight) {
    touched_.clear();
    for (; row != end; ++row) {
      const std::size_t i = static_cast<std::size_t>(*row);
      for (const int* c = targets_.begin(i); c != targets_.end(i); ++c) {
        Count& count = to[static_cast<std::size_t>(*c)];
        if (count == 0) touched_.push_back(*c);
        count += weight(i);
      }
    }
  }

  template <class Count>
  void take_touched(std::vector<Count>& of, std::vector<int>& classes, std::vector<std::int64_t>& counts) {
    std::sort(touched_.begin(), touched_.end());
    for (const int c : touched_) {
      Count& count = of[static_cast<std::size_t>(c)];
      classes.push_back(c);
      counts.push_back(count);
      count = 0;
    }
  }

  // Always written, but counted only if there are rows: faster than a branch that is hard to predict.
  template <class Count>
  void take_all(std::vector<Count>& of, std::vector<int>& classes, std::vector<std::int64_t>& counts) {
    append_met(of.data(), of.size(), classes, counts);
    std::fill(of.begin(), of.end(), 0);
  }

  const Targets& targets_;
  const TargetBits& bits_;
  const int* weights_;
  double per_row_ = 0;  // classes
  std::vector<int> count_, touched_;
  std::vector<std::int64_t> sum_;  // in place of count_, where rows have weights
};

}  // namespace mlsift
