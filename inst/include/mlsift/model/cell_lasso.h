#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../solve/row_descent.h"
#include "centered_columns.h"
#include "working_sets.h"

namespace mlsift {

/// Minimizes sum_il c_il f(y_il, z_il) + group * sum_u weight_u ||W_u|| + ridge / 2 ||W||^2 for Z = X W + 1b', cell
/// weights c and a smooth loss f, by Newton steps over working sets, until the duality gap is small enough. The result
/// depends only on the start and the penalty. logistic_loss.h has what a loss must have.
///
/// With residuals r = c (y - slope) and their scale s, the dual is -sum_il c_il conjugate(y_il, y_il - s r_il / c_il).
/// It is strongly concave in r / sqrt(c), so the squared lengths of X that bound the distance to its maximum are
/// weighted by c.
template <class Loss>
class CellLasso {
 public:
  /// `y`: labels, 0 or 1 (rows x labels, by rows); each varies. `cells`: their weights, 0 where a label is unknown;
  /// empty if all are 1. Both must outlive this object.
  CellLasso(const Context& context, const CenteredColumns& x, std::size_t n_labels, const double* y,
            const std::vector<double>& cells, const std::vector<char>& left_out)
      : context_(context),
        x_(x),
        n_(x.n_rows()),
        q_(n_labels),
        y_(y),
        c_(cells.empty() ? nullptr : cells.data()),
        units_(varying_units(x, left_out)) {
    norm_.assign(x.n_units(), 0.0);
    positives_.assign(q_, 0.0);
    total_.assign(q_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t l = 0; l < q_; ++l) {
        positives_[l] += cell(i * q_ + l) * y_[i * q_ + l];
        total_[l] += cell(i * q_ + l);
      }
    }
    for (std::size_t u = 0; u < x.n_units(); ++u) square_.push_back(c_ ? largest_square(u) : x.square(u));
  }

  double largest_penalty() { return longest_reach(x_, units_, norms(ActiveRows())); }

  /// The solution at that penalty and above, and its objective.
  ActiveRows empty() {
    ActiveRows w;
    fit(w);
    w.intercept = intercept_;
    return w;
  }

  double empty_objective() {
    fit(ActiveRows());
    return loss(z_);
  }

  const std::vector<double>& norms(const ActiveRows& w) {
    fit(w);
    gradients(units_);
    return norm_;
  }

  /// Starts from `w`, which becomes the solution, and stops at a gap of at most `enough`; all gaps are exact.
  Certificate solve(const RowPenalty& penalty, double enough, bool, ActiveRows& w) {
    std::vector<std::size_t> alive = units_;
    double scale = 1;
    if (!(scale_of_gap_ > 0)) scale_of_gap_ = empty_objective();
    const auto certify = [&] {
      fit(w);
      gradients(alive);
      const PenaltySums sums = penalty_sums(x_, penalty, w, alive, norm_);
      Certificate result;
      value_ = result.objective = loss(z_) + sums.value;
      scale = penalty.ridge == 0 && sums.longest > penalty.group ? penalty.group / sums.longest : 1;
      double dual = penalty.ridge > 0 ? -sums.excess / (2 * penalty.ridge) : 0;
      dual -= conjugates(scale);
      result.gap = result.objective - dual;
      return result;
    };
    const Certificate found = solve_by_working_sets(enough, w, certify, [&](std::size_t size, double gap) {
      screen_units(x_, penalty, w, norm_, square_, scale,
                   std::sqrt(std::max(gap, 1e-14 * scale_of_gap_) * (2 * Loss::most_curvature)), alive);
      const double goal = std::max(0.1 * gap, 0.3 * enough);
      newton_step(penalty, working_units(x_, penalty, w, norm_, square_, scale, size, alive),
                  0.01 * goal * (goal / scale_of_gap_), w);
    });
    // For centered columns.
    w.intercept = intercept_;
    w.each(x_, q_, [&](std::size_t j, const double* row) { add_scaled(w.intercept.data(), row, x_.mean(j), q_); });
    return found;
  }

 private:
  double cell(std::size_t e) const { return c_ ? c_[e] : 1; }

  // An upper bound, over labels, on the squared length (weighted by cells) of what a unit adds to the rows.
  double largest_square(std::size_t u) const {
    std::vector<double> all(q_, 0.0), sum;
    for (std::size_t j = x_.unit_begin(u); j < x_.unit_end(u); ++j) {
      const double mean = x_.mean(j);
      sum = total_;
      for (double& one : sum) one *= mean * mean;
      x_.each(j, [&](std::size_t i, double v) { add_scaled(sum.data(), c_ + i * q_, v * (v - 2 * mean), q_); });
      add_scaled(all.data(), sum.data(), 1, q_);
    }
    return *std::max_element(all.begin(), all.end());
  }

