#ifndef MLSIFT_COUNT_JOINT_BITS_H
#define MLSIFT_COUNT_JOINT_BITS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "bit_block.h"
#include "joint.h"

namespace mlsift {

/// Joint counts by bit columns: ones of the columns of f and of s, and of f, s and a target, together; margins give
/// what has a reference level.
///
/// cost     levels of f x levels of s x (1 + levels of the targets) x rows / 64 words, for each f
class BitCounts : public JointCounts {
 public:
  /// `targets` may be null when only pairs are wanted.
  BitCounts(const Indicators& table, const BitBlock& block, const BitBlock* targets, const XLogX& g)
      : table_(table),
        b_(block),
        t_(targets),
        cells_(targets ? *targets : b_, g),
        g_(g),
        sides_(1 + (t_ ? t_->n_indicators() : 0)) {
    all_.push_back(static_cast<int>(table.n_rows));
    if (t_) all_.insert(all_.end(), t_->count.begin(), t_->count.end());
    with_.resize(b_.n_indicators() * sides_);
    if (t_)
      count_both(b_.columns.bits.data(), b_.n_indicators(), t_->columns.bits.data(), t_->n_indicators(), words(),
                 with_.data() + 1, sides_);
    for (std::size_t c = 0; c < b_.n_indicators(); ++c) with_[c * sides_] = b_.count[c];
  }

  void pairs(int s, std::uint64_t* pair) override { sums(s, 1, pair, nullptr, nullptr); }

  void triples(int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) override {
    sums(s, sides_, pair, triple, each);
  }

  void triples_of(std::size_t i, int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) override {
    sums_of(i, remembered(s), sides_, pair, triple, each);
  }

 private:
  static constexpr std::size_t most_remembered = std::size_t{32} << 20;  // bytes

  // Of one variable s and some sides: a column of bits for each of its levels (but the reference) and side, and the
  // rows of every level and side.
  struct Selected {
    std::size_t levels = 0;
    BitColumns masks;
    std::vector<int> rows;
  };

  std::size_t words() const { return b_.columns.words; }

  // `sides`: 1 for pairs, else all.
  void sums(int s, std::size_t sides, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) {
    look_at(s, sides, selected_);
    for (std::size_t i = 0; i < b_.size(); ++i) sums_of(i, selected_, sides, pair, triple, each);
  }

  void sums_of(std::size_t i, const Selected& s, std::size_t sides, std::uint64_t* pair, std::uint64_t* triple,
               std::uint64_t* each) {
    const std::size_t first = b_.first[i], e = b_.first[i + 1] - first;
    const std::size_t f = static_cast<std::size_t>(b_.variables[i]);
    n_.resize(e, s.levels, sides);
    count_both(b_.columns.column(first), e, s.masks.bits.data(), s.levels * sides, words(), n_.data(), n_.row());
    n_.complete(s.rows.data(), sides > 1 ? with_.data() + first * sides_ : b_.count.data() + first);
    std::uint64_t* const each_f = each ? each + f * t_->size() : nullptr;
    if (each_f) std::fill(each_f, each_f + t_->size(), 0);
    n_.sums(cells_, g_, pair + f, triple ? triple + f : nullptr, each_f);
  }

  const Selected& remembered(int s) {
    const auto found = remembered_.find(s);
    if (found != remembered_.end()) return found->second;
    if (bytes_remembered_ > most_remembered) {
      remembered_.clear();
      bytes_remembered_ = 0;
    }
    Selected& selected = remembered_[s];
    look_at(s, sides_, selected);
    bytes_remembered_ += sizeof(std::uint64_t) * selected.masks.bits.size() + sizeof(int) * selected.rows.size();
    return selected;
  }

  void look_at(int s, std::size_t sides, Selected& to) const {
    const std::size_t levels = s < 0 ? 0 : static_cast<std::size_t>(table_.end(s) - table_.begin(s));
    to.levels = levels;
    to.masks.assign(levels * sides, table_.n_rows);
    to.rows.assign((levels + 1) * sides, 0);
    std::copy(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(sides),
              to.rows.begin() + static_cast<std::ptrdiff_t>(levels * sides));
    for (std::size_t u = 0; u < levels; ++u) {
      const int c = table_.begin(s) + static_cast<int>(u);
      std::uint64_t* const rows = to.masks.column(u * sides);
      for (const int* row = table_.rows_begin(c); row != table_.rows_end(c); ++row)
        to.masks.set(u * sides, static_cast<std::size_t>(*row));
      to.rows[u * sides] = table_.count(c);
      if (sides > 1)
        count_both(rows, 1, t_->columns.bits.data(), sides - 1, words(), to.rows.data() + u * sides + 1, sides);
      for (std::size_t j = 1; j < sides; ++j) {
        const std::uint64_t* const target = t_->columns.column(j - 1);
        std::uint64_t* const both = to.masks.column(u * sides + j);
        for (std::size_t w = 0; w < words(); ++w) both[w] = rows[w] & target[w];
      }
      for (std::size_t j = 0; j < sides; ++j) to.rows[levels * sides + j] -= to.rows[u * sides + j];
    }
  }

  const Indicators& table_;
  const BitBlock& b_;
  const BitBlock* t_;
  TargetCells<XLogX> cells_;
  const XLogX& g_;
  std::size_t sides_;
  std::vector<int> all_;   // by side: its rows
  std::vector<int> with_;  // [indicator of the block][side]: rows with both
  Selected selected_;
  SideTable n_;
  std::map<int, Selected> remembered_;  // for triples_of()
  std::size_t bytes_remembered_ = 0;
};

}  // namespace mlsift

#endif
