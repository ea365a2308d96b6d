#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../solve/row_descent.h"
#include "cell_residuals.h"
#include "centered_columns.h"
#include "target_products.h"
#include "working_sets.h"

namespace mlsift {

/// Minimizes 1/2 sum_it c_it (y_it - b_t - x_i'w_t)^2 + group * sum_u weight_u ||W_u|| + ridge / 2 ||W||^2 for cell
/// weights c, by descent over working sets, until the duality gap is small enough. What GroupLasso does with inner
/// products of columns is done with those of each target.
///
/// Gradients are computed only where they can reach the penalty: since they were last computed, they changed by at most
/// the distance that the residuals moved, times the length of the columns. This replaces screening, and working sets
/// only gain units whose gradients are beyond the penalty. The result depends only on the start and the penalty.
class TargetLasso {
 public:
  /// `y`: rows x targets, by rows. `cells`: their weights, 0 where a target is unknown; must outlive this object.
  TargetLasso(const Context& context, const CenteredColumns& x, std::size_t n_targets, const double* y,
              const std::vector<double>& cells, const std::vector<char>& left_out)
      : context_(context),
        x_(x),
        q_(n_targets),
        cells_(cells.data()),
        units_(varying_units(x, left_out)),
        products_(context, x, n_targets, cells.data()) {
    const std::size_t n = x_.n_rows();
    const std::vector<double>& total = products_.total();
    e_.assign(y, y + n * q_);
    intercept_.assign(q_, 0.0);
    for (int twice = 0; twice < 2; ++twice) {
      std::vector<double> mean(q_, 0.0);
      for (std::size_t i = 0; i < n; ++i) add_products(mean.data(), cells_ + i * q_, e_.data() + i * q_, 1, q_);
      for (std::size_t t = 0; t < q_; ++t) mean[t] /= total[t];
      for (std::size_t i = 0; i < n; ++i) add_scaled(e_.data() + i * q_, mean.data(), -1, q_);
      add_scaled(intercept_.data(), mean.data(), 1, q_);
    }
    residuals(ActiveRows());
    target_squares_ = residual_squares_;
    // Until they are computed, lengths of columns over known cells are bounded by those over all.
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      most = std::max(most, *std::max_element(cells_ + i * q_, cells_ + (i + 1) * q_) / x_.row_weight(i));
    }
    for (std::size_t u = 0; u < x_.n_units(); ++u) {
      square_.push_back(most * static_cast<double>(x_.unit_size(u)) * x_.square(u));
    }
    measured_.assign(x_.n_units(), 0);
    cross_columns(context_, x_, units_, r_.data(), q_, cross_);
    norm_.assign(x_.n_units(), 0.0);
    at_.assign(x_.n_units(), 0.0);
    for (const std::size_t u : units_) {
      const double* const p = cross_.data() + x_.unit_begin(u) * q_;
      norm_[u] = std::sqrt(inner(p, p, x_.unit_size(u) * q_));
    }
    largest_penalty_ = longest_reach(x_, units_, norm_);
  }

  double largest_penalty() const { return largest_penalty_; }

  /// The solution at that penalty and above, and its objective.
  ActiveRows empty() const {
    ActiveRows w;
    w.intercept = intercept_;
    return w;
  }
  double empty_objective() const { return target_squares_ / 2; }

  /// ||X_u'R|| of each unit, for the residuals R of these coefficients.
  const std::vector<double>& norms(const ActiveRows& w) {
    evaluate(w, 0, true);
    return norm_;
  }

  /// Starts from `w`, which becomes the solution, and stops at a gap of at most `enough`. `exact`: gaps come from
  /// residuals, which is slower and more precise.
  Certificate solve(const RowPenalty& penalty, double enough, bool exact, ActiveRows& w) {
    double scale = 1;
    const auto certify = [&] {
      evaluate(w, penalty.group, exact);
      const PenaltySums sums = penalty_sums(x_, penalty, w, near_, norm_);
      return squared_certificate(penalty, sums, residual_squares_, with_targets_, scale);
    };
    const Certificate found = solve_by_working_sets(enough, w, certify, [&](std::size_t size, double gap) {
      measure(near_);
      descend(penalty, working_units(x_, penalty, w, norm_, square_, scale, size, near_),
              std::max(0.1 * gap, 0.3 * enough), w);
    });
    // For centered columns.
    w.intercept = intercept_;
    w.each(x_, q_, [&](std::size_t j, const double* row) {
      for (std::size_t t = 0; t < q_; ++t) w.intercept[t] += (x_.mean(j) - products_.mean(j, t)) * row[t];
    });
    return found;
  }

