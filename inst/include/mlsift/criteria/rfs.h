#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/sum_rows.h"
#include "../core/vectors.h"
#include "../data/standardized.h"
#include "../model/equal_columns.h"
#include "../model/working_sets.h"
#include "../solve/cholesky.h"

namespace mlsift {

/// The sum of scale_i ||v_i|| over the rows v_i of a matrix, and the smooth sum of
/// scale_i sqrt(||v_i||^2 + smooth_i^2).
///
/// Each row has a dual row u_i, no longer than scale_i, which is scale_i v_i / ||v_i|| at the minimum. It takes the
/// place of the gradient in the second derivatives (Andersen et al. 2000, SIAM J. Sci. Comput. 22), so that Newton's
/// method converges fast however little is smoothed.
struct RowNorms {
  std::size_t q = 0;
  std::vector<double> scale, smooth, value, dual, length;

  void start(std::vector<double> scales, std::vector<double> smooths, std::vector<double> values) {
    scale = std::move(scales);
    smooth = std::move(smooths);
    value = std::move(values);
    dual.resize(value.size());
    measure();
    gradient(dual);
  }

  std::size_t size() const { return scale.size(); }
  double square(std::size_t i) const { return inner(value.data() + i * q, value.data() + i * q, q); }
  double norm(std::size_t i) const { return std::sqrt(square(i)); }
  double smoothing() const { return inner(scale.data(), smooth.data(), size()); }

  void measure() {
    length.resize(size());
    for (std::size_t i = 0; i < size(); ++i) length[i] = std::sqrt(square(i) + smooth[i] * smooth[i]);
  }

  /// Of the smooth sum.
  void gradient(std::vector<double>& to) const {
    to.assign(value.size(), 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      add_scaled(to.data() + i * q, value.data() + i * q, scale[i] / length[i], q);
    }
  }

  /// to = the second derivatives times `direction`.
  void curve(const std::vector<double>& direction, std::vector<double>& to) const {
    to.assign(value.size(), 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      const double *const d = direction.data() + i * q, *const u = dual.data() + i * q, *const v = value.data() + i * q;
      const double half = 0.5 / (length[i] * length[i]);
      add_scaled(to.data() + i * q, d, scale[i] / length[i], q);
      add_scaled(to.data() + i * q, u, -half * inner(v, d, q), q);
      add_scaled(to.data() + i * q, v, -half * inner(u, d, q), q);
    }
  }

  /// The mean of the eigenvalues of row i's second derivatives.
  double mean_curve(std::size_t i) const {
    const double along = inner(dual.data() + i * q, value.data() + i * q, q) / length[i];
    return (scale[i] - along / static_cast<double>(q)) / length[i];
  }

  /// By how much the smooth sum grows with a step.
  double growth(const std::vector<double>& direction, double step) const {
    double sum = 0;
    std::vector<double> moved(q);
    for (std::size_t i = 0; i < size(); ++i) {
      const double *const d = direction.data() + i * q, *const v = value.data() + i * q;
      std::copy_n(v, q, moved.data());
      add_scaled(moved.data(), d, step, q);
      const double after = std::sqrt(inner(moved.data(), moved.data(), q) + smooth[i] * smooth[i]);
      add_scaled(moved.data(), v, 1, q);
      sum += scale[i] * step * inner(moved.data(), d, q) / (after + length[i]);
    }
    return sum;
  }

  /// Makes the step; the duals make a whole one, and are shortened where they are too long.
  void move(const std::vector<double>& direction, double step) {
    std::vector<double> change;
    curve(direction, change);
    gradient(dual);
    add_scaled(dual.data(), change.data(), 1, dual.size());
    add_scaled(value.data(), direction.data(), step, value.size());
    for (std::size_t i = 0; i < size(); ++i) {
      double* const u = dual.data() + i * q;
      const double longest = std::sqrt(inner(u, u, q));
      if (longest > scale[i]) std::transform(u, u + q, u, [&](double v) { return v * (scale[i] / longest); });
    }
  }

