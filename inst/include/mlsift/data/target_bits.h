#ifndef MLSIFT_DATA_TARGET_BITS_H
#define MLSIFT_DATA_TARGET_BITS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "targets.h"

namespace mlsift {

/// The classes of each row as bits, to count them for many sets of rows. Bits of several rows are added at once, in
/// vertical counters: bit b of plane k is bit k of the count of class b.
class TargetBits {
 public:
  /// Empty if counting one by one is faster, because rows have few of many classes. `lookups`: the total number of rows
  /// that will be looked up.
  TargetBits(const Targets& targets, double lookups) {
    const double n = static_cast<double>(targets.n_rows());
    const std::size_t words = (static_cast<std::size_t>(targets.n_classes) + 63) / 64;
    if (lookups < 4 * n || static_cast<double>(words) > 1 + static_cast<double>(targets.ids.size()) / n) return;
    words_ = words;
    bits_.assign(targets.n_rows() * words, 0);
    for (std::size_t i = 0; i < targets.n_rows(); ++i) {
      for (const int* c = targets.begin(i); c != targets.end(i); ++c) {
        bits_[i * words + static_cast<std::size_t>(*c) / 64] |= std::uint64_t{1} << (*c % 64);
      }
    }
  }

  bool empty() const { return words_ == 0; }

  /// Whether count() of so many rows is faster than counting one by one, with so many classes in each.
  bool pays(double rows, double per_row) const {
    constexpr double of_row = 12, of_word = 2, unpacked = 1000;  // about processor cycles
    return static_cast<double>(words_) * (of_word * rows + unpacked) < rows * (of_row + per_row);
  }

  /// Adds to counts[c], for each class c, how many of the rows carry it.
  void count(const int* row, const int* end, int n_classes, int* counts) const {
    while (row != end) {
      const int* const stop = row + std::min<std::ptrdiff_t>(end - row, most_rows);
      for (std::size_t w = 0; w < words_; ++w) {
        const int from = static_cast<int>(64 * w);
        count_word(row, stop, w, std::min(64, n_classes - from), counts + from);
      }
      row = stop;
    }
  }

 private:
  static constexpr int planes = 16;
  static constexpr std::ptrdiff_t most_rows = (1 << planes) - 8;

  // a + b + c = 2 high + low, bit by bit.
  static void add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t& high, std::uint64_t& low) {
    const std::uint64_t u = a ^ b;
    high = (a & b) | (u & c);
    low = u ^ c;
  }

  void count_word(const int* row, const int* end, std::size_t w, int size, int* counts) const {
    constexpr std::ptrdiff_t ahead = 32;
    const std::uint64_t* const bits = bits_.data() + w;
    std::uint64_t plane[planes] = {};
    for (; end - row >= 8; row += 8) {
      if (w == 0 && end - row > ahead + 8) {
        for (int i = 0; i < 8; ++i) prefetch(bits + static_cast<std::size_t>(row[ahead + i]) * words_);
      }
      const auto at = [&](int i) { return bits[static_cast<std::size_t>(row[i]) * words_]; };
      std::uint64_t two_a, two_b, four_a, four_b, carry;
      add(plane[0], at(0), at(1), two_a, plane[0]);
      add(plane[0], at(2), at(3), two_b, plane[0]);
      add(plane[1], two_a, two_b, four_a, plane[1]);
      add(plane[0], at(4), at(5), two_a, plane[0]);
      add(plane[0], at(6), at(7), two_b, plane[0]);
      add(plane[1], two_a, two_b, four_b, plane[1]);
      add(plane[2], four_a, four_b, carry, plane[2]);
      carry_from(3, carry, plane);
    }
    for (; row != end; ++row) carry_from(0, bits[static_cast<std::size_t>(*row) * words_], plane);
    int top = planes;
    while (top > 0 && plane[top - 1] == 0) --top;
    for (int c = 0; c < size; ++c) {
      int count = 0;
      for (int k = 0; k < top; ++k) count += static_cast<int>(plane[k] >> c & 1) << k;
      counts[c] += count;
    }
  }

  static void carry_from(int k, std::uint64_t carry, std::uint64_t* plane) {
    for (; carry != 0; ++k) {
      const std::uint64_t next = plane[k] & carry;
      plane[k] ^= carry;
      carry = next;
    }
  }

  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;  // [row][word]
};

}  // namespace mlsift

#endif
