#ifndef MLSIFT_COUNT_ROW_CELLS_H
#define MLSIFT_COUNT_ROW_CELLS_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../core/bits.h"
#include "../core/parallel.h"
#include "../core/xlogx.h"
#include "../data/indicators.h"

namespace mlsift {

/// The rows in cells: rows of one cell have the same levels of all features of a set S. What features add to S:
///
///   N sum_t I(f; t | S) = sum over cells [sum over levels v of f: h(rows with v) - h(all rows)],
///   h(rows) = sum_t [sum over levels y of t: g(rows with y) - g(rows)]
///
/// as XLogX sums. h is 0 for a single row, and for rows that agree in all targets. Cells of such rows are left out, so
/// less is left to count the finer the cells are.
///
/// Rows stand in the order of cells, and those of a small cell share a word. A feature is laid out as bits in this
/// order, and counted in each cell with the bits of targets that vary there, or, where these have many levels and few
/// rows, row by row.
///
/// cost     for each feature: its rows off the reference level, and a look at each cell and the targets that vary there
class RowCells {
 public:
  RowCells(const Indicators& features, const Indicators& targets, const XLogX& g)
      : features_(features), targets_(targets), g_(g), target_of_(static_cast<std::size_t>(targets.n_indicators())) {
    std::vector<int> all;
    for (int t = 0; t < targets.n_variables(); ++t) {
      all.push_back(t);
      for (int c = targets.begin(t); c < targets.end(t); ++c) target_of_[static_cast<std::size_t>(c)] = t;
    }
    rows_of_target_ = RowBlock(targets, all);
    in_cell_.assign(target_of_.size(), 0);
  }

  /// sums[f] = N sum_t I(f; t | S) for every feature f below n, and 0 where it is no larger than its rounding.
  void given(const std::vector<int>& set, int n, const Context& context, std::uint64_t* sums) {
    group(set);
    const std::size_t size = static_cast<std::size_t>(n);
    if (cells_.empty()) {
      std::fill_n(sums, size, 0);
      return;
    }
    const double work = static_cast<double>(rows_.size()) + static_cast<double>(size * (cells_.size() + n_counts_));
    std::vector<Scratch> scratch(worker_count(context, size, work));
    parallel_for(context, size, work, [&](int worker, std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f)
        sums[f] = given_of(static_cast<int>(f), scratch[static_cast<std::size_t>(worker)]);
    });
  }

 private:
  // A level of a target in a cell: `count` rows; its bits.
  struct Level {
    int count;
    std::size_t bits;
  };
  // Levels first .. last - 1 of one target, all but the reference, that occur in a cell.
  struct Target {
    std::size_t first, last;
  };
  struct Cell {
    int n;                            // rows
    std::size_t word, words;          // where they are
    std::uint64_t mask;               // which bits of a single word are theirs
    std::size_t first, last;          // targets that vary
    std::size_t first_level, levels;  // of these
    bool by_rows;                     // whether levels have no bits
    std::uint64_t h;
  };
  struct Scratch {
    std::vector<std::uint64_t> bits;  // [level of f][word]
    std::vector<int> rows, with;  // by level of f, the reference last: rows in a cell, and [level][level of targets]
  };
  struct Sum {
    std::uint64_t sum = 0;
    std::int64_t terms = 0;  // each of which is rounded by at most a half
  };

  // --- cells -------------------------------------------------------------------------------------------------------

  void group(const std::vector<int>& set) {
    std::size_t known = 0;
    if (!ready_ || set.size() < set_.size() || !std::equal(set_.begin(), set_.end(), set.begin())) {
      start();
    } else {
      known = set_.size();
      if (known == set.size()) return;
    }
    ready_ = false;
    for (; known < set.size(); ++known) split(set[known]);
    lay_out();
    set_ = set;
    ready_ = true;
  }

  void start() {
    order_.resize(features_.n_rows);
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    ends_.assign(1, order_.size());
    level_.assign(features_.n_rows, 0);
    first_.assign(1, 0);
    rows_.clear();
    for (int c = 0; c < features_.n_indicators(); ++c) {
      rows_.insert(rows_.end(), features_.rows_begin(c), features_.rows_end(c));
      first_.push_back(rows_.size());
    }
    listed_ = order_.size();
  }

