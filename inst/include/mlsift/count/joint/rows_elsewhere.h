#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../count_tables.h"
#include "../joint_rows.h"
#include "../relevance.h"
#include "joint_counter.h"
#include "rows_in_tables.h"

namespace mlsift {

/// Which levels of features, and which target columns, are counted together.
struct PairLayout {
  static constexpr int reference = -1, unseen = -2;

  const CountTables& tables;         ///< with the levels; its counts are not used
  std::vector<int> indicator;        ///< by slot of a level: number among the feature's indicators, reference or unseen
  std::vector<int> target;           ///< by column of the rows: that of the targets that vary, or -1
  std::vector<std::size_t> first{};  ///< by feature: its first indicator; one more for the end

  /// Sets `first`.
  void number_indicators() {
    first.assign(1, 0);
    for (std::size_t f = 0; f < tables.size(); ++f) {
      int last = -1;
      for (std::size_t v = tables.slot[f]; v < tables.slot[f + 1]; ++v) last = std::max(last, indicator[v]);
      first.push_back(first.back() + static_cast<std::size_t>(last + 1));
    }
  }

  std::size_t indicators_of(std::size_t f) const { return first[f + 1] - first[f]; }
};

/// The joint counts of s with the features begin .. end - 1, and with `targets` also with every target that varies:
/// [indicator of the features][indicator of s][side].
struct PairQuestion {
  int s;
  std::size_t begin, end, levels, sides;

  PairQuestion(const PairLayout& layout, int of, std::size_t from, std::size_t to, std::size_t n_sides)
      : s(of), begin(from), end(to), levels(layout.indicators_of(static_cast<std::size_t>(of))), sides(n_sides) {}

  std::size_t cells(const PairLayout& layout) const {
    return (layout.first[end] - layout.first[begin]) * levels * sides;
  }
  /// Where the cells of feature f begin.
  std::size_t place(const PairLayout& layout, std::size_t f) const {
    return (layout.first[f] - layout.first[begin]) * levels * sides;
  }
};

/// Joint counts from tables of labels that are counted where the rows are stored. Every question about pairs is asked
/// once, or more often if the table of one answer would exceed `most_bytes`.
///
/// memory   `first`, features x labels that vary, and the table of an answer: levels of f x levels of s x (1 + labels)
class RowsElsewhere : public JointRows {
 public:
  /// Adds the counts to a table of zeros.
  using Ask = std::function<void(const PairLayout& layout, const PairQuestion& question, int* table)>;

  /// `first`: the counts of a pass over the same rows; `targets`: those that vary; `to`: by column of `first`, which of
  /// their columns it is.
  RowsElsewhere(Ask ask, CountTables first, const TargetColumns& targets, const ColumnMap& to,
                std::size_t most_bytes = std::size_t{512} << 20)
      : ask_(std::move(ask)),
        first_(std::move(first)),
        layout_{first_, {}, {}},
        most_bytes_(most_bytes),
        xlogx_(0, 1),
        to_(to),
        targets_(targets) {
    if (first_.n > std::numeric_limits<int>::max()) {
      throw std::length_error("Greedy selection counts at most 2,147,483,647 rows.");
    }
    for (const std::vector<int>& columns : to) layout_.target.push_back(columns.empty() ? -1 : columns[0]);
    make_features();
    xlogx_ = XLogXOnDemand(static_cast<std::size_t>(first_.n), static_cast<double>(targets_.size()));
  }

  const XLogXScale& xlogx_scale() const override { return xlogx_; }
  std::uint64_t xlogx(std::int64_t count) const override { return xlogx_(count); }
  const Block& feature_levels() const override { return features_; }

  std::size_t size() const override { return first_.size(); }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<TableReader>(first_, to_, targets_); }
  double work() const override { return table_work(first_, targets_); }

  std::vector<std::uint64_t> relevances() const override { return relevance_sums(*this, xlogx_, Context()); }
  std::unique_ptr<TargetCells> cells(CellSums what) const override { return cells_of(what, targets_, xlogx_); }

  void with_feature(int s, std::uint64_t* pair) override {
    count(s, all_features, nullptr, [pair](std::size_t f, std::uint64_t sum, const std::uint64_t*) { pair[f] = sum; });
  }

  void visit(int s, int only, const TargetCells& cells, const TakeSums& take) override { count(s, only, &cells, take); }

 private:
  // The reference level is the implied one where it occurs, and the most frequent one elsewhere.
  void make_features() {
    const std::size_t m = targets_.n_columns();
    layout_.indicator.assign(first_.in_level.size(), PairLayout::unseen);
    for (std::size_t f = 0; f < first_.size(); ++f) {
      const std::size_t begin = first_.slot[f], end = first_.slot[f + 1];
      std::size_t left_out = begin + static_cast<std::size_t>(first_.levels[f].implied);
      if (first_.in_level[left_out] == 0) {
        left_out = static_cast<std::size_t>(std::max_element(first_.in_level.begin() + static_cast<long>(begin),
                                                             first_.in_level.begin() + static_cast<long>(end)) -
                                            first_.in_level.begin());
      }
      for (std::size_t v = begin; v < end; ++v) {
        if (first_.in_level[v] == 0) continue;
        layout_.indicator[v] =
            v == left_out ? PairLayout::reference : static_cast<int>(features_.count.size() - features_.first.back());
        if (v == left_out) continue;
        features_.count.push_back(static_cast<int>(first_.in_level[v]));
        with_.resize(with_.size() + m, 0);
        for (std::size_t c = first_.cell[v]; c < first_.cell[v + 1]; ++c) {
          const int t = layout_.target[static_cast<std::size_t>(first_.target[c])];
          if (t >= 0) with_[with_.size() - m + static_cast<std::size_t>(t)] = static_cast<int>(first_.count[c]);
        }
      }
      features_.variables.push_back(static_cast<int>(f));
      features_.first.push_back(features_.count.size());
      features_.reference.push_back(static_cast<int>(first_.in_level[left_out]));
    }
    layout_.number_indicators();
  }

