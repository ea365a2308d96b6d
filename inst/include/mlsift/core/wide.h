#pragma once

#include <cstdint>

namespace mlsift {

/// A whole number of 128 bits without a sign. Arithmetic is modulo 2^128.
struct Wide {
  std::uint64_t high, low;

  friend Wide operator+(Wide a, Wide b) {
    const std::uint64_t low = a.low + b.low;
    return {a.high + b.high + (low < a.low), low};
  }
  friend Wide operator-(Wide a, Wide b) { return {a.high - b.high - (a.low < b.low), a.low - b.low}; }
};

/// The product of two words, from the products of their halves.
inline Wide product_of_halves(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t half = 0xffffffff;
  const std::uint64_t low = (a & half) * (b & half), cross = (a >> 32) * (b & half) + (low >> 32);
  const std::uint64_t other = (a & half) * (b >> 32) + (cross & half);
  return {(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32), other << 32 | (low & half)};
}

/// A number divided by a word that is larger than its high word, bit by bit.
inline std::uint64_t quotient_of_bits(Wide a, std::uint64_t by) {
  std::uint64_t rest = a.high, quotient = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const bool carry = rest >> 63 != 0;
    rest = rest << 1 | (a.low >> bit & 1);
    const bool fits = carry || rest >= by;
    if (fits) rest -= by;
    quotient = quotient << 1 | std::uint64_t{fits};
  }
  return quotient;
}

inline Wide product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ typedef unsigned __int128 Native;
  const Native all = Native{a} * b;
  return {static_cast<std::uint64_t>(all >> 64), static_cast<std::uint64_t>(all)};
#else
  return product_of_halves(a, b);
#endif
}

inline std::uint64_t quotient(Wide a, std::uint64_t by) {
#if defined(__SIZEOF_INT128__)
  __extension__ typedef unsigned __int128 Native;
  return static_cast<std::uint64_t>((Native{a.high} << 64 | a.low) / by);
#else
  return quotient_of_bits(a, by);
#endif
}

/// The high word of a product.
inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) { return product(a, b).high; }

/// The high half of the product of two numbers, or one less.
inline Wide high_product(Wide a, Wide b) {
  const Wide first = product(a.high, b.low), second = product(a.low, b.high);
  const Wide lower = Wide{0, first.low} + Wide{0, second.low} + Wide{0, high_product(a.low, b.low)};
  return product(a.high, b.high) + Wide{0, first.high} + Wide{0, second.high} + Wide{0, lower.high};
}

}  // namespace mlsift