  void reduce(double factor) {
    for (double& s : smooth) s *= factor;
  }
};

/// The rows of some columns, stored as columns are.
class StoredRows {
 public:
  explicit StoredRows(const CenteredColumns& x) : width_(x.n_columns()), start_(x.n_rows() + 1, 0) {
    const auto each = [&](auto visit) {
      for (std::size_t j = 0; j < width_; ++j) x.each(j, [&](std::size_t i, double v) { visit(i, j, v); });
    };
    each([&](std::size_t i, std::size_t, double) { ++start_[i + 1]; });
    for (std::size_t i = 0; i < x.n_rows(); ++i) start_[i + 1] += start_[i];
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    columns_.resize(start_.back());
    values_.resize(start_.back());
    each([&](std::size_t i, std::size_t j, double v) {
      columns_[next[i]] = static_cast<int>(j);
      values_[next[i]++] = v;
    });
  }

  std::size_t stored(std::size_t i) const { return start_[i + 1] - start_[i]; }
  const double* values(std::size_t i) const { return values_.data() + start_[i]; }
  const int* rows(std::size_t i) const { return stored(i) == width_ ? nullptr : columns_.data() + start_[i]; }

 private:
  std::size_t width_;
  std::vector<std::size_t> start_;
  std::vector<int> columns_;
  std::vector<double> values_;
};

/// a = X' diag(weight) X, k x k, its lower triangle. `x` has k vectors of length n, such as columns or rows.
template <class Vectors>
void weighted_products(const Context& context, const Vectors& x, std::size_t n, std::size_t k, double stored,
                       const std::vector<double>& weight, std::vector<double>& a) {
  a.assign(k * k, 0.0);
  const double work = 0.5 * stored * static_cast<double>(k);
  const auto make = [] { return std::vector<double>(); };
  parallel_each(context, k, work, make, [&](std::vector<double>& spread, std::size_t j) {
    spread.assign(n, 0.0);
    for (std::size_t s = 0; s < x.stored(j); ++s) {
      const std::size_t i = x.rows(j) ? static_cast<std::size_t>(x.rows(j)[s]) : s;
      spread[i] = weight[i] * x.values(j)[s];
    }
    for (std::size_t c = 0; c <= j; ++c) {
      double& to = a[j * k + c];
      const double* const value = x.values(c);
      const int* const rows = x.rows(c);
      if (!rows) to = inner(value, spread.data(), n);
      for (std::size_t s = 0; rows && s < x.stored(c); ++s) to += value[s] * spread[static_cast<std::size_t>(rows[s])];
    }
  });
}

/// RFS: minimizes sum_i weight_i ||y_i - W'x_i|| + gamma sum_j ||w_j||, with the weights of the rows of x. Without
/// weights this is equation 9 of Nie et al. (2010), NIPS.
///
/// Both sums are smoothed, and Newton's method minimizes the smooth sum while less and less is smoothed. Its systems
/// are solved by conjugate gradients, preconditioned with a system in which all targets have the same matrix: the
/// smaller one of columns x columns and rows x rows. The duals of residuals, scaled down until they are feasible, bound
/// the objective from below.
class Rfs {
 public:
  /// `x`: single columns, not centered. `y`: rows x targets, by rows.
  Rfs(const Context& context, const CenteredColumns& x, const double* y, std::size_t targets, double gamma)
      : context_(context),
        x_(x),
        rows_(x),
        n_(x.n_rows()),
        d_(x.n_columns()),
        q_(targets),
        y_(y, y + n_ * q_),
        gamma_(gamma),
        units_(varying_units(x, {})) {
    residual_.q = coefficient_.q = q_;
    std::vector<double> weight(n_), none(n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) weight[i] = x.row_weight(i);
    residual_.start(weight, std::vector<double>(n_, 1e-150), y_);
    for (std::size_t i = 0; i < n_; ++i) total_ += weight[i] * residual_.norm(i);
  }

