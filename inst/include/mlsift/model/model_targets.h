#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "../core/vectors.h"

namespace mlsift {

/// Weights of the cells of targets (rows x targets, by rows): those of the rows (or null), 0 where a target is unknown,
/// and for each target with the same sum. Empty if all are 1.
///
/// `start`, `rows`: the unknown rows of each target, as in a sparse matrix by columns; null if all are known.
inline std::vector<double> cell_weights(std::size_t n, std::size_t q, const double* weights, const int* start,
                                        const int* rows) {
  std::vector<double> cells;
  if (!weights && !start) return cells;
  for (std::size_t i = 0; i < n; ++i) cells.insert(cells.end(), q, weights ? weights[i] : 1);
  if (!start) return cells;
  const double all = weights ? std::accumulate(weights, weights + n, 0.0) : static_cast<double>(n);
  std::vector<double> known(q, 0.0), factor(q, 1.0);
  for (std::size_t t = 0; t < q; ++t) {
    for (int s = start[t]; s < start[t + 1]; ++s) cells[static_cast<std::size_t>(rows[s]) * q + t] = 0;
  }
  for (std::size_t i = 0; i < n; ++i) add_scaled(known.data(), cells.data() + i * q, 1, q);
  for (std::size_t t = 0; t < q; ++t) {
    if (start[t] < start[t + 1]) factor[t] = all / known[t];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t t = 0; t < q; ++t) cells[i * q + t] *= factor[t];
  }
  return cells;
}

/// The targets of a linear model, with the mean and the deviation of each over the cells that count.
class ModelTargets {
 public:
  /// `y`: n x q, one target after the other. `weights`: of rows, or null. `cells`: as cell_weights() gives them.
  /// Without `standardize`, and for a target that does not vary, the deviation is taken as 1.
  ModelTargets(const double* y, std::size_t n, std::size_t q, bool standardize, const double* weights = nullptr,
               const std::vector<double>& cells = {})
      : n_(n), q_(q), y_(y), weights_(weights) {
    for (std::size_t t = 0; t < q; ++t) {
      const double* const from = y + t * n;
      const auto weight = [&](std::size_t i) { return cells.empty() ? row_weight(i) : cells[i * q + t]; };
      double total = 0, sum = 0, left = 0, squares = 0, low = 0, high = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (weight(i) == 0) continue;
        low = total == 0 ? from[i] : std::min(low, from[i]);
        high = total == 0 ? from[i] : std::max(high, from[i]);
        total += weight(i);
        sum += weight(i) * from[i];
      }
      const double first = sum / total;
      for (std::size_t i = 0; i < n; ++i) left += weight(i) * (from[i] - first);
      const double mean = first + left / total;
      for (std::size_t i = 0; i < n; ++i) squares += weight(i) * (from[i] - mean) * (from[i] - mean);
      mean_.push_back(mean);
      varies_.push_back(low < high);
      scale_.push_back(standardize && low < high ? std::sqrt(squares / total) : 1);
    }
  }

  const std::vector<double>& mean() const { return mean_; }
  const std::vector<double>& scale() const { return scale_; }

  /// By rows, with mean 0 and divided by their deviations; multiplied by the roots of the weights of rows.
  std::vector<double> centered() const {
    return by_rows([&](std::size_t i, std::size_t t, double y) {
      return varies_[t] ? std::sqrt(row_weight(i)) * ((y - mean_[t]) / scale_[t]) : 0;
    });
  }

  /// By rows, divided by their deviations.
  std::vector<double> scaled() const {
    return by_rows([&](std::size_t, std::size_t t, double y) { return y / scale_[t]; });
  }

 private:
  double row_weight(std::size_t i) const { return weights_ ? weights_[i] : 1; }

  template <class Value>
  std::vector<double> by_rows(Value value) const {
    std::vector<double> result(n_ * q_);
    for (std::size_t t = 0; t < q_; ++t) {
      for (std::size_t i = 0; i < n_; ++i) result[i * q_ + t] = value(i, t, y_[t * n_ + i]);
    }
    return result;
  }

  std::size_t n_, q_;
  const double *y_, *weights_;
  std::vector<double> mean_, scale_;
  std::vector<char> varies_;
};

}  // namespace mlsift
