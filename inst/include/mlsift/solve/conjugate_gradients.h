#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../core/vectors.h"

namespace mlsift {

/// Solves A x = b for a positive definite matrix A by conjugate gradients, preconditioned with its diagonal. It starts
/// at 0 and stops once the residual is at most `tolerance` times b, both measured by b' diag(A)^-1 b.
class ConjugateGradients {
 public:
  /// product(v, to) sets to = A v, at most `most` times.
  template <class Product>
  void solve(Product product, const std::vector<double>& diagonal, const double* b, double tolerance, std::size_t most,
             double* x) {
    const std::size_t n = diagonal.size();
    residual_.assign(b, b + n);
    scaled_.resize(n);
    image_.resize(n);
    std::fill(x, x + n, 0.0);
    double size = precondition(diagonal);
    const double enough = tolerance * tolerance * size;
    direction_ = scaled_;
    for (std::size_t steps = 0; steps < most && size > enough; ++steps) {
      product(direction_.data(), image_.data());
      const double curve = inner(direction_.data(), image_.data(), n);
      if (!(curve > 0)) break;
      const double step = size / curve;
      add_scaled(x, direction_.data(), step, n);
      add_scaled(residual_.data(), image_.data(), -step, n);
      const double before = size;
      size = precondition(diagonal);
      for (std::size_t j = 0; j < n; ++j) direction_[j] = scaled_[j] + size / before * direction_[j];
    }
  }

 private:
  double precondition(const std::vector<double>& diagonal) {
    for (std::size_t j = 0; j < diagonal.size(); ++j) scaled_[j] = residual_[j] / diagonal[j];
    return inner(residual_.data(), scaled_.data(), diagonal.size());
  }

  std::vector<double> residual_, scaled_, direction_, image_;
};

}  // namespace mlsift
