#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../core/prefetch.h"
#include "joint_counter.h"

namespace mlsift {

/// Pairs by rows: what the rows of s off its reference level carry. Weights: EachOnce or a ByWeight.
template <class Weights>
class PairCounter : public JointCounter {
 public:
  using G = typename Weights::G;

  PairCounter(const Indicators& table, const RowBlock& block, const G& g)
      : table_(table),
        b_(block),
        g_(g),
        weight_(table),
        all_(table.n()),
        cell_(b_.n_indicators()),
        off_(b_.n_indicators()),
        reference_off_(b_.size()) {}

  void pairs(int s, std::uint64_t* pair) override {
    start();
    for (const int f : b_.variables) pair[f] = 0;
    for (int u = begin(s); u < end(s); ++u) {
      for (const int* row = table_.rows_begin(u); row != table_.rows_end(u); ++row) {
        const std::size_t at = static_cast<std::size_t>(*row);
        const int* const last = b_.end(at);
        for (const int* c = b_.begin(at); c != last; ++c) cell_[static_cast<std::size_t>(*c)] += weight_[at];
      }
      for (std::size_t i = 0; i < b_.size(); ++i) pair[b_.variables[i]] += pair_level(i, table_.count(u));
    }
    for (std::size_t i = 0; i < b_.size(); ++i) pair[b_.variables[i]] += pair_rest(i);
  }

  /// Lists G(f, s) of the variables of the block that meet s off the reference levels, by the blocks of meet(). All
  /// variables have at most one indicator.
  void pairs_met(int s, std::vector<JointSums>& met) {
    const int n_s = off_reference(s);
    meet(
        s, 1, [](std::size_t, std::size_t) {},
        [&](std::size_t from) {
          for (std::size_t i = 0; i < n_touched_; ++i) {
            prefetch(b_.count.data() + soon(i, from));
            if (!owner_.empty()) prefetch(owner_.data() + soon(i, from));
            met.push_back(pair_met(touched_[i], from, n_s));
          }
        });
  }

 protected:
  // Counts rows of s with each indicator (cell_) and lists those that have any (touched_), in blocks of indicators
  // whose counts stay in the fastest memory: both number from the first indicator of the block. Calls visit(row, place)
  // for every row and indicator of it, then take(first indicator) for every block, which clears the counts. `numbers`:
  // how many are counted for each indicator.
  template <class Visit, class Take>
  void meet(int s, std::size_t numbers, Visit visit, Take take) {
    own_indicators();
    runs_.clear();
    std::size_t stored = 0;
    for (int u = begin(s); u < end(s); ++u) {
      for (const int* row = table_.rows_begin(u); row != table_.rows_end(u); ++row) {
        const std::size_t at = static_cast<std::size_t>(*row);
        runs_.push_back({b_.begin(at), b_.end(at), at});
        stored += static_cast<std::size_t>(b_.end(at) - b_.begin(at));
      }
    }
    const std::size_t n = b_.n_indicators(), size = block_size(stored, numbers);
    touched_.resize(std::max(touched_.size(), size + 1));
    for (std::size_t from = 0; from < n; from += size) {
      n_touched_ = 0;
      for (Run& run : runs_) {
        const int* const last = size < n ? std::find_if(run.at, run.end, AtLeast{from + size}) : run.end;
        for (; run.at != last; ++run.at) {
          if (size == n && last - run.at > ahead) prefetch(cell_.data() + run.at[ahead]);
          const std::size_t place = static_cast<std::size_t>(*run.at) - from;
          // Always written, but counted only the first time: faster than a branch that is hard to predict.
          touched_[n_touched_] = static_cast<int>(place);
          n_touched_ += std::size_t{cell_[place] == 0};
          cell_[place] += weight_[run.row];
          visit(run.row, place);
        }
      }
      take(from);
    }
  }

