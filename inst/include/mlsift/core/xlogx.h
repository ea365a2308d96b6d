#ifndef MLSIFT_CORE_XLOGX_H
#define MLSIFT_CORE_XLOGX_H

#include <algorithm>
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
class XLogXScale {
 public:
  XLogXScale(std::size_t n, double n_terms) : n_(n) {
    const double rows = std::fmax(1, static_cast<double>(n));
    const double most = rows * std::fmax(n_terms, std::log2(rows + 2));
    scale_ = 61 - static_cast<int>(std::ceil(std::log2(most)));
    bit_ = std::ldexp(1.0, -scale_);
  }

  std::size_t n() const { return n_; }

  /// n log2 n of a count, computed.
  std::uint64_t value(std::size_t count) const {
    if (count < 2) return 0;
    const long double k = static_cast<long double>(count);
    return static_cast<std::uint64_t>(std::llround(k * std::log2(k) * std::ldexp(1.0L, scale_)));
  }

  /// a / b in the same units.
  std::uint64_t ratio(std::uint64_t a, std::int64_t b) const {
    return static_cast<std::uint64_t>(
        std::llround(static_cast<long double>(a) / static_cast<long double>(b) * std::ldexp(1.0L, scale_)));
  }

  /// An integer sum that stands for N times a quantity in bits, as that quantity in bits.
  double bits(std::uint64_t sum) const {
    return static_cast<double>(static_cast<std::int64_t>(sum)) * bit_ / static_cast<double>(n_);
  }

 private:
  std::size_t n_;
  int scale_;
  double bit_;  // 2^-scale, a power of two: a product with it is exact
};

/// With a table of all values, for sums over the cells of many tables.
class XLogX : public XLogXScale {
 public:
  XLogX(std::size_t n, double n_terms) : XLogXScale(n, n_terms), table_(n + 1) {
    for (std::size_t k = 2; k <= n; ++k) table_[k] = value(k);
  }

  std::uint64_t operator()(std::int64_t count) const { return table_[static_cast<std::size_t>(count)]; }

  /// The same, and 0 below 0.
  std::uint64_t or_zero(std::int64_t count) const { return count > 0 ? table_[static_cast<std::size_t>(count)] : 0; }

 private:
  std::vector<std::uint64_t> table_;
};

/// The same values with a table of small counts only, where there are more rows than a table should have.
class XLogXOnDemand : public XLogXScale {
 public:
  XLogXOnDemand(std::size_t n, double n_terms) : XLogXScale(n, n_terms), table_(std::min(n, most_kept) + 1) {
    for (std::size_t k = 2; k < table_.size(); ++k) table_[k] = value(k);
  }

  std::uint64_t operator()(std::int64_t count) const {
    const std::size_t k = static_cast<std::size_t>(count);
    return k < table_.size() ? table_[k] : value(k);
  }

  std::uint64_t or_zero(std::int64_t count) const { return count > 0 ? (*this)(count) : 0; }

 private:
  static constexpr std::size_t most_kept = std::size_t{1} << 16;
  std::vector<std::uint64_t> table_;
};

}  // namespace mlsift

#endif
