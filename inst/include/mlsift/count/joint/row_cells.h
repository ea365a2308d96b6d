#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "../../core/parallel.h"
#include "joint_counter.h"

namespace mlsift {

/// The rows in cells: rows of one cell have the same levels of all features of a set S. What features add to S:
///
///   N sum_t I(f; t | S) = sum over cells [sum over levels v of f: h(rows with v) - h(all rows)],
///   h(rows) = sum_t [sum over levels y of t: g(rows with y) - g(rows)]
///
/// as XLogX sums. Only targets that vary in a cell add to its h, and cells in which none varies are left out: the finer
/// the cells are, the less is left to count.
///
/// A label that is not known in all N rows has only those N_t in which it is, and what it adds to h is multiplied by
/// N / N_t and rounded.
///
/// cost     for each feature: its rows off the reference level and their targets, and the targets of the cells it meets
template <class Weights>
class RowCells {
 public:
  using G = typename Weights::G;

  RowCells(const Indicators& features, const Indicators& targets, const G& g)
      : features_(features), targets_(targets), g_(g), weight_(features) {
    std::vector<int> all;
    for (int t = 0; t < targets.n_variables(); ++t) {
      all.push_back(t);
      target_of_.insert(target_of_.end(), static_cast<std::size_t>(targets.end(t) - targets.begin(t)), t);
    }
    rows_of_target_ = RowBlock(targets, all);
    in_cell_.assign(target_of_.size(), 0);
    for (const int at : targets.unknown)
      share_.push_back(at < 0 ? 1 : targets.n() / static_cast<double>(targets.n() - targets.count(at)));
    if (!share_.empty())
      rounding_ = 2 * static_cast<std::int64_t>(std::ceil(*std::max_element(share_.begin(), share_.end())));
    start();
  }

  /// sums[f] = N sum_t I(f; t | S) for every feature f below n, and 0 where it is no larger than its rounding.
  void given(const std::vector<int>& set, int n, const Context& context, std::uint64_t* sums) {
    if (set.size() < set_.size() || !std::equal(set_.begin(), set_.end(), set.begin())) start();
    while (set_.size() < set.size()) split(set[set_.size()]);
    const std::size_t size = static_cast<std::size_t>(n);
    const double share = static_cast<double>(order_.size()) / static_cast<double>(features_.n_rows);
    const double per_row = static_cast<double>(ids_.size()) / static_cast<double>(order_.size() + 1);
    const double work = share * static_cast<double>(features_.rows.size()) * (1 + per_row);
    parallel_each(
        context, size, work, [this] { return Scratch(cells_.size(), count_.size()); },
        [&](Scratch& scratch, std::size_t f) { sums[f] = given_of(static_cast<int>(f), scratch); });
  }

 private:
  // A target that varies in a cell: its levels first .. last - 1, all but the reference, that occur there; whether the
  // last of them are the rows in which it is not known; N / N_t.
  struct Target {
    std::size_t first, last;
    bool but_last;
    double share;
  };
  // What its rows count, its targets first .. last - 1, and h of all its rows.
  struct Cell {
    int n;
    std::size_t first, last;
    std::uint64_t h;
  };
  struct Range {
    std::size_t first, last;
  };
  // Counts of one level of a feature, and of all but its reference level, by cell and by level in cells; zeros between
  // features.
  struct Scratch {
    Scratch(std::size_t cells, std::size_t levels) : n(cells), n_off(cells), groups(cells), with(levels), off(levels) {}
    std::vector<int> n, n_off, groups, with, off;
    std::vector<std::size_t> met, met_off;  // cells
  };

  // All rows are one cell.
  void start() {
    set_.clear();
    order_.resize(features_.n_rows);
    std::iota(order_.begin(), order_.end(), 0);
    lay_out({order_.size()});
  }

