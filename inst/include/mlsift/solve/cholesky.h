#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"

namespace mlsift {

/// The factor L of a positive semi-definite matrix A = L L', for systems A x = b and those of its leading blocks: the
/// factor of A's first k rows and columns is the leading block of L.
///
/// A pivot of at most 1e-13 of its diagonal entry means that the column depends on earlier ones. It is left out: its
/// entry of x is 0.
///
/// LAPACK has neither such pivots nor a fixed order of sums: its bits differ between libraries and their threads. The
/// reference library takes twice as long (1,000 columns: 0.4 s in place of 0.2 s).
class Cholesky {
 public:
  /// `a`: n x n by rows; its lower triangle is read and overwritten by L.
  void factor(std::vector<double>& a, std::size_t n, Poll* poll = nullptr) {
    a_ = a.data();
    n_ = n;
    for (std::size_t begin = 0; begin < n; begin += block) {
      if (poll) (*poll)(begin, n);
      factor_rows(begin, std::min(n, begin + block));
    }
  }

  /// x: b becomes L^-1 b. Its first k entries depend only on those of b.
  void forward(double* x, std::size_t k) const {
    for (std::size_t i = 0; i < k; ++i) {
      const double* l = row(i);
      x[i] = l[i] > 0 ? (x[i] - inner(l, x, i)) / l[i] : 0;
    }
  }

  /// x: b becomes L'^-1 b, with the leading k x k block of L.
  void backward(double* x, std::size_t k) const {
    for (std::size_t i = k; i-- > 0;) {
      const double* l = row(i);
      x[i] = l[i] > 0 ? x[i] / l[i] : 0;
      add_scaled(x, l, -x[i], i);
    }
  }

  /// x: b becomes A^-1 b.
  void solve(double* x) const {
    forward(x, n_);
    backward(x, n_);
  }

 private:
  // Rows that are computed together, so that a row of L is read once for all of them.
  static constexpr std::size_t block = 16;

  double* row(std::size_t i) const { return a_ + i * n_; }

  void factor_rows(std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < end; ++j) {
      double* pivot = row(j);
      if (j >= begin) {
        const double rest = pivot[j] - inner(pivot, pivot, j);
        pivot[j] = rest > 1e-13 * pivot[j] ? std::sqrt(rest) : 0;
      }
      for (std::size_t i = std::max(begin, j + 1); i < end; ++i) {
        double* l = row(i);
        l[j] = pivot[j] > 0 ? (l[j] - inner(l, pivot, j)) / pivot[j] : 0;
      }
    }
  }

  double* a_ = nullptr;
  std::size_t n_ = 0;
};

}  // namespace mlsift
