#pragma once

#include <cstddef>

#include "lane.h"

namespace mlsift {

/// to += weight * from.
inline void add_scaled(double* to, const double* from, double weight, std::size_t n) {
  const detail::Lane times = {weight, weight};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    detail::Lane a = detail::load(to + i), b = detail::load(to + i + 2);
    a += times * detail::load(from + i);
    b += times * detail::load(from + i + 2);
    detail::store(to + i, a);
    detail::store(to + i + 2, b);
  }
  for (; i < n; ++i) to[i] += weight * from[i];
}

/// to += factor * a * b, element by element.
inline void add_products(double* to, const double* a, const double* b, double factor, std::size_t n) {
  const detail::Lane times = {factor, factor};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    detail::Lane c = detail::load(to + i), d = detail::load(to + i + 2);
    c += times * detail::load(a + i) * detail::load(b + i);
    d += times * detail::load(a + i + 2) * detail::load(b + i + 2);
    detail::store(to + i, c);
    detail::store(to + i + 2, d);
  }
  for (; i < n; ++i) to[i] += factor * a[i] * b[i];
}

/// x and y become c x - s y and s x + c y.
inline void rotate(double* x, double* y, double c, double s, std::size_t n) {
  const detail::Lane by_c = {c, c}, by_s = {s, s};
  std::size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    const detail::Lane a = detail::load(x + i), b = detail::load(y + i);
    detail::store(x + i, by_c * a - by_s * b);
    detail::Lane sum = by_s * a;
    sum += by_c * b;
    detail::store(y + i, sum);
  }
  for (; i < n; ++i) {
    const double a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}

/// The inner product, as eight sums that are combined at the end.
inline double inner(const double* x, const double* y, std::size_t n) {
  detail::Lane a = {0, 0}, b = a, c = a, d = a;
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    a += detail::load(x + i) * detail::load(y + i);
    b += detail::load(x + i + 2) * detail::load(y + i + 2);
    c += detail::load(x + i + 4) * detail::load(y + i + 4);
    d += detail::load(x + i + 6) * detail::load(y + i + 6);
  }
  a += b;
  c += d;
  a += c;
  double parts[2];
  detail::store(parts, a);
  double sum = parts[0] + parts[1];
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace mlsift