  void split(int s) {
    std::vector<std::pair<int, int>> key(features_.n_rows);  // cell and level
    for (std::size_t row = 0; row < key.size(); ++row) key[row] = {cell_of_[row], 0};
    for (int c = features_.begin(s); c < features_.end(s); ++c)
      features_.visit_rows(c, [&](int row) { key[static_cast<std::size_t>(row)].second = c + 1; });
    const auto key_of = [&](int row) { return key[static_cast<std::size_t>(row)]; };
    std::sort(order_.begin(), order_.end(), [&](int a, int b) { return key_of(a) < key_of(b); });
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= order_.size(); ++i) {
      if (i == order_.size() || key_of(order_[i]) != key_of(order_[i - 1])) ends.push_back(i);
    }
    lay_out(ends);
    set_.push_back(s);
  }

  // Makes cells of the rows order_ up to each of `ends`, without those in which no target varies.
  void lay_out(const std::vector<std::size_t>& ends) {
    cells_.clear();
    varying_.clear();
    count_.clear();
    ids_.clear();
    cell_of_.assign(features_.n_rows, -1);
    ids_of_.resize(features_.n_rows);
    std::size_t begin = 0, to = 0;
    for (const std::size_t end : ends) {
      if (add_cell(order_.data() + begin, order_.data() + end)) {
        for (; begin < end; ++begin) order_[to++] = order_[begin];
      }
      begin = end;
    }
    order_.resize(to);
  }

  bool add_cell(const int* begin, const int* end) {
    Cell cell{0, varying_.size(), 0, 0};
    found_.clear();
    for (const int* row = begin; row != end; ++row) {
      const int weight = weight_[static_cast<std::size_t>(*row)];
      cell.n += weight;
      each_target(*row, [&](int c, int& count) {
        if (count == 0) found_.push_back(c);
        count += weight;
      });
    }
    std::sort(found_.begin(), found_.end());
    for (std::size_t i = 0, last; i < found_.size(); i = last) {
      const int t = target_of(found_[i]);
      Target target{count_.size(), count_.size(), false, 1};
      int rest = cell.n;
      for (last = i; last < found_.size() && target_of(found_[last]) == t; ++last) {
        int& number = in_cell_[static_cast<std::size_t>(found_[last])];
        rest -= number;
        count_.push_back(number);
        number = static_cast<int>(target.last++);
      }
      if (!share_.empty()) {
        target.share = share_[static_cast<std::size_t>(t)];
        target.but_last = found_[last - 1] == targets_.unknown[static_cast<std::size_t>(t)];
      }
      // Whether one level has all rows, or all in which the target is known.
      if (last - i - (target.but_last ? 1 : 0) <= (rest == 0 ? 1 : 0)) {
        count_.resize(target.first);
        for (; i < last; ++i) in_cell_[static_cast<std::size_t>(found_[i])] = -1;
      } else {
        varying_.push_back(target);
      }
    }
    cell.last = varying_.size();
    cell.h = h(cell, cell.n, [this](std::size_t l) { return count_[l]; });
    const bool varies = cell.last > cell.first;
    for (const int* row = begin; varies && row != end; ++row) {
      cell_of_[static_cast<std::size_t>(*row)] = static_cast<int>(cells_.size());
      ids_of_[static_cast<std::size_t>(*row)].first = ids_.size();
      each_target(*row, [&](int, int number) {
        if (number >= 0) ids_.push_back(number);
      });
      ids_of_[static_cast<std::size_t>(*row)].last = ids_.size();
    }
    if (varies) cells_.push_back(cell);
    for (const int c : found_) in_cell_[static_cast<std::size_t>(c)] = 0;
    return varies;
  }

  // Calls visit(indicator, in_cell_ of it) for the targets of a row.
  template <class Visit>
  void each_target(int row, Visit visit) {
    const std::size_t at = static_cast<std::size_t>(row);
    for (const int* c = rows_of_target_.begin(at); c != rows_of_target_.end(at); ++c)
      visit(*c, in_cell_[static_cast<std::size_t>(*c)]);
  }

  int target_of(int c) const { return target_of_[static_cast<std::size_t>(c)]; }

