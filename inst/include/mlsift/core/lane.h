#ifndef MLSIFT_CORE_LANE_H
#define MLSIFT_CORE_LANE_H

#include <cmath>
#include <cstring>

namespace mlsift {

namespace detail {

// Two doubles in one register, as every compiler of R offers; elsewhere a plain pair.
#if defined(__GNUC__)
using Lane = double __attribute__((vector_size(16)));
#else
struct Lane {
  double a, b;
  friend Lane operator-(Lane x, Lane y) { return {x.a - y.a, x.b - y.b}; }
  friend Lane operator*(Lane x, Lane y) { return {x.a * y.a, x.b * y.b}; }
  Lane& operator+=(Lane x) {
    a += x.a;
    b += x.b;
    return *this;
  }
};
#endif

inline Lane load(const double* from) {
  Lane lane;
  std::memcpy(&lane, from, sizeof lane);
  return lane;
}

inline void store(double* to, Lane lane) { std::memcpy(to, &lane, sizeof lane); }

inline double absolute(double x) { return std::fabs(x); }

inline Lane absolute(Lane x) {
#if defined(__GNUC__)
  using Bits = long long __attribute__((vector_size(16)));
  constexpr long long all_but_sign = 0x7fffffffffffffffLL;
  return (Lane)((Bits)x & Bits{all_but_sign, all_but_sign});
#else
  return {std::fabs(x.a), std::fabs(x.b)};
#endif
}

inline bool any_up_to(const double* x, double limit) {
#if defined(__GNUC__)
  const Lane bound = {limit, limit};
  const auto found = (load(x) <= bound) | (load(x + 2) <= bound) | (load(x + 4) <= bound) | (load(x + 6) <= bound);
  return (found[0] | found[1]) != 0;
#else
  for (int i = 0; i < 8; ++i)
    if (x[i] <= limit) return true;
  return false;
#endif
}

}  // namespace detail

}  // namespace mlsift

#endif
