#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "../core/parallel.h"
#include "../data/targets.h"
#include "../model/distinct_rows.h"
#include "../model/logistic_loss.h"
#include "../solve/cholesky.h"
#include "../solve/conjugate_gradients.h"

namespace mlsift {

struct LogisticOptions {
  double rho = 1;                      ///< above 0
  std::size_t most_steps = 25;         ///< of Newton's method
  std::size_t most_rough_steps = 100;  ///< of truncated Newton, whose steps are inexact
  std::size_t factored_columns = 300;  ///< with more columns than this, steps come from conjugate gradients
};

struct LogisticModel : LinearModel {
  double objective = 0;
  std::size_t steps = 0;
  bool converged = true;
};

/// Penalized logistic regression of one label by Newton's method (iteratively reweighted least squares):
///
///   minimize  f(b, w) = sum_i c_i log(1 + exp(-s_i (b + w' x_i))) + rho / 2 |w|^2,   s_i = 1 with the label, else -1
///
/// c_i      weights of rows; 1 where there are none
///
/// The intercept is eliminated from each step's equations, which become those of columns centered by the current
/// weights p_i (1 - p_i). A step is halved until f does not rise.
///
/// stop     after a step whose predicted change of the penalized deviance D = 2 f is less than 1e-8 (D + 0.1), if it
///          also changed each linear predictor by less than 1e-5. As steps converge quadratically, the remaining error
///          is of the order of 1e-10.
/// wide     with many columns, equations are solved by conjugate gradients, loosely at first (truncated Newton); then
///          linear predictors must change by less than 1e-6
/// edge     a label that no row or all rows have: w = 0 and an infinite intercept, the limit of the optimum
/// cost     n k^2 / 2 for each step (sparse columns: pairs of values in a row instead of k^2 / 2); wide: n k for each
///          step of conjugate gradients; n is the number of distinct rows
///
/// Scratch space of one thread.
class LogisticRegression {
 public:
  LogisticRegression(const DistinctRows& rows, const LogisticOptions& options) : rows_(rows), options_(options) {}

  /// The rows that have the label.
  template <class Rows>
  void set_label(Rows each_row) {
    y_.assign(rows_.design().n_rows(), 0.0);
    with_ = 0;
    weight_with_ = 0;
    each_row([&](int row) {
      const double weight = rows_.weight(static_cast<std::size_t>(row));
      y_[rows_.of_row()[static_cast<std::size_t>(row)]] += weight;
      weight_with_ += weight;
      ++with_;
    });
  }

  /// The model without features.
  LogisticModel start() const {
    LogisticModel model;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double>& count = rows_.count();
    const double total = std::accumulate(count.begin(), count.end(), 0.0);
    model.intercept = with_ == 0                       ? -infinity
                      : with_ == rows_.of_row().size() ? infinity
                                                       : std::log(weight_with_ / (total - weight_with_));
    return model;
  }

  /// From a model with at most k weights to the optimum with k.
  void improve(LogisticModel& model, std::size_t k) {
    model.weights.resize(k, 0.0);
    model.steps = 0;
    model.converged = true;
    if (with_ == 0 || with_ == rows_.of_row().size()) return;
    k_ = k;
    x_ = &rows_.design();
    n_ = x_->n_rows();
    for (std::vector<double>* by_row : {&eta_, &change_, &tried_, &v_, &e_, &tried_e_}) by_row->resize(n_);
    linear_predictor(*x_, model.intercept, model.weights.data(), k, eta_.data());
    model.objective = loss(eta_, e_) + penalty(model.weights);
    model.converged = false;
    double looseness = 0.1;
    const std::size_t most = wide() ? options_.most_rough_steps : options_.most_steps;
    while (model.steps < most && !model.converged) {
      ++model.steps;
      const double decrement = find_step(model, looseness);
      const double relative = decrement / (2 * model.objective + 0.1);
      const double moved = take_step(model);
      model.converged = relative < 1e-8 && moved < (wide() ? 1e-6 : 1e-5);
      looseness = std::max(1e-5, std::min(0.1, std::sqrt(relative)));
    }
  }