 private:
  // More inner products are not kept.
  static constexpr double most_products = 1 << 26;
  // Working sets whose columns have few values keep residuals: a step takes this share of the time of an inner product.
  static constexpr double residual_share = 2;
  static constexpr std::size_t most_epochs = 5000;

  bool too_many(std::size_t a, std::size_t b) const {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(q_) > most_products;
  }

  // Exact lengths of the columns of these units.
  void measure(const std::vector<std::size_t>& units) {
    products_.need(columns_of(x_, units));
    for (const std::size_t u : units) {
      if (measured_[u]) continue;
      measured_[u] = 1;
      std::vector<double> all(q_, 0.0);
      for (std::size_t j = x_.unit_begin(u); j < x_.unit_end(u); ++j) {
        add_scaled(all.data(), products_.squares(j), 1, q_);
      }
      square_[u] = *std::max_element(all.begin(), all.end());
    }
  }

  // norm_ = ||X_u'R|| of the units in near_: those of W, and all others where it is at least `penalty` * weight.
  void evaluate(const ActiveRows& w, double penalty, bool exact) {
    measure(w.unit);
    const std::vector<std::size_t> columns = columns_of(x_, w.unit);
    const double products = static_cast<double>(columns.size() * x_.n_columns());
    const bool by_products = !exact && products < x_.stored() + 2.0 * static_cast<double>(x_.n_rows()) &&
                             !too_many(columns.size(), x_.n_columns());
    find_near(w, penalty, by_products && !too_many(last_columns_, last_columns_));
    last_columns_ = columns.size();
    if (by_products) {
      measure(near_);
      products_.need(columns, columns_of(x_, near_));
    } else {
      residuals(w);
    }
    const double work =
        by_products ? static_cast<double>(near_.size() * columns.size() * q_) : x_.stored() * static_cast<double>(q_);
    const double fitted = measure_near(w, by_products, work);
    near_.erase(std::remove_if(near_.begin(), near_.end(),
                               [&](std::size_t u) { return norm_[u] < penalty * x_.weight(u) && !w.has(u); }),
                near_.end());
    with_targets_ = target_squares_;
    for (std::size_t s = 0; s < w.unit.size(); ++s) {
      with_targets_ -= inner(w.values[s].data(), cross_.data() + x_.unit_begin(w.unit[s]) * q_, w.values[s].size());
    }
    if (by_products) residual_squares_ = with_targets_ - fitted;
  }

  // near_: the units of W, and those that may reach the penalty. `bounded`: the distance from the last model is used.
  void find_near(const ActiveRows& w, double penalty, bool bounded) {
    if (bounded) {
      moved_ += distance(last_, w);
    } else {
      moved_ = 0;
      std::fill(at_.begin(), at_.end(), -1.0);
    }
    last_ = w;
    near_.clear();
    for (const std::size_t u : units_) {
      const double reach = norm_[u] + (1 + 1e-9) * (moved_ - at_[u]) * std::sqrt(square_[u]);
      if (at_[u] < 0 || reach >= penalty * x_.weight(u) || w.has(u)) near_.push_back(u);
    }
  }

  // The norms of the units in near_, from products or residuals. Returns the sum of X'R times W.
  double measure_near(const ActiveRows& w, bool by_products, double work) {
    std::vector<double> fitted(near_.size(), 0.0);
    const auto make = [] { return std::vector<double>(); };
    parallel_each(context_, near_.size(), work, make, [&](std::vector<double>& p, std::size_t i) {
      const std::size_t u = near_[i];
      p.resize(x_.unit_size(u) * q_);
      for (std::size_t j = x_.unit_begin(u); j < x_.unit_end(u); ++j) {
        double* const to = p.data() + (j - x_.unit_begin(u)) * q_;
        if (by_products) {
          std::copy_n(cross_.data() + j * q_, q_, to);
          subtract_fit(w, j, to);
        } else {
          x_.cross(j, r_.data(), q_, to);
        }
      }
      norm_[u] = std::sqrt(inner(p.data(), p.data(), p.size()));
      at_[u] = moved_;
      if (const double* const rows = w.rows(u)) fitted[i] = inner(p.data(), rows, p.size());
    });
    return std::accumulate(fitted.begin(), fitted.end(), 0.0);
  }

  // to -= X_j'X W, for each target.
  void subtract_fit(const ActiveRows& w, std::size_t j, double* to) const {
    w.each(x_, q_, [&](std::size_t k, const double* row) { add_products(to, products_.of(k, j), row, -1, q_); });
  }

