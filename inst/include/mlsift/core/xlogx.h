#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fixed_log.h"
#include "wide.h"

namespace mlsift {

/// n log2 n for counts n = 0 .. N, as integers: a value g represents g / 2^scale.
///
/// Entropies of counts are sums of such terms, and sums of integers do not depend on their order. So equal counts give
/// equal bits whatever the layout of the columns, the order of rows and labels, or the number of threads; ties are
/// exact; and a sum may be regrouped to skip what it shares with another. Arithmetic is modulo 2^64: sums may overflow
/// along the way as long as the result fits.
///
/// The scale leaves room for N times the sum of `n_terms` informations of at most one bit each (or one of log2 N bits),
/// so the error of such a sum of informations is about n_terms^1.5 2^-61 bits, below that of doubles.
class XLogXScale {
 public:
  static constexpr std::size_t most_small = std::size_t{1} << 16;  ///< counts below are computed one by one

  XLogXScale(std::size_t n, double n_terms) : n_(n) {
    const double rows = std::fmax(1, static_cast<double>(n));
    const double most = rows * std::fmax(n_terms, std::log2(rows + 2));
    int exponent;
    // At least 1, which more than 2^60 terms of rows would need.
    scale_ = std::max(1, std::frexp(most, &exponent) > 0.5 ? 61 - exponent : 62 - exponent);
    bit_ = std::ldexp(1.0, -scale_);
  }

  std::size_t n() const { return n_; }

  /// n log2 n of a count, computed.
  std::uint64_t value(std::size_t count) const { return count < 2 ? 0 : logs_->nearest(count, scale_); }

  /// Calls take(count, value) for the counts begin .. end - 1, from 2^16 on.
  template <class Take>
  void values_between(std::size_t begin, std::size_t end, Take take) const {
    logs_->nearest_between(begin, end, scale_, take);
  }

  /// a / b, at most n, represented likewise.
  std::uint64_t ratio(std::uint64_t a, std::uint64_t b) const {
    return quotient(Wide{a >> (64 - scale_), a << scale_} + Wide{0, b / 2}, b);
  }

  /// Converts an integer sum, which represents N times a quantity in bits, to that quantity in bits.
  double bits(std::uint64_t sum) const {
    return static_cast<double>(static_cast<std::int64_t>(sum)) * bit_ / static_cast<double>(n_);
  }

 private:
  std::size_t n_;
  int scale_;
  double bit_;  // 2^-scale, a power of two: a product with it is exact
  const FixedLog* logs_ = &FixedLog::shared();
};

/// The whole number nearest to x.
inline std::uint64_t nearest(double x) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(x + (x < 0 ? -0.5 : 0.5)));
}

/// The whole number nearest to `factor` times a sum.
inline std::uint64_t times(double factor, std::uint64_t sum) {
  return factor == 1 ? sum : nearest(factor * static_cast<double>(static_cast<std::int64_t>(sum)));
}

/// With a table of all values, for sums over the cells of many tables.
class XLogX : public XLogXScale {
 public:
  XLogX(std::size_t n, double n_terms) : XLogXScale(n, n_terms), table_(new std::uint64_t[n + 1]) {
    std::uint64_t* const table = table_.get();
    const std::size_t small = std::min(n + 1, most_small);
    for (std::size_t k = 0; k < small; ++k) table[k] = value(k);
    values_between(small, n + 1, [table](std::size_t k, std::uint64_t value) { table[k] = value; });
  }

  std::uint64_t operator()(std::int64_t count) const { return table_[static_cast<std::size_t>(count)]; }

  /// The same, and 0 below 0.
  std::uint64_t or_zero(std::int64_t count) const { return count > 0 ? table_[static_cast<std::size_t>(count)] : 0; }

 private:
  std::unique_ptr<std::uint64_t[]> table_;
};

/// The same values with a table of small counts only, for large counts most of which do not occur. Other values are
/// computed on request.
class XLogXOnDemand : public XLogXScale {
 public:
  XLogXOnDemand(std::size_t n, double n_terms) : XLogXScale(n, n_terms), table_(std::min(n, most_small) + 1) {
    for (std::size_t k = 2; k < table_.size(); ++k) table_[k] = value(k);
  }

  std::uint64_t operator()(std::int64_t count) const {
    const std::size_t k = static_cast<std::size_t>(count);
    return k < table_.size() ? table_[k] : value(k);
  }

  std::uint64_t or_zero(std::int64_t count) const { return count > 0 ? (*this)(count) : 0; }

 private:
  std::vector<std::uint64_t> table_;
};

}  // namespace mlsift