  // Runs over parts of the rows. Sums are added in the order of the parts, whatever the number of threads.
  template <class Part>
  double over_rows(Part part) const {
    constexpr std::size_t together = 256;
    const std::size_t parts = (n_ + together - 1) / together;
    std::vector<double> sums(parts, 0.0);
    parallel_each(context_, parts, 20.0 * static_cast<double>(n_ * q_),
                  [&](std::size_t p) { sums[p] = part(p * together * q_, std::min(n_, (p + 1) * together) * q_); });
    double sum = 0;
    for (const double one : sums) sum += one;
    return sum;
  }

  double loss(const std::vector<double>& z) const {
    return over_rows([&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t e = begin; e < end; ++e) sum += cell(e) * Loss::value(y_[e], z[e]);
      return sum;
    });
  }

  double conjugates(double scale) const {
    return over_rows([&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t e = begin; e < end; ++e) {
        if (cell(e) > 0) sum += cell(e) * Loss::conjugate(y_[e], y_[e] - scale * (r_[e] / cell(e)));
      }
      return sum;
    });
  }

  // z_ = (stored values of X) W + 1b' with the best b, and r_ = c (Y - slope(Z)).
  void fit(const ActiveRows& w) {
    z_.assign(n_ * q_, 0.0);
    w.each(x_, q_, [&](std::size_t j, const double* row) { x_.add_outer(j, row, 1, q_, z_.data()); });
    intercept_.resize(q_);
    r_.resize(n_ * q_);
    parallel_each(context_, q_, 60.0 * static_cast<double>(n_ * q_), [&](std::size_t l) {
      std::vector<double> z(n_), c(c_ ? n_ : 0);
      for (std::size_t i = 0; i < n_; ++i) z[i] = z_[i * q_ + l];
      for (std::size_t i = 0; i < c.size(); ++i) c[i] = cell(i * q_ + l);
      intercept_[l] = best_intercept(z, c, positives_[l], total_[l]);
      for (std::size_t i = 0; i < n_; ++i) {
        const double at = z[i] + intercept_[l];
        z_[i * q_ + l] = at;
        r_[i * q_ + l] = cell(i * q_ + l) * (y_[i * q_ + l] - Loss::slope(at));
      }
    });
  }

  // The b at which the slopes of z + b add up to the weight of the rows that have the label.
  static double best_intercept(const std::vector<double>& z, const std::vector<double>& c, double positives,
                               double total) {
    const double alone = Loss::link(positives, total);
    double low = alone - *std::max_element(z.begin(), z.end()), high = alone - *std::min_element(z.begin(), z.end());
    double b = alone;
    if (!(b >= low && b <= high)) b = low + (high - low) / 2;
    for (int step = 0; step < 100; ++step) {
      double sum = 0, slope = 0;
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double p = Loss::slope(z[i] + b);
        const double weight = c.empty() ? 1 : c[i];
        sum += weight * p;
        slope += weight * Loss::curvature(p);
      }
      const double left = positives - sum;
      if (std::fabs(left) <= 1e-13 * positives) break;
      (left > 0 ? low : high) = b;
      double next = slope > 0 ? b + left / slope : low + (high - low) / 2;
      if (!(next >= low && next <= high)) next = low + (high - low) / 2;
      if (next == b) break;
      b = next;
    }
    return b;
  }

  // norm_ of the given units.
  void gradients(const std::vector<std::size_t>& units) { longest_gradient(context_, x_, units, r_.data(), q_, norm_); }

  // The quadratic model at W over a working set, and its minimum as far as it is found.
  struct Model {
    WorkingUnits units;
    LengthsByTarget lengths;
    std::vector<std::size_t> working, columns;
    std::vector<double> before, rows;  // coefficients at W, and at the minimum
    std::vector<double> left, weight;  // by cell: the negative gradient at `rows`, and the curvature
    std::vector<double> whole, moved;  // by label: the curvature of the intercept, and by how much it moved
  };

  // Minimizes the model until an epoch moves less than `enough`. Then moves toward its minimum as long as the objective
  // falls.
  void newton_step(const RowPenalty& penalty, const std::vector<std::size_t>& working, double enough, ActiveRows& w) {
    Model model = model_at(w, working);
    Poll poll(context_);
    for (int epoch = 0; epoch < 300; ++epoch) {
      double change = move_units(model, penalty);
      change += move_intercepts(model);
      poll();
      if (change <= enough) break;
    }
    w = backtrack(model, penalty, w);
  }

  Model model_at(const ActiveRows& w, const std::vector<std::size_t>& working) const {
    Model model;
    model.working = working;
    model.units.targets = q_;
    model.units.start = starts_of(x_, working);
    for (const std::size_t u : working) model.units.weight.push_back(x_.weight(u));
    model.columns = columns_of(x_, working);
    w.spread(working, model.units.start, q_, model.before);
    model.rows = model.before;
    model.left = r_;
    model.weight.resize(n_ * q_);
    for (std::size_t e = 0; e < model.weight.size(); ++e) {
      model.weight[e] = cell(e) > 0 ? cell(e) * std::max(Loss::curvature(y_[e] - r_[e] / cell(e)), 1e-9) : 0;
    }
    model.whole.assign(q_, 0.0);
    model.moved.assign(q_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) add_scaled(model.whole.data(), model.weight.data() + i * q_, 1, q_);
    measure_columns(model);
    return model;
  }

  // The columns of a block are updated together: their joint curvature is at most that of each times their number.
  void measure_columns(Model& model) const {
    model.lengths.square.assign(model.columns.size() * q_, 0.0);
    for (std::size_t c = 0; c < model.columns.size(); ++c) {
      const std::size_t j = model.columns[c], u = x_.unit_of(j);
      const double together = static_cast<double>(x_.unit_size(u));
      double* const to = model.lengths.square.data() + c * q_;
      x_.each(j, [&](std::size_t i, double v) { add_scaled(to, model.weight.data() + i * q_, v * v * together, q_); });
      for (std::size_t l = 0; l < q_; ++l) to[l] = std::max(to[l], 1e-12 * square_[u]);
    }
  }

  // One epoch. Returns how much it moved, by the curvature of the model.
  double move_units(Model& model, const RowPenalty& penalty) {
    double change = 0;
    std::vector<double> u, delta;
    for (std::size_t s = 0; s < model.working.size(); ++s) {
      const std::size_t begin = model.units.start[s], end = model.units.start[s + 1], first = begin * q_;
      u.resize((end - begin) * q_);
      delta.resize(u.size());
      for (std::size_t c = begin; c < end; ++c) {
        x_.cross(model.columns[c], model.left.data(), q_, u.data() + c * q_ - first);
      }
      if (!model.lengths.update(model.units, penalty, s, u.data(), model.rows.data() + first, delta.data())) continue;
      for (std::size_t e = 0; e < delta.size(); ++e) {
        change += (model.lengths.square[first + e] + penalty.ridge) * delta[e] * delta[e];
      }
      for (std::size_t c = begin; c < end; ++c) {
        const double* const by = delta.data() + c * q_ - first;
        x_.each(model.columns[c], [&](std::size_t i, double v) {
          add_products(model.left.data() + i * q_, model.weight.data() + i * q_, by, -v, q_);
        });
      }
    }
    return change;
  }

  double move_intercepts(Model& model) const {
    double change = 0;
    std::vector<double> step(q_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) add_scaled(step.data(), model.left.data() + i * q_, 1, q_);
    for (std::size_t l = 0; l < q_; ++l) {
      step[l] /= model.whole[l];
      change += model.whole[l] * step[l] * step[l];
      model.moved[l] += step[l];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      add_products(model.left.data() + i * q_, model.weight.data() + i * q_, step.data(), -1, q_);
    }
    return change;
  }

  // W moved toward the minimum of the model: half as far until the objective is below what the model promises.
  ActiveRows backtrack(const Model& model, const RowPenalty& penalty, const ActiveRows& w) const {
    std::vector<double> direction, difference = model.rows, z;
    for (std::size_t i = 0; i < n_; ++i) direction.insert(direction.end(), model.moved.begin(), model.moved.end());
    for (std::size_t e = 0; e < difference.size(); ++e) difference[e] -= model.before[e];
    for (std::size_t c = 0; c < model.columns.size(); ++c) {
      x_.add_outer(model.columns[c], difference.data() + c * q_, 1, q_, direction.data());
    }
    const auto penalty_at = [&](const ActiveRows& rows) { return penalty_sums(x_, penalty, rows, {}, norm_).value; };
    ActiveRows next;
    next.assign(model.working, model.units.start, q_, model.rows);
    const double expected = -inner(r_.data(), direction.data(), direction.size()) + penalty_at(next) - penalty_at(w);
    double step = 1;
    for (int tries = 0; tries < 40; ++tries, step /= 2) {
      if (step < 1) {
        std::vector<double> rows = model.before;
        add_scaled(rows.data(), difference.data(), step, rows.size());
        next.assign(model.working, model.units.start, q_, rows);
      }
      z = z_;
      add_scaled(z.data(), direction.data(), step, z.size());
      const double value = loss(z) + penalty_at(next);
      if (value <= value_ + 1e-4 * step * std::min(expected, 0.0) + 1e-14 * std::fabs(value_)) break;
    }
    return next;
  }

  const Context& context_;
  const CenteredColumns& x_;
  std::size_t n_, q_;
  const double *y_, *c_;
  std::vector<std::size_t> units_;
  std::vector<double> square_, norm_, positives_, total_;
  std::vector<double> z_, r_, intercept_;
  double value_ = 0, scale_of_gap_ = 0;
};

}  // namespace mlsift