  // The distance between the residuals of two models.
  double distance(const ActiveRows& a, const ActiveRows& b) {
    std::vector<std::size_t> units;
    std::set_union(a.unit.begin(), a.unit.end(), b.unit.begin(), b.unit.end(), std::back_inserter(units));
    const std::vector<std::size_t> starts = starts_of(x_, units);
    std::vector<double> to, from;
    a.spread(units, starts, q_, from);
    b.spread(units, starts, q_, to);
    add_scaled(to.data(), from.data(), -1, to.size());
    ActiveRows change;
    change.assign(units, starts, q_, to);
    const std::vector<std::size_t> columns = columns_of(x_, change.unit);
    products_.need(columns, columns);
    double sum = 0, lengths = 0;
    std::vector<double> p(q_);
    change.each(x_, q_, [&](std::size_t j, const double* row) {
      std::fill(p.begin(), p.end(), 0.0);
      subtract_fit(change, j, p.data());
      sum -= inner(p.data(), row, q_);
      const double* const square = products_.squares(j);
      for (std::size_t t = 0; t < q_; ++t) lengths += square[t] * row[t] * row[t];
    });
    // And an upper bound on what rounding can take away.
    return std::sqrt(std::max(sum, 0.0) + 1e-14 * static_cast<double>(columns.size()) * lengths);
  }

  // r_ = C (E - X W), where each target is centered, and the sum of C (E - X W)^2.
  void residuals(const ActiveRows& w) {
    const std::size_t n = x_.n_rows();
    r_ = e_;
    std::vector<double> mean(q_, 0.0);
    w.each(x_, q_, [&](std::size_t j, const double* row) {
      x_.add_outer(j, row, -1, q_, r_.data());
      for (std::size_t t = 0; t < q_; ++t) mean[t] -= products_.mean(j, t) * row[t];
    });
    residual_squares_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double* const row = r_.data() + i * q_;
      for (std::size_t t = 0; t < q_; ++t) {
        const double left = row[t] - mean[t];
        row[t] = cells_[i * q_ + t] * left;
        residual_squares_ += row[t] * left;
      }
    }
  }

  void descend(const RowPenalty& penalty, const std::vector<std::size_t>& working, double enough, ActiveRows& w) {
    const WorkingUnits units = working_set(x_, working, square_, cross_, q_, target_squares_);
    const std::vector<std::size_t> columns = columns_of(x_, working);
    const std::size_t n = columns.size();
    // The columns of a block are updated together: their joint curvature is at most that of each times their number.
    std::vector<double> square;
    for (const std::size_t j : columns) {
      const std::size_t u = x_.unit_of(j);
      const double* const of = products_.squares(j);
      for (std::size_t t = 0; t < q_; ++t) {
        square.push_back(std::max(of[t] * static_cast<double>(x_.unit_size(u)), 1e-12 * square_[u]));
      }
    }
    std::vector<double> rows;
    w.spread(working, units.start, q_, rows);
    Poll poll(context_);
    if (too_many(n, n) ||
        x_.stored(columns) + 3.0 * static_cast<double>(x_.n_rows()) < residual_share * static_cast<double>(n * n)) {
      by_residuals_.fit.x = &x_;
      by_residuals_.fit.products = &products_;
      by_residuals_.fit.e = e_.data();
      by_residuals_.fit.cells = cells_;
      by_residuals_.fit.columns = columns;
      by_residuals_.fit.square = square;
      by_residuals_.minimize(units, penalty, enough, enough, most_epochs, rows, poll);
    } else {
      products_.need(columns, columns);
      by_gram_.fit.gram.resize(n * n);
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) by_gram_.fit.gram[a * n + b] = products_.of(columns[a], columns[b]);
      }
      by_gram_.fit.square = square;
      by_gram_.minimize(units, penalty, enough, enough, most_epochs, rows, poll);
    }
    w.assign(working, units.start, q_, rows);
  }

  const Context& context_;
  const CenteredColumns& x_;
  std::size_t q_;
  const double* cells_;
  std::vector<std::size_t> units_, near_;
  TargetProducts products_;
  std::vector<double> e_, intercept_, cross_;  // cross_: X'CE
  std::vector<double> square_;                 // by unit, the largest of all targets, or a bound on it
  std::vector<char> measured_;                 // by unit, whether it is the largest
  double target_squares_ = 0, largest_penalty_ = 0;
  // By unit: the norm, and how far the residuals had moved when it was computed.
  std::vector<double> norm_, at_;
  double moved_ = 0;
  ActiveRows last_;  // the model of the last evaluation
  std::size_t last_columns_ = 0;
  std::vector<double> r_;
  double residual_squares_ = 0, with_targets_ = 0;  // ||R||^2 and <R, E>, by cells
  RowDescent<GramState<GramByTarget>> by_gram_;
  RowDescent<CellResiduals> by_residuals_;
};

}  // namespace mlsift
