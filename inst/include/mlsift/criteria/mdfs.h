#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../model/group_lasso.h"
#include "../solve/conjugate_gradients.h"
#include "../solve/sparse_symmetric.h"

namespace mlsift {

/// MDFS. Zhang et al. (2019), Pattern Recognition 95: the minimum over F (rows x labels) and W of
///   tr(F'LF) + alpha ||H(XW - F)||^2 + alpha ||F - Y||^2 + beta tr(F L0 F') + gamma sum_j ||w_j||
/// with L the Laplacian of the rows, L0 = q I - 11' that of all pairs of labels, and H the centering.
///
/// F is eliminated: its best value for given W takes one system with L for each label. W follows from F as a group
/// lasso. Since the rest is a quadratic in X W, its dual, and with it the gap, is known in closed form.
class Mdfs {
 public:
  Mdfs(const Context& context, const CenteredColumns& x, const double* y, std::size_t labels,
       const SparseSymmetric& rows, double alpha, double beta)
      : context_(context),
        x_(x),
        n_(x.n_rows()),
        q_(labels),
        y_(y),
        rows_(rows),
        alpha_(alpha),
        beta_(beta),
        units_(varying_units(x, {})),
        lasso_(context, x, labels) {
    f_.resize(n_ * q_);
    // The best F where X W is free: H(XW - F) = 0.
    solve_f(nullptr);
    free_ = centered(f_);
    lowest_ = value(free_, f_);
  }

  /// From this gamma on, W = 0.
  double largest_penalty() {
    const std::vector<double> none(n_ * q_, 0.0);
    solve_f(none.data());
    std::vector<double> norm;
    return 2 * alpha_ * longest_gradient(context_, x_, units_, centered(f_).data(), q_, norm);
  }

  SparseFit minimize(double gamma, double tol, std::size_t most) {
    SparseFit result;
    ActiveRows w;
    std::vector<double> z(n_ * q_, 0.0), gradient(n_ * q_), target;
    double first = 0;
    for (std::size_t round = 0;; ++round) {
      std::fill(z.begin(), z.end(), 0.0);
      add_fit(x_, w, 1, q_, z.data());
      solve_f(z.data());
      target = centered(f_);
      for (std::size_t e = 0; e < z.size(); ++e) gradient[e] = 2 * alpha_ * (z[e] - target[e]);
      result.rounds = round;
      result.norm = row_norms(x_, w);
      const double longest = longest_gradient(context_, x_, units_, gradient.data(), q_, result.reach);
      for (double& reach : result.reach) reach /= gamma;
      const double fit = value(z, f_), scale = std::min(1.0, gamma / longest);
      double penalty = 0;
      for (const double norm : result.norm) penalty += gamma * norm;
      // The quadratic at scale * z + (1 - scale) * free_, where its gradient is scale * gradient.
      const double with_gradient = scale * inner(z.data(), gradient.data(), z.size()) +
                                   (1 - scale) * inner(free_.data(), gradient.data(), z.size());
      const double dual = lowest_ + scale * scale * (fit - lowest_) - scale * with_gradient;
      result.certificate.objective = fit + penalty;
      result.certificate.gap = fit + penalty - dual;
      if (round == 0) first = fit;
      result.certificate.converged = result.certificate.gap <= tol * first;
      if (result.certificate.converged || round == most) return result;
      lasso_.set_targets(target.data());
      const double enough = std::max(2e-15 * lasso_.empty_objective(), 0.1 * result.certificate.gap / (2 * alpha_));
      lasso_.solve({gamma / (2 * alpha_), 0}, enough, false, w);
    }
  }

 private:
  std::vector<double> centered(const std::vector<double>& f) const {
    std::vector<double> mean(q_, 0.0), result = f;
    for (std::size_t i = 0; i < n_; ++i) add_scaled(mean.data(), f.data() + i * q_, 1 / static_cast<double>(n_), q_);
    for (std::size_t i = 0; i < n_; ++i) add_scaled(result.data() + i * q_, mean.data(), -1, q_);
    return result;
  }

  // The objective without the penalty, at z = X W.
  double value(const std::vector<double>& z, const std::vector<double>& f) const {
    const std::vector<double> inside = centered(f);
    double sum = 0;
    std::vector<double> column(n_), image(n_);
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t i = 0; i < n_; ++i) column[i] = f[i * q_ + l];
      rows_.product(column.data(), image.data());
      sum += inner(column.data(), image.data(), n_);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      double total = 0, squares = 0;
      for (std::size_t l = 0; l < q_; ++l) {
        const std::size_t e = i * q_ + l;
        sum += alpha_ * ((z[e] - inside[e]) * (z[e] - inside[e]) + (f[e] - y_[e]) * (f[e] - y_[e]));
        total += f[e];
        squares += f[e] * f[e];
      }
      sum += beta_ * (static_cast<double>(q_) * squares - total * total);
    }
    return sum;
  }

  // f_ = the best F at X W = z, or for the best z (null). The mean over labels and what is left are eigenspaces of L0,
  // of 0 and q; so are the mean over rows and what is left of H.
  void solve_f(const double* z) {
    const double together = z ? 2 * alpha_ : alpha_;
    std::vector<double> mean(n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t l = 0; l < q_; ++l) mean[i] += right(z, i, l);
      mean[i] /= static_cast<double>(q_);
    }
    const std::vector<double> shared = solve_column(mean, alpha_, together);
    const double apart = beta_ * static_cast<double>(q_);
    parallel_each(context_, q_, 50.0 * static_cast<double>(q_ * (rows_.row.size() + n_)), [&](std::size_t l) {
      std::vector<double> b(n_);
      for (std::size_t i = 0; i < n_; ++i) b[i] = right(z, i, l) - mean[i];
      const std::vector<double> found = solve_column(std::move(b), alpha_ + apart, together + apart);
      for (std::size_t i = 0; i < n_; ++i) f_[i * q_ + l] = shared[i] + found[i];
    });
  }

  double right(const double* z, std::size_t i, std::size_t l) const {
    const std::size_t e = i * q_ + l;
    return alpha_ * ((z ? z[e] : 0) + y_[e]);
  }

  // The solution for the mean (on which L and H are 0) and for the rest.
  std::vector<double> solve_column(std::vector<double> b, double of_mean, double of_rest) const {
    double mean = 0;
    for (const double v : b) mean += v;
    mean /= static_cast<double>(n_);
    for (double& v : b) v -= mean;
    std::vector<double> diagonal(n_), x(n_);
    for (std::size_t i = 0; i < n_; ++i) diagonal[i] = rows_.at(i, i) + of_rest;
    ConjugateGradients().solve(
        [&](const double* v, double* to) {
          rows_.product(v, to);
          add_scaled(to, v, of_rest, n_);
        },
        diagonal, b.data(), 1e-13, 10 * n_ + 100, x.data());
    for (double& v : x) v += mean / of_mean;
    return x;
  }

  const Context& context_;
  const CenteredColumns& x_;
  std::size_t n_, q_;
  const double* y_;
  const SparseSymmetric& rows_;
  double alpha_, beta_;
  std::vector<std::size_t> units_;
  GroupLasso lasso_;
  std::vector<double> f_, free_;
  double lowest_ = 0;
};

}  // namespace mlsift
