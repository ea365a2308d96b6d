#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../model/group_lasso.h"
#include "../solve/conjugate_gradients.h"
#include "../solve/sparse_symmetric.h"
#include "../solve/tridiagonal.h"

namespace mlsift {

/// MIFS. Jian et al. (2016), IJCAI, with the condition that makes it a problem with a solution, BB' = I:
///   ||XW - V||^2 + alpha ||Y - VB||^2 + beta tr(V'LV) + gamma sum_j ||w_j||
/// over W, V (rows x k) and B (k x labels), with L the Laplacian of the rows. V, B and W take turns, each at its best.
class Mifs {
 public:
  /// `y`: rows x labels, by rows, centered. `latent`: k, at most the rank of y.
  Mifs(const Context& context, const CenteredColumns& x, const double* y, std::size_t labels, std::size_t latent,
       const SparseSymmetric& rows, double alpha, double beta)
      : context_(context),
        x_(x),
        n_(x.n_rows()),
        q_(labels),
        k_(latent),
        y_(y),
        rows_(rows),
        alpha_(alpha),
        beta_(beta),
        units_(varying_units(x, {})),
        lasso_(context, x, latent) {
    diagonal_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) diagonal_[i] = 1 + alpha_ + beta_ * rows_.at(i, i);
    start();
  }

  /// From this gamma on W = 0, where V and B are at their best without it.
  double largest_penalty() {
    std::vector<double> norm;
    return 2 * longest_gradient(context_, x_, units_, v_.data(), k_, norm);
  }

  /// Until the objective falls by at most `tol` times its first value.
  SparseFit minimize(double gamma, double tol, std::size_t most) {
    SparseFit result;
    ActiveRows w;
    std::vector<double> z(n_ * k_, 0.0), left(n_ * k_);
    double before = value(z), first = before;
    for (std::size_t round = 1;; ++round) {
      lasso_.set_targets(v_.data());
      lasso_.solve({gamma / 2, 0}, std::max(2e-15 * lasso_.empty_objective(), 0.01 * tol * first), false, w);
      std::fill(z.begin(), z.end(), 0.0);
      add_fit(x_, w, 1, k_, z.data());
      solve_v(z);
      solve_b();
      result.norm = row_norms(x_, w);
      double now = value(z);
      for (const double norm : result.norm) now += gamma * norm;
      result.rounds = round;
      result.certificate = {now, 0, before - now <= tol * first};
      if (result.certificate.converged || round == most) break;
      before = now;
    }
    for (std::size_t e = 0; e < z.size(); ++e) left[e] = v_[e] - z[e];
    longest_gradient(context_, x_, units_, left.data(), k_, result.reach);
    for (double& reach : result.reach) reach *= 2 / gamma;
    return result;
  }

 private:
  // B = the leading right singular vectors of Y, then V and B in turns at W = 0.
  void start() {
    std::vector<double> gram(q_ * q_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t l = 0; l < q_; ++l) {
        if (y_[i * q_ + l] != 0) add_scaled(gram.data() + l * q_, y_ + i * q_, y_[i * q_ + l], q_);
      }
    }
    const Eigenpairs pairs = Tridiagonal(gram, q_, context_).pairs();
    b_.assign(k_ * q_, 0.0);
    for (std::size_t c = 0; c < k_; ++c) {
      const std::vector<double>& vector = pairs.vector[q_ - 1 - c];
      std::copy(vector.begin(), vector.end(), b_.begin() + static_cast<std::ptrdiff_t>(c * q_));
    }
    const std::vector<double> none(n_ * k_, 0.0);
    double before = 0;
    for (int round = 0; round < 1000; ++round) {
      solve_v(none);
      solve_b();
      const double now = value(none);
      if (round > 0 && before - now <= 1e-14 * before) break;
      before = now;
    }
  }

  // v_ = ((1 + alpha) I + beta L)^-1 (z + alpha Y B')
  void solve_v(const std::vector<double>& z) {
    v_.resize(n_ * k_);
    std::vector<double> right(n_), found(n_);
    Poll poll(context_);
    for (std::size_t c = 0; c < k_; ++c) {
      for (std::size_t i = 0; i < n_; ++i) {
        right[i] = z[i * k_ + c] + alpha_ * inner(y_ + i * q_, b_.data() + c * q_, q_);
      }
      ConjugateGradients().solve(
          [&](const double* v, double* to) {
            rows_.product(v, to);
            for (std::size_t i = 0; i < n_; ++i) to[i] = beta_ * to[i] + (1 + alpha_) * v[i];
          },
          diagonal_, right.data(), 1e-13, 10 * n_ + 100, found.data());
      for (std::size_t i = 0; i < n_; ++i) v_[i * k_ + c] = found[i];
      poll();
    }
  }

  // b_ = (MM')^-1/2 M for M = V'Y, the nearest matrix with orthonormal rows.
  void solve_b() {
    std::vector<double> m(k_ * q_, 0.0), square(k_ * k_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t c = 0; c < k_; ++c) add_scaled(m.data() + c * q_, y_ + i * q_, v_[i * k_ + c], q_);
    }
    for (std::size_t a = 0; a < k_; ++a) {
      for (std::size_t b = 0; b < k_; ++b) square[a * k_ + b] = inner(m.data() + a * q_, m.data() + b * q_, q_);
    }
    const Eigenpairs pairs = Tridiagonal(square, k_, context_).pairs();
    std::fill(b_.begin(), b_.end(), 0.0);
    std::vector<double> turned(q_);
    for (std::size_t c = 0; c < k_; ++c) {
      const std::vector<double>& vector = pairs.vector[c];
      std::fill(turned.begin(), turned.end(), 0.0);
      for (std::size_t a = 0; a < k_; ++a) add_scaled(turned.data(), m.data() + a * q_, vector[a], q_);
      const double length = std::sqrt(inner(turned.data(), turned.data(), q_));
      if (!(length > 0)) continue;
      for (std::size_t a = 0; a < k_; ++a) add_scaled(b_.data() + a * q_, turned.data(), vector[a] / length, q_);
    }
  }

  // The objective without the penalty, at z = X W.
  double value(const std::vector<double>& z) const {
    double sum = 0;
    std::vector<double> column(n_), image(n_), fitted(q_);
    for (std::size_t c = 0; c < k_; ++c) {
      for (std::size_t i = 0; i < n_; ++i) column[i] = v_[i * k_ + c];
      rows_.product(column.data(), image.data());
      sum += beta_ * inner(column.data(), image.data(), n_);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy_n(y_ + i * q_, q_, fitted.data());
      for (std::size_t c = 0; c < k_; ++c) {
        const double v = v_[i * k_ + c];
        sum += (z[i * k_ + c] - v) * (z[i * k_ + c] - v);
        add_scaled(fitted.data(), b_.data() + c * q_, -v, q_);
      }
      sum += alpha_ * inner(fitted.data(), fitted.data(), q_);
    }
    return sum;
  }

  const Context& context_;
  const CenteredColumns& x_;
  std::size_t n_, q_, k_;
  const double* y_;
  const SparseSymmetric& rows_;
  double alpha_, beta_;
  std::vector<std::size_t> units_;
  GroupLasso lasso_;
  std::vector<double> diagonal_, v_, b_;
};

}  // namespace mlsift
