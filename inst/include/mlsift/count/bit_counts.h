#ifndef MLSIFT_COUNT_BIT_COUNTS_H
#define MLSIFT_COUNT_BIT_COUNTS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "bit_block.h"
#include "joint_counts.h"
#include "row_weights.h"
#include "side_table.h"

namespace mlsift {

/// Joint counts by bit columns: ones of the columns of f and of s, and of f, s and a target, together; margins give
/// what has a reference level. The bits of weights are columns too: what ones count is the sum over bits p of the
/// weights of 2^p times the ones that have this bit.
///
/// cost     levels of f x levels of s x (1 + levels of the targets) x bits of weights x rows / 64 words, for each f
template <class Weights>
class BitCounts : public JointCounts {
 public:
  using G = typename Weights::G;

  /// `targets` may be null when only pairs are wanted.
  BitCounts(const Indicators& table, const BitBlock& block, const BitBlock* targets, const G& g)
      : table_(table),
        planes_(table),
        b_(block),
        t_(targets),
        cells_(targets ? *targets : b_, g),
        other_cells_(targets ? *targets : b_, g),
        g_(g),
        sides_(1 + (t_ ? t_->n_indicators() : 0)) {
    all_.push_back(table.n());
    if (t_) all_.insert(all_.end(), t_->count.begin(), t_->count.end());
    with_.resize(b_.n_indicators() * sides_);
    if (t_) {
      const std::size_t m = sides_ - 1;
      if (Weights::weighted) {
        planes_of_targets_.assign(m * planes(), table.n_rows);
        for (std::size_t j = 0; j < m; ++j) split(t_->columns.column(j), planes_of_targets_.column(j * planes()));
      }
      count(b_.columns.bits.data(), b_.n_indicators(), target_planes(), m, with_.data() + 1, sides_);
    }
    for (std::size_t c = 0; c < b_.n_indicators(); ++c) with_[c * sides_] = b_.count[c];
  }

  void pairs(int s, std::uint64_t* pair) override { sums(cells_, s, 1, pair, nullptr, nullptr); }

  void triples(int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) override {
    sums(cells_, s, sides_, pair, triple, each);
  }

  /// Counts the rows with both variables off their reference levels. The rest follows from the counts of each alone.
  void triples_with_two(int s, int u, int joined, std::uint64_t* pair, std::uint64_t* triple) override {
    const std::size_t e_s = n_levels(s), e_u = n_levels(u);
    const int *const f_s = with_one(s), *const f_u = with_one(u);
    if (e_s == 0 || e_u == 0 || !f_s || !f_u) return triples(joined, pair, triple, nullptr);
    look_at(s, sides_, selected_);
    look_at(u, sides_, other_);
    const Selected &one = selected_, &other = other_;
    // A mask for each pair of levels and side, and the rows of both, with the reference levels last.
    BitColumns& masks = two_masks_;
    masks.assign(e_s * e_u * sides_ * planes(), table_.n_rows);
    two_.resize(e_s, e_u, sides_);
    for (std::size_t a = 0; a < e_s; ++a) {
      for (std::size_t b = 0; b < e_u; ++b) {
        const std::uint64_t* const x = one.rows_of(a, sides_);
        for (std::size_t j = 0; j < sides_; ++j) {
          int sum = 0;
          for (std::size_t p = 0; p < planes(); ++p) {
            const std::uint64_t* const y = other.masks.column((b * sides_ + j) * planes() + p);
            std::uint64_t* const to = masks.column(((a * e_u + b) * sides_ + j) * planes() + p);
            int ones = 0;
            for (std::size_t w = 0; w < words(); ++w) {
              to[w] = x[w] & y[w];
              ones += popcount(to[w]);
            }
            sum += ones << p;
          }
          two_.data()[a * two_.row() + b * sides_ + j] = sum;
        }
      }
    }
    two_.complete(other.count.data(), one.count.data());
    two_count_.assign(two_.data(), two_.data() + (e_s + 1) * two_.row());
    const std::size_t levels = (e_s + 1) * (e_u + 1) - 1;
    for (std::size_t i = 0; i < b_.size(); ++i) {
      const std::size_t first = b_.first[i], e = b_.first[i + 1] - first;
      const std::size_t f = static_cast<std::size_t>(b_.variables[i]);
      n_.resize(e, levels, sides_);
      two_counts_.resize(e * e_s * e_u * sides_);
      count(b_.columns.column(first), e, masks.bits.data(), e_s * e_u * sides_, two_counts_.data(), e_s * e_u * sides_);
      for (std::size_t v = 0; v < e; ++v) {
        spread(two_counts_.data() + v * e_s * e_u * sides_, e_s, e_u, f_s + (first + v) * e_s * sides_,
               f_u + (first + v) * e_u * sides_, n_.data() + v * n_.row());
      }
      n_.complete(two_count_.data(), with_.data() + first * sides_);
      n_.sums(cells_, g_, pair + f, triple + f, nullptr);
    }
  }