  // G(f, s) of the variable of an indicator, whose count is cleared.
  JointSums pair_met(int place, std::size_t from, int n_s) {
    int& both = cell_[static_cast<std::size_t>(place)];
    const std::size_t c = from + static_cast<std::size_t>(place);
    const int n_f = b_.count[c];
    JointSums sums;
    sums.feature = owner_.empty() ? first_owner_ + static_cast<int>(c) : owner_[c];
    sums.alone = g_(n_f) + g_(all_ - n_f);
    sums.pair = four_cells(g_, all_, n_f, n_s, both);
    both = 0;
    return sums;
  }

  // An indicator touched a few steps later, numbered from 0 in the whole block, or the last one; to be prefetched.
  std::size_t soon(std::size_t i, std::size_t from) const {
    return from + static_cast<std::size_t>(touched_[std::min(i + ahead, n_touched_ - 1)]);
  }

  static constexpr std::ptrdiff_t ahead = 16;

  int off_reference(int s) const { return all_ - reference(s); }

  // owner_: the feature of each indicator; empty where they are features one after the other.
  void own_indicators() {
    if (owned_) return;
    owned_ = true;
    const auto each = [this](auto take) {
      for (std::size_t i = 0; i < b_.size(); ++i) {
        if (b_.first[i] < b_.first[i + 1]) take(b_.first[i], b_.variables[i]);
      }
    };
    bool in_turn = true;
    each([&](std::size_t c, int f) {
      if (c == 0) first_owner_ = f;
      in_turn = in_turn && f == first_owner_ + static_cast<int>(c);
    });
    if (!in_turn) each([this](std::size_t, int f) { owner_.push_back(f); });
  }

  // Indicators in a block of meet(): all of them where their counts are near anyway, or rows carry so few that most
  // blocks would have none of a row.
  std::size_t block_size(std::size_t stored, std::size_t numbers) const {
    const std::size_t n = b_.n_indicators(), near = std::size_t{8192} / numbers;
    const std::size_t most_blocks = stored / (8 * std::max<std::size_t>(1, runs_.size()));
    if (n <= 8 * near || most_blocks < 2) return std::max<std::size_t>(1, n);
    return std::max(near, (n + most_blocks - 1) / most_blocks);
  }

  // Indicators of s.
  int begin(int s) const { return table_.begin(s); }
  int end(int s) const { return table_.end(s); }
  int reference(int s) const { return table_.reference(s); }

  void start() {
    std::fill(off_.begin(), off_.end(), 0);
    std::fill(reference_off_.begin(), reference_off_.end(), 0);
  }

  // Cells (v, u) of all levels v of variable i and one level u of s with n_u rows. Moves cell_ to off_, the rows off
  // the reference level of s.
  std::uint64_t pair_level(std::size_t i, int n_u) {
    std::uint64_t sum = 0;
    int rest = n_u;
    for (std::size_t c = b_.first[i]; c < b_.first[i + 1]; ++c) {
      int& n = cell_[c];
      if (n == 0) continue;
      sum += g_(n);
      rest -= n;
      off_[c] += n;
      n = 0;
    }
    reference_off_[i] += rest;
    return sum + g_(rest);
  }

  // Cells (v, reference level of s).
  std::uint64_t pair_rest(std::size_t i) const {
    std::uint64_t sum = g_(b_.reference[i] - reference_off_[i]);
    for (std::size_t c = b_.first[i]; c < b_.first[i + 1]; ++c) sum += g_(b_.count[c] - off_[c]);
    return sum;
  }

  // What is left of a row of s.
  struct Run {
    const int *at, *end;
    std::size_t row;
  };

  struct AtLeast {
    std::size_t least;
    bool operator()(int c) const { return static_cast<std::size_t>(c) >= least; }
  };

  const Indicators& table_;
  const RowBlock& b_;
  const G& g_;
  const Weights weight_;
  const int all_;                // of all rows
  std::vector<int> cell_, off_;  // by indicator of the block: rows in the current level of s, in all but its reference
  std::vector<int> reference_off_;  // by variable: rows of its reference level in all levels of s but the reference
  std::vector<int> owner_, touched_;
  std::size_t n_touched_ = 0;
  std::vector<Run> runs_;
  int first_owner_ = 0;
  bool owned_ = false;
};

}  // namespace mlsift
