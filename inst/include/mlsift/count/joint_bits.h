#ifndef MLSIFT_COUNT_JOINT_BITS_H
#define MLSIFT_COUNT_JOINT_BITS_H

#include <algorithm>
#include <cstdint>
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

 private:
  std::size_t words() const { return b_.columns.words; }

  // A side is all rows (number 0), or those with a target indicator; `sides`: 1 for pairs, else all.
  void sums(int s, std::size_t sides, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) {
    look_at(s, sides);
    for (std::size_t i = 0; i < b_.size(); ++i) {
      count(i, sides);
      const std::size_t f = static_cast<std::size_t>(b_.variables[i]);
      std::uint64_t* const each_f = each ? each + f * t_->size() : nullptr;
      if (each_f) std::fill(each_f, each_f + t_->size(), 0);
      std::uint64_t two = 0, three = 0;
      for (const int* cell = n_.data(); cell != n_.data() + n_.size(); cell += sides) {
        two += g_(*cell);
        if (triple) three += cells_(cell + 1, *cell, each_f);
      }
      pair[f] = two;
      if (triple) triple[f] = three;
    }
  }

  // masks_: a column for each level of s (but the reference) and side. s_: rows of every level of s and side.
  void look_at(int s, std::size_t sides) {
    levels_ = s < 0 ? 0 : static_cast<std::size_t>(table_.end(s) - table_.begin(s));
    masks_.assign(levels_ * sides, table_.n_rows);
    s_.assign((levels_ + 1) * sides, 0);
    std::copy(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(sides),
              s_.begin() + static_cast<std::ptrdiff_t>(levels_ * sides));
    for (std::size_t u = 0; u < levels_; ++u) {
      const int c = table_.begin(s) + static_cast<int>(u);
      std::uint64_t* const rows = masks_.column(u * sides);
      for (const int* row = table_.rows_begin(c); row != table_.rows_end(c); ++row)
        masks_.set(u * sides, static_cast<std::size_t>(*row));
      s_[u * sides] = table_.count(c);
      if (sides > 1) count_both(rows, 1, t_->columns.bits.data(), sides - 1, words(), s_.data() + u * sides + 1, sides);
      for (std::size_t j = 1; j < sides; ++j) {
        const std::uint64_t* const target = t_->columns.column(j - 1);
        std::uint64_t* const both = masks_.column(u * sides + j);
        for (std::size_t w = 0; w < words(); ++w) both[w] = rows[w] & target[w];
      }
      for (std::size_t j = 0; j < sides; ++j) s_[levels_ * sides + j] -= s_[u * sides + j];
    }
  }

  // n_: [level of f][level of s][side], reference levels last.
  void count(std::size_t i, std::size_t sides) {
    const std::size_t first = b_.first[i], e = b_.first[i + 1] - first, row = s_.size();
    n_.resize((e + 1) * row);
    std::copy(s_.begin(), s_.end(), n_.begin() + static_cast<std::ptrdiff_t>(e * row));
    count_both(b_.columns.column(first), e, masks_.bits.data(), levels_ * sides, words(), n_.data(), row);
    int* const reference = n_.data() + e * row;
    for (std::size_t v = 0; v < e; ++v) {
      int* const n = n_.data() + v * row;
      int* const rest = n + levels_ * sides;
      std::copy_n(with_.data() + (first + v) * sides_, sides, rest);
      for (std::size_t u = 0; u < levels_; ++u) {
        for (std::size_t j = 0; j < sides; ++j) rest[j] -= n[u * sides + j];
      }
      for (std::size_t c = 0; c < row; ++c) reference[c] -= n[c];
    }
  }

  const Indicators& table_;
  const BitBlock& b_;
  const BitBlock* t_;
  TargetCells cells_;
  const XLogX& g_;
  std::size_t sides_, levels_ = 0;
  std::vector<int> all_;   // by side: its rows
  std::vector<int> with_;  // [indicator of the block][side]: rows with both
  BitColumns masks_;
  std::vector<int> s_, n_;
};

}  // namespace mlsift

#endif
