#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "row_counter.h"

namespace mlsift {

/// Joint counts by groups of rows that are equal in a target: the cells that occur are counted, whatever the number of
/// levels. A group of one row adds the same whatever the feature, and nothing without weights.
///
/// cost     for each target, the stored entries of the rows that are not alone
template <class Weights>
class GroupCounter : public PairCounter<Weights> {
 public:
  using Base = PairCounter<Weights>;
  using G = typename Weights::G;

  GroupCounter(const Indicators& table, const RowBlock& block, const TargetRows& targets, const G& g)
      : Base(table, block, g),
        targets_(targets),
        n_targets_(targets.size()),
        owner_(block.n_indicators()),
        in_run_(block.size()),
        sum_(block.size()) {
    for (std::size_t i = 0; i < b_.size(); ++i) {
      std::fill(owner_.begin() + static_cast<std::ptrdiff_t>(b_.first[i]),
                owner_.begin() + static_cast<std::ptrdiff_t>(b_.first[i + 1]), static_cast<int>(i));
    }
    for (std::size_t t = 0; t < n_targets_; ++t) {
      group_.emplace_back(table.n_rows, static_cast<int>(targets.first[t + 1] - targets.first[t]));
      start_.emplace_back();
    }
    for (std::size_t row = 0; row < table.n_rows; ++row) {
      for (const int* c = targets.begin(row); c != targets.end(row); ++c) {
        const std::size_t t = static_cast<std::size_t>(std::upper_bound(targets.first.begin(), targets.first.end(),
                                                                        static_cast<std::size_t>(*c)) -
                                                       targets.first.begin()) -
                              1;
        group_[t][row] = *c - static_cast<int>(targets.first[t]);
      }
    }
    for (std::size_t t = 0; t < n_targets_; ++t) leave_out_the_lonely(targets, t);
  }

  void visit(int s, int only, const TargetCells& cells, const TakeSums& take) override {
    if (cells.kind == TargetCells::Kind::other) {
      if (!tables_) tables_ = std::make_unique<RowCounter<Weights>>(table_, b_, targets_, g_);
      return tables_->visit(s, only, cells, take);
    }
    const bool by_target = cells.kind == TargetCells::Kind::by_target;
    pair_.resize(static_cast<std::size_t>(*std::max_element(b_.variables.begin(), b_.variables.end())) + 1);
    Base::pairs(s, pair_.data());
    sums_.assign(b_.size() * cells.width, 0);
    order_rows(s);
    for (std::size_t t = 0; t < n_targets_; ++t) {
      const std::uint64_t whole = count_runs(t);
      for (std::size_t i = 0; i < b_.size(); ++i) {
        const std::uint64_t sum = whole + sum_[i];
        sums_[i * cells.width + (by_target ? t : 0)] += by_target ? sum - pair_of(i) : sum;
      }
    }
    for (std::size_t i = 0; i < b_.size(); ++i)
      take(static_cast<std::size_t>(b_.variables[i]), pair_of(i), sums_.data() + i * cells.width);
  }

 private:
  using Base::b_;
  using Base::cell_;
  using Base::g_;
  using Base::table_;
  using Base::weight_;

  std::uint64_t pair_of(std::size_t i) const { return pair_[static_cast<std::size_t>(b_.variables[i])]; }

  // group_: the number of a group, -1 for a row that is alone.
  void leave_out_the_lonely(const RowBlock& targets, std::size_t t) {
    std::vector<std::size_t> size(targets.first[t + 1] - targets.first[t] + 1, 0);
    for (const int group : group_[t]) ++size[static_cast<std::size_t>(group)];
    std::vector<int> number;
    std::vector<std::size_t>& start = start_[t];
    start.push_back(0);
    for (const std::size_t rows : size) {
      number.push_back(rows > 1 ? static_cast<int>(start.size()) - 1 : -1);
      if (rows > 1) start.push_back(start.back() + rows);
    }
    std::uint64_t alone = 0;
    for (std::size_t row = 0; row < table_.n_rows; ++row) {
      int& group = group_[t][row];
      group = number[static_cast<std::size_t>(group)];
      if (Weights::weighted && group < 0) alone += g_(weight_[row]);
    }
    alone_.push_back(alone);
  }

