#ifndef MLSIFT_CORE_FIXED_LOG_H
#define MLSIFT_CORE_FIXED_LOG_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mlsift {

/// The nearest integer to k log2(k) 2^scale as long doubles give it, from an integer logarithm, which takes a sixth of
/// the time. If the two might differ, that is near the midpoint between two integers, the result is not known.
class FixedLog {
 public:
  static const FixedLog& shared() {
    static const FixedLog logs;
    return logs;
  }

  /// Returns whether the result is known; if so, it is in `result`. 2 <= k, 1 <= scale <= 61, and the result is below
  /// 2^62.
  bool known(std::uint64_t k, int scale, std::uint64_t& result) const {
#if defined(__SIZEOF_INT128__)
    if (scale < 1 || !precise) return false;
    const Wide product = times_log(k);
    const std::uint64_t half = std::uint64_t{1} << (63 - scale);
    const std::uint64_t beyond = static_cast<std::uint64_t>(product) & (2 * half - 1), error = log_error * k;
    result = static_cast<std::uint64_t>((product + half) >> (64 - scale));
    return beyond - half + error > 2 * error;
#else
    static_cast<void>(k), static_cast<void>(scale), static_cast<void>(result);
    return false;
#endif
  }

  /// Calls take(k, result) for the counts begin .. end - 1, 2^16 <= begin, result 0 where it is not known: in less time
  /// than one after the other. In a block of counts around c, with u = 2^scale,
  ///
  ///   (c + i) log2(c + i) u = c log2(c) u + i (log2(c) + log2(e)) u + i^2 log2(e) u / (2 c) - ...
  ///
  /// Whole parts are summed as integers, so what is left to doubles is small.
  template <class Take>
  void known_between(std::uint64_t begin, std::uint64_t end, int scale, Take take) const {
#if defined(__SIZEOF_INT128__)
    if (scale < 1 || !precise) return;
    constexpr long double log2_e = 1.442695040888963407359924681001892137L;
    const long double one = std::ldexp(1.0L, scale);
    const double fraction = std::ldexp(1.0, -64), error_each = log_error * std::ldexp(fraction, scale);
    while (begin < end) {
      const int width = 64 - __builtin_clzll(begin) - near_bits;  // in bits
      const std::uint64_t first = begin >> width << width, last = std::min(end, first + (std::uint64_t{1} << width));
      const std::uint64_t c = first + (std::uint64_t{1} << width) / 2;
      const Wide product = times_log(c);
      const auto whole = static_cast<std::uint64_t>(product >> (64 - scale));
      const long double slope = (std::log2(static_cast<long double>(c)) + log2_e) * one;
      const auto step = static_cast<std::int64_t>(slope);
      const double by_c = 1 / static_cast<double>(c), curve = static_cast<double>(log2_e * one) * by_c;
      // 0.5 more, so that the whole part is the nearest integer. Below 0, which is rare, it is not, nor is it known.
      const double a0 = static_cast<double>(static_cast<std::uint64_t>(product << scale)) * fraction + 0.5;
      const double a1 = static_cast<double>(slope - static_cast<long double>(step));
      const double a2 = curve / 2, a3 = -curve * by_c / 6, a4 = curve * by_c * by_c / 12;
      const double error = error_each * static_cast<double>(last) + 1.0 / 64;
      for (std::uint64_t k = begin; k < last; ++k) {
        const auto i = static_cast<std::int64_t>(k - c);
        const double x = static_cast<double>(i), rest = a0 + x * (a1 + x * (a2 + x * (a3 + x * a4)));
        const auto more = static_cast<std::int64_t>(rest);
        const bool known = std::fabs(rest - static_cast<double>(more) - 0.5) < 0.5 - error;
        take(k, (whole + static_cast<std::uint64_t>(step * i + more)) & (0 - std::uint64_t{known}));
      }
      begin = last;
    }
#else
    static_cast<void>(begin), static_cast<void>(end), static_cast<void>(scale), static_cast<void>(take);
#endif
  }

  /// The share of counts of about the size of k for which the result is not known.
  static double unknown_share(std::uint64_t k, int scale) {
    return precise ? static_cast<double>(2 * log_error * k) * std::ldexp(1.0, scale - 64) : 1;
  }

 private:
  static constexpr int bits = 10, near_bits = 12;
  static constexpr std::size_t terms = 5;
  // Error of both logarithms together, in 2^-64 for each of the k: a long double's is exact to an ulp (32 for
  // logarithms below 32), its product to half an ulp (32), and the one here to 8.
  static constexpr std::uint64_t log_error = 72;
  static constexpr bool precise = std::numeric_limits<long double>::digits >= 64;

  struct Entry {
    std::uint64_t inverse, log;  // 2^63 / m, and the logarithm of m, 64 bits after the point
  };

  FixedLog() {
    for (std::size_t i = 0; i < std::size_t{1} << bits; ++i) {
      const long double middle = 1 + (static_cast<long double>(i) + 0.5L) / (1 << bits);
      table_[i].inverse = static_cast<std::uint64_t>(std::ldexp(1.0L, 63) / middle);
      const long double log = -std::log2(std::ldexp(static_cast<long double>(table_[i].inverse), -63));
      table_[i].log = static_cast<std::uint64_t>(std::ldexp(log, 32)) << 32;
      table_[i].log +=
          static_cast<std::uint64_t>(std::ldexp(log - std::ldexp(static_cast<long double>(table_[i].log), -64), 64));
    }
    for (std::size_t j = 0; j < terms; ++j) {
      term_[j] = static_cast<std::int64_t>(
          std::ldexp(1.442695040888963407359924681001892137L / static_cast<long double>(j + 1), 62));
    }
  }

#if defined(__SIZEOF_INT128__)
  __extension__ typedef unsigned __int128 Wide;
  __extension__ typedef __int128 SignedWide;

  // k log2(k) 2^64, to 8 k.
  Wide times_log(std::uint64_t k) const {
    const int exponent = 63 - __builtin_clzll(k);
    const std::uint64_t mantissa = k << (63 - exponent);  // from 2^63
    const Entry& near = table_[mantissa >> (63 - bits) & ((std::size_t{1} << bits) - 1)];
    // mantissa x inverse = 2^126 (1 + r); log2(1 + r) by its series, factored.
    const auto r = static_cast<std::int64_t>(static_cast<std::uint64_t>(Wide{mantissa} * near.inverse >> 62));
    const std::int64_t low = term_[2] - high(r, term_[3] - high(r, term_[4]));
    const std::int64_t series = term_[0] - high(r, term_[1] - high(r, low));
    const SignedWide log = (SignedWide{exponent} << 64) + near.log + (SignedWide{r} * series >> 62);
    return static_cast<Wide>(log) * k;
  }

  static std::int64_t high(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(SignedWide{a} * b >> 64);
  }
#endif

  Entry table_[std::size_t{1} << bits];
  std::int64_t term_[terms];  // log2(e) / j, 62 bits after the point
};

}  // namespace mlsift

#endif