  /// Until the gap is at most `tol` times the objective at W = 0, or does not halve in thirty rounds.
  SparseFit minimize(double tol, std::size_t most, double max_seconds) {
    const auto started = std::chrono::steady_clock::now();
    const double enough = tol * total_;
    fit_.certificate = {total_, 0, true};
    fit_.norm.assign(d_, 0.0);
    fit_.largest_penalty = certify(fit_.norm);
    if (fit_.largest_penalty <= gamma_) return fit_;
    start();
    SparseFit best;
    std::vector<double> lowest;  // gap up to each round
    for (std::size_t round = 1;; ++round) {
      step();
      std::vector<double> norm(d_);
      for (std::size_t j = 0; j < d_; ++j) norm[j] = coefficient_.norm(j);
      certify(norm);
      fit_.rounds = round;
      const double gap = fit_.certificate.gap;
      fit_.certificate.converged = gap <= enough;
      if (round == 1 || gap < best.certificate.gap) best = fit_;
      lowest.push_back(best.certificate.gap);
      const bool still = round > 30 && lowest.back() > std::max(enough, 0.5 * lowest[round - 31]);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
      const bool last = still || round == most || seconds.count() > max_seconds;
      if ((gap <= enough || last) && settle(enough, norm)) return fit_;
      if (last) return best;
      if (gap < 3 * (residual_.smoothing() + coefficient_.smoothing())) {
        residual_.reduce(smoothing);
        coefficient_.reduce(smoothing);
      }
    }
  }

 private:
  // The share of the objective at W = 0 in either sum's first smoothing, and the share that is left each time.
  static constexpr double smoothing = 0.02;
  static constexpr std::size_t most_products = 500;

  // Columns are smoothed in their own units.
  void start() {
    std::vector<double> smooth(d_);
    double sum = 0;
    for (std::size_t j = 0; j < d_; ++j) sum += smooth[j] = 1 / std::sqrt(x_.square(j));
    for (double& s : smooth) s *= smoothing * total_ / (gamma_ * sum);
    coefficient_.start(std::vector<double>(d_, gamma_), smooth, std::vector<double>(d_ * q_, 0.0));
    residual_.start(residual_.scale, std::vector<double>(n_, smoothing * total_ / x_.total()), y_);
  }

  // to = X' v and to = X v, for matrices by rows.
  void cross(const std::vector<double>& v, std::vector<double>& to) const {
    cross_columns(context_, x_, units_, v.data(), q_, to);
  }
  void fit(const std::vector<double>& v, std::vector<double>& to) const {
    to.resize(n_ * q_);
    parallel_each(context_, n_, x_.stored() * static_cast<double>(q_), [&](std::size_t i) {
      sum_rows(rows_.values(i), rows_.rows(i), rows_.stored(i), v.data(), q_, to.data() + i * q_);
    });
  }

  // A step of Newton's method for the smooth sums.
  void step() {
    residual_.measure();
    coefficient_.measure();
    std::vector<double> right, part, fitted;
    residual_.gradient(part);
    cross(part, right);
    coefficient_.gradient(part);
    add_scaled(right.data(), part.data(), -1, right.size());
    factor();
    const std::vector<double> direction = solve(right, fitted);
    for (double& v : fitted) v = -v;
    const double slope = inner(right.data(), direction.data(), right.size());
    double size = 1;
    while (size > 1e-10 &&
           residual_.growth(fitted, size) + coefficient_.growth(direction, size) > -1e-4 * size * slope) {
      size /= 2;
    }
    residual_.move(fitted, size);
    coefficient_.move(direction, size);
  }

