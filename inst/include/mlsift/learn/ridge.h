#ifndef MLSIFT_LEARN_RIDGE_H
#define MLSIFT_LEARN_RIDGE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
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

/// Replaces a symmetric matrix, m x m, by its eigenvectors, one after the other, and sets its eigenvalues.
using Eigenproblem = std::function<void(double* a, std::size_t m, double* values)>;

/// Ridge regression of all targets with one penalty, the least of generalized cross-validation (Golub, Heath & Wahba
/// 1979):
///
///   GCV(rho) = sum_t |y_t - fit_t(rho)|^2 / (N - 1 - sum_j l_j / (l_j + rho))^2
///
/// l        eigenvalues of X' C X above 0, with centered columns; those of C^1/2 X X' C^1/2 are the same, and the
///          smaller matrix is used
/// y_t      each divided by its standard deviation; constant targets are left out
/// N        the sum of the weights
/// rho      the least of 60 from 1e-4 to 1e4 times the mean of l, then by golden section in log rho, to 1e-3
/// edge     an eigenvalue of at most 1e-13 of the largest is 0; a denominator that is not above 0 (weights with a small
///          sum) rules rho out
/// cost     N d m / 2 for all prefixes together, m = min(N, d); m^3 and m^2 q for each prefix. Memory: m^2.
class ChosenRidge {
 public:
  ChosenRidge(const Design& design, const double* c, const double* y, std::size_t q, const Eigenproblem& eigen)
      : design_(design),
        eigen_(eigen),
        n_(design.n_rows()),
        q_(q),
        weight_(n_, 1.0),
        centered_(n_ * q),
        mean_(q),
        unit_(q, 0.0),
        squares_(q, 0.0) {
    if (c) weight_.assign(c, c + n_);
    total_ = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    for (std::size_t t = 0; t < q; ++t) {
      const double* target = y + t * n_;
      double* to = centered_.data() + t * n_;
      mean_[t] = std::inner_product(target, target + n_, weight_.begin(), 0.0) / total_;
      if (std::all_of(target, target + n_, [&](double v) { return v == target[0]; })) {
        mean_[t] = target[0];
        continue;
      }
      for (std::size_t i = 0; i < n_; ++i) unit_[t] = std::max(unit_[t], std::fabs(to[i] = target[i] - mean_[t]));
      for (std::size_t i = 0; i < n_; ++i) {
        to[i] /= unit_[t];
        squares_[t] += weight_[i] * to[i] * to[i];
      }
    }
  }

