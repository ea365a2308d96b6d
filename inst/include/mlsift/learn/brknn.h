#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace mlsift {

/// BR-kNN. Spyromitros, Tsoumakas & Vlahavas (2008), SETN, 401-406: psi_l = C(l) / k, the share of the neighbors that
/// have the label. The same for all labels, [l * (k + 1) + C]. If the label is unknown for u neighbors, it is the share
/// of the k - u others; if it is unknown for all, n_l / N of all rows in which it is known.
inline std::vector<double> brknn_scores(std::size_t q, std::size_t k) {
  std::vector<double> scores(q * (k + 1));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = static_cast<double>(i % (k + 1)) / static_cast<double>(k);
  }
  return scores;
}

inline double brknn_score(std::size_t count, std::size_t known, int rows_with, int rows_known) {
  if (known == 0) return static_cast<double>(rows_with) / rows_known;
  return static_cast<double>(count) / static_cast<double>(known);
}

enum class BrknnVariant { plain, a, b };

/// Label sets from scores psi_l = C(l) / k of n rows, n x q by column: all l with psi_l >= threshold. Variant a: if
/// there are none, the label with the largest psi. Variant b: the s labels with the largest psi, where s is the mean
/// size of the neighbors' label sets, sum_l psi_l, rounded, halves up. Among equal scores the first label wins. k = 0:
/// scores are not shares of a common number of neighbors.
inline void brknn_response(const double* score, std::size_t n, std::size_t q, std::size_t k, BrknnVariant variant,
                           double threshold, int* response) {
  std::vector<double> of_row(q);
  std::vector<std::size_t> order(q);
  for (std::size_t i = 0; i < n; ++i) {
    bool none = true;
    double votes = 0;  // whole numbers
    for (std::size_t l = 0; l < q; ++l) {
      of_row[l] = score[l * n + i];
      votes += k > 0 ? std::round(of_row[l] * static_cast<double>(k)) : of_row[l];
      const bool on = variant != BrknnVariant::b && of_row[l] >= threshold;
      response[l * n + i] = on;
      none = none && !on;
    }
    if (variant == BrknnVariant::plain || (variant == BrknnVariant::a && !none)) continue;
    // A sum of shares of different numbers is a half only up to rounding.
    const double mean = k > 0 ? votes / static_cast<double>(k) : votes + 1e-9;
    const std::size_t size = variant == BrknnVariant::a ? 1 : static_cast<std::size_t>(std::floor(mean + 0.5));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return of_row[a] > of_row[b]; });
    for (std::size_t j = 0; j < std::min(size, q); ++j) response[order[j] * n + i] = 1;
  }
}

}  // namespace mlsift