  void other_cells(int s, Measure measure, std::uint64_t* pair, std::uint64_t* other) override {
    sums(other_cells_.of(measure), s, sides_, pair, other, nullptr);
  }

  void other_cells_of(std::size_t i, int s, Measure measure, std::uint64_t* pair, std::uint64_t* other) override {
    sums_of(other_cells_.of(measure), i, remembered(s), sides_, pair, other, nullptr);
  }

  const int* with_targets(std::size_t c) const override { return t_ ? with_.data() + c * sides_ + 1 : nullptr; }

  void triples_of(std::size_t i, int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) override {
    sums_of(cells_, i, remembered(s), sides_, pair, triple, each);
  }

 private:
  static constexpr std::size_t most_remembered = std::size_t{32} << 20;  // bytes

  // Of one variable s and some sides: columns of bits for each of its levels (but the reference) and side, one for each
  // plane, and what every level and side counts.
  struct Selected {
    std::size_t levels = 0;
    BitColumns masks, rows;  // rows: of the levels, where rows have weights
    std::vector<int> count;

    // The rows of level u.
    const std::uint64_t* rows_of(std::size_t u, std::size_t sides) const {
      return Weights::weighted ? rows.column(u) : masks.column(u * sides);
    }
  };

  std::size_t words() const { return b_.columns.words; }
  std::size_t planes() const { return Weights::weighted ? planes_.number : 1; }

  const std::uint64_t* target_planes() const {
    return (Weights::weighted ? planes_of_targets_ : t_->columns).bits.data();
  }

  // The ones of a column by the bits of their weights.
  void split(const std::uint64_t* column, std::uint64_t* to) const {
    for (std::size_t p = 0; p < planes(); ++p) {
      const std::uint64_t* const plane = planes_.columns.column(p);
      for (std::size_t w = 0; w < words(); ++w) to[p * words() + w] = column[w] & plane[w];
    }
  }

  // to[i * stride + j] = the count of the ones in both column i of a and column j of b; b has the planes of each.
  void count(const std::uint64_t* a, std::size_t n_a, const std::uint64_t* b, std::size_t n_b, int* to,
             std::size_t stride) const {
    if (!Weights::weighted) return count_both(a, n_a, b, n_b, words(), to, stride);
    ones_.resize(n_b * planes());
    for (std::size_t i = 0; i < n_a; ++i) {
      count_both(a + i * words(), 1, b, n_b * planes(), words(), ones_.data(), 0);
      const int* ones = ones_.data();
      for (std::size_t j = 0; j < n_b; ++j) {
        int sum = 0;
        for (std::size_t p = 0; p < planes(); ++p) sum += *ones++ << p;
        to[i * stride + j] = sum;
      }
    }
  }

  std::size_t n_levels(int s) const { return static_cast<std::size_t>(table_.end(s) - table_.begin(s)); }

  // What each indicator of the block counts with each level of s and side; null where there is no room for them.
  const int* with_one(int s) {
    const auto found = with_one_.find(s);
    if (found != with_one_.end()) return found->second.data();
    const std::size_t stride = n_levels(s) * sides_, size = b_.n_indicators() * stride;
    if (sizeof(int) * (size_with_one_ + size) > most_with_one) return nullptr;
    size_with_one_ += size;
    std::vector<int>& counts = with_one_[s];
    counts.resize(size);
    look_at(s, sides_, selected_);
    count(b_.columns.bits.data(), b_.n_indicators(), selected_.masks.bits.data(), stride, counts.data(), stride);
    return counts.data();
  }

  // to: [level of s][level of u][side] from the cells off both reference levels and those of s and of u alone, the
  // reference levels last; all but the cell of both.
  void spread(const int* both, std::size_t e_s, std::size_t e_u, const int* s, const int* u, int* to) const {
    const std::size_t row = (e_u + 1) * sides_;
    std::copy_n(u, e_u * sides_, to + e_s * row);
    for (std::size_t a = 0; a < e_s; ++a) {
      int* const rest = to + a * row + e_u * sides_;
      std::copy_n(s + a * sides_, sides_, rest);
      for (std::size_t c = 0; c < e_u * sides_; ++c) {
        const int n = both[a * e_u * sides_ + c];
        to[a * row + c] = n;
        rest[c % sides_] -= n;
        to[e_s * row + c] -= n;
      }
    }
  }

