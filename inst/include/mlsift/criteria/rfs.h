#ifndef MLSIFT_CRITERIA_RFS_H
#define MLSIFT_CRITERIA_RFS_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../model/group_lasso.h"

namespace mlsift {

/// RFS: minimizes sum_i weight_i ||y_i - W'x_i|| + gamma sum_j ||w_j||, with the weights of the rows of x. Without
/// weights this is equation 9 of Nie et al. (2010), NIPS.
///
/// Squares of rows are multiplied by weight / sqrt(||residual||^2 + smooth^2), and the weighted least squares problem
/// with its penalty is repeatedly solved to exact zeros. Weighted residuals are then a dual point, which bounds the
/// objective from below. It stops where the gap is at most `tol` times the objective at W = 0, or where fifty rounds do
/// not halve it: with many rows whose residual is 0, the bound lags far behind.
///
/// `y`: rows x targets, by rows. Columns of x are not centered.
inline SparseFit rfs(const Context& context, const CenteredColumns& x, const double* y, std::size_t targets,
                     double gamma, double tol, std::size_t most, double max_seconds) {
  const std::size_t n = x.n_rows(), q = targets;
  const std::vector<std::size_t> units = varying_units(x, {});
  SparseFit result;
  double total = 0;
  std::vector<double> theta(n * q, 0.0), length(n);
  for (std::size_t i = 0; i < n; ++i) {
    length[i] = std::sqrt(inner(y + i * q, y + i * q, q));
    total += x.row_weight(i) * length[i];
    if (length[i] > 0) add_scaled(theta.data() + i * q, y + i * q, x.row_weight(i) / length[i], q);
  }
  result.largest_penalty = longest_gradient(context, x, units, theta.data(), q, result.reach);
  for (double& reach : result.reach) reach /= gamma;
  result.norm.assign(x.n_units(), 0.0);
  result.certificate = {total, 0, true};
  if (result.largest_penalty <= gamma) return result;

  const double mean = total / x.total();
  const auto started = std::chrono::steady_clock::now();
  double smooth = 0.1 * mean, share = 0.02;
  std::vector<double> gaps;
  ActiveRows w;
  std::vector<double> r(y, y + n * q), root(n), scaled(n * q);
  for (std::size_t round = 1;; ++round) {
    result.rounds = round;
    for (std::size_t i = 0; i < n; ++i) {
      const double square = inner(r.data() + i * q, r.data() + i * q, q);
      root[i] = std::sqrt(x.row_weight(i)) / std::sqrt(std::sqrt(square + smooth * smooth));
      std::fill_n(scaled.data() + i * q, q, 0.0);
      add_scaled(scaled.data() + i * q, y + i * q, root[i], q);
    }
    const CenteredColumns weighted = x.with_rows_scaled(root);
    GroupLasso lasso(context, weighted, q);
    lasso.set_targets(scaled.data());
    const double gap = round == 1 ? tol * total : result.certificate.gap;
    const double enough = std::max(1e-15 * total, share * gap);
    lasso.solve({gamma, 0}, enough, false, w);

    r.assign(y, y + n * q);
    add_fit(x, w, -1, q, r.data());
    double objective = 0, longest = 0, product = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double norm = std::sqrt(inner(r.data() + i * q, r.data() + i * q, q));
      objective += x.row_weight(i) * norm;
      std::fill_n(theta.data() + i * q, q, 0.0);
      add_scaled(theta.data() + i * q, r.data() + i * q, root[i] * root[i], q);
      longest = std::max(longest, norm * root[i] * root[i] / x.row_weight(i));
      product += inner(theta.data() + i * q, y + i * q, q);
    }
    result.norm = row_norms(x, w);
    for (const double norm : result.norm) objective += gamma * norm;
    const double reach = longest_gradient(context, x, units, theta.data(), q, result.reach);
    for (double& one : result.reach) one /= gamma;
    result.certificate.objective = objective;
    result.certificate.gap = objective - product / std::max({1.0, longest, reach / gamma});
    result.certificate.converged = result.certificate.gap <= tol * total;
    gaps.push_back(result.certificate.gap);
    // If the gap falls slowly, more precise steps help.
    const auto slow = [&](std::size_t rounds) {
      return round > rounds && gaps[round - 1] > 0.5 * gaps[round - 1 - rounds];
    };
    if (round % 10 == 0 && slow(10)) share = std::max(1e-7, 0.1 * share);
    const bool still = share == 1e-7 && slow(50);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    if (result.certificate.converged || still || round == most || seconds.count() > max_seconds) return result;
    smooth = std::max(0.7 * smooth, 1e-7 * mean);
  }
}

}  // namespace mlsift

#endif