  // The system with the mean curvature of each row, in the smaller of its two forms.
  void factor() {
    std::vector<double> outer(n_);
    inverse_.resize(d_);
    for (std::size_t i = 0; i < n_; ++i) outer[i] = residual_.mean_curve(i);
    for (std::size_t j = 0; j < d_; ++j) inverse_[j] = 1 / coefficient_.mean_curve(j);
    const bool by_columns = d_ <= n_;
    const std::size_t k = std::min(d_, n_);
    if (by_columns) {
      weighted_products(context_, x_, n_, k, x_.stored(), outer, system_);
    } else {
      weighted_products(context_, rows_, d_, k, x_.stored(), inverse_, system_);
    }
    for (std::size_t j = 0; j < k; ++j) {
      double& diagonal = system_[j * k + j];
      diagonal = (diagonal + 1 / (by_columns ? inverse_[j] : outer[j])) * (1 + 2e-13);
    }
    Poll poll(context_);
    cholesky_.factor(system_, k, &poll);
  }

  // x = the factored system's solution, for each target.
  void solve_factored(std::vector<double>& x) const {
    const std::size_t k = x.size() / q_;
    const auto make = [k] { return std::vector<double>(k); };
    parallel_each(context_, q_, static_cast<double>(k * k * q_), make, [&](std::vector<double>& column, std::size_t t) {
      for (std::size_t j = 0; j < k; ++j) column[j] = x[j * q_ + t];
      cholesky_.solve(column.data());
      for (std::size_t j = 0; j < k; ++j) x[j * q_ + t] = column[j];
    });
  }

  void precondition(const std::vector<double>& b, std::vector<double>& x) {
    x = b;
    if (d_ <= n_) return solve_factored(x);
    const auto divide = [&] {
      for (std::size_t e = 0; e < x.size(); ++e) x[e] *= inverse_[e / q_];
    };
    divide();
    fit(x, part_);
    solve_factored(part_);
    cross(part_, x);
    for (std::size_t e = 0; e < x.size(); ++e) x[e] = b[e] - x[e];
    divide();
  }

  // The direction, to a hundredth of the right side; `fitted`: X times it.
  std::vector<double> solve(std::vector<double> left, std::vector<double>& fitted) {
    std::vector<double> result(left.size(), 0.0), scaled, direction, along, curved, image, own;
    fitted.assign(n_ * q_, 0.0);
    precondition(left, scaled);
    direction = scaled;
    double size = inner(left.data(), scaled.data(), left.size());
    const double enough = 1e-4 * size;
    for (std::size_t k = 0; k < most_products && size > enough; ++k) {
      fit(direction, along);
      residual_.curve(along, curved);
      cross(curved, image);
      coefficient_.curve(direction, own);
      add_scaled(image.data(), own.data(), 1, own.size());
      const double curve = inner(direction.data(), image.data(), image.size());
      if (!(curve > 0)) break;
      add_scaled(result.data(), direction.data(), size / curve, result.size());
      add_scaled(fitted.data(), along.data(), size / curve, fitted.size());
      add_scaled(left.data(), image.data(), -size / curve, left.size());
      precondition(left, scaled);
      const double before = size;
      size = inner(left.data(), scaled.data(), left.size());
      for (std::size_t e = 0; e < direction.size(); ++e) direction[e] = scaled[e] + size / before * direction[e];
    }
    return result;
  }

  // The objective and the gap for rows of coefficients of these lengths, and how far the duals reach. The gap is added
  // up without cancellation: objective - <dual, Y> is the sum of weight_i ||r_i|| - <dual_i, r_i>, and of the same for
  // coefficients.
  double certify(const std::vector<double>& norm) {
    std::vector<double> gradient;
    cross(residual_.dual, gradient);
    fit_.reach.resize(d_);
    double objective = 0, gap = 0, longest = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double value = residual_.scale[i] * residual_.norm(i);
      objective += value;
      gap += value - inner(residual_.dual.data() + i * q_, residual_.value.data() + i * q_, q_);
    }
    for (std::size_t j = 0; j < d_; ++j) {
      const double* const g = gradient.data() + j * q_;
      fit_.reach[j] = std::sqrt(inner(g, g, q_)) / gamma_;
      longest = std::max(longest, fit_.reach[j]);
      objective += gamma_ * norm[j];
      if (norm[j] > 0) gap += gamma_ * norm[j] - inner(g, coefficient_.value.data() + j * q_, q_);
    }
    const double product = inner(residual_.dual.data(), y_.data(), y_.size());
    fit_.certificate.objective = objective;
    fit_.certificate.gap = gap + product * (1 - 1 / std::max(1.0, longest));
    fit_.norm = norm;
    return gamma_ * longest;
  }

