#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "wide.h"

namespace mlsift {

/// The whole number nearest to k log2(k) 2^scale, for 1 <= k < 2^60, 1 <= scale <= 61 and results below 2^62. Whole
/// numbers alone decide it, so it is the same on every platform.
///
/// With k = 2^e (v + r) / 2^10, where v is whole and 0 <= r < 1, log2(k) = e - 10 + log2(v) + log2(1 + r / v). The
/// table has the logarithms of v. A fraction of 64 bits is enough unless the result is near the midpoint between two
/// whole numbers. Then it is computed again with 128 bits, which leave an error of less than k 2^-112.
class FixedLog {
 public:
  static const FixedLog& shared() {
    static const FixedLog logs;
    return logs;
  }

  std::uint64_t nearest(std::uint64_t k, int scale) const {
    const int exponent = exponent_of(k);
    const Wide product = times(k, exponent, fraction(k, exponent));
    const std::uint64_t half = std::uint64_t{1} << (63 - scale), error = fraction_error * k;
    const std::uint64_t beyond = product.low & (2 * half - 1);
    return beyond - half + error > 2 * error ? rounded(product, scale) : rounded(times_precise(k), scale);
  }

  /// Calls take(k, result) for k = begin .. end - 1, 2^16 <= begin, in less time than one after the other. In a block
  /// of numbers around c, with u = 2^scale,
  ///
  ///   (c + i) log2(c + i) u = c log2(c) u + i (log2(c) + log2(e)) u + i^2 log2(e) u / (2 c) - ...
  ///
  /// Whole parts are summed as whole numbers, so what is left to doubles is small, and their error below 1 / 64.
  /// Nearer to a midpoint, the result is computed alone.
  template <class Take>
  void nearest_between(std::uint64_t begin, std::uint64_t end, int scale, Take take) const {
    const double unit = std::ldexp(1.0, scale - 64);
    while (begin < end) {
      const int width = exponent_of(begin) + 1 - near_bits;  // in bits
      const std::uint64_t first = begin >> width << width, last = std::min(end, first + (std::uint64_t{1} << width));
      const std::uint64_t c = first + (std::uint64_t{1} << width) / 2;
      const Wide product = times_precise(c);
      const Wide log{static_cast<std::uint64_t>(exponent_of(c)), precise_fraction(c, exponent_of(c)).high};
      const Wide slope = log + Wide{1, log2_e.high};
      const std::uint64_t at_c = whole(product, scale);
      const auto step = static_cast<std::int64_t>(whole(slope, scale));
      const double by_c = 1 / static_cast<double>(c), curve = std::ldexp(1.4426950408889634, scale) * by_c;
      // 0.5 more, so that the whole part is the nearest number. Below 0, which is rare, it is not.
      const double a0 = rest(product, scale) * unit + 0.5, a1 = rest(slope, scale) * unit;
      const double a2 = curve / 2, a3 = -curve * by_c / 6, a4 = curve * by_c * by_c / 12;
      for (std::uint64_t k = begin; k < last; ++k) {
        const auto i = static_cast<std::int64_t>(k - c);
        const double x = static_cast<double>(i), sum = a0 + x * (a1 + x * (a2 + x * (a3 + x * a4)));
        const auto more = static_cast<std::int64_t>(sum);
        const bool known = std::fabs(sum - static_cast<double>(more) - 0.5) < 0.5 - 1.0 / 64;
        take(k, known ? at_c + static_cast<std::uint64_t>(step * i + more) : nearest(k, scale));
      }
      begin = last;
    }
  }

 private:
  static constexpr int bits = 10, near_bits = 12;
  static constexpr std::size_t size = std::size_t{1} << bits, terms = 5;
  static constexpr std::uint64_t fraction_error = 8;                     // of fraction(), in 2^-64
  static constexpr Wide log2_e{0x71547652b82fe177, 0x7d0ffda0d23a7d11};  // less 1

  struct Entry {
    std::uint64_t inverse;  // 2^73 / v
    Wide log;               // log2(v / 2^10), 128 bits after the point
  };

