#ifndef MLSIFT_SOLVE_TRIDIAGONAL_H
#define MLSIFT_SOLVE_TRIDIAGONAL_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "eigenpairs.h"

namespace mlsift {

/// A symmetric matrix as A = H T H' with T tridiagonal and H a product of (Householder) reflections. Then systems with
/// A + shift I cost O(n^2) for any shift, and the eigenvalues of A are those of T.
///
/// Reflections are made in panels, and the rest of the matrix is updated once per panel. Every entry is computed by a
/// single thread, so the number of threads does not change any bit. No library for dense matrices is used, because
/// their bits and speed differ between machines.
///
/// cost     4/3 n^3 multiplications; no memory besides A, which the reflections overwrite
class Tridiagonal {
 public:
  /// `a`: n x n, both triangles. It is overwritten, and must stay in place.
  Tridiagonal(std::vector<double>& a, std::size_t n, const Context& context)
      : a_(a.data()), n_(n), diagonal_(n), beside_(n), tau_(n) {
    w_.resize(panel * n);
    Poll poll(context);
    for (std::size_t begin = 0; begin < n; begin += panel) {
      const std::size_t end = std::min(n, begin + panel);
      for (std::size_t k = begin; k < end; ++k) {
        reflect(begin, k, context);
        poll(k, n);
      }
      update(begin, end, context);
    }
    std::vector<double>().swap(w_);
  }

  std::size_t size() const { return n_; }

  /// x becomes H' x.
  void forward(double* x) const {
    for (std::size_t k = 0; k + 1 < n_; ++k) reflect(k, x);
  }

  /// x becomes H x.
  void backward(double* x) const {
    for (std::size_t k = n_; k-- > 0;) reflect(k, x);
  }

  /// x: b becomes the solution of (T + shift I) x = b, by elimination with row exchanges. If the matrix is numerically
  /// singular, a pivot is replaced by its possible rounding error.
  void solve(double shift, double* x) const {
    if (n_ == 0) return;
    std::vector<double> pivots(n_), first(n_, 0.0), second(n_, 0.0);  // and the entries to the right of each pivot
    double size = std::fabs(shift);
    for (std::size_t i = 0; i < n_; ++i) size = std::max({size, std::fabs(diagonal_[i]), std::fabs(beside_[i])});
    const double least = std::max(size * std::numeric_limits<double>::epsilon(), std::numeric_limits<double>::min());
    double pivot = diagonal_[0] + shift, above = n_ > 1 ? beside_[0] : 0;
    for (std::size_t i = 0; i + 1 < n_; ++i) {
      double low = beside_[i], low_diagonal = diagonal_[i + 1] + shift, low_above = i + 2 < n_ ? beside_[i + 1] : 0;
      if (std::fabs(low) > std::fabs(pivot)) {
        std::swap(x[i], x[i + 1]);
        second[i] = low_above;
        std::swap(pivot, low);
        std::swap(above, low_diagonal);
        low_above = 0;
      }
      if (std::fabs(pivot) < least) pivot = std::copysign(least, pivot);
      const double times = low / pivot;
      pivots[i] = pivot;
      first[i] = above;
      x[i + 1] -= times * x[i];
      pivot = low_diagonal - times * above;
      above = low_above - times * second[i];
    }
    pivots[n_ - 1] = std::fabs(pivot) < least ? std::copysign(least, pivot) : pivot;
    for (std::size_t i = n_; i-- > 0;) {
      if (i + 1 < n_) x[i] -= first[i] * x[i + 1];
      if (i + 2 < n_) x[i] -= second[i] * x[i + 2];
      x[i] /= pivots[i];
    }
  }

  /// Eigenvalues, increasing.
  std::vector<double> values() const {
    std::vector<double> value(diagonal_), none;
    detail::tridiagonal_ql(value, beside_, none, 0);
    std::sort(value.begin(), value.end());
    return value;
  }

  /// Eigenvalues, increasing, and eigenvectors; about 3 n^3 more multiplications.
  Eigenpairs pairs() const {
    Eigenpairs result = detail::tridiagonal_pairs(diagonal_, beside_);
    for (std::vector<double>& vector : result.vector) backward(vector.data());
    return result;
  }

 private:
  static constexpr std::size_t panel = 32;

