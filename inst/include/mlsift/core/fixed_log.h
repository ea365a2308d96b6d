#ifndef MLSIFT_CORE_FIXED_LOG_H
#define MLSIFT_CORE_FIXED_LOG_H

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
    const int exponent = 63 - __builtin_clzll(k);
    const std::uint64_t mantissa = k << (63 - exponent);  // from 2^63
    const Entry& near = table_[mantissa >> (63 - bits) & ((std::size_t{1} << bits) - 1)];
    // mantissa x inverse = 2^126 (1 + r); log2(1 + r) by its series, factored.
    const auto r = static_cast<std::int64_t>(static_cast<std::uint64_t>(Wide{mantissa} * near.inverse >> 62));
    const std::int64_t low = term_[2] - high(r, term_[3] - high(r, term_[4]));
    const std::int64_t series = term_[0] - high(r, term_[1] - high(r, low));
    const SignedWide log = (SignedWide{exponent} << 64) + near.log + (SignedWide{r} * series >> 62);
    const Wide product = static_cast<Wide>(log) * k;  // k log2(k) 2^64
    const std::uint64_t half = std::uint64_t{1} << (63 - scale);
    const std::uint64_t beyond = static_cast<std::uint64_t>(product) & (2 * half - 1), error = units * k;
    result = static_cast<std::uint64_t>((product + half) >> (64 - scale));
    return beyond - half + error > 2 * error;
#else
    static_cast<void>(k), static_cast<void>(scale), static_cast<void>(result);
    return false;
#endif
  }

  /// The share of counts of about the size of k for which the result is not known.
  static double unknown_share(std::uint64_t k, int scale) {
    return precise ? static_cast<double>(2 * units * k) * std::ldexp(1.0, scale - 64) : 1;
  }

 private:
  static constexpr int bits = 10;
  static constexpr std::size_t terms = 5;
  // Error of both logarithms together, in 2^-64 for each of the k: a long double's is exact to one unit in the last
  // place (32 for logarithms below 32), its product to half a unit (32), and the one here to 8.
  static constexpr std::uint64_t units = 72;
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

  static std::int64_t high(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(SignedWide{a} * b >> 64);
  }
#endif

  Entry table_[std::size_t{1} << bits];
  std::int64_t term_[terms];  // log2(e) / j, 62 bits after the point
};

}  // namespace mlsift

#endif