  // order_: the rows of one cell after those of another, up to ends_; those of cells that are left out are not there.
  void split(int s) {
    const std::size_t levels = static_cast<std::size_t>(features_.end(s) - features_.begin(s)) + 1;
    for (int c = features_.begin(s); c < features_.end(s); ++c) {
      for (const int* row = features_.rows_begin(c); row != features_.rows_end(c); ++row)
        level_[static_cast<std::size_t>(*row)] = c - features_.begin(s) + 1;
    }
    std::vector<int> order, count(levels, 0), found;
    std::vector<std::size_t> ends, next(levels);
    order.reserve(order_.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      found.clear();
      for (std::size_t i = begin; i < end; ++i) {
        const int level = level_of(i);
        if (count[static_cast<std::size_t>(level)]++ == 0) found.push_back(level);
      }
      std::sort(found.begin(), found.end());
      std::size_t at = order.size();
      for (const int level : found) {
        next[static_cast<std::size_t>(level)] = at;
        at += static_cast<std::size_t>(count[static_cast<std::size_t>(level)]);
        ends.push_back(at);
        count[static_cast<std::size_t>(level)] = 0;
      }
      order.resize(at);
      for (std::size_t i = begin; i < end; ++i) order[next[static_cast<std::size_t>(level_of(i))]++] = order_[i];
      begin = end;
    }
    order_.swap(order);
    ends_.swap(ends);
    for (int c = features_.begin(s); c < features_.end(s); ++c) {
      for (const int* row = features_.rows_begin(c); row != features_.rows_end(c); ++row)
        level_[static_cast<std::size_t>(*row)] = 0;
    }
    leave_out();
  }

  int level_of(std::size_t i) const { return level_[static_cast<std::size_t>(order_[i])]; }

  // Leaves out the cells in which no target varies.
  void leave_out() {
    std::vector<std::size_t> ends;
    std::size_t begin = 0, to = 0;
    for (const std::size_t end : ends_) {
      if (varies(begin, end)) {
        std::copy(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                  order_.begin() + static_cast<std::ptrdiff_t>(end), order_.begin() + static_cast<std::ptrdiff_t>(to));
        to += end - begin;
        ends.push_back(to);
      }
      begin = end;
    }
    order_.resize(to);
    ends_.swap(ends);
  }

  bool varies(std::size_t begin, std::size_t end) const {
    const std::size_t one = static_cast<std::size_t>(order_[begin]);
    for (std::size_t i = begin + 1; i < end; ++i) {
      const std::size_t other = static_cast<std::size_t>(order_[i]);
      if (!std::equal(rows_of_target_.begin(one), rows_of_target_.end(one), rows_of_target_.begin(other),
                      rows_of_target_.end(other)))
        return true;
    }
    return false;
  }

