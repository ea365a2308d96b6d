#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "../../core/bits.h"
#include "../../data/indicators.h"
#include "joint_counter.h"

namespace mlsift {

/// A block as bit columns, one for each indicator.
struct BitBlock : Block {
  BitColumns columns;

  BitBlock() = default;
  BitBlock(const Indicators& table, std::vector<int> which) : Block(table, std::move(which)) {
    columns.assign(n_indicators(), table.n_rows);
    visit_rows(table, *this, [&](std::size_t c, std::size_t row) { columns.set(c, row); });
  }
};

/// The bits of the row weights, lowest first: as many as the largest weight has. None without weights.
struct WeightPlanes {
  std::size_t number;
  BitColumns columns;

  explicit WeightPlanes(const Indicators& table) : number(number_of(table)) {
    columns.assign(number, table.n_rows);
    for (std::size_t row = 0; row < table.weights.size(); ++row) {
      for (std::size_t p = 0; table.weights[row] >> p != 0; ++p) {
        if (table.weights[row] >> p & 1) columns.set(p, row);
      }
    }
  }

  static std::size_t number_of(const Indicators& table) {
    std::size_t bits = 0;
    for (const int weight : table.weights) {
      while (weight >> bits != 0) ++bits;
    }
    return bits;
  }
};

/// Joint counts by bit columns: ones of the columns of f and of s, and of f, s and a target, together; margins give
/// what has a reference level. The bits of weights are columns too: what ones count is the sum over bits p of the
/// weights of 2^p times the ones that have this bit.
///
/// cost     levels of f x levels of s x (1 + levels of the targets) x bits of weights x rows / 64 words, for each f
template <class Weights>
class BitCounter : public JointCounter {
 public:
  using G = typename Weights::G;

  /// `targets` may be null when only pairs are wanted.
  BitCounter(const Indicators& table, const BitBlock& block, const BitBlock* targets, const G& g)
      : table_(table), planes_(table), b_(block), t_(targets), g_(g), sides_(1 + (t_ ? t_->n_indicators() : 0)) {
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

  void pairs(int s, std::uint64_t* pair) override {
    look_at(s, 1, selected_);
    for (std::size_t i = 0; i < b_.size(); ++i) pair[b_.variables[i]] = count_with(selected_, i, 1, nullptr);
  }

  void visit(int s, int only, const TargetCells& cells, const TakeSums& take) override {
    if (only == all) look_at(s, sides_, selected_);
    const Selected& of_s = only == all ? selected_ : remembered(s);
    const std::size_t begin = only == all ? 0 : static_cast<std::size_t>(only);
    const std::size_t end = only == all ? b_.size() : begin + 1;
    for (std::size_t i = begin; i < end; ++i) {
      sums_.assign(cells.width, 0);
      const std::uint64_t pair = count_with(of_s, i, sides_, &cells);
      take(static_cast<std::size_t>(b_.variables[i]), pair, sums_.data());
    }
  }

  const int* with_targets(std::size_t c) const override { return t_ ? with_.data() + c * sides_ + 1 : nullptr; }

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

  // G(f, s) of variable i. `sides`: 1 for pairs, else all; `cells`: unless null, adds to sums_.
  std::uint64_t count_with(const Selected& s, std::size_t i, std::size_t sides, const TargetCells* cells) {
    const std::size_t first = b_.first[i], e = b_.first[i + 1] - first;
    n_.resize(e, s.levels, sides);
    count(b_.columns.column(first), e, s.masks.bits.data(), s.levels * sides, n_.data(), n_.row());
    n_.complete(s.count.data(), sides > 1 ? with_.data() + first * sides_ : b_.count.data() + first);
    return n_.sum(g_, cells, sums_.data());
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
  const G& g_;
  std::size_t sides_;
  std::vector<int> all_;          // by side: its count
  std::vector<int> with_;         // [indicator of the block][side]: what both count
  BitColumns planes_of_targets_;  // where rows have weights
  mutable std::vector<int> ones_;
  Selected selected_;
  PairTable n_;
  std::vector<std::uint64_t> sums_;
  std::map<int, Selected> remembered_;  // for one variable of the block
  std::size_t bytes_remembered_ = 0;
};

}  // namespace mlsift
