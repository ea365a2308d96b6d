#ifndef MLSIFT_COUNT_JOINT_ROWS_H
#define MLSIFT_COUNT_JOINT_ROWS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../core/prefetch.h"
#include "joint.h"

namespace mlsift {

/// Pairs by rows: what the rows of s off its reference level carry.
class RowCounts : public JointCounts {
 public:
  RowCounts(const Indicators& table, const RowBlock& block, const XLogX& g)
      : table_(table), b_(block), g_(g), cell_(b_.n_indicators()), off_(b_.n_indicators()), reference_off_(b_.size()) {}

  void pairs(int s, std::uint64_t* pair) override {
    start(pair);
    for (int u = begin(s); u < end(s); ++u) {
      for (const int* row = table_.rows_begin(u); row != table_.rows_end(u); ++row) {
        const int* const last = b_.end(static_cast<std::size_t>(*row));
        for (const int* c = b_.begin(static_cast<std::size_t>(*row)); c != last; ++c)
          ++cell_[static_cast<std::size_t>(*c)];
      }
      for (std::size_t i = 0; i < b_.size(); ++i) pair[b_.variables[i]] += pair_level(i, table_.count(u));
    }
    finish(pair);
  }

  void triples(int s, std::uint64_t* pair, std::uint64_t*, std::uint64_t*) override { pairs(s, pair); }

  /// Lists G(f, s) of the variables of the block that meet s off the reference levels. All variables have at most one
  /// indicator.
  void pairs_met(int s, std::vector<JointSums>& met) {
    meet(s, [](std::size_t, std::size_t) {});
    met.reserve(met.size() + touched_.size());
    const int n_s = off_reference(s);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      ask_for(i);
      met.push_back(pair_met(touched_[i], n_s));
    }
  }

 protected:
  // Counts rows of s with each indicator (cell_) and lists those that have any (touched_). Calls visit(row, c).
  template <class Visit>
  void meet(int s, Visit visit) {
    own_indicators();
    touched_.clear();
    for (int u = begin(s); u < end(s); ++u) {
      for (const int* row = table_.rows_begin(u); row != table_.rows_end(u); ++row) {
        const std::size_t at = static_cast<std::size_t>(*row);
        const int* const last = b_.end(at);
        for (const int* c = b_.begin(at); c != last; ++c) {
          if (last - c > ahead) prefetch(cell_.data() + c[ahead]);
          if (cell_[static_cast<std::size_t>(*c)]++ == 0) touched_.push_back(*c);
          visit(at, static_cast<std::size_t>(*c));
        }
      }
    }
  }

  // G(f, s) of the variable of indicator c, whose count is cleared.
  JointSums pair_met(int c, int n_s) {
    const std::size_t at = static_cast<std::size_t>(c);
    JointSums sums;
    sums.feature = owner_[at];
    sums.pair = four_cells(g_, static_cast<int>(table_.n_rows), b_.count[at], n_s, cell_[at]);
    cell_[at] = 0;
    return sums;
  }

  // Asks for what pair_met() will need of touched indicators.
  void ask_for(std::size_t i) const {
    if (i + ahead >= touched_.size()) return;
    const int c = touched_[i + ahead];
    prefetch(cell_.data() + c);
    prefetch(owner_.data() + c);
    prefetch(b_.count.data() + c);
  }

  static constexpr std::ptrdiff_t ahead = 16;

  int off_reference(int s) const { return static_cast<int>(table_.n_rows) - reference(s); }

  // owner_: the feature of each indicator.
  void own_indicators() {
    if (!owner_.empty()) return;
    for (std::size_t i = 0; i < b_.size(); ++i) {
      if (b_.first[i] < b_.first[i + 1]) owner_.push_back(b_.variables[i]);
    }
  }

  // Indicators of s.
  int begin(int s) const { return s < 0 ? 0 : table_.begin(s); }
  int end(int s) const { return s < 0 ? 0 : table_.end(s); }
  int reference(int s) const { return s < 0 ? static_cast<int>(table_.n_rows) : table_.reference(s); }

  void start(std::uint64_t* pair) {
    for (const int f : b_.variables) pair[f] = 0;
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

  // Cells of the reference level of s.
  void finish(std::uint64_t* pair) const {
    for (std::size_t i = 0; i < b_.size(); ++i) {
      std::uint64_t sum = g_(b_.reference[i] - reference_off_[i]);
      for (std::size_t c = b_.first[i]; c < b_.first[i + 1]; ++c) sum += g_(b_.count[c] - off_[c]);
      pair[b_.variables[i]] += sum;
    }
  }

  const Indicators& table_;
  const RowBlock& b_;
  const XLogX& g_;
  std::vector<int> cell_, off_;  // by indicator of the block: rows in the current level of s, in all but its reference
  std::vector<int> reference_off_;  // by variable: rows of its reference level in all levels of s but the reference
  std::vector<int> owner_, touched_;
};

}  // namespace mlsift

#endif