  // What is asked of the cells again and again.
  void lay_out() {
    cells_.clear();
    variable_.clear();
    levels_.clear();
    bits_.clear();
    ids_.clear();
    n_counts_ = words_ = 0;
    std::size_t used = 0;  // bits of the last word
    std::size_t begin = 0;
    position_.assign(features_.n_rows, -1);
    for (const std::size_t end : ends_) {
      Cell cell{};
      cell.n = static_cast<int>(end - begin);
      cell.words = (end - begin + 63) / 64;
      if (cell.words > 1 || used + (end - begin) > 64 || words_ == 0) {
        words_ += cell.words;
        used = 0;
      }
      cell.word = words_ - cell.words;
      const std::size_t at = 64 * cell.word + used;
      for (std::size_t i = begin; i < end; ++i)
        position_[static_cast<std::size_t>(order_[i])] = static_cast<int>(at + i - begin);
      cell.mask = ~std::uint64_t{0};
      if (end - begin < 64) cell.mask = ((std::uint64_t{1} << (end - begin)) - 1) << used;
      used = cell.words > 1 ? 64 : used + (end - begin);
      list_targets(cell, begin, end);
      cells_.push_back(cell);
      begin = end;
    }
    row_at_.assign(64 * words_, 0);
    cell_at_.assign(64 * words_, 0);
    first_cell_.assign(words_, 0);
    begin = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      for (; begin < ends_[i]; ++begin) {
        const std::size_t at = static_cast<std::size_t>(position_[static_cast<std::size_t>(order_[begin])]);
        row_at_[at] = order_[begin];
        cell_at_[at] = static_cast<int>(i);
        if (at % 64 == 0) first_cell_[at / 64] = i;
      }
    }
    for (int& position : position_) {
      if (position < 0) position = static_cast<int>(64 * words_);  // a word that is not looked at
    }
    forget_rows();
  }

  // The targets that vary in rows begin .. end - 1 of order_.
  void list_targets(Cell& cell, std::size_t begin, std::size_t end) {
    found_.clear();
    double entries = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = static_cast<std::size_t>(order_[i]);
      entries += static_cast<double>(rows_of_target_.end(row) - rows_of_target_.begin(row));
      for (const int* c = rows_of_target_.begin(row); c != rows_of_target_.end(row); ++c) {
        if (in_cell_[static_cast<std::size_t>(*c)]++ == 0) found_.push_back(*c);
      }
    }
    std::sort(found_.begin(), found_.end());
    cell.first = variable_.size();
    cell.first_level = levels_.size();
    cell.by_rows = cell.words > 1 && static_cast<double>(found_.size() * cell.words) > entries;
    for (std::size_t i = 0; i < found_.size();) {
      std::size_t last = i;
      int rest = cell.n;
      std::uint64_t sum = 0;
      const std::size_t first_level = levels_.size();
      for (; last < found_.size() && target_of(found_[last]) == target_of(found_[i]); ++last) {
        const int count = in_cell_[static_cast<std::size_t>(found_[last])];
        levels_.push_back({count, 0});
        sum += g_(count);
        rest -= count;
      }
      sum += g_(rest) - g_(cell.n);
      if (last - i == 1 && rest == 0) {  // the same level in all rows
        levels_.pop_back();
        in_cell_[static_cast<std::size_t>(found_[i])] = -1;
      } else {
        variable_.push_back({first_level, levels_.size()});
        cell.h += sum;
        for (std::size_t j = i; j < last; ++j)
          in_cell_[static_cast<std::size_t>(found_[j])] = static_cast<int>(first_level - cell.first_level + j - i);
      }
      i = last;
    }
    cell.last = variable_.size();
    cell.levels = levels_.size() - cell.first_level;
    n_counts_ += cell.levels * (cell.by_rows ? 1 : cell.words);
    if (cell.by_rows) {
      list_rows(begin, end);
    } else {
      set_bits(cell, begin, end);
    }
    for (const int c : found_) in_cell_[static_cast<std::size_t>(c)] = 0;
  }

  int target_of(int c) const { return target_of_[static_cast<std::size_t>(c)]; }

  void set_bits(const Cell& cell, std::size_t begin, std::size_t end) {
    for (std::size_t l = 0; l < cell.levels; ++l) levels_[cell.first_level + l].bits = bits_.size() + l * cell.words;
    bits_.resize(bits_.size() + cell.levels * cell.words, 0);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = static_cast<std::size_t>(order_[i]), at = static_cast<std::size_t>(position_[row]);
      for (const int* c = rows_of_target_.begin(row); c != rows_of_target_.end(row); ++c) {
        const int level = in_cell_[static_cast<std::size_t>(*c)];
        if (level < 0) continue;
        bits_[levels_[cell.first_level + static_cast<std::size_t>(level)].bits + at / 64 - cell.word] |=
            std::uint64_t{1} << at % 64;
      }
    }
  }

  // The levels of each row, numbered as in the cell.
  void list_rows(std::size_t begin, std::size_t end) {
    if (start_.empty()) start_.resize(features_.n_rows, {0, 0});
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = static_cast<std::size_t>(order_[i]), from = ids_.size();
      for (const int* c = rows_of_target_.begin(row); c != rows_of_target_.end(row); ++c) {
        const int level = in_cell_[static_cast<std::size_t>(*c)];
        if (level >= 0) ids_.push_back(level);
      }
      start_[row] = {from, ids_.size()};
    }
  }

  // The rows of features that are left out are forgotten from time to time.
  void forget_rows() {
    if (4 * order_.size() > 3 * listed_) return;
    listed_ = order_.size();
    const int out = static_cast<int>(64 * words_);
    std::size_t to = 0, from = 0;
    for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
      const std::size_t end = first_[c + 1];
      first_[c] = to;
      for (; from < end; ++from) {
        if (position_[static_cast<std::size_t>(rows_[from])] != out) rows_[to++] = rows_[from];
      }
    }
    first_.back() = to;
    rows_.resize(to);
  }

  // --- features ----------------------------------------------------------------------------------------------------

  std::uint64_t given_of(int f, Scratch& scratch) const {
    const std::size_t e = static_cast<std::size_t>(features_.end(f) - features_.begin(f));
    if (e == 0) return 0;
    scratch.bits.assign(e * (words_ + 1), 0);
    for (std::size_t v = 0; v < e; ++v) {
      const std::size_t c = static_cast<std::size_t>(features_.begin(f)) + v;
      std::uint64_t* const bits = scratch.bits.data() + v * (words_ + 1);
      for (std::size_t i = first_[c]; i < first_[c + 1]; ++i) {
        const std::size_t at = static_cast<std::size_t>(position_[static_cast<std::size_t>(rows_[i])]);
        bits[at / 64] |= std::uint64_t{1} << at % 64;
      }
    }
#if defined(MLSIFT_POPCNT_AT_RUN_TIME)
    static const bool native = __builtin_cpu_supports("popcnt") != 0;
    const Sum sum = native ? count_natively(*this, e, scratch) : count_plainly(*this, e, scratch);
#else
    const Sum sum = count_plainly(*this, e, scratch);
#endif
    return 2 * std::abs(static_cast<std::int64_t>(sum.sum)) <= sum.terms ? 0 : sum.sum;
  }

  static Sum count_plainly(const RowCells& cells, std::size_t e, Scratch& scratch) {
    return cells.count<PlainPopcount>(e, scratch);
  }

