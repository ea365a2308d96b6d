#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"

namespace mlsift {

/// Eigenvalues in increasing order, with vectors of length 1.
struct Eigenpairs {
  std::vector<double> value;
  std::vector<std::vector<double>> vector;
};

namespace detail {

inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return mlsift::inner(a.data(), b.data(), a.size());
}

inline void subtract(const std::vector<std::vector<double>>& from, std::vector<double>& x) {
  for (const std::vector<double>& v : from) {
    add_scaled(x.data(), v.data(), -inner(v, x), x.size());
  }
}

// std::hypot(), faster where squares neither overflow nor lose digits.
inline double length(double x, double y) {
  const double squares = x * x + y * y;
  return squares > 1e-280 && squares < 1e300 ? std::sqrt(squares) : std::hypot(x, y);
}

// Eigenvalues of a symmetric tridiagonal matrix by implicit QL; `below` has an unused last element. `z` holds `rows`
// rows of the m x m unit matrix, column by column; its columns become eigenvectors. Lanczos' method needs one row only,
// which LAPACK does not offer: with all rows, m = 1,000 takes 5 s in place of 0.05 s.
inline void tridiagonal_ql(std::vector<double>& diagonal, std::vector<double> below, std::vector<double>& z,
                           std::size_t rows) {
  const std::size_t m = diagonal.size();
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double size = 0;
  for (std::size_t i = 0; i < m; ++i)
    size = std::max({size, std::fabs(diagonal[i]), i + 1 < m ? std::fabs(below[i]) : 0.0});
  for (std::size_t l = 0; l < m; ++l) {
    for (int round = 0; round < 100; ++round) {
      std::size_t end = l;
      while (end + 1 < m && std::fabs(below[end]) >
                                eps * std::max(std::fabs(diagonal[end]) + std::fabs(diagonal[end + 1]), 1e-3 * size))
        ++end;
      if (end == l) break;
      double g = (diagonal[l + 1] - diagonal[l]) / (2 * below[l]);
      double r = length(g, 1.0);
      g = diagonal[end] - diagonal[l] + below[l] / (g + std::copysign(r, g));
      double s = 1, c = 1, p = 0;
      bool split = false;
      for (std::size_t i = end; i-- > l;) {
        const double f = s * below[i], b = c * below[i];
        r = length(f, g);
        if (i + 1 < m) below[i + 1] = r;
        if (r == 0) {
          diagonal[i + 1] -= p;
          below[end] = 0;
          split = true;
          break;
        }
        s = f / r;
        c = g / r;
        g = diagonal[i + 1] - p;
        r = (diagonal[i] - g) * s + 2 * c * b;
        p = s * r;
        diagonal[i + 1] = g + p;
        g = c * r - b;
        rotate(z.data() + i * rows, z.data() + (i + 1) * rows, c, s, rows);
      }
      if (split) continue;
      diagonal[l] -= p;
      below[l] = g;
      below[end] = 0;
    }
  }
}

// All eigenpairs of a symmetric tridiagonal matrix; `below` as in tridiagonal_ql().
inline Eigenpairs tridiagonal_pairs(std::vector<double> diagonal, const std::vector<double>& below) {
  const std::size_t m = diagonal.size();
  std::vector<double> z(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) z[i * m + i] = 1;
  tridiagonal_ql(diagonal, below, z, m);
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return diagonal[a] < diagonal[b]; });
  Eigenpairs result;
  for (const std::size_t j : order) {
    result.value.push_back(diagonal[j]);
    result.vector.emplace_back(z.data() + j * m, z.data() + (j + 1) * m);
  }
  return result;
}

// One run of Lanczos' method orthogonal to `locked`, with full orthogonalization.
template <class Multiply>
class Krylov {
 public:
  Krylov(std::size_t n, const std::vector<std::vector<double>>& locked, Multiply& multiply)
      : n_(n), locked_(locked), multiply_(multiply) {}

  /// False if `state` gives no vector outside the span of `locked`.
  bool start(std::uint64_t& state) {
    next_.resize(n_);
    for (double& v : next_) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      v = static_cast<double>(state >> 40) / 16777216.0 - 0.5;
    }
    const double before = std::sqrt(inner(next_, next_));
    for (int round = 0; round < 3; ++round) subtract(locked_, next_);
    rest_ = std::sqrt(inner(next_, next_));
    return rest_ > 1e-10 * before;
  }

  /// Adds a vector; false when the space that the start can reach is exhausted.
  bool step() {
    for (double& v : next_) v /= rest_;
    if (!basis_.empty()) below_.push_back(rest_);
    basis_.push_back(next_);
    multiply_(basis_.back(), next_);
    diagonal_.push_back(inner(basis_.back(), next_));
    scale_ = std::max(scale_, std::fabs(diagonal_.back()));
    for (int round = 0; round < 2; ++round) {
      subtract(locked_, next_);
      subtract(basis_, next_);
    }
    rest_ = std::sqrt(inner(next_, next_));
    scale_ = std::max(scale_, rest_);
    return rest_ > 1e-13 * scale_ && basis_.size() + locked_.size() < n_;
  }

  std::size_t size() const { return basis_.size(); }
  double scale() const { return scale_; }  ///< about the largest eigenvalue in absolute value

  /// Ritz values, increasing, with an upper bound on the distance of each from an eigenvalue.
  std::vector<std::pair<double, double>> values(bool final) const {
    std::vector<double> value(diagonal_), below(below_), last(size(), 0.0);
    below.push_back(0);
    last.back() = 1;
    tridiagonal_ql(value, below, last, 1);
    std::vector<std::pair<double, double>> result(size());
    for (std::size_t i = 0; i < size(); ++i) result[i] = {value[i], final ? 0 : std::fabs(rest_ * last[i])};
    std::sort(result.begin(), result.end());
    return result;
  }

  /// The lowest `count` pairs.
  Eigenpairs pairs(std::size_t count) const {
    std::vector<double> below(below_);
    below.push_back(0);
    const Eigenpairs small = tridiagonal_pairs(diagonal_, below);
    Eigenpairs result;
    for (std::size_t j = 0; j < count; ++j) {
      std::vector<double> vector(n_, 0.0);
      for (std::size_t i = 0; i < size(); ++i) add_scaled(vector.data(), basis_[i].data(), small.vector[j][i], n_);
      result.value.push_back(small.value[j]);
      result.vector.push_back(std::move(vector));
    }
    return result;
  }

 private:
  std::size_t n_;
  const std::vector<std::vector<double>>& locked_;
  Multiply& multiply_;
  std::vector<std::vector<double>> basis_;
  std::vector<double> diagonal_, below_, next_;
  double rest_ = 0, scale_ = 0;
};

