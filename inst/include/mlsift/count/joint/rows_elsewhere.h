#ifndef MLSIFT_COUNT_JOINT_ROWS_ELSEWHERE_H
#define MLSIFT_COUNT_JOINT_ROWS_ELSEWHERE_H

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

/// Joint counts from tables of labels that are counted where the rows are stored. Every question about pairs takes one
/// pass, or more if the tables of one pass would exceed `most_bytes`.
///
/// memory   `first`, features x labels that vary, and the tables of a pass: levels of f x levels of s x (1 + labels)
class RowsElsewhere : public JointRows {
 public:
  /// `first`: the counts of a pass over the same rows; `targets`: those that vary; `to`: by column of `first`, which of
  /// their columns it is.
  RowsElsewhere(CountTables first, const TargetColumns& targets, const ColumnMap& to, std::size_t most_bytes)
      : first_(std::move(first)), most_bytes_(most_bytes), xlogx_(0, 1), to_(to), targets_(targets) {
    if (first_.n > std::numeric_limits<int>::max()) {
      throw std::length_error("Greedy selection counts at most 2,147,483,647 rows.");
    }
    for (const std::vector<int>& columns : to) target_of_.push_back(columns.empty() ? -1 : columns[0]);
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

 protected:
  static constexpr int reference = -1, unseen = -2;

  /// Adds the counts of the features begin .. end - 1 to table_: [indicator of the features][indicator of s][side].
  virtual void count_pass(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides) = 0;

  /// The cells of the first indicator of feature f.
  int* table_of(std::size_t f, std::size_t begin, std::size_t levels, std::size_t sides) {
    return table_.data() + (features_.first[f] - features_.first[begin]) * levels * sides;
  }

  std::size_t indicators_of(int f) const {
    return features_.first[static_cast<std::size_t>(f) + 1] - features_.first[static_cast<std::size_t>(f)];
  }

  CountTables first_;
  Block features_;
  std::vector<int> indicator_;  ///< by slot of a level: number among the feature's indicators, reference or unseen
  std::vector<int> target_of_;  ///< by column of `first`: that of the targets, or -1

 private:
  // The reference level is the implied one where it occurs, and the most frequent one elsewhere.
  void make_features() {
    const std::size_t m = targets_.n_columns();
    indicator_.assign(first_.in_level.size(), unseen);
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
        indicator_[v] = v == left_out ? reference : static_cast<int>(features_.count.size() - features_.first.back());
        if (v == left_out) continue;
        features_.count.push_back(static_cast<int>(first_.in_level[v]));
        with_.resize(with_.size() + m, 0);
        for (std::size_t c = first_.cell[v]; c < first_.cell[v + 1]; ++c) {
          const int t = target_of_[static_cast<std::size_t>(first_.target[c])];
          if (t >= 0) with_[with_.size() - m + static_cast<std::size_t>(t)] = static_cast<int>(first_.count[c]);
        }
      }
      features_.variables.push_back(static_cast<int>(f));
      features_.first.push_back(features_.count.size());
      features_.reference.push_back(static_cast<int>(first_.in_level[left_out]));
    }
  }

  // The pairs of s with one feature or all, and the sums of `cells` unless null, in as many passes as memory requires.
  void count(int s, int only, const TargetCells* cells, const TakeSums& take) {
    const std::size_t levels = indicators_of(s), sides = cells ? 1 + targets_.n_columns() : 1;
    const std::size_t last = only < 0 ? features_.size() : static_cast<std::size_t>(only) + 1;
    std::size_t begin = only < 0 ? 0 : static_cast<std::size_t>(only);
    while (begin < last) {
      std::size_t end = begin + 1;
      const auto bytes = [&](std::size_t to) {
        return (features_.first[to] - features_.first[begin]) * levels * sides * sizeof(int);
      };
      while (end < last && bytes(end + 1) <= most_bytes_) ++end;
      table_.assign((features_.first[end] - features_.first[begin]) * levels * sides, 0);
      if (!table_.empty()) count_pass(s, begin, end, levels, sides);
      sum_up(s, begin, end, levels, sides, cells, take);
      begin = end;
    }
  }

  void sum_up(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides,
              const TargetCells* cells, const TakeSums& take) const {
    const std::vector<int> of_s = margin_of(s, sides);
    PairTable table;
    std::vector<int> of_f;
    std::vector<std::uint64_t> sums;
    for (std::size_t f = begin; f < end; ++f) {
      const std::size_t e = features_.first[f + 1] - features_.first[f];
      table.resize(e, levels, sides);
      of_f.clear();
      for (std::size_t v = 0; v < e; ++v) {
        const std::size_t c = features_.first[f] + v;
        std::copy_n(table_.data() + (c - features_.first[begin]) * levels * sides, levels * sides,
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

  std::size_t most_bytes_;
  XLogXOnDemand xlogx_;  // for more rows than a table should hold
  ColumnMap to_;
  TargetColumns targets_;
  std::vector<int> with_;  // [indicator of the features][target]: rows with both
  std::vector<int> table_;
};

/// Joint counts of 0/1 features from anything that can count rows with ones, such as a database.
class OnesElsewhere : public RowsElsewhere {
 public:
  using TakePair = std::function<void(int f, std::int64_t rows)>;
  using TakeTriple = std::function<void(int f, int label, std::int64_t rows)>;
  /// ask(s, labels, pair, triple): calls pair(f, rows) for the features that have ones where s has, and if `labels` is
  /// true also triple(f, label, rows).
  using Ask = std::function<void(int s, bool labels, const TakePair& pair, const TakeTriple& triple)>;

  OnesElsewhere(Ask ask, CountTables first, const TargetColumns& targets, const ColumnMap& to,
                std::size_t most_bytes = std::size_t{512} << 20)
      : RowsElsewhere(std::move(first), targets, to, most_bytes), ask_(std::move(ask)) {}

 private:
  void count_pass(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides) override {
    // The cell of f and s, or null if f is not requested or has ones in all rows.
    const auto cell = [&](int f, std::int64_t rows) -> int* {
      const std::size_t at = static_cast<std::size_t>(f);
      if (rows > std::min(ones(f), ones(s))) throw changed();
      return at < begin || at >= end || indicators_of(f) == 0 ? nullptr : table_of(at, begin, levels, sides);
    };
    ask_(
        s, sides > 1,
        [&](int f, std::int64_t rows) {
          if (int* const n = cell(f, rows)) *n += static_cast<int>(rows);
        },
        [&](int f, int label, std::int64_t rows) {
          int* const n = cell(f, rows);
          const int t = target_of_[static_cast<std::size_t>(label)];
          if (n && t >= 0) n[1 + t] += static_cast<int>(rows);
        });
    if (static_cast<std::size_t>(s) >= begin && static_cast<std::size_t>(s) < end &&
        *table_of(static_cast<std::size_t>(s), begin, levels, sides) != ones(s)) {
      throw changed();
    }
  }

  std::int64_t ones(int f) const { return first_.in_level[first_.slot[static_cast<std::size_t>(f)] + 1]; }

  static std::runtime_error changed() {
    return std::runtime_error("The source gave other counts than in its first pass.");
  }

  Ask ask_;
};

}  // namespace mlsift

#endif