 private:
  bool wide() const { return k_ > options_.factored_columns; }

  double penalty(const std::vector<double>& w) const { return options_.rho / 2 * inner(w.data(), w.data(), w.size()); }

  // Also e = exp(-|eta|). The sum of logarithms over rows that occur once is the logarithm of their product.
  double loss(const std::vector<double>& eta, std::vector<double>& e) const {
    const std::vector<double>& count = rows_.count();
    double sum = 0;
    for (std::size_t begin = 0; begin < n_; begin += most_factors) {
      double product = 1;
      for (std::size_t i = begin; i < std::min(n_, begin + most_factors); ++i) {
        e[i] = std::exp(-std::fabs(eta[i]));
        if (count[i] == 1) {
          product *= 1 + e[i];
        } else {
          sum += count[i] * std::log1p(e[i]);
        }
        sum += count[i] * std::max(eta[i], 0.0) - y_[i] * eta[i];
      }
      sum += std::log(product);
    }
    return sum;
  }

  // The Newton step, in step_ and step_intercept_. Returns the product of the gradient and the step.
  double find_step(const LogisticModel& model, double looseness) {
    const std::vector<double>& count = rows_.count();
    std::vector<double>& r = tried_;  // y - p
    double gradient = 0, total = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double large = 1 / (1 + e_[i]), small = e_[i] * large;
      const double p = eta_[i] >= 0 ? large : small, other = eta_[i] >= 0 ? small : large;
      r[i] = y_[i] * other - (count[i] - y_[i]) * p;
      v_[i] = std::max(count[i] * (small * large), 1e-100);
      gradient += r[i];
      total += v_[i];
    }
    gradient_.resize(k_);
    cross_.resize(k_);
    step_.resize(k_);
    x_->inner_products(r.data(), k_, gradient_.data());
    add_scaled(gradient_.data(), model.weights.data(), -options_.rho, k_);
    x_->inner_products(v_.data(), k_, cross_.data());
    right_ = gradient_;
    add_scaled(right_.data(), cross_.data(), -gradient / total, k_);
    if (wide()) {
      solve_iteratively(total, looseness);
    } else {
      solve_directly(total);
    }
    step_intercept_ = (gradient - inner(cross_.data(), step_.data(), k_)) / total;
    return inner(gradient_.data(), step_.data(), k_) + gradient * step_intercept_;
  }

  void solve_directly(double total) {
    hessian_.resize(k_ * k_);
    x_->weighted_gram(v_.data(), k_, gram_, hessian_.data());
    for (std::size_t j = 0; j < k_; ++j) {
      add_scaled(hessian_.data() + j * k_, cross_.data(), -cross_[j] / total, j + 1);
      hessian_[j * k_ + j] = std::max(hessian_[j * k_ + j], 0.0) + options_.rho;
    }
    Cholesky cholesky;
    cholesky.factor(hessian_, k_);
    step_ = right_;
    cholesky.solve(step_.data());
  }

  void solve_iteratively(double total, double looseness) {
    diagonal_.resize(k_);
    x_->weighted_squares(v_.data(), k_, diagonal_.data());
    for (std::size_t j = 0; j < k_; ++j) {
      diagonal_[j] = std::max(diagonal_[j] - cross_[j] * cross_[j] / total, 0.0) + options_.rho;
    }
    const auto product = [&](const double* w, double* to) {
      std::fill(change_.begin(), change_.end(), 0.0);
      x_->add_times(w, k_, change_.data());
      const double mean = inner(v_.data(), change_.data(), n_) / total;
      for (std::size_t i = 0; i < n_; ++i) change_[i] = v_[i] * (change_[i] - mean);
      x_->inner_products(change_.data(), k_, to);
      add_scaled(to, w, options_.rho, k_);
    };
    gradients_.solve(product, diagonal_, right_.data(), looseness, 2 * k_ + 100, step_.data());
  }