  // Sets the coefficients that tend to 0 to 0: those whose share of the longest is below their distance from the
  // penalty. Whether the gap is small enough then; if it is not, they are smoothed less from here on.
  bool settle(double enough, std::vector<double> norm) {
    double longest = 1000;
    for (std::size_t j = 0; j < d_; ++j) longest = std::max(longest, norm[j] / coefficient_.smooth[j]);
    const std::vector<double> kept = coefficient_.value, left = residual_.value, smooth = coefficient_.smooth;
    for (std::size_t j = 0; j < d_; ++j) {
      if (norm[j] / smooth[j] / longest >= 1 - fit_.reach[j]) continue;
      norm[j] = 0;
      coefficient_.smooth[j] *= smoothing;
      std::fill_n(coefficient_.value.data() + j * q_, q_, 0.0);
    }
    fit(coefficient_.value, residual_.value);
    for (std::size_t e = 0; e < y_.size(); ++e) residual_.value[e] = y_[e] - residual_.value[e];
    certify(norm);
    coefficient_.value = kept;
    residual_.value = left;
    return fit_.certificate.converged = fit_.certificate.gap <= enough;
  }

  const Context& context_;
  const CenteredColumns& x_;
  StoredRows rows_;
  std::size_t n_, d_, q_;
  std::vector<double> y_;
  double gamma_, total_ = 0;
  std::vector<std::size_t> units_;
  RowNorms residual_, coefficient_;
  Cholesky cholesky_;
  std::vector<double> system_, inverse_, part_;
  SparseFit fit_;
};

/// The minimum of Rfs for all features. Constant columns take no part, and neither do columns equal to an earlier one
/// up to sign, whose gradient is that one's. `weights`: of rows, or null; `intercept`: whether to add a column of ones;
/// the rest as for Rfs.
inline SparseFit minimum_of_rfs(const Context& context, const Features& features, const std::vector<double>& y,
                                std::size_t q, const double* weights, bool intercept, double gamma, double tol,
                                std::size_t most, double max_seconds) {
  const std::size_t d = features.size();
  const auto columns_of = [](const Features& one, const double* of_rows) {
    return CenteredColumns(one, Centering::none, std::vector<int>(one.size(), 1), of_rows);
  };
  const std::vector<Standardized> scaling = standardize(features);
  const std::vector<std::size_t> first = first_equal_units(columns_of(features, nullptr));
  const std::vector<double> ones(features.n_rows, 1.0);
  Features used;
  used.n_rows = features.n_rows;
  std::vector<std::size_t> place(d);
  for (std::size_t j = 0; j < d; ++j) {
    place[j] = used.size();
    if (!scaling[j].constant && first[j] == j) used.columns.push_back(features.columns[j]);
  }
  if (intercept) {
    used.columns.emplace_back();
    used.columns.back().reals = ones.data();
  }
  const CenteredColumns columns = columns_of(used, weights);
  SparseFit fit = Rfs(context, columns, y.data(), q, gamma).minimize(tol, most, max_seconds);
  std::vector<double> norm(d, 0.0), reach(d, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    if (scaling[j].constant) continue;
    if (first[j] == j) norm[j] = fit.norm[place[j]];
    reach[j] = fit.reach[place[first[j]]];
  }
  fit.norm = norm;
  fit.reach = reach;
  // The largest one is that of the intercept too, and where targets are 0 only a bound.
  if (std::all_of(norm.begin(), norm.end(), [](double v) { return v == 0; }))
    fit.largest_penalty = std::min(fit.largest_penalty, gamma);
  return fit;
}

}  // namespace mlsift
