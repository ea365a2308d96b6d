#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlsift {

// Without processor-specific flags, x86-64 counts bits by arithmetic. Whether it has the instruction is checked at run
// time.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__POPCNT__)
#define MLSIFT_POPCNT_AT_RUN_TIME
#endif
#if defined(__GNUC__)
#define MLSIFT_INLINE inline __attribute__((always_inline))
#else
#define MLSIFT_INLINE inline
#endif

/// The number of bits set in a word.
inline int popcount(std::uint64_t word) {
#if defined(__POPCNT__) || defined(__aarch64__)
  return __builtin_popcountll(word);
#else
  word -= (word >> 1) & 0x5555555555555555ULL;
  word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return static_cast<int>((word * 0x0101010101010101ULL) >> 56);
#endif
}

/// The number of bits in which two rows of words differ.
inline int bits_apart(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  int sum = 0;
  for (std::size_t w = 0; w < words; ++w) sum += popcount(a[w] ^ b[w]);
  return sum;
}

/// The position of the lowest bit set in a nonzero word.
inline std::size_t lowest_one(std::uint64_t word) {
#if defined(__GNUC__)
  return static_cast<std::size_t>(__builtin_ctzll(word));
#else
  return static_cast<std::size_t>(popcount((word & (~word + 1)) - 1));
#endif
}

/// Calls visit(number) for every bit set in a word, lowest first; `first` is the number of its lowest bit.
template <class Visit>
void visit_ones(std::uint64_t word, std::size_t first, Visit visit) {
  for (; word != 0; word &= word - 1) visit(first + lowest_one(word));
}

struct PlainPopcount {
  static MLSIFT_INLINE int of(std::uint64_t word) { return popcount(word); }
};

/// Bit columns, `words` words each, one after the other.
struct BitColumns {
  std::size_t words = 0;
  std::vector<std::uint64_t> bits;

  void assign(std::size_t n_columns, std::size_t n_rows) {
    words = (n_rows + 63) / 64;
    bits.assign(n_columns * words, 0);
  }
  std::uint64_t* column(std::size_t c) { return bits.data() + c * words; }
  const std::uint64_t* column(std::size_t c) const { return bits.data() + c * words; }
  void set(std::size_t c, std::size_t row) { column(c)[row / 64] |= std::uint64_t{1} << (row % 64); }
};

// to[i * stride + j] = rows in both column i of a and column j of b, each stored column by column. It works in pieces,
// so that the columns of b are read from the nearest cache.
template <class Popcount>
MLSIFT_INLINE void count_both_with(const std::uint64_t* a, std::size_t n_a, const std::uint64_t* b, std::size_t n_b,
                                   std::size_t words, int* to, std::size_t stride) {
  constexpr std::size_t piece = 256;
  for (std::size_t i = 0; i < n_a; ++i) std::fill(to + i * stride, to + i * stride + n_b, 0);
  for (std::size_t begin = 0; begin < words; begin += piece) {
    const std::size_t end = std::min(words, begin + piece);
    for (std::size_t i = 0; i < n_a; ++i) {
      const std::uint64_t* const x = a + i * words;
      std::size_t j = 0;
      for (; j + 4 <= n_b; j += 4) {
        const std::uint64_t *const y0 = b + j * words, *const y1 = y0 + words, *const y2 = y1 + words,
                                   *const y3 = y2 + words;
        std::int64_t c0 = 0, c1 = 0, c2 = 0, c3 = 0;
        for (std::size_t w = begin; w < end; ++w) {
          c0 += Popcount::of(x[w] & y0[w]);
          c1 += Popcount::of(x[w] & y1[w]);
          c2 += Popcount::of(x[w] & y2[w]);
          c3 += Popcount::of(x[w] & y3[w]);
        }
        int* const at = to + i * stride + j;
        at[0] += static_cast<int>(c0);
        at[1] += static_cast<int>(c1);
        at[2] += static_cast<int>(c2);
        at[3] += static_cast<int>(c3);
      }
      for (; j < n_b; ++j) {
        std::int64_t count = 0;
        for (std::size_t w = begin; w < end; ++w) count += Popcount::of(x[w] & b[j * words + w]);
        to[i * stride + j] += static_cast<int>(count);
      }
    }
  }
}

inline void count_both_plainly(const std::uint64_t* a, std::size_t n_a, const std::uint64_t* b, std::size_t n_b,
                               std::size_t words, int* to, std::size_t stride) {
  count_both_with<PlainPopcount>(a, n_a, b, n_b, words, to, stride);
}

#if defined(MLSIFT_POPCNT_AT_RUN_TIME)
struct NativePopcount {
  static MLSIFT_INLINE int of(std::uint64_t word) { return __builtin_popcountll(word); }
};

__attribute__((target("popcnt"))) inline void count_both_natively(const std::uint64_t* a, std::size_t n_a,
                                                                  const std::uint64_t* b, std::size_t n_b,
                                                                  std::size_t words, int* to, std::size_t stride) {
  count_both_with<NativePopcount>(a, n_a, b, n_b, words, to, stride);
}
#endif

/// to[i * stride + j] = rows in both column i of a and column j of b, by the fastest method of the processor.
inline void count_both(const std::uint64_t* a, std::size_t n_a, const std::uint64_t* b, std::size_t n_b,
                       std::size_t words, int* to, std::size_t stride) {
#if defined(MLSIFT_POPCNT_AT_RUN_TIME)
  static const bool native = __builtin_cpu_supports("popcnt") != 0;
  if (native) return count_both_natively(a, n_a, b, n_b, words, to, stride);
#endif
  count_both_plainly(a, n_a, b, n_b, words, to, stride);
}

}  // namespace mlsift