  // ordered_: all rows, grouped by level of s; level_: the level of each row.
  void order_rows(int s) {
    const std::size_t n = table_.n_rows;
    level_.assign(n, 0);
    ordered_.assign(table_.rows_begin(table_.begin(s)), table_.rows_begin(table_.end(s)));
    for (int u = table_.begin(s); u < table_.end(s); ++u) {
      for (const int* row = table_.rows_begin(u); row != table_.rows_end(u); ++row)
        level_[static_cast<std::size_t>(*row)] = u - table_.begin(s) + 1;
    }
    for (std::size_t row = 0; row < n; ++row) {
      if (level_[row] == 0) ordered_.push_back(static_cast<int>(row));
    }
  }

  // Cells of target t. What all rows of a run (equal in s and t) add, and in sum_ what splitting them by f changes.
  std::uint64_t count_runs(std::size_t t) {
    std::fill(sum_.begin(), sum_.end(), 0);
    next_.assign(start_[t].begin(), start_[t].end() - 1);
    rows_.resize(start_[t].back());
    for (const int row : ordered_) {
      const int group = group_[t][static_cast<std::size_t>(row)];
      if (group >= 0) rows_[next_[static_cast<std::size_t>(group)]++] = row;
    }
    std::uint64_t whole = alone_[t];
    for (std::size_t group = 0; group + 1 < start_[t].size(); ++group) {
      std::size_t from = start_[t][group];
      while (from < start_[t][group + 1]) {
        std::size_t to = from + 1;
        while (to < start_[t][group + 1] && level(to) == level(from)) ++to;
        if (to - from > 1) {
          whole += count_run(from, to);
        } else if (Weights::weighted) {
          whole += g_(weight_[static_cast<std::size_t>(rows_[from])]);
        }
        from = to;
      }
    }
    return whole;
  }

  int level(std::size_t at) const { return level_[static_cast<std::size_t>(rows_[at])]; }

  std::uint64_t count_run(std::size_t from, std::size_t to) {
    touched_.clear();
    int n = 0;
    for (std::size_t at = from; at < to; ++at) {
      const std::size_t row = static_cast<std::size_t>(rows_[at]);
      n += weight_[row];
      for (const int* c = b_.begin(row); c != b_.end(row); ++c) {
        int& count = cell_[static_cast<std::size_t>(*c)];
        if (count == 0) touched_.push_back(*c);
        count += weight_[row];
      }
    }
    met_.clear();
    for (const int c : touched_) {
      int& count = cell_[static_cast<std::size_t>(c)];
      const std::size_t i = static_cast<std::size_t>(owner_[static_cast<std::size_t>(c)]);
      if (in_run_[i] == 0) met_.push_back(i);
      in_run_[i] += count;
      sum_[i] += g_(count);
      count = 0;
    }
    for (const std::size_t i : met_) {
      sum_[i] += g_(n - in_run_[i]) - g_(n);
      in_run_[i] = 0;
    }
    return g_(n);
  }

  const TargetRows& targets_;
  std::unique_ptr<RowCounter<Weights>> tables_;  // for other sums than n log n
  std::size_t n_targets_;
  std::vector<int> owner_;                       // by indicator of the block: its variable
  std::vector<std::vector<int>> group_;          // [target][row]: its group, -1 for a row that is alone
  std::vector<std::vector<std::size_t>> start_;  // [target]: where the rows of each group begin
  std::vector<std::uint64_t> alone_;             // by target: what the rows that are alone add
  std::vector<std::size_t> next_, met_;
  std::vector<int> ordered_, level_, rows_, touched_, in_run_;
  std::vector<std::uint64_t> sum_, sums_, pair_;
};

}  // namespace mlsift
