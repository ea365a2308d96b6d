#pragma once

#include <cmath>
#include <cstring>

namespace mlsift {

namespace detail {

// Two doubles in one register; where there are no such registers, a plain pair.
#if defined(__GNUC__) && (defined(__SSE2__) || !defined(__i386__))
#define MLSIFT_LANES
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

// Four doubles, for functions that are compiled for AVX and called if the processor has it. They are inlined there: a
// wide lane is never passed by value.
#if defined(__GNUC__) && defined(__x86_64__)
#define MLSIFT_AVX_AT_RUN_TIME
using WideLane = double __attribute__((vector_size(32)));

inline bool has_wide_lanes() {
  static const bool found = __builtin_cpu_supports("avx") != 0;
  return found;
}
#endif

#if defined(__GNUC__)
#define MLSIFT_IN_LANES __attribute__((always_inline)) inline
#else
#define MLSIFT_IN_LANES inline
#endif

template <class L>
MLSIFT_IN_LANES void load(L& lane, const double* from) {
  std::memcpy(&lane, from, sizeof lane);
}

inline Lane load(const double* from) {
  Lane lane;
  load(lane, from);
  return lane;
}

template <class L>
MLSIFT_IN_LANES void store(double* to, const L& lane) {
  std::memcpy(to, &lane, sizeof lane);
}

MLSIFT_IN_LANES void fill(Lane& lane, double value) { lane = Lane{value, value}; }

// Four doubles where there are no wide lanes.
struct LanePair {
  Lane low, high;
};

MLSIFT_IN_LANES void load(LanePair& lanes, const double* from) {
  load(lanes.low, from);
  load(lanes.high, from + 2);
}

MLSIFT_IN_LANES void store(double* to, const LanePair& lanes) {
  store(to, lanes.low);
  store(to + 2, lanes.high);
}

MLSIFT_IN_LANES void fill(LanePair& lanes, double value) {
  fill(lanes.low, value);
  fill(lanes.high, value);
}

// to += x * y.
template <class L>
MLSIFT_IN_LANES void add_product(L& to, const L& x, const L& y) {
  to += x * y;
}

MLSIFT_IN_LANES void add_product(LanePair& to, const LanePair& x, const LanePair& y) {
  to.low += x.low * y.low;
  to.high += x.high * y.high;
}

MLSIFT_IN_LANES void drop_signs(Lane& x) {
#if defined(MLSIFT_LANES)
  using Bits = long long __attribute__((vector_size(16)));
  constexpr long long all_but_sign = 0x7fffffffffffffffLL;
  x = (Lane)((Bits)x & Bits{all_but_sign, all_but_sign});
#else
  x = {std::fabs(x.a), std::fabs(x.b)};
#endif
}

#if defined(MLSIFT_AVX_AT_RUN_TIME)
MLSIFT_IN_LANES void fill(WideLane& lane, double value) { lane = WideLane{value, value, value, value}; }

MLSIFT_IN_LANES void drop_signs(WideLane& x) {
  using Bits = long long __attribute__((vector_size(32)));
  constexpr long long all_but_sign = 0x7fffffffffffffffLL;
  x = (WideLane)((Bits)x & Bits{all_but_sign, all_but_sign, all_but_sign, all_but_sign});
}
#endif

inline bool any_up_to(const double* x, double limit) {
#if defined(MLSIFT_LANES)
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
