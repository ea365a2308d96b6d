#ifndef MLSIFT_COUNT_CELL_LAYOUT_H
#define MLSIFT_COUNT_CELL_LAYOUT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "row_weights.h"

namespace mlsift {

/// The rows in cells, for RowCells: rows of one cell have the same levels of all features of a set S. Cells of rows
/// that agree in all targets are left out, so less is left the finer the cells are.
///
/// Rows stand in the order of cells, and those of a small cell share a word of bits.
template <class Weights>
class CellLayout {
 protected:
  using G = typename Weights::G;

  CellLayout(const Indicators& features, const Indicators& targets, const G& g)
      : features_(features),
        targets_(targets),
        g_(g),
        weight_(features),
        target_of_(static_cast<std::size_t>(targets.n_indicators())) {
    std::vector<int> all;
    for (int t = 0; t < targets.n_variables(); ++t) {
      all.push_back(t);
      for (int c = targets.begin(t); c < targets.end(t); ++c) target_of_[static_cast<std::size_t>(c)] = t;
    }
    rows_of_target_ = RowBlock(targets, all);
    in_cell_.assign(target_of_.size(), 0);
    for (const int at : targets.unknown) {
      share_.push_back(at < 0 ? 1 : targets.n() / static_cast<double>(targets.n() - targets.count(at)));
      largest_share_ = std::max(largest_share_, share_.back());
    }
  }

  // A level of a target in a cell: what it counts; its bits.
  struct Level {
    int count;
    std::size_t bits;
  };
  // Levels first .. last - 1 of one target, all but the reference, that occur in a cell.
  struct Target {
    std::size_t first, last;
  };
  // Where targets are not known in all rows: whether the last of these levels are the rows in which this one is not; N
  // / N_t.
  struct Known {
    bool but_last;
    double share;
  };
  struct Cell {
    int n;  // what its rows count
    std::size_t rows;
    std::size_t word, words;          // where they are
    std::uint64_t mask;               // which bits of a single word are theirs
    std::size_t first, last;          // targets that vary
    std::size_t first_level, levels;  // of these
    bool by_rows;                     // whether levels have no bits
    std::uint64_t h;
  };
  struct Ids {
    std::size_t first, last;
  };

  // What a label adds to h of n rows, of which so many are at each of its levels.
  template <class With>
  std::uint64_t known_h(std::size_t variable, int n, With with) const {
    const Known& known = known_[variable];
    const int ones = with(variable_[variable].first);
    if (known.but_last) n -= with(variable_[variable].last - 1);
    return times(known.share, g_(ones) + g_(n - ones) - g_(n));
  }

  // Lays out the cells of a set.
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

 private:
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

  // order_: the rows, cell by cell, up to ends_; without those of cells that are left out.
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

  // Stores what is repeatedly looked up about the cells.
  void lay_out() {
    cells_.clear();
    variable_.clear();
    known_.clear();
    levels_.clear();
    bits_.clear();
    ids_.clear();
    n_counts_ = words_ = 0;
    std::size_t used = 0;  // bits of the last word
    std::size_t begin = 0;
    position_.assign(features_.n_rows, -1);
    for (const std::size_t end : ends_) {
      Cell cell{};
      cell.rows = end - begin;
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
    if (Weights::weighted) weight_at_.assign(64 * words_, 0);
    begin = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      for (; begin < ends_[i]; ++begin) {
        const std::size_t at = static_cast<std::size_t>(position_[static_cast<std::size_t>(order_[begin])]);
        row_at_[at] = order_[begin];
        if (Weights::weighted) weight_at_[at] = weight_[static_cast<std::size_t>(order_[begin])];
        cell_at_[at] = static_cast<int>(i);
        if (at % 64 == 0) first_cell_[at / 64] = i;
      }
    }
    for (int& position : position_) {
      if (position < 0) position = static_cast<int>(64 * words_);  // a word that is ignored
    }
    forget_rows();
  }

  // The targets that vary in rows begin .. end - 1 of order_.
  void list_targets(Cell& cell, std::size_t begin, std::size_t end) {
    found_.clear();
    double entries = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = static_cast<std::size_t>(order_[i]);
      cell.n += weight_[row];
      entries += static_cast<double>(rows_of_target_.end(row) - rows_of_target_.begin(row));
      for (const int* c = rows_of_target_.begin(row); c != rows_of_target_.end(row); ++c) {
        int& count = in_cell_[static_cast<std::size_t>(*c)];
        if (count == 0) found_.push_back(*c);
        count += weight_[row];
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
      bool constant = last - i == 1 && rest == 0;  // the same level in all rows, or those in which it is known
      variable_.push_back({first_level, levels_.size()});
      if (!share_.empty()) {
        const std::size_t t = static_cast<std::size_t>(target_of(found_[i]));
        known_.push_back({found_[last - 1] == targets_.unknown[t], share_[t]});
        constant = rest == 0 || (last - i == 1 && known_.back().but_last);
        if (!constant) sum = known_h(variable_.size() - 1, cell.n, [this](std::size_t l) { return levels_[l].count; });
      }
      if (constant) {
        variable_.pop_back();
        if (!share_.empty()) known_.pop_back();
        levels_.resize(first_level);
        for (std::size_t j = i; j < last; ++j) in_cell_[static_cast<std::size_t>(found_[j])] = -1;
      } else {
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

  // From time to time, rows that were left out are dropped from the lists of the features.
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

 protected:
  const Indicators &features_, &targets_;
  const G& g_;
  const Weights weight_;
  RowBlock rows_of_target_;     // the target indicators of each row
  std::vector<int> target_of_;  // by target indicator
  std::vector<double> share_;   // by target: N / N_t; empty: all are known in all rows
  double largest_share_ = 1;

  std::vector<int> order_, level_;
  std::vector<std::size_t> ends_;
  std::vector<int> rows_;  // of the features' indicators: rows_[first_[c]] .. rows_[first_[c + 1] - 1]
  std::vector<std::size_t> first_;
  std::size_t listed_ = 0;  // rows that were not left out when rows_ was made

  std::vector<Cell> cells_;
  std::vector<Target> variable_;
  std::vector<Known> known_;  // by variable, unless share_ is empty
  std::vector<Level> levels_;
  std::vector<std::uint64_t> bits_;
  std::vector<int> position_, row_at_;   // of rows among the bits, and the other way round
  std::vector<int> cell_at_;             // by bit
  std::vector<std::size_t> first_cell_;  // by word
  std::vector<int> weight_at_;           // by bit, where rows have weights
  std::vector<Ids> start_;               // by row: its levels in cells that are counted by rows
  std::vector<int> ids_;
  std::size_t words_ = 0;
  std::size_t n_counts_ = 0;  // what a feature may have to be counted with

  std::vector<int> in_cell_,
      found_;  // by target indicator: its count in a cell, then its number there; zeros in between

 private:
  bool ready_ = false;
  std::vector<int> set_;  // S
};

}  // namespace mlsift

#endif
