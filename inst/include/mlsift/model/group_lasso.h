#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../solve/row_descent.h"
#include "../solve/sparse_symmetric.h"
#include "centered_columns.h"
#include "working_sets.h"

namespace mlsift {

/// The state that descent keeps up to date, as residuals (rows x targets): E - stored values of X times W, and a last
/// row that is added to all rows (times their roots). For many columns with few values.
class ResidualState : public EqualLengths {
 public:
  const CenteredColumns* x = nullptr;
  const double* e = nullptr;
  std::vector<std::size_t> columns;  ///< of x, in the order of the working set

  void begin(const WorkingUnits& units, std::vector<double>& state) const {
    state.assign(e, e + x->n_rows() * units.targets);
    state.resize((x->n_rows() + 1) * units.targets, 0.0);
  }

  const double* gradient(const WorkingUnits& units, std::size_t c, std::size_t size, const std::vector<double>& state) {
    const std::size_t q = units.targets;
    gradient_.resize(size * q);
    const double* const added = state.data() + x->n_rows() * q;
    for (std::size_t k = 0; k < size; ++k) {
      double* const to = gradient_.data() + k * q;
      const std::size_t j = columns[c + k];
      x->cross(j, state.data(), q, to);
      if (x->mean(j) != 0) add_scaled(to, added, x->total() * x->mean(j), q);
    }
    return gradient_.data();
  }

  void moved(const WorkingUnits& units, std::size_t c, const double* delta, std::vector<double>& state) {
    const std::size_t q = units.targets, j = columns[c];
    x->add_outer(j, delta, -1, q, state.data());
    if (x->mean(j) != 0) add_scaled(state.data() + x->n_rows() * q, delta, x->mean(j), q);
  }

  double residual_squares(const WorkingUnits& units, const std::vector<double>&, const std::vector<double>& state) {
    const std::size_t q = units.targets, n = x->n_rows();
    const double* const added = state.data() + n * q;
    row_.resize(q);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(state.data() + i * q, q, row_.data());
      add_scaled(row_.data(), added, x->root(i), q);
      sum += inner(row_.data(), row_.data(), q);
    }
    return sum;
  }

 private:
  std::vector<double> gradient_, row_;
};

/// Minimizes 1/2 ||E - X W||^2 + 1/2 tr(W'LW) + group * sum_u weight_u ||W_u|| + ridge / 2 ||W||^2 by descent over
/// working sets, until the duality gap is small enough.
///
/// The result depends only on the start, the penalty and E, not on the threads or on earlier solutions.
class GroupLasso {
 public:
  /// `left_out`: by unit. `added`: L, between units that have one column or none, or null.
  GroupLasso(const Context& context, const CenteredColumns& x, std::size_t n_targets,
             const std::vector<char>& left_out = {}, const SparseSymmetric* added = nullptr)
      : context_(context),
        x_(x),
        q_(n_targets),
        added_(added),
        units_(varying_units(x, left_out)),
        place_(x.n_columns(), none) {
    for (std::size_t u = 0; u < x.n_units(); ++u) {
      square_.push_back(x.square(u) + (added && x.unit_size(u) > 0 ? added->at(u, u) : 0));
    }
    norm_.assign(x.n_units(), 0.0);
    all_pairs_ = x.n_columns() <= most_full_columns;
  }

  /// E (rows x targets, by rows) must outlive this object. If the columns of X are centered, those of E, times the
  /// roots of X, must add up to 0.
  void set_targets(const double* e) {
    e_ = e;
    target_squares_ = inner(e, e, x_.n_rows() * q_);
    cross_columns(context_, x_, units_, e, q_, cross_);
  }

  /// The smallest `group` at which W = 0 is the solution.
  double largest_penalty() {
    evaluate(ActiveRows(), units_, true);
    return longest_reach(x_, units_, norm_);
  }

  /// The solution at that penalty and above, and its objective.
  ActiveRows empty() const { return ActiveRows(); }
  double empty_objective() const { return target_squares_ / 2; }

  /// ||X_u'R|| of each unit, for the residuals R of these coefficients.
  const std::vector<double>& norms(const ActiveRows& w) {
    evaluate(w, units_, false);
    return norm_;
  }