  // The pairs of s with one feature or all, and the sums of `cells` unless null, in as many answers as memory requires.
  void count(int s, int only, const TargetCells* cells, const TakeSums& take) {
    const std::size_t sides = cells ? 1 + targets_.n_columns() : 1;
    const std::size_t last = only < 0 ? features_.size() : static_cast<std::size_t>(only) + 1;
    std::size_t begin = only < 0 ? 0 : static_cast<std::size_t>(only);
    while (begin < last) {
      PairQuestion question(layout_, s, begin, begin + 1, sides);
      for (std::size_t end = begin + 2; end <= last; ++end) {
        const PairQuestion more(layout_, s, begin, end, sides);
        if (more.cells(layout_) * sizeof(int) > most_bytes_) break;
        question = more;
      }
      table_.assign(question.cells(layout_), 0);
      if (!table_.empty()) ask_(layout_, question, table_.data());
      sum_up(question, cells, take);
      begin = question.end;
    }
  }

  void sum_up(const PairQuestion& question, const TargetCells* cells, const TakeSums& take) const {
    const std::size_t levels = question.levels, sides = question.sides;
    const std::vector<int> of_s = margin_of(question.s, sides);
    PairTable table;
    std::vector<int> of_f;
    std::vector<std::uint64_t> sums;
    for (std::size_t f = question.begin; f < question.end; ++f) {
      const std::size_t e = layout_.indicators_of(f);
      table.resize(e, levels, sides);
      of_f.clear();
      for (std::size_t v = 0; v < e; ++v) {
        const std::size_t c = features_.first[f] + v;
        std::copy_n(table_.data() + question.place(layout_, f) + v * levels * sides, levels * sides,
                    table.data() + v * table.row());
        append_side(of_f, features_.count[c], with_.data() + c * targets_.n_columns(), sides);
      }
      table.complete(of_s.data(), of_f.data());
      sums.assign(cells ? cells->width : 0, 0);
      const std::uint64_t pair = table.sum(xlogx_, cells, sums.data());
      take(f, pair, sums.data());
    }
  }

  // [level of s, its reference level last][side].
  std::vector<int> margin_of(int s, std::size_t sides) const {
    std::vector<int> margin, rest;
    append_side(rest, static_cast<int>(first_.n), targets_.count.data(), sides);
    for (std::size_t c = features_.first[static_cast<std::size_t>(s)];
         c < features_.first[static_cast<std::size_t>(s) + 1]; ++c) {
      append_side(margin, features_.count[c], with_.data() + c * targets_.n_columns(), sides);
      for (std::size_t j = 0; j < sides; ++j) rest[j] -= margin[margin.size() - sides + j];
    }
    margin.insert(margin.end(), rest.begin(), rest.end());
    return margin;
  }

  template <class Count>
  static void append_side(std::vector<int>& to, int rows, const Count* with_targets, std::size_t sides) {
    to.push_back(rows);
    if (sides > 1) to.insert(to.end(), with_targets, with_targets + (sides - 1));
  }

  Ask ask_;
  CountTables first_;
  PairLayout layout_;
  Block features_;
  std::size_t most_bytes_;
  XLogXOnDemand xlogx_;  // for more rows than a table should hold
  ColumnMap to_;
  TargetColumns targets_;
  std::vector<int> with_;  // [indicator of the features][target]: rows with both
  std::vector<int> table_;
};

/// What counts rows with ones, such as a database: calls pair(f, rows) for the features that have ones where s has, and
/// if `labels` is true also triple(f, label, rows).
using TakePair = std::function<void(int f, std::int64_t rows)>;
using TakeTriple = std::function<void(int f, int label, std::int64_t rows)>;
using CountOnes = std::function<void(int s, bool labels, const TakePair& pair, const TakeTriple& triple)>;

/// Joint counts of 0/1 features.
inline RowsElsewhere::Ask pairs_of_ones(CountOnes count) {
  return [count = std::move(count)](const PairLayout& layout, const PairQuestion& question, int* table) {
    const auto ones = [&](std::size_t f) { return layout.tables.in_level[layout.tables.slot[f] + 1]; };
    const auto check = [](bool same) {
      if (!same) throw std::runtime_error("The source gave other counts than in its first pass.");
    };
    const std::size_t s = static_cast<std::size_t>(question.s);
    // The cells of f, or null if f is not requested or has ones in all rows.
    const auto cells = [&](std::size_t f, std::int64_t rows) -> int* {
      check(rows <= std::min(ones(f), ones(s)));
      const bool counted = f >= question.begin && f < question.end && layout.indicators_of(f) > 0;
      return counted ? table + question.place(layout, f) : nullptr;
    };
    count(
        question.s, question.sides > 1,
        [&](int f, std::int64_t rows) {
          if (int* const n = cells(static_cast<std::size_t>(f), rows)) *n += static_cast<int>(rows);
        },
        [&](int f, int label, std::int64_t rows) {
          int* const n = cells(static_cast<std::size_t>(f), rows);
          const int t = layout.target[static_cast<std::size_t>(label)];
          if (n && t >= 0) n[1 + t] += static_cast<int>(rows);
        });
    if (s >= question.begin && s < question.end) check(table[question.place(layout, s)] == ones(s));
  };
}

}  // namespace mlsift