  std::uint64_t given_of(int f, Scratch& s) const {
    std::uint64_t sum = 0;
    std::int64_t terms = 0;  // each of which is rounded by at most a half
    for (int c = features_.begin(f); c < features_.end(f); ++c) {
      features_.visit_rows(c, [&](int of_f) {
        const std::size_t row = static_cast<std::size_t>(of_f);
        if (cell_of_[row] < 0) return;
        const std::size_t at = static_cast<std::size_t>(cell_of_[row]);
        if (s.n[at] == 0) s.met.push_back(at);
        s.n[at] += weight_[row];
        for (std::size_t i = ids_of_[row].first; i < ids_of_[row].last; ++i)
          s.with[static_cast<std::size_t>(ids_[i])] += weight_[row];
      });
      for (const std::size_t at : s.met) {
        const Cell& cell = cells_[at];
        sum += h(cell, s.n[at], [&](std::size_t l) { return s.with[l]; });
        if (s.groups[at]++ == 0) s.met_off.push_back(at);
        s.n_off[at] += s.n[at];
        s.n[at] = 0;
        each_level(cell, [&](std::size_t l) {
          s.off[l] += s.with[l];
          s.with[l] = 0;
        });
      }
      s.met.clear();
    }
    for (const std::size_t at : s.met_off) {
      const Cell& cell = cells_[at];
      const int rest = cell.n - s.n_off[at];
      if (rest > 0) sum += h(cell, rest, [&](std::size_t l) { return count_[l] - s.off[l]; });
      const int groups = s.groups[at] + (rest > 0 ? 1 : 0);
      sum -= cell.h;
      if (groups > 1) {
        const std::size_t n_levels = varying_[cell.last - 1].last - varying_[cell.first].first;
        terms += (groups + 1) * static_cast<std::int64_t>(n_levels + 2 * (cell.last - cell.first));
      }
      s.n_off[at] = s.groups[at] = 0;
      each_level(cell, [&](std::size_t l) { s.off[l] = 0; });
    }
    s.met_off.clear();
    return 2 * std::abs(static_cast<std::int64_t>(sum)) <= rounding_ * terms ? 0 : sum;
  }

  template <class Visit>
  void each_level(const Cell& cell, Visit visit) const {
    for (std::size_t l = varying_[cell.first].first; l < varying_[cell.last - 1].last; ++l) visit(l);
  }

  // h of n rows of a cell, of which so many are at each level.
  template <class With>
  std::uint64_t h(const Cell& cell, int n, With with) const {
    const std::uint64_t g_n = g_(n);
    std::uint64_t sum = 0;
    for (std::size_t t = cell.first; t < cell.last; ++t) {
      const Target& target = varying_[t];
      const std::size_t last = target.last - (target.but_last ? 1 : 0);
      const int known = target.but_last ? n - with(last) : n;
      int rest = known;
      std::uint64_t cells = target.but_last ? 0 - g_(known) : 0 - g_n;
      for (std::size_t l = target.first; l < last; ++l) {
        cells += g_(with(l));
        rest -= with(l);
      }
      cells += g_(rest);
      sum += share_.empty() ? cells : times(target.share, cells);
    }
    return sum;
  }

  const Indicators &features_, &targets_;
  const G& g_;
  const Weights weight_;
  RowBlock rows_of_target_;     // the target indicators of each row
  std::vector<int> target_of_;  // by target indicator
  std::vector<double> share_;   // by target: N / N_t; empty: all are known in all rows
  std::int64_t rounding_ = 1;

  std::vector<int> set_, order_;  // S; the rows, cell by cell
  std::vector<Cell> cells_;
  std::vector<Target> varying_;
  std::vector<int> count_;     // by level in a cell
  std::vector<int> cell_of_;   // by row: -1 for one that is left out
  std::vector<Range> ids_of_;  // by row: where its levels are
  std::vector<int> ids_;
  std::vector<int> in_cell_, found_;  // by target indicator: its count in a cell, then its level; zeros in between
};

}  // namespace mlsift