  /// Starts from `w`, which becomes the solution, and stops at a gap of at most `enough`. `exact`: gaps come from
  /// residuals, which is slower and more precise.
  Certificate solve(const RowPenalty& penalty, double enough, bool exact, ActiveRows& w) {
    std::vector<std::size_t> alive = units_;
    double scale = 1;
    const auto certify = [&] {
      evaluate(w, alive, exact);
      const PenaltySums sums = penalty_sums(x_, penalty, w, alive, norm_);
      return squared_certificate(penalty, sums, residual_squares_, with_targets_, scale);
    };
    return solve_by_working_sets(enough, w, certify, [&](std::size_t size, double gap) {
      const double radius = std::sqrt(2 * std::max(gap, 1e-14 * target_squares_));
      screen_units(x_, penalty, w, norm_, square_, scale, radius, alive);
      descend(penalty, working_units(x_, penalty, w, norm_, square_, scale, size, alive),
              std::max(0.1 * gap, 0.3 * enough), 0.3 * enough, w);
    });
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  // Up to this many columns, the inner products of each with all others are kept.
  static constexpr std::size_t most_full_columns = 4096;
  // Larger working sets keep residuals, and so do those whose columns have few values.
  static constexpr std::size_t most_gram_columns = 4096;
  static constexpr double residual_steps = 4;
  static constexpr std::size_t most_epochs = 5000;

  // norm_ = ||X_u'(E - X W)|| (less the rows of L W) of the given units.
  void evaluate(const ActiveRows& w, const std::vector<std::size_t>& units, bool exact) {
    const std::size_t columns = starts_of(x_, w.unit).back();
    const double residual_work = x_.stored() + 2.0 * static_cast<double>(x_.n_rows());
    const double gram_work = static_cast<double>(columns) * static_cast<double>(x_.n_columns());
    const bool by_gram = columns == 0 || (all_pairs_ && !exact && gram_work < residual_work);
    if (by_gram) {
      for (const std::size_t u : w.unit) fill_gram(u);
    } else {
      r_.assign(e_, e_ + x_.n_rows() * q_);
      add_fit(x_, w, -1, q_, r_.data());
    }
    const double work = (by_gram ? gram_work : x_.stored()) * static_cast<double>(q_);
    const auto make = [this] { return std::vector<double>(q_); };
    parallel_each(context_, units.size(), work, make, [&](std::vector<double>& p, std::size_t i) {
      const std::size_t u = units[i];
      double squares = 0;
      for (std::size_t j = x_.unit_begin(u); j < x_.unit_end(u); ++j) {
        if (by_gram) {
          std::copy_n(cross_.data() + j * q_, q_, p.data());
          w.each(x_, q_,
                 [&](std::size_t k, const double* row) { add_scaled(p.data(), row, -gram_[place_[k]][j], q_); });
        } else {
          x_.cross(j, r_.data(), q_, p.data());
          if (added_) subtract_added(j, w, p.data());
        }
        squares += inner(p.data(), p.data(), q_);
      }
      norm_[u] = std::sqrt(squares);
    });
    residual_squares_ = target_squares_;
    with_targets_ = target_squares_;
    if (columns == 0) return;
    double with_cross = 0;
    for (std::size_t s = 0; s < w.unit.size(); ++s) {
      with_cross += inner(w.values[s].data(), cross_.data() + x_.unit_begin(w.unit[s]) * q_, w.values[s].size());
    }
    with_targets_ -= with_cross;
    residual_squares_ = by_gram ? target_squares_ - 2 * with_cross + fitted_squares(w)
                                : inner(r_.data(), r_.data(), r_.size()) + added_squares(w);
  }

  void subtract_added(std::size_t j, const ActiveRows& w, double* p) const {
    const std::size_t u = x_.unit_of(j);
    for (std::size_t e = added_->start[u]; e < added_->start[u + 1]; ++e) {
      const double* const row = w.rows(static_cast<std::size_t>(added_->row[e]));
      if (row) add_scaled(p, row, -added_->value[e], q_);
    }
  }

  // tr(W'LW), the squared length of the rows that represent L.
  double added_squares(const ActiveRows& w) const {
    if (!added_) return 0;
    double sum = 0;
    std::vector<double> p(q_);
    w.each(x_, q_, [&](std::size_t j, const double* row) {
      std::fill(p.begin(), p.end(), 0.0);
      subtract_added(j, w, p.data());
      sum -= inner(p.data(), row, q_);
    });
    return sum;
  }

  // <W, (X'X + L) W>
  double fitted_squares(const ActiveRows& w) const {
    double sum = 0;
    std::vector<double> p(q_);
    w.each(x_, q_, [&](std::size_t j, const double* row) {
      std::fill(p.begin(), p.end(), 0.0);
      const std::vector<double>& g = gram_[place_[j]];
      w.each(x_, q_, [&](std::size_t k, const double* other) { add_scaled(p.data(), other, g[k], q_); });
      sum += inner(p.data(), row, q_);
    });
    return sum;
  }

  void descend(const RowPenalty& penalty, const std::vector<std::size_t>& working, double enough, double best,
               ActiveRows& w) {
    const WorkingUnits units = working_set(x_, working, square_, cross_, q_, target_squares_);
    const std::vector<std::size_t> columns = columns_of(x_, working);
    const std::size_t n = columns.size();
    std::vector<double> rows;
    w.spread(working, units.start, q_, rows);
    Poll poll(context_);
    const bool by_residuals =
        !added_ && (n > most_gram_columns || residual_steps * x_.stored(columns) < static_cast<double>(n * n));
    if (by_residuals) {
      by_residuals_.fit.x = &x_;
      by_residuals_.fit.e = e_;
      by_residuals_.fit.columns = columns;
      by_residuals_.minimize(units, penalty, enough, best, most_epochs, rows, poll);
    } else {
      for (const std::size_t u : working) fill_gram(u);
      std::vector<double>& gram = by_gram_.fit.gram;
      gram.resize(n * n);
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) gram[a * n + b] = gram_at(columns[a], columns[b]);
      }
      by_gram_.minimize(units, penalty, enough, best, most_epochs, rows, poll);
    }
    w.assign(working, units.start, q_, rows);
  }

  double gram_at(std::size_t j, std::size_t k) const {
    const std::size_t a = place_[j], b = place_[k];
    if (all_pairs_) return gram_[a][k];
    return a > b ? gram_[a][b] : gram_[b][a];
  }

  // Inner products of a unit's columns with all columns, or with those requested before.
  void fill_gram(std::size_t u) {
    for (std::size_t j = x_.unit_begin(u); j < x_.unit_end(u); ++j) {
      if (place_[j] != none) continue;
      place_[j] = entered_.size();
      entered_.push_back(j);
      const std::size_t size = all_pairs_ ? x_.n_columns() : entered_.size();
      std::vector<double> scattered(x_.n_rows(), 0.0), g(size);
      x_.each(j, [&](std::size_t i, double v) { scattered[i] = v; });
      const double work =
          all_pairs_ ? x_.stored() : x_.stored() / static_cast<double>(x_.n_columns()) * static_cast<double>(size);
      parallel_each(context_, size, work, [&](std::size_t k) {
        const std::size_t other = all_pairs_ ? k : entered_[k];
        g[k] = x_.inner_product(j, other, scattered);
      });
      if (added_) {
        for (std::size_t k = 0; k < size; ++k) g[k] += added_->at(u, x_.unit_of(all_pairs_ ? k : entered_[k]));
      }
      gram_.push_back(std::move(g));
    }
  }

  const Context& context_;
  const CenteredColumns& x_;
  std::size_t q_;
  const SparseSymmetric* added_;
  const double* e_ = nullptr;
  double target_squares_ = 0;
  std::vector<std::size_t> units_;  // those that may enter
  std::vector<double> square_;      // by unit: the diagonal of X'X + L
  std::vector<double> cross_;       // X'E
  bool all_pairs_;
  std::vector<std::size_t> place_, entered_;  // of columns among those whose inner products are known
  std::vector<std::vector<double>> gram_;
  std::vector<double> norm_;                        // by unit, as evaluate() left it
  double residual_squares_ = 0, with_targets_ = 0;  // ||R||^2 and <R, E>
  std::vector<double> r_;
  RowDescent<GramState<OneGram>> by_gram_;
  RowDescent<ResidualState> by_residuals_;
};

}  // namespace mlsift
