#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../core/bits.h"
#include "../core/lane.h"
#include "targets.h"

namespace mlsift {

/// The classes of each row as bits, to count them for many sets of rows. Bits of several rows are added at once, in
/// vertical counters: bit b of plane k is bit k of the count of class b.
class TargetBits {
 public:
  TargetBits() = default;
  TargetBits(std::size_t n_rows, std::size_t n_classes)
      : n_classes_(n_classes), words_((n_classes + 63) / 64), bits_(n_rows * words_, 0) {}

  /// Empty if counting one by one is faster, because rows have few of many classes. `lookups`: the total number of rows
  /// that will be looked up.
  TargetBits(const Targets& targets, double lookups) {
    const std::size_t n = targets.n_rows(), n_classes = static_cast<std::size_t>(targets.n_classes);
    if (!suit(n, n_classes, targets.ids.size(), lookups)) return;
    for (std::size_t i = 0; i < n; ++i) {
      for (const int* c = targets.begin(i); c != targets.end(i); ++c) set(i, static_cast<std::size_t>(*c));
    }
  }

  /// The same of classes that are not listed by row. visit(c, take) calls take(row) for the rows of class c. `entries`:
  /// how many there are in all.
  template <class Visit>
  TargetBits(std::size_t n_rows, std::size_t n_classes, std::size_t entries, double lookups, Visit visit) {
    if (!suit(n_rows, n_classes, entries, lookups)) return;
    std::vector<std::uint64_t> word(n_rows);  // 64 classes at a time, which fit in the cache
    for (std::size_t w = 0; w < words_; ++w) {
      std::fill(word.begin(), word.end(), 0);
      for (std::size_t c = 64 * w; c < std::min(n_classes, 64 * (w + 1)); ++c)
        visit(c, [&](int row) { word[static_cast<std::size_t>(row)] |= std::uint64_t{1} << (c % 64); });
      for (std::size_t row = 0; row < n_rows; ++row) bits_[row * words_ + w] = word[row];
    }
  }

  void set(std::size_t row, std::size_t c) { bits_[row * words_ + c / 64] |= std::uint64_t{1} << (c % 64); }

  bool empty() const { return words_ == 0; }
  std::size_t n_classes() const { return n_classes_; }
  std::size_t words() const { return words_; }  ///< of a row

  /// Calls take(c, n), n >= 0, where n of the rows have class c; classes may come several times.
  template <class Take>
  void count(const int* row, const int* end, Take take) const {
    if (n_classes_ <= 8 && end - row < 128) return count_bytes(row, end, take);
    if (end - row < few_) {
      for (; row != end; ++row) {
        for (std::size_t w = 0; w < words_; ++w)
          visit_ones(load<std::uint64_t>(*row, w), 64 * w, [&](std::size_t c) { take(c, 1); });
      }
    }
    while (row != end) {
      const int* const stop = row + std::min<std::ptrdiff_t>(end - row, most_rows);
      std::size_t w = 0;
      for (; w + words_in<Words> <= words_; w += words_in<Words>) count_words<Words>(row, stop, w, take);
      for (; w < words_; ++w) count_words<std::uint64_t>(row, stop, w, take);
      row = stop;
    }
  }

 private:
  // Makes room, if counting bits is faster.
  bool suit(std::size_t n_rows, std::size_t n_classes, std::size_t entries, double lookups) {
    constexpr double of_row = 12, of_word = 1.5, unpacked = 300;  // about processor cycles
    const double n = static_cast<double>(n_rows), words = static_cast<double>((n_classes + 63) / 64);
    const double per_row = static_cast<double>(entries) / std::max(n, 1.0);
    if (lookups < 4 * n || words > 1 + per_row || 32 * per_row < static_cast<double>(n_classes)) return false;
    *this = TargetBits(n_rows, n_classes);
    few_ = std::max(few_, static_cast<std::ptrdiff_t>(words * unpacked / (of_row + per_row - of_word * words)));
    return true;
  }

  static constexpr int planes = 16;
  static constexpr std::ptrdiff_t most_rows = (1 << planes) - 8;

  // Two words in one register, where there are such registers.
#if defined(MLSIFT_LANES)
  using Words = std::uint64_t __attribute__((vector_size(16)));
#else
  using Words = std::uint64_t;
#endif
  template <class W>
  static constexpr std::size_t words_in = sizeof(W) / sizeof(std::uint64_t);

  template <class W>
  W load(int row, std::size_t w) const {
    W words;
    std::memcpy(&words, bits_.data() + static_cast<std::size_t>(row) * words_ + w, sizeof words);
    return words;
  }