  // Moves the model. Returns the largest change of a linear predictor.
  double take_step(LogisticModel& model) {
    linear_predictor(*x_, step_intercept_, step_.data(), k_, change_.data());
    double moved = 0;
    for (const double c : change_) moved = std::max(moved, std::fabs(c));
    // Weights p (1 - p) hardly change over a small step, so it needs no test, which might fail by rounding.
    const double most = moved < 1e-3 ? std::numeric_limits<double>::infinity() : model.objective;
    double share = 1;
    for (int halvings = 0; halvings <= 40; ++halvings, share /= 2) {
      tried_ = eta_;
      add_scaled(tried_.data(), change_.data(), share, n_);
      weights_ = model.weights;
      add_scaled(weights_.data(), step_.data(), share, k_);
      const double objective = loss(tried_, tried_e_) + penalty(weights_);
      if (!(objective <= most)) continue;
      model.objective = objective;
      model.intercept += share * step_intercept_;
      model.weights.swap(weights_);
      eta_.swap(tried_);
      e_.swap(tried_e_);
      break;
    }
    return moved;
  }

  static constexpr std::size_t most_factors = 512;  // of numbers up to 2

  const DistinctRows& rows_;
  LogisticOptions options_;
  const Design* x_ = nullptr;
  std::size_t n_ = 0, k_ = 0, with_ = 0;
  double weight_with_ = 0;
  std::vector<double> y_;                                       // by distinct row: the weight of those with the label
  std::vector<double> eta_, e_, change_, tried_, tried_e_, v_;  // e: exp(-|eta|); v: p (1 - p), times the count
  std::vector<double> gradient_, cross_, right_, step_, weights_, diagonal_, hessian_;
  double step_intercept_ = 0;
  Gram gram_;
  ConjugateGradients gradients_;
};

/// For each of `prefixes` (numbers of leading columns) the models of all labels. Each starts from the model of the next
/// shorter prefix. `weights`: of rows, or null.
inline std::vector<std::vector<LogisticModel>> logistic_models(const Context& context, const Design& design,
                                                               const LabelMatrix& labels, const double* weights,
                                                               const std::vector<std::size_t>& prefixes,
                                                               const LogisticOptions& options) {
  std::vector<std::size_t> by_size(prefixes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return prefixes[a] < prefixes[b]; });
  const std::size_t q = static_cast<std::size_t>(labels.n_labels);
  std::vector<std::vector<LogisticModel>> result(prefixes.size(), std::vector<LogisticModel>(q));
  DistinctRows rows(design, weights);
  const auto make = [&] { return LogisticRegression(rows, options); };
  const std::vector<LogisticModel>* before = nullptr;
  for (const std::size_t p : by_size) {
    rows.set_columns(prefixes[p]);
    const double each = static_cast<double>(rows.design().n_rows()) * 20 + 20 * rows.design().stored();
    const double work = 10 * each * static_cast<double>(q);
    parallel_each(context, q, work, make, [&](LogisticRegression& regression, std::size_t l) {
      regression.set_label([&](auto visit) { labels.visit_column(static_cast<int>(l), visit); });
      LogisticModel model = before ? (*before)[l] : regression.start();
      regression.improve(model, prefixes[p]);
      result[p][l] = std::move(model);
    });
    before = &result[p];
  }
  return result;
}

/// Linear predictors of q models with k weights each, or (`as_probability`) their logistic function; n x q, one model
/// after the other, as `weights`.
inline void linear_predictors(const Context& context, const Design& design, const double* intercepts,
                              const double* weights, std::size_t k, std::size_t q, bool as_probability, double* to) {
  const std::size_t n = design.n_rows();
  const double work = static_cast<double>(q) * (static_cast<double>(n) * 10 + design.stored());
  parallel_each(context, q, work, [&](std::size_t l) {
    double* const column = to + l * n;
    linear_predictor(design, intercepts[l], weights + l * k, k, column);
    if (as_probability) std::transform(column, column + n, column, logistic);
  });
}

}  // namespace mlsift
