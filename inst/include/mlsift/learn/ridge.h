#ifndef MLSIFT_LEARN_RIDGE_H
#define MLSIFT_LEARN_RIDGE_H

#include <cstddef>
#include <numeric>
#include <vector>

#include "../model/design.h"
#include "../solve/cholesky.h"

namespace mlsift {

/// Ridge regression: minimizes sum_i c_i (y_i - b - w' x_i)^2 + rho |w|^2, so that with centered columns and targets
///
///   (X' C X + rho I) w = X' C y
///
/// c        weights of rows; null where each is 1
/// y        n x q, one target after the other
/// edge     rho = 0: a column that depends on earlier ones gets the weight 0
/// cost     n d^2 / 2 + d^3 / 6 for all targets and prefixes together, then d^2 for each target and prefix
inline std::vector<std::vector<LinearModel>> ridge_models(const Design& design, const double* c, const double* y,
                                                          std::size_t q, const std::vector<std::size_t>& prefixes,
                                                          double rho) {
  const std::size_t n = design.n_rows(), d = design.n_columns();
  std::vector<double> weight(n, 1.0), sums(d), a(d * d);
  if (c) weight.assign(c, c + n);
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  design.inner_products(weight.data(), d, sums.data());
  Gram gram;
  design.weighted_gram(weight.data(), d, gram, a.data());
  for (std::size_t j = 0; j < d; ++j) {
    add_scaled(a.data() + j * d, sums.data(), -sums[j] / total, j + 1);
    a[j * d + j] += rho;
  }
  Cholesky cholesky;
  cholesky.factor(a, d);

  std::vector<std::vector<LinearModel>> result(prefixes.size(), std::vector<LinearModel>(q));
  std::vector<double> centered(n), right(d);
  for (std::size_t t = 0; t < q; ++t) {
    const double* target = y + t * n;
    const double mean = std::inner_product(target, target + n, weight.begin(), 0.0) / total;
    for (std::size_t i = 0; i < n; ++i) centered[i] = weight[i] * (target[i] - mean);
    design.inner_products(centered.data(), d, right.data());
    cholesky.forward(right.data(), d);
    for (std::size_t p = 0; p < prefixes.size(); ++p) {
      LinearModel& model = result[p][t];
      model.weights.assign(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(prefixes[p]));
      cholesky.backward(model.weights.data(), prefixes[p]);
      model.intercept = mean - inner(sums.data(), model.weights.data(), prefixes[p]) / total;
    }
  }
  return result;
}

}  // namespace mlsift

#endif
