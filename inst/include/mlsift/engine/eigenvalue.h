#ifndef MLSIFT_ENGINE_EIGENVALUE_H
#define MLSIFT_ENGINE_EIGENVALUE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlsift {

namespace detail {

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The smallest eigenvalue of a symmetric tridiagonal matrix, by bisection on the number of negative pivots.
inline double smallest_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const std::size_t m = diagonal.size();
  double low = diagonal[0], high = diagonal[0];
  for (std::size_t i = 0; i < m; ++i) {
    const double radius = (i > 0 ? std::fabs(beside[i - 1]) : 0) + (i + 1 < m ? std::fabs(beside[i]) : 0);
    low = std::min(low, diagonal[i] - radius);
    high = std::min(high, diagonal[i]);
  }
  const auto has_below = [&](double value) {
    double pivot = 1;
    for (std::size_t i = 0; i < m; ++i) {
      pivot = diagonal[i] - value - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (pivot < 0) return true;
      if (pivot == 0) pivot = 1e-300;
    }
    return false;
  };
  for (int step = 0; step < 200; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (has_below(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace detail

/// The smallest eigenvalue of a symmetric n x n matrix, to about 1e-10 of its largest, by Lanczos' method with full
/// orthogonalization from a fixed start. `multiply(x, y)` sets y to the matrix times x.
///
/// cost     up to 300 products, as many as a value at the edge of the spectrum takes to settle
template <class Multiply>
double smallest_eigenvalue(std::size_t n, Multiply multiply) {
  const std::size_t most = std::min<std::size_t>(n, 300);
  std::vector<std::vector<double>> basis;
  std::vector<double> diagonal, beside, start(n), next(n);
  std::uint64_t state = 1;
  for (double& v : start) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    v = static_cast<double>(state >> 40) / 16777216.0 - 0.5;
  }
  const double norm = std::sqrt(detail::dot(start, start));
  for (double& v : start) v /= norm;
  double scale = 0, before = 0;
  while (true) {
    basis.push_back(start);
    multiply(basis.back(), next);
    diagonal.push_back(detail::dot(basis.back(), next));
    for (int round = 0; round < 2; ++round) {
      for (const std::vector<double>& b : basis) {
        const double along = detail::dot(b, next);
        for (std::size_t i = 0; i < n; ++i) next[i] -= along * b[i];
      }
    }
    const double rest = std::sqrt(detail::dot(next, next));
    scale = std::max({scale, std::fabs(diagonal.back()), rest});
    const std::size_t m = basis.size();
    const bool last = m == most || rest <= 1e-13 * scale;
    if (last || m % 10 == 0) {
      const double found = detail::smallest_of_tridiagonal(diagonal, beside);
      if (last || (m > 10 && std::fabs(found - before) <= 1e-11 * scale)) return found;
      before = found;
    }
    beside.push_back(rest);
    for (std::size_t i = 0; i < n; ++i) start[i] = next[i] / rest;
  }
}

}  // namespace mlsift

#endif
