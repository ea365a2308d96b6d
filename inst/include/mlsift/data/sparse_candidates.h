#ifndef MLSIFT_DATA_SPARSE_CANDIDATES_H
#define MLSIFT_DATA_SPARSE_CANDIDATES_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "split_numbers.h"

namespace mlsift {

/// Some columns of SplitNumbers, by their positions in the list. Those in the table are skipped.
class SparseCandidates {
 public:
  using Entry = SplitNumbers::Entry;

  SparseCandidates(const SplitNumbers& numbers, const std::vector<int>& columns)
      : numbers_(numbers), columns_(columns), place_(numbers.d, -1), bits_start_(columns.size(), no_bits) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t f = feature(c);
      if (numbers.in_table(f)) continue;
      place_[f] = static_cast<int>(c);
      if (64 * entries(c) < numbers.n) continue;
      bits_start_[c] = bits_.size();
      bits_.resize(bits_.size() + (numbers.n + 63) / 64, 0);
      for (const Entry* e = begin(c); e != end(c); ++e) {
        const std::size_t row = static_cast<std::size_t>(e->at);
        bits_[bits_start_[c] + row / 64] |= std::uint64_t(1) << (row % 64);
      }
    }
  }

  std::size_t size() const { return columns_.size(); }

  /// The rows that have candidate c, ascending.
  const Entry* begin(std::size_t c) const { return numbers_.begin(feature(c)); }
  const Entry* end(std::size_t c) const { return numbers_.end(feature(c)); }
  std::size_t entries(std::size_t c) const { return static_cast<std::size_t>(end(c) - begin(c)); }

  double value(std::size_t c, int row) const { return numbers_.at(static_cast<std::size_t>(row), feature(c)); }

  /// Whether candidate c has bits: many rows have it.
  bool has_bits(std::size_t c) const { return bits_start_[c] != no_bits; }

  /// Whether a row has candidate c, which has bits.
  bool has(std::size_t c, int row) const {
    const std::size_t i = static_cast<std::size_t>(row);
    return bits_[bits_start_[c] + i / 64] >> (i % 64) & 1;
  }

  /// visit(c, value) for the candidates that a row has.
  template <class Visit>
  void visit_row(int row, Visit visit) const {
    const std::size_t i = static_cast<std::size_t>(row);
    for (const Entry* e = numbers_.row_begin(i); e != numbers_.row_end(i); ++e) {
      const int c = place_[static_cast<std::size_t>(e->at)];
      if (c >= 0) visit(static_cast<std::size_t>(c), e->value);
    }
  }

 private:
  static constexpr std::size_t no_bits = static_cast<std::size_t>(-1);

  std::size_t feature(std::size_t c) const { return static_cast<std::size_t>(columns_[c]); }

  const SplitNumbers& numbers_;
  const std::vector<int>& columns_;
  std::vector<int> place_;  // by feature: its position among the columns, or -1
  std::vector<std::uint64_t> bits_;
  std::vector<std::size_t> bits_start_;
};

}  // namespace mlsift

#endif
