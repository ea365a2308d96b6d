#pragma once

#include <cstddef>

#include "lane.h"

namespace mlsift {

namespace detail {

/// Some rows of a matrix with q columns, by rows, and their factors. `rows`: null if they are 0, 1, and so on.
struct WeightedRows {
  const double* value;
  const int* rows;
  std::size_t size;
  const double* matrix;
  std::size_t q;

  const double* row(std::size_t s) const { return matrix + (rows ? static_cast<std::size_t>(rows[s]) : s) * q; }
};

// The sums of four lanes of columns at a time, from column t on. Returns the first remaining column.
template <class L>
MLSIFT_IN_LANES std::size_t sum_lanes(const WeightedRows& x, std::size_t t, double* to) {
  constexpr std::size_t one = sizeof(L) / sizeof(double);
  for (; t + 4 * one <= x.q; t += 4 * one) {
    L a = {}, b = a, c = a, d = a, v = a, r = a;
    for (std::size_t s = 0; s < x.size; ++s) {
      const double* const from = x.row(s) + t;
      fill(v, x.value[s]);
      load(r, from);
      a += v * r;
      load(r, from + one);
      b += v * r;
      load(r, from + 2 * one);
      c += v * r;
      load(r, from + 3 * one);
      d += v * r;
    }
    store(to + t, a);
    store(to + t + one, b);
    store(to + t + 2 * one, c);
    store(to + t + 3 * one, d);
  }
  return t;
}

#if defined(MLSIFT_AVX_AT_RUN_TIME)
__attribute__((target("avx"))) inline std::size_t sum_wide_lanes(const WeightedRows& x, double* to) {
  return sum_lanes<WideLane>(x, 0, to);
}
#endif

}  // namespace detail

/// to = sum_s value[s] * (row rows[s] of `matrix`, which has q columns), added in this order. `rows`: null if they are
/// 0, 1, and so on.
inline void sum_rows(const double* value, const int* rows, std::size_t size, const double* matrix, std::size_t q,
                     double* to) {
  const detail::WeightedRows x = {value, rows, size, matrix, q};
  std::size_t t = 0;
#if defined(MLSIFT_AVX_AT_RUN_TIME)
  if (detail::has_wide_lanes()) t = detail::sum_wide_lanes(x, to);
#endif
  t = detail::sum_lanes<detail::Lane>(x, t, to);
  for (; t + 2 <= q; t += 2) {
    detail::Lane a = {0, 0}, v;
    for (std::size_t s = 0; s < size; ++s) {
      detail::fill(v, value[s]);
      a += v * detail::load(x.row(s) + t);
    }
    detail::store(to + t, a);
  }
  if (t == q) return;
  to[t] = 0;
  for (std::size_t s = 0; s < size; ++s) to[t] += value[s] * x.row(s)[t];
}

}  // namespace mlsift