#if defined(MLSIFT_POPCNT_AT_RUN_TIME)
  __attribute__((target("popcnt"))) static Sum count_natively(const RowCells& cells, std::size_t e, Scratch& scratch) {
    return cells.count<NativePopcount>(e, scratch);
  }
#endif

  template <class Popcount>
  MLSIFT_INLINE Sum count(std::size_t e, Scratch& scratch) const {
    Sum sum;
    if (e > 1) {
      for (const Cell& cell : cells_) add<Popcount>(cell, e, scratch, sum);
      return sum;
    }
    // Of the cells of a word, those that the feature meets.
    for (std::size_t w = 0; w < words_;) {
      std::uint64_t rows = scratch.bits[w];
      const Cell& first = cells_[first_cell_[w]];
      if (first.words > 1) {
        add<Popcount>(first, 1, scratch, sum);
        w += first.words;
        continue;
      }
      while (rows != 0) {
        const Cell& cell = cells_[static_cast<std::size_t>(cell_at_[64 * w + lowest_one(rows)])];
        add_two<Popcount>(cell, rows & cell.mask, sum);
        rows &= ~cell.mask;
      }
      ++w;
    }
    return sum;
  }

  template <class Popcount>
  MLSIFT_INLINE void add(const Cell& cell, std::size_t e, Scratch& scratch, Sum& sum) const {
    scratch.rows.resize(e + 1);
    int rest = cell.n, groups = 0;
    for (std::size_t v = 0; v < e; ++v) {
      const std::uint64_t* const bits = scratch.bits.data() + v * (words_ + 1) + cell.word;
      int n = Popcount::of(bits[0] & cell.mask);
      for (std::size_t w = 1; w < cell.words; ++w) n += Popcount::of(bits[w]);
      scratch.rows[v] = n;
      rest -= n;
      groups += n > 0 ? 1 : 0;
    }
    groups += rest > 0 ? 1 : 0;
    if (groups < 2) return;
    scratch.rows[e] = rest;
    scratch.with.assign((e + 1) * cell.levels, 0);
    int* const reference = scratch.with.data() + e * cell.levels;
    for (std::size_t l = 0; l < cell.levels; ++l) reference[l] = levels_[cell.first_level + l].count;
    for (std::size_t v = 0; v < e; ++v) {
      if (scratch.rows[v] == 0) continue;
      const std::uint64_t* const bits = scratch.bits.data() + v * (words_ + 1) + cell.word;
      int* const with = scratch.with.data() + v * cell.levels;
      if (cell.by_rows) {
        count_rows(cell, bits, with);
      } else {
        for (std::size_t l = 0; l < cell.levels; ++l) {
          const std::uint64_t* const level = bits_.data() + levels_[cell.first_level + l].bits;
          int n = Popcount::of(bits[0] & level[0]);
          for (std::size_t w = 1; w < cell.words; ++w) n += Popcount::of(bits[w] & level[w]);
          with[l] = n;
        }
      }
      for (std::size_t l = 0; l < cell.levels; ++l) reference[l] -= with[l];
    }
    for (std::size_t v = 0; v <= e; ++v) {
      if (scratch.rows[v] > 0) sum.sum += h(cell, scratch.rows[v], scratch.with.data() + v * cell.levels);
    }
    sum.sum -= cell.h;
    sum.terms += (groups + 1) * static_cast<std::int64_t>(cell.levels + 2 * (cell.last - cell.first));
  }

  // A cell of one word, and a feature of two levels, one of them in these rows of it.
  template <class Popcount>
  MLSIFT_INLINE void add_two(const Cell& cell, std::uint64_t rows, Sum& sum) const {
    const int n_v = Popcount::of(rows), n_r = cell.n - n_v;
    if (n_v == 0 || n_r == 0) return;
    const std::size_t n_targets = cell.last - cell.first;
    sum.terms += 3 * static_cast<std::int64_t>(cell.levels + 2 * n_targets);
    sum.sum -= cell.h;
    if (cell.n == 2) return;  // what is left are single rows
    std::uint64_t total = 0;
    if (cell.levels == n_targets) {
      for (std::size_t l = cell.first_level; l < cell.first_level + cell.levels; ++l) {
        const int n_l = levels_[l].count, both = Popcount::of(rows & bits_[levels_[l].bits]);
        total += g_(both) + g_(n_v - both) + g_(n_l - both) + g_(n_r - n_l + both);
      }
    } else {
      for (std::size_t t = cell.first; t < cell.last; ++t) {
        int rest_v = n_v, rest_r = n_r;
        for (std::size_t l = variable_[t].first; l < variable_[t].last; ++l) {
          const int both = Popcount::of(rows & bits_[levels_[l].bits]), other = levels_[l].count - both;
          total += g_(both) + g_(other);
          rest_v -= both;
          rest_r -= other;
        }
        total += g_(rest_v) + g_(rest_r);
      }
    }
    sum.sum += total - n_targets * (g_(n_v) + g_(n_r));
  }

  void count_rows(const Cell& cell, const std::uint64_t* bits, int* with) const {
    for (std::size_t w = 0; w < cell.words; ++w) {
      for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
        const std::size_t at = 64 * (cell.word + w) + lowest_one(word);
        const Ids& ids = start_[static_cast<std::size_t>(row_at_[at])];
        for (std::size_t i = ids.first; i < ids.last; ++i) ++with[static_cast<std::size_t>(ids_[i])];
      }
    }
  }

  // h of n rows of a cell, of which so many are at each level.
  std::uint64_t h(const Cell& cell, int n, const int* with) const {
    std::uint64_t sum = 0;
    for (std::size_t t = cell.first; t < cell.last; ++t) {
      int rest = n;
      for (std::size_t l = variable_[t].first; l < variable_[t].last; ++l) {
        const int count = with[l - cell.first_level];
        sum += g_(count);
        rest -= count;
      }
      sum += g_(rest);
    }
    return sum - (cell.last - cell.first) * g_(n);
  }

  struct Ids {
    std::size_t first, last;
  };

  const Indicators &features_, &targets_;
  const XLogX& g_;
  RowBlock rows_of_target_;     // the target indicators of each row
  std::vector<int> target_of_;  // by target indicator

  bool ready_ = false;
  std::vector<int> set_;  // S
  std::vector<int> order_, level_;
  std::vector<std::size_t> ends_;
  std::vector<int> rows_;  // of the features' indicators: rows_[first_[c]] .. rows_[first_[c + 1] - 1]
  std::vector<std::size_t> first_;
  std::size_t listed_ = 0;  // rows that were not left out when rows_ was made

  std::vector<Cell> cells_;
  std::vector<Target> variable_;
  std::vector<Level> levels_;
  std::vector<std::uint64_t> bits_;
  std::vector<int> position_, row_at_;   // of rows among the bits, and the other way round
  std::vector<int> cell_at_;             // by bit
  std::vector<std::size_t> first_cell_;  // by word
  std::vector<Ids> start_;               // by row: its levels in cells that are counted by rows
  std::vector<int> ids_;
  std::size_t words_ = 0;
  std::size_t n_counts_ = 0;  // what a feature may have to be counted with

  std::vector<int> in_cell_, found_;  // by target indicator: rows of a cell, then its number there; zeros in between
};

}  // namespace mlsift

#endif