  // `sides`: 1 for pairs, else all.
  template <class Cells>
  void sums(Cells& cells, int s, std::size_t sides, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) {
    look_at(s, sides, selected_);
    for (std::size_t i = 0; i < b_.size(); ++i) sums_of(cells, i, selected_, sides, pair, triple, each);
  }

  template <class Cells>
  void sums_of(Cells& cells, std::size_t i, const Selected& s, std::size_t sides, std::uint64_t* pair,
               std::uint64_t* triple, std::uint64_t* each) {
    const std::size_t first = b_.first[i], e = b_.first[i + 1] - first;
    const std::size_t f = static_cast<std::size_t>(b_.variables[i]);
    n_.resize(e, s.levels, sides);
    count(b_.columns.column(first), e, s.masks.bits.data(), s.levels * sides, n_.data(), n_.row());
    n_.complete(s.count.data(), sides > 1 ? with_.data() + first * sides_ : b_.count.data() + first);
    std::uint64_t* const each_f = each ? each + f * t_->size() : nullptr;
    if (each_f) std::fill(each_f, each_f + t_->size(), 0);
    n_.sums(cells, g_, pair + f, triple ? triple + f : nullptr, each_f);
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
    bytes_remembered_ += sizeof(std::uint64_t) * selected.masks.bits.size() + sizeof(int) * selected.count.size();
    return selected;
  }

  void look_at(int s, std::size_t sides, Selected& to) const {
    const std::size_t levels = static_cast<std::size_t>(table_.end(s) - table_.begin(s));
    to.levels = levels;
    to.masks.assign(levels * sides * planes(), table_.n_rows);
    if (Weights::weighted) to.rows.assign(levels, table_.n_rows);
    to.count.assign((levels + 1) * sides, 0);
    std::copy(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(sides),
              to.count.begin() + static_cast<std::ptrdiff_t>(levels * sides));
    for (std::size_t u = 0; u < levels; ++u) {
      const int c = table_.begin(s) + static_cast<int>(u);
      BitColumns& columns = Weights::weighted ? to.rows : to.masks;
      const std::size_t at = Weights::weighted ? u : u * sides;
      for (const int* row = table_.rows_begin(c); row != table_.rows_end(c); ++row)
        columns.set(at, static_cast<std::size_t>(*row));
      const std::uint64_t* const rows = columns.column(at);
      if (Weights::weighted) split(rows, to.masks.column(u * sides * planes()));
      to.count[u * sides] = table_.count(c);
      if (sides > 1) count(rows, 1, target_planes(), sides - 1, to.count.data() + u * sides + 1, sides);
      for (std::size_t j = planes(); j < sides * planes(); ++j) {
        const std::uint64_t* const target = target_planes() + (j - planes()) * words();
        std::uint64_t* const both = to.masks.column(u * sides * planes() + j);
        for (std::size_t w = 0; w < words(); ++w) both[w] = rows[w] & target[w];
      }
      for (std::size_t j = 0; j < sides; ++j) to.count[levels * sides + j] -= to.count[u * sides + j];
    }
  }

  const Indicators& table_;
  const WeightPlanes planes_;
  const BitBlock& b_;
  const BitBlock* t_;
  TargetCells<G> cells_;
  OtherCells<G> other_cells_;
  const G& g_;
  std::size_t sides_;
  std::vector<int> all_;          // by side: its count
  std::vector<int> with_;         // [indicator of the block][side]: what both count
  BitColumns planes_of_targets_;  // where rows have weights
  mutable std::vector<int> ones_;
  Selected selected_;
  SideTable n_;
  static constexpr std::size_t most_with_one = std::size_t{128} << 20;  // bytes
  std::map<int, std::vector<int>> with_one_;                            // see with_one()
  std::size_t size_with_one_ = 0;
  Selected other_;  // of triples_with_two(), as the following
  BitColumns two_masks_;
  SideTable two_;
  std::vector<int> two_count_, two_counts_;
  std::map<int, Selected> remembered_;  // for triples_of()
  std::size_t bytes_remembered_ = 0;
};

}  // namespace mlsift

#endif