  double* row(std::size_t i) const { return a_ + i * n_; }
  double* w(std::size_t begin, std::size_t k) { return w_.data() + (k - begin) * n_; }

  // Applies reflection k, whose vector is in row k behind the diagonal.
  void reflect(std::size_t k, double* x) const {
    if (tau_[k] == 0) return;
    const std::size_t first = k + 1, m = n_ - first;
    add_scaled(x + first, row(k) + first, -tau_[k] * inner(row(k) + first, x + first, m), m);
  }

  // Makes the reflection v of column k, and w: v w' + w v' is subtracted from the matrix behind k. Those of the panel's
  // earlier columns have not been subtracted from that matrix yet.
  void reflect(std::size_t begin, std::size_t k, const Context& context) {
    double* const v = row(k);
    for (std::size_t t = begin; t < k; ++t) {
      add_scaled(v + k, w(begin, t) + k, -row(t)[k], n_ - k);
      add_scaled(v + k, row(t) + k, -w(begin, t)[k], n_ - k);
    }
    diagonal_[k] = v[k];
    const std::size_t first = k + 1, m = n_ - first;
    double* const to = w(begin, k);
    std::fill(to, to + n_, 0.0);
    if (m == 0) return;
    tau_[k] = make_reflection(v + first, m, beside_[k]);
    if (tau_[k] == 0) return;
    const double work = static_cast<double>(m) * static_cast<double>(m) / 2;
    parallel_for(context, m, work, [&](int, std::size_t from, std::size_t until) {
      for (std::size_t i = first + from; i < first + until; ++i) to[i] = inner(row(i) + first, v + first, m);
    });
    for (std::size_t t = begin; t < k; ++t) {
      const double *const vt = row(t) + first, *const wt = w(begin, t) + first;
      const double along_w = inner(wt, v + first, m), along_v = inner(vt, v + first, m);
      add_scaled(to + first, vt, -along_w, m);
      add_scaled(to + first, wt, -along_v, m);
    }
    for (std::size_t i = first; i < n_; ++i) to[i] *= tau_[k];
    add_scaled(to + first, v + first, -tau_[k] / 2 * inner(to + first, v + first, m), m);
  }

  // The vector of a reflection that maps x to its first entry alone, `first`; it begins with 1. Returns tau of I - tau
  // v v'; 0 if there is nothing to do.
  static double make_reflection(double* x, std::size_t m, double& first) {
    first = x[0];
    double largest = 0;
    for (std::size_t i = 1; i < m; ++i) largest = std::max(largest, std::fabs(x[i]));
    if (largest == 0) return 0;
    largest = std::max(largest, std::fabs(x[0]));
    double squares = 0;
    for (std::size_t i = 0; i < m; ++i) squares += x[i] / largest * (x[i] / largest);
    const double at = x[0];
    first = -std::copysign(largest * std::sqrt(squares), at);
    for (std::size_t i = 1; i < m; ++i) x[i] /= at - first;
    x[0] = 1;
    return (first - at) / first;
  }

  // Subtracts v w' + w v' of all reflections of a panel from the rows behind it.
  void update(std::size_t begin, std::size_t end, const Context& context) {
    const std::size_t m = n_ - end;
    if (m == 0) return;
    const double work = static_cast<double>(m) * static_cast<double>(m) * static_cast<double>(end - begin);
    parallel_for(context, (m + 1) / 2, work, [&](int, std::size_t from, std::size_t until) {
      for (std::size_t pair = from; pair < until; ++pair) {
        const std::size_t i = end + 2 * pair;
        for (std::size_t t = begin; t < end; t += 2) {
          for (std::size_t r = i; r < std::min(i + 2, n_); ++r) {
            for (std::size_t s = t; s < std::min(t + 2, end); ++s) {
              add_scaled(row(r) + end, w(begin, s) + end, -row(s)[r], m);
              add_scaled(row(r) + end, row(s) + end, -w(begin, s)[r], m);
            }
          }
        }
      }
    });
  }

  double* a_;
  std::size_t n_;
  std::vector<double> diagonal_, beside_, tau_;  // beside_: below the diagonal; its last entry is 0
  std::vector<double> w_;                        // of the reflections of a panel
};

}  // namespace mlsift

#endif