  /// A model of each target for each prefix; `rho` becomes the penalties.
  std::vector<std::vector<LinearModel>> models(const std::vector<std::size_t>& prefixes, std::vector<double>& rho) {
    std::vector<std::size_t> order(prefixes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return prefixes[a] < prefixes[b]; });
    std::vector<std::vector<LinearModel>> result(prefixes.size(), std::vector<LinearModel>(q_));
    rho.resize(prefixes.size());
    const std::size_t d = prefixes[order.back()];
    sums_.resize(d);
    design_.inner_products(weight_.data(), d, sums_.data());
    std::size_t narrow = 0;
    for (const std::size_t k : prefixes) {
      if (k <= n_) narrow = std::max(narrow, k);
    }
    set_columns(narrow);
    std::size_t added = 0;
    if (d > n_) products_.assign(n_ * n_, 0.0);
    for (const std::size_t p : order) {
      const std::size_t k = prefixes[p];
      if (k <= n_) {
        by_columns(k, narrow);
      } else {
        design_.add_row_products(added, k, gram_, products_.data());
        added = k;
        by_rows();
      }
      rho[p] = least();
      for (std::size_t t = 0; t < q_; ++t) fill(result[p][t], t, k, rho[p]);
    }
    return result;
  }

 private:
  // X' C X and X' C y for the first d columns.
  void set_columns(std::size_t d) {
    columns_.resize(d * d);
    right_.resize(d * q_);
    if (d == 0) return;
    design_.weighted_gram(weight_.data(), d, gram_, columns_.data());
    for (std::size_t j = 0; j < d; ++j) add_scaled(columns_.data() + j * d, sums_.data(), -sums_[j] / total_, j + 1);
    std::vector<double> weighted(n_);
    for (std::size_t t = 0; t < q_; ++t) {
      for (std::size_t i = 0; i < n_; ++i) weighted[i] = weight_[i] * centered_[t * n_ + i];
      design_.inner_products(weighted.data(), d, right_.data() + t * d);
    }
  }

  // Eigenvectors of X' C X for the first k of d columns. along_: V' X' C y / sqrt(l), m numbers for each target.
  void by_columns(std::size_t k, std::size_t d) {
    wide_ = false;
    decompose(k, [&](std::size_t i, std::size_t j) { return columns_[i * d + j]; });
    for (std::size_t t = 0; t < q_; ++t) {
      for (std::size_t j = first_; j < k; ++j) {
        along_[t * k + j] = inner(vectors_.data() + j * k, right_.data() + t * d, k) / std::sqrt(values_[j]);
      }
    }
  }

  // Those of C^1/2 X X' C^1/2, from products_. along_: V' C^1/2 y.
  void by_rows() {
    wide_ = true;
    std::vector<double> mean(n_, 0.0), y(n_);
    const auto product = [&](std::size_t i, std::size_t j) { return products_[std::max(i, j) * n_ + std::min(i, j)]; };
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) mean[i] += weight_[j] / total_ * product(i, j);
    }
    const double all = inner(mean.data(), weight_.data(), n_) / total_;
    decompose(n_, [&](std::size_t i, std::size_t j) {
      return std::sqrt(weight_[i] * weight_[j]) * (product(i, j) - mean[i] - mean[j] + all);
    });
    for (std::size_t t = 0; t < q_; ++t) {
      for (std::size_t i = 0; i < n_; ++i) y[i] = std::sqrt(weight_[i]) * centered_[t * n_ + i];
      for (std::size_t j = first_; j < n_; ++j) along_[t * n_ + j] = inner(vectors_.data() + j * n_, y.data(), n_);
    }
  }

  // `entry(i, j)` for j <= i. The eigenvalues from first_ on, in increasing order, are above 0.
  template <class Entry>
  void decompose(std::size_t m, Entry entry) {
    vectors_.resize(m * m);
    values_.resize(m);
    along_.assign(m * q_, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j <= i; ++j) vectors_[i * m + j] = vectors_[j * m + i] = entry(i, j);
    }
    eigen_(vectors_.data(), m, values_.data());
    const double least = 1e-13 * values_.back();
    first_ = 0;
    while (first_ < m && values_[first_] <= std::max(least, 0.0)) ++first_;
  }

  double least() {
    const std::size_t m = values_.size(), rank = m - first_;
    if (rank == 0) return 0;
    std::vector<double> size(m, 0.0);  // of what the targets have along each eigenvector
    double rest = 0;
    for (std::size_t t = 0; t < q_; ++t) {
      if (unit_[t] == 0) continue;
      rest += 1;
      for (std::size_t j = first_; j < m; ++j) size[j] += along_[t * m + j] * along_[t * m + j] / squares_[t];
    }
    rest = rank + 1 >= n_ ? 0 : std::max(0.0, rest - std::accumulate(size.begin(), size.end(), 0.0));
    const auto gcv = [&](double log_rho) {
      const double rho = std::exp(log_rho);
      double error = rest, freedom = total_ - 1 - static_cast<double>(rank);
      for (std::size_t j = first_; j < m; ++j) {
        const double left = rho / (values_[j] + rho);
        error += size[j] * left * left;
        freedom += left;
      }
      return freedom > 0 ? error / (freedom * freedom) : std::numeric_limits<double>::infinity();
    };
    const double mean = std::accumulate(values_.begin() + static_cast<std::ptrdiff_t>(first_), values_.end(), 0.0) /
                        static_cast<double>(rank);
    constexpr int steps = 59;
    const auto at = [&](int g) { return std::log(mean) + std::log(1e4) * (1 - 2.0 * g / steps); };
    int best = 0;
    double found = gcv(at(0));
    for (int g = 1; g <= steps; ++g) {
      const double value = gcv(at(g));
      if (value < found) {
        found = value;
        best = g;
      }
    }
    return std::exp(golden(gcv, at(std::min(best + 1, steps)), at(std::max(best - 1, 0))));
  }

  template <class Function>
  static double golden(Function f, double low, double high) {
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double a = high - ratio * (high - low), b = low + ratio * (high - low), at_a = f(a), at_b = f(b);
    while (high - low > 1e-3) {
      if (at_a < at_b) {
        high = b;
        b = a;
        at_b = at_a;
        at_a = f(a = high - ratio * (high - low));
      } else {
        low = a;
        a = b;
        at_a = at_b;
        at_b = f(b = low + ratio * (high - low));
      }
    }
    return (low + high) / 2;
  }

  void fill(LinearModel& model, std::size_t t, std::size_t k, double rho) const {
    const std::size_t m = values_.size();
    model.weights.assign(k, 0.0);
    if (unit_[t] > 0) {
      std::vector<double> solution(m, 0.0);
      for (std::size_t j = first_; j < m; ++j) {
        const double part = along_[t * m + j] / (values_[j] + rho) * (wide_ ? 1 : std::sqrt(values_[j]));
        add_scaled(solution.data(), vectors_.data() + j * m, unit_[t] * part, m);
      }
      if (wide_) {
        for (std::size_t i = 0; i < n_; ++i) solution[i] *= std::sqrt(weight_[i]);
        design_.inner_products(solution.data(), k, model.weights.data());
        const double all = std::accumulate(solution.begin(), solution.end(), 0.0);
        add_scaled(model.weights.data(), sums_.data(), -all / total_, k);
      } else {
        model.weights = solution;
      }
    }
    model.intercept = mean_[t] - inner(sums_.data(), model.weights.data(), k) / total_;
  }

  const Design& design_;
  const Eigenproblem& eigen_;
  std::size_t n_, q_;
  std::vector<double> weight_;
  double total_ = 0;
  std::vector<double> centered_, mean_, unit_, squares_;  // targets less means, the largest is 1
  std::vector<double> sums_, columns_, right_, products_;
  Gram gram_;
  bool wide_ = false;
  std::size_t first_ = 0;
  std::vector<double> vectors_, values_, along_;
};

}  // namespace mlsift

#endif
