#ifndef MLSIFT_CORE_XLOGX_H
#define MLSIFT_CORE_XLOGX_H

#include <cmath>
#include <cstdint>
#include <vector>

namespace mlsift {

/// n log2 n for counts n = 0 .. N, as integers: a value g stands for g / 2^scale.
///
/// Entropies of counts are sums of such terms, and sums of integers do not depend on their order. So equal counts give
/// equal bits whatever the layout of the columns, the order of rows and labels, or the number of threads, ties are
/// exact, and a sum may be regrouped to skip what it has in common with another. Arithmetic is modulo 2^64: sums may
/// overflow on the way as long as the result fits.
///
/// The scale leaves room for N times the sum of `n_terms` informations of at most one bit each (or one of log2 N bits),
/// so the error of such a sum of informations is about n_terms^1.5 2^-61 bits, below that of doubles.
class XLogX {
 public:
  XLogX(std::size_t n, double n_terms) : n_(n) {
    const double most = static_cast<double>(n) * std::fmax(n_terms, std::log2(static_cast<double>(n) + 2));
    scale_ = 61 - static_cast<int>(std::ceil(std::log2(most)));
    table_.resize(n + 1);
    bit_ = std::ldexp(1.0, -scale_);
    const long double unit = std::ldexp(1.0L, scale_);
    for (std::size_t k = 2; k <= n; ++k) {
      const long double value = static_cast<long double>(k) * std::log2(static_cast<long double>(k));
      table_[k] = static_cast<std::uint64_t>(std::llround(value * unit));
    }
  }

  std::size_t n() const { return n_; }

  std::uint64_t operator()(std::int64_t count) const { return table_[static_cast<std::size_t>(count)]; }

  /// The same, and 0 below 0.
  std::uint64_t or_zero(std::int64_t count) const { return count > 0 ? table_[static_cast<std::size_t>(count)] : 0; }

  /// An integer sum that stands for N times a quantity in bits, as that quantity in bits.
  double bits(std::uint64_t sum) const {
    return static_cast<double>(static_cast<std::int64_t>(sum)) * bit_ / static_cast<double>(n_);
  }

 private:
  std::size_t n_;
  int scale_;
  double bit_;  // 2^-scale, a power of two: a product with it is exact
  std::vector<std::uint64_t> table_;
};

}  // namespace mlsift

#endif