  // log2(v + 1) is log2(v) and 2 log2(e) atanh(1 / (2 v + 1)).
  FixedLog() {
    for (std::size_t j = 0; j < terms; ++j) {
      odd_[j] = ratio(1, 2 * j + 3);
      term_[j] = ((std::uint64_t{1} << 62) + (log2_e.high >> 2)) / (j + 1);
    }
    Wide log{0, 0};
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t v = size + i;
      table_[i] = {quotient({std::uint64_t{1} << 9, 0}, v), log};
      log = log + log_ratio(ratio(1, 2 * v + 1));
    }
  }

  // The part of the logarithm after the point, to 8 / 2^64. With y = r / v, by the series of log2(1 + y) to y^5.
  std::uint64_t fraction(std::uint64_t k, int exponent) const {
    const std::uint64_t mantissa = k << (63 - exponent);
    const Entry& entry = table_[mantissa >> (63 - bits) & (size - 1)];
    const std::uint64_t y = high_product(mantissa << (1 + bits), entry.inverse);  // 73 bits after the point
    std::uint64_t sum = term_[terms - 1];
    for (std::size_t j = terms - 1; j > 0; --j) sum = term_[j - 1] - (high_product(y, sum) >> 9);
    return entry.log.high + (high_product(y, sum) >> 7);
  }

  // The same to 2^-112, with 128 bits after the point.
  Wide precise_fraction(std::uint64_t k, int exponent) const {
    const std::uint64_t mantissa = k << (62 - exponent), rest = mantissa & (~std::uint64_t{0} >> (2 + bits));
    return table_[mantissa >> (62 - bits) & (size - 1)].log + log_ratio(ratio(rest, 2 * mantissa - rest));
  }

  // k log2(k), 64 bits after the point.
  static Wide times(std::uint64_t k, int exponent, std::uint64_t fraction) {
    return Wide{k * static_cast<std::uint64_t>(exponent), 0} + product(k, fraction);
  }

  Wide times_precise(std::uint64_t k) const {
    const int exponent = exponent_of(k);
    const Wide fraction = precise_fraction(k, exponent);
    return times(k, exponent, fraction.high) + Wide{0, high_product(k, fraction.low)};
  }

  // Of a number with 64 bits after the point, times 2^scale: the whole part, and the rest in 2^(scale - 64).
  static std::uint64_t whole(Wide a, int scale) { return a.high << scale | a.low >> (64 - scale); }
  static double rest(Wide a, int scale) { return static_cast<double>(a.low & (~std::uint64_t{0} >> scale)); }

  static std::uint64_t rounded(Wide a, int scale) {
    return whole(a + Wide{0, std::uint64_t{1} << (63 - scale)}, scale);
  }

  static int exponent_of(std::uint64_t k) {
#if defined(__GNUC__)
    return 63 - __builtin_clzll(k);
#else
    int exponent = 0;
    while (k >>= 1) ++exponent;
    return exponent;
#endif
  }

  // a / b, 128 bits after the point, for a < b.
  static Wide ratio(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t high = quotient({a, 0}, b);
    return {high, quotient({0 - high * b, 0}, b)};
  }

  // log2((1 + z) / (1 - z)) for z < 2^-10, 128 bits after the point: 2 log2(e) (z + z^3 / 3 + z^5 / 5 + ...).
  Wide log_ratio(Wide z) const {
    const Wide square = high_product(z, z);
    Wide sum{0, 0};
    for (std::size_t j = terms; j > 0; --j) sum = high_product(square, sum + odd_[j - 1]);
    const Wide atanh = z + high_product(z, sum), more = high_product(atanh, log2_e);
    return atanh + atanh + more + more;
  }

  Entry table_[size];
  std::uint64_t term_[terms];  // log2(e) / (j + 1), 62 bits after the point
  Wide odd_[terms];            // 1 / (2 j + 3), 128 bits after the point
};

}  // namespace mlsift