  // a + b + c = 2 high + low, bit by bit.
  template <class W>
  static void add(W a, W b, W c, W& high, W& low) {
    const W u = a ^ b;
    high = (a & b) | (u & c);
    low = u ^ c;
  }

  template <class W, class Take>
  void count_words(const int* row, const int* end, std::size_t w, Take& take) const {
    constexpr std::ptrdiff_t ahead = 32;
    W plane[planes] = {};
    for (; end - row >= 8; row += 8) {
      if (w == 0 && end - row > ahead + 8) {
        for (int i = 0; i < 8; ++i) prefetch(bits_.data() + static_cast<std::size_t>(row[ahead + i]) * words_);
      }
      const auto at = [&](int i) { return load<W>(row[i], w); };
      W two_a, two_b, four_a, four_b, carry;
      add(plane[0], at(0), at(1), two_a, plane[0]);
      add(plane[0], at(2), at(3), two_b, plane[0]);
      add(plane[1], two_a, two_b, four_a, plane[1]);
      add(plane[0], at(4), at(5), two_a, plane[0]);
      add(plane[0], at(6), at(7), two_b, plane[0]);
      add(plane[1], two_a, two_b, four_b, plane[1]);
      add(plane[2], four_a, four_b, carry, plane[2]);
      carry_from(3, carry, plane);
    }
    for (; row != end; ++row) carry_from(0, load<W>(*row, w), plane);
    for (std::size_t i = 0; i < words_in<W>; ++i) unpack(plane, i, 64 * (w + i), take);
  }

  // Of at most eight classes and 255 rows: a byte of the sum counts each class. There is no branch that is hard to
  // predict.
  template <class Take>
  void count_bytes(const int* row, const int* end, Take& take) const {
    std::uint64_t sum = 0;
    if (n_classes_ == 1) {
      for (; row != end; ++row) sum += load<std::uint64_t>(*row, 0);
    } else {
      for (; row != end; ++row) sum += spread(load<std::uint64_t>(*row, 0));
    }
    for (std::size_t c = 0; c < n_classes_; ++c, sum >>= 8) take(c, static_cast<int>(sum & 255));
  }

  template <class W>
  static std::uint64_t word(const W& words, std::size_t i) {
    std::uint64_t of[words_in<W>];
    std::memcpy(of, &words, sizeof words);
    return of[i];
  }

  template <class W>
  static void carry_from(int k, W carry, W* plane) {
    const auto any = [](const W& words) {
      std::uint64_t all = 0;
      for (std::size_t i = 0; i < words_in<W>; ++i) all |= word(words, i);
      return all != 0;
    };
    for (; any(carry); ++k) {
      const W next = plane[k] & carry;
      plane[k] ^= carry;
      carry = next;
    }
  }

  // Takes the counts of word i of vertical counters, eight classes at a time. A byte has the lower bits of a count,
  // another one the upper bits.
  template <class W, class Take>
  void unpack(const W* plane, std::size_t i, std::size_t first, Take& take) const {
    static_assert(planes == 16, "a count has two bytes");
    std::uint64_t counter[planes];
    int top = 0;
    for (int k = 0; k < planes; ++k) {
      counter[k] = word(plane[k], i);
      if (counter[k] != 0) top = k + 1;
    }
    const std::size_t last = std::min(n_classes_, first + 64);
    for (int shift = 0; first < last; shift += 8) {
      std::uint64_t low = 0, high = 0;
      for (int k = 0; k < std::min(top, 8); ++k) low |= spread(counter[k] >> shift) << k;
      for (int k = 8; k < top; ++k) high |= spread(counter[k] >> shift) << (k - 8);
      for (const std::size_t end = std::min(last, first + 8); first < end; ++first, low >>= 8, high >>= 8)
        take(first, static_cast<int>((low & 255) | (high & 255) << 8));
    }
  }

  // Each of the lowest eight bits in a byte of its own, the first in the lowest.
  static std::uint64_t spread(std::uint64_t bits) {
    constexpr std::uint64_t each = 0x0101010101010101, one = 0x8040201008040201;
    return (((bits & 255) * each & one) + 0x7f * each) >> 7 & each;
  }

  std::size_t n_classes_ = 0, words_ = 0;
  std::ptrdiff_t few_ = 8;           // fewer rows are counted one by one
  std::vector<std::uint64_t> bits_;  // [row][word]
};

}  // namespace mlsift