// How many of these Ritz values to take: those up to the limit, if all have converged; -1: continue.
inline std::ptrdiff_t settled(const std::vector<std::pair<double, double>>& ritz, std::size_t wanted, double limit,
                              double tie) {
  if (limit == std::numeric_limits<double>::infinity()) {
    if (ritz.size() < wanted) return -1;
    limit = ritz[wanted - 1].first + tie;
  }
  std::size_t i = 0;
  for (; i < ritz.size() && ritz[i].first <= limit; ++i) {
    if (ritz[i].second > 1e-13) return -1;
  }
  if (i < ritz.size() && ritz[i].first - ritz[i].second <= limit) return -1;
  return static_cast<std::ptrdiff_t>(i);
}

}  // namespace detail

/// The `wanted` smallest eigenvalues of a symmetric n x n matrix with norm about 1, with vectors, and all that equal
/// the last of them to 1e-9, in addition to known (orthonormal) eigenvectors. `multiply(x, y)` sets y to the matrix
/// times x.
///
/// Lanczos' method from a fixed start, repeated orthogonally to all pairs found until nothing below the last of them
/// turns up. A run finds one vector of each eigenvalue, so an eigenvalue of multiplicity m takes m runs.
///
/// cost     a few times `wanted` products, and n times their number in memory
template <class Multiply>
Eigenpairs smallest_eigenpairs(std::size_t n, std::size_t wanted, const std::vector<std::vector<double>>& known,
                               Multiply multiply, const Context& context) {
  constexpr double infinite = std::numeric_limits<double>::infinity(), tie = 1e-9;
  Poll poll(context);
  std::vector<std::vector<double>> locked(known);
  std::vector<std::pair<double, std::size_t>> found;  // value, position in locked
  std::uint64_t state = 1;
  while (wanted > 0 && locked.size() < n) {
    std::sort(found.begin(), found.end());
    const double limit = found.size() >= wanted ? found[wanted - 1].first + tie : infinite;
    detail::Krylov<Multiply> run(n, locked, multiply);
    if (!run.start(state)) break;
    std::ptrdiff_t take = -1;
    for (std::size_t check = 20; take < 0;) {
      poll();
      const bool more = run.step();
      if (more && run.size() < check) continue;
      check = run.size() + run.size() / 4;
      const auto ritz = run.values(!more);
      take = detail::settled(ritz, more ? wanted : std::min(wanted, ritz.size()), limit, tie);
    }
    Eigenpairs pairs = run.pairs(static_cast<std::size_t>(take));
    for (std::size_t j = 0; j < pairs.value.size(); ++j) {
      found.push_back({pairs.value[j], locked.size()});
      locked.push_back(std::move(pairs.vector[j]));
    }
    if (take == 0) break;
  }
  std::sort(found.begin(), found.end());
  Eigenpairs result;
  for (std::size_t j = 0; j < found.size(); ++j) {
    if (j >= wanted && found[j].first > found[wanted - 1].first + tie) break;
    result.value.push_back(found[j].first);
    result.vector.push_back(std::move(locked[found[j].second]));
  }
  return result;
}

/// The smallest eigenvalue of a symmetric n x n matrix, to about 1e-10 of its largest. If n > 1000 and very many
/// eigenvalues are close to it, it may not converge, and the result is then too large.
///
/// cost     up to 1000 products, as many as a value at the edge of the spectrum takes to converge
template <class Multiply>
double smallest_eigenvalue(std::size_t n, Multiply multiply) {
  const std::vector<std::vector<double>> none;
  detail::Krylov<Multiply> run(n, none, multiply);
  std::uint64_t state = 1;
  run.start(state);
  for (double before = std::numeric_limits<double>::infinity();;) {
    const bool last = !run.step() || run.size() == 1000;
    if (!last && run.size() % 10 != 0) continue;
    const auto lowest = run.values(last).front();
    const bool near =
        lowest.second <= 1e-6 * run.scale();  // a value's error is proportional to the square of its vector's
    if (last || (near && std::fabs(lowest.first - before) <= 1e-11 * run.scale())) return lowest.first;
    before = lowest.first;
  }
}

}  // namespace mlsift
