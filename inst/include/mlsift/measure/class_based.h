#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "auc.h"
#include "overlap.h"

namespace mlsift {

/// How well the categories of one target are predicted. n_ab is the number (or weight) of rows of category a that are
/// predicted as b, with sums n_a. and n_.b, and n rows:
///
///   accuracy            1/n sum_c n_cc
///   balanced accuracy   mean of n_cc / n_c. over the categories that are true in some row
///   f1                  mean of 2 n_cc / (n_c. + n_.c) over the categories that are true or predicted in some row
///   kappa               (po - pe) / (1 - pe), po = accuracy, pe = sum_c n_c. n_.c / n^2. Cohen (1960), EPM 20:37-46.
///
/// edge   pe = 1 (a single category, always true and always predicted): kappa is NaN
struct ClassFit {
  double accuracy = 0, balanced_accuracy = 0, f1 = 0, kappa = 0;
};

/// `truth`, `response`: category numbers from 0 to n_categories - 1.
inline ClassFit class_fit(const int* truth, const int* response, std::size_t n, std::size_t n_categories,
                          const Weights& weights = {}) {
  std::vector<double> is(n_categories, 0), said(n_categories, 0), right(n_categories, 0);
  for (std::size_t i = 0; i < n; ++i) {
    is[static_cast<std::size_t>(truth[i])] += weights[i];
    said[static_cast<std::size_t>(response[i])] += weights[i];
    if (truth[i] == response[i]) right[static_cast<std::size_t>(truth[i])] += weights[i];
  }
  Mean recall, f1;
  double correct = 0, chance = 0;  // integers if there are no weights
  for (std::size_t c = 0; c < n_categories; ++c) {
    correct += right[c];
    chance += is[c] * said[c];
    if (is[c] > 0) recall.add(right[c] / is[c]);
    if (is[c] + said[c] > 0) f1.add(2 * right[c] / (is[c] + said[c]));
  }
  const double rows = weights.total(n), pairs = rows * rows;
  const double kappa =
      chance < pairs ? (correct * rows - chance) / (pairs - chance) : std::numeric_limits<double>::quiet_NaN();
  return {correct / rows, recall.value(), f1.value(), kappa};
}

/// Mean over the categories of the AUC of each against the rest. Categories of no row or of all rows are left out; NaN
/// if none remains.
///
/// score   n x n_categories by column
inline double class_auc(const int* truth, const double* score, std::size_t n, std::size_t n_categories,
                        const Weights& weights = {}) {
  std::vector<int> is(n);
  RankProfile profile;
  Mean mean;
  for (std::size_t c = 0; c < n_categories; ++c) {
    for (std::size_t i = 0; i < n; ++i) is[i] = truth[i] == static_cast<int>(c);
    mean.add(auc(is.data(), score + c * n, n, profile, weights));
  }
  return mean.value();
}

/// -1/n sum_i log p_i, where p_i is the probability of the true category, at least the precision of a double.
inline double class_log_loss(const int* truth, const double* score, std::size_t n, const Weights& weights = {}) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = score[static_cast<std::size_t>(truth[i]) * n + i];
    sum -= weights[i] * std::log(std::max(std::numeric_limits<double>::epsilon(), std::min(1.0, p)));
  }
  return sum / weights.total(n);
}

}  // namespace mlsift
