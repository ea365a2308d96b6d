#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "../core/parallel.h"
#include "../model/design.h"
#include "../solve/cholesky.h"
#include "../solve/tridiagonal.h"

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
/// cost     N d m / 2 for all prefixes together, m = min(N, d); 2/3 m^3 and about 5 m^2 q for each prefix to make the
///          matrix tridiagonal and to solve that. Memory: m^2.
class ChosenRidge {
 public:
  ChosenRidge(const Design& design, const double* c, const double* y, std::size_t q, const Context& context)
      : design_(design),
        context_(context),
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
      fill(result[p], k, rho[p]);
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

  // X' C X and X' C y for the first k of d columns.
  void by_columns(std::size_t k, std::size_t d) {
    wide_ = false;
    reduced_.resize(k * q_);
    for (std::size_t t = 0; t < q_; ++t) std::copy_n(right_.data() + t * d, k, reduced_.data() + t * k);
    decompose(k, [&](std::size_t i, std::size_t j) { return columns_[i * d + j]; });
    for (std::size_t j = 0; j < values_.size(); ++j) along_[j] /= values_[j];
  }

  // C^1/2 X X' C^1/2, from products_, and C^1/2 y.
  void by_rows() {
    wide_ = true;
    std::vector<double> mean(n_, 0.0);
    const auto product = [&](std::size_t i, std::size_t j) { return products_[std::max(i, j) * n_ + std::min(i, j)]; };
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) mean[i] += weight_[j] / total_ * product(i, j);
    }
    const double all = inner(mean.data(), weight_.data(), n_) / total_;
    reduced_.resize(n_ * q_);
    for (std::size_t t = 0; t < q_; ++t) {
      for (std::size_t i = 0; i < n_; ++i) reduced_[t * n_ + i] = std::sqrt(weight_[i]) * centered_[t * n_ + i];
    }
    decompose(n_, [&](std::size_t i, std::size_t j) {
      return std::sqrt(weight_[i] * weight_[j]) * (product(i, j) - mean[i] - mean[j] + all);
    });
  }

  // Makes the matrix of `entry(i, j)` for j <= i tridiagonal and turns reduced_ with it. values_ become the eigenvalues
  // above 0, and along_ the squares, over all targets, of what reduced_ has along their eigenvectors.
  template <class Entry>
  void decompose(std::size_t m, Entry entry) {
    matrix_.resize(m * m);
    constexpr std::size_t most = 32;  // rows of matrix_ that stay in the cache
    for (std::size_t begin = 0; begin < m; begin += most) {
      for (std::size_t i = begin; i < m; ++i) {
        for (std::size_t j = begin; j <= i && j < begin + most; ++j) matrix_[j * m + i] = entry(i, j);
      }
    }
    tridiagonal_.emplace(matrix_, m, context_);
    tridiagonal_->forward(reduced_.data(), q_);
    std::vector<double> turned(m * q_);
    for (std::size_t t = 0; t < q_; ++t) {
      const double scale = unit_[t] > 0 ? 1 / std::sqrt(squares_[t]) : 0;
      for (std::size_t j = 0; j < m; ++j) turned[j * q_ + t] = scale * reduced_[t * m + j];
    }
    const std::vector<double> all = tridiagonal_->values(turned, q_);
    const double least = m == 0 ? 0 : 1e-13 * *std::max_element(all.begin(), all.end());
    values_.clear();
    along_.clear();
    for (std::size_t j = 0; j < m; ++j) {
      if (all[j] <= std::max(least, 0.0)) continue;
      values_.push_back(all[j]);
      along_.push_back(inner(turned.data() + j * q_, turned.data() + j * q_, q_));
    }
  }

  double least() const {
    const std::size_t rank = values_.size();
    if (rank == 0) return 0;
    const auto varying = std::count_if(unit_.begin(), unit_.end(), [](double unit) { return unit > 0; });
    const double explained = std::accumulate(along_.begin(), along_.end(), 0.0);
    const double rest = rank + 1 >= n_ ? 0 : std::max(0.0, static_cast<double>(varying) - explained);
    const auto gcv = [&](double log_rho) {
      const double rho = std::exp(log_rho);
      double error = rest, freedom = total_ - 1 - static_cast<double>(rank);
      for (std::size_t j = 0; j < rank; ++j) {
        const double left = rho / (values_[j] + rho);
        error += along_[j] * left * left;
        freedom += left;
      }
      return freedom > 0 ? error / (freedom * freedom) : std::numeric_limits<double>::infinity();
    };
    const double mean = std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(rank);
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

  // Overwrites reduced_.
  void fill(std::vector<LinearModel>& models, std::size_t k, double rho) {
    const std::size_t m = tridiagonal_->size();
    for (std::size_t t = 0; t < q_; ++t) tridiagonal_->solve(rho, reduced_.data() + t * m);
    tridiagonal_->backward(reduced_.data(), q_);
    for (std::size_t t = 0; t < q_; ++t) {
      LinearModel& model = models[t];
      double* const solution = reduced_.data() + t * m;
      model.weights.assign(k, 0.0);
      if (wide_ && unit_[t] > 0 && !values_.empty()) {
        for (std::size_t i = 0; i < n_; ++i) solution[i] *= unit_[t] * std::sqrt(weight_[i]);
        design_.inner_products(solution, k, model.weights.data());
        const double all = std::accumulate(solution, solution + n_, 0.0);
        add_scaled(model.weights.data(), sums_.data(), -all / total_, k);
      } else if (unit_[t] > 0 && !values_.empty()) {
        add_scaled(model.weights.data(), solution, unit_[t], k);
      }
      model.intercept = mean_[t] - inner(sums_.data(), model.weights.data(), k) / total_;
    }
  }

  const Design& design_;
  const Context& context_;
  std::size_t n_, q_;
  std::vector<double> weight_;
  double total_ = 0;
  std::vector<double> centered_, mean_, unit_, squares_;  // targets less means, the largest is 1
  std::vector<double> sums_, columns_, right_, products_;
  Gram gram_;
  bool wide_ = false;
  std::vector<double> matrix_, reduced_, values_, along_;
  std::optional<Tridiagonal> tridiagonal_;
};

}  // namespace mlsift
