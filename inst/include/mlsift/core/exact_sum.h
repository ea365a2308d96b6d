#pragma once

#include <cstdint>

namespace mlsift {

/// A sum that does not depend on the order of its terms, and from which terms can be subtracted exactly: integer
/// multiples of 2^-24 and of 2^-60. Terms must be below 1024 in size, and there may be at most 2^27.
struct ExactSum {
  std::int64_t high = 0, low = 0;

  ExactSum() = default;
  explicit ExactSum(double term)
      : high(static_cast<std::int64_t>(term * 0x1p24)),
        low(static_cast<std::int64_t>((term * 0x1p24 - static_cast<double>(high)) * 0x1p36)) {}

  void operator+=(const ExactSum& other) { high += other.high, low += other.low; }
  void operator-=(const ExactSum& other) { high -= other.high, low -= other.low; }
  double value() const { return static_cast<double>(high) * 0x1p-24 + static_cast<double>(low) * 0x1p-60; }
};

}  // namespace mlsift
