#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "overlap.h"

namespace mlsift {

/// How well one numeric target is predicted. Rows with a truth of NaN or a weight of 0 are left out; n and sums over
/// rows are sums of weights. NaN if undefined.
///
///   rmse   = sqrt(1/n sum_i (y_i - p_i)^2)
///   rrmse  = sqrt(sum_i (y_i - p_i)^2 / sum_i (y_i - m)^2),   m: mean of the target in the training rows
///   cor    = Pearson's correlation of y and p
///   mae    = 1/n sum_i |y_i - p_i|
///   r2     = 1 - sum_i (y_i - p_i)^2 / sum_i (y_i - mean(y))^2
///
/// edge   no rows: all undefined. All y_i = m: rrmse undefined. All y_i equal: cor and r2 undefined; else all p_i
///        equal: cor is 0.
struct TargetFit {
  double rmse, rrmse, cor, mae, r2;
};

inline TargetFit target_fit(const double* truth, const double* response, std::size_t n, double train_mean,
                            const Weights& weights = {}) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  double squares = 0, spread = 0, sum_y = 0, sum_p = 0, known = 0, sizes = 0;
  double low_y = infinite, high_y = -infinite, low_p = infinite, high_p = -infinite;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = truth[i], p = response[i];
    const double w = weights[i];
    if (std::isnan(y) || w == 0) continue;
    squares += w * ((y - p) * (y - p));
    sizes += w * std::fabs(y - p);
    spread += w * ((y - train_mean) * (y - train_mean));
    sum_y += w * y, sum_p += w * p, known += w;
    low_y = std::min(low_y, y), high_y = std::max(high_y, y);
    low_p = std::min(low_p, p), high_p = std::max(high_p, p);
  }
  if (known == 0) return {undefined, undefined, undefined, undefined, undefined};
  TargetFit fit{std::sqrt(squares / known), spread > 0 ? std::sqrt(squares / spread) : undefined, undefined,
                sizes / known, undefined};
  if (low_y == high_y) return fit;
  fit.cor = 0;
  const double mean_y = sum_y / known, mean_p = sum_p / known;
  double yy = 0, pp = 0, yp = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = weights[i];
    if (std::isnan(truth[i]) || w == 0) continue;
    const double y = truth[i] - mean_y, p = response[i] - mean_p;
    yy += w * (y * y), pp += w * (p * p), yp += w * (y * p);
  }
  if (yy > 0) fit.r2 = 1 - squares / yy;
  if (low_p == high_p) return fit;
  if (yy > 0 && pp > 0) fit.cor = std::max(-1.0, std::min(1.0, yp / (std::sqrt(yy) * std::sqrt(pp))));
  return fit;
}

}  // namespace mlsift
