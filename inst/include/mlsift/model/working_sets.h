#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../solve/row_descent.h"
#include "centered_columns.h"

namespace mlsift {

/// The nonzero rows of the coefficients, by ascending unit of CenteredColumns.
struct ActiveRows {
  std::vector<std::size_t> unit;
  std::vector<std::vector<double>> values;  ///< columns of the unit x targets, by rows
  std::vector<double> intercept;            ///< by target, for centered columns; empty where those of E suffice

  /// The rows of a unit; null if they are 0.
  const double* rows(std::size_t u) const {
    const auto found = std::lower_bound(unit.begin(), unit.end(), u);
    if (found == unit.end() || *found != u) return nullptr;
    return values[static_cast<std::size_t>(found - unit.begin())].data();
  }
  bool has(std::size_t u) const { return rows(u) != nullptr; }

  /// visit(j, row): the columns of X in the model, and the coefficients of each.
  template <class Visit>
  void each(const CenteredColumns& x, std::size_t targets, Visit visit) const {
    for (std::size_t s = 0; s < unit.size(); ++s) {
      const std::size_t first = x.unit_begin(unit[s]);
      for (std::size_t c = 0; c < x.unit_size(unit[s]); ++c) visit(first + c, values[s].data() + c * targets);
    }
  }

  /// From the rows of these units, one after the other; `start`: the first column of each, then the end.
  void assign(const std::vector<std::size_t>& units, const std::vector<std::size_t>& start, std::size_t targets,
              const std::vector<double>& rows) {
    unit.clear();
    values.clear();
    for (std::size_t i = 0; i < units.size(); ++i) {
      const double* const from = rows.data() + start[i] * targets;
      const double* const to = rows.data() + start[i + 1] * targets;
      if (std::all_of(from, to, [](double v) { return v == 0; })) continue;
      unit.push_back(units[i]);
      values.emplace_back(from, to);
    }
  }

  /// The opposite of assign().
  void spread(const std::vector<std::size_t>& units, const std::vector<std::size_t>& start, std::size_t targets,
              std::vector<double>& rows) const {
    rows.assign(start.back() * targets, 0.0);
    for (std::size_t i = 0, s = 0; i < units.size() && s < unit.size(); ++i) {
      if (units[i] != unit[s]) continue;
      std::copy(values[s].begin(), values[s].end(), rows.begin() + static_cast<std::ptrdiff_t>(start[i] * targets));
      ++s;
    }
  }
};

/// to += factor * X W, for `to` (rows x targets, by rows).
inline void add_fit(const CenteredColumns& x, const ActiveRows& w, double factor, std::size_t targets, double* to) {
  std::vector<double> moved(targets, 0.0);
  bool any = false;
  w.each(x, targets, [&](std::size_t j, const double* row) {
    x.add_outer(j, row, factor, targets, to);
    add_scaled(moved.data(), row, -factor * x.mean(j), targets);
    any = any || x.mean(j) != 0;
  });
  if (!any) return;
  for (std::size_t i = 0; i < x.n_rows(); ++i) add_scaled(to + i * targets, moved.data(), x.root(i), targets);
}

/// The largest norm_u / weight_u of some units.
inline double longest_reach(const CenteredColumns& x, const std::vector<std::size_t>& units,
                            const std::vector<double>& norm) {
  double longest = 0;
  for (const std::size_t u : units) longest = std::max(longest, norm[u] / x.weight(u));
  return longest;
}

/// cross = X'R (columns x targets) for the columns of these units.
inline void cross_columns(const Context& context, const CenteredColumns& x, const std::vector<std::size_t>& units,
                          const double* r, std::size_t targets, std::vector<double>& cross) {
  cross.resize(x.n_columns() * targets);
  parallel_each(context, units.size(), x.stored() * static_cast<double>(targets), [&](std::size_t i) {
    for (std::size_t j = x.unit_begin(units[i]); j < x.unit_end(units[i]); ++j) {
      x.cross(j, r, targets, cross.data() + j * targets);
    }
  });
}

/// The largest ||X_u'R|| / weight_u, with the norms themselves by unit in `norm`. `units`: those to consider.
inline double longest_gradient(const Context& context, const CenteredColumns& x, const std::vector<std::size_t>& units,
                               const double* r, std::size_t targets, std::vector<double>& norm) {
  norm.resize(x.n_units(), 0.0);
  parallel_each(
      context, units.size(), x.stored() * static_cast<double>(targets), [&] { return std::vector<double>(targets); },
      [&](std::vector<double>& p, std::size_t i) {
        double squares = 0;
        for (std::size_t j = x.unit_begin(units[i]); j < x.unit_end(units[i]); ++j) {
          x.cross(j, r, targets, p.data());
          squares += inner(p.data(), p.data(), targets);
        }
        norm[units[i]] = std::sqrt(squares);
      });
  return longest_reach(x, units, norm);
}

/// The units that have columns and are not left out (by unit; none if empty).
inline std::vector<std::size_t> varying_units(const CenteredColumns& x, const std::vector<char>& left_out) {
  std::vector<std::size_t> units;
  for (std::size_t u = 0; u < x.n_units(); ++u) {
    if (x.unit_size(u) > 0 && (left_out.empty() || !left_out[u])) units.push_back(u);
  }
  return units;
}

/// The columns of some units.
inline std::vector<std::size_t> columns_of(const CenteredColumns& x, const std::vector<std::size_t>& units) {
  std::vector<std::size_t> columns;
  for (const std::size_t u : units) {
    for (std::size_t j = x.unit_begin(u); j < x.unit_end(u); ++j) columns.push_back(j);
  }
  return columns;
}

/// The first of the columns of each unit among them, then their number.
inline std::vector<std::size_t> starts_of(const CenteredColumns& x, const std::vector<std::size_t>& units) {
  std::vector<std::size_t> start = {0};
  for (const std::size_t u : units) start.push_back(start.back() + x.unit_size(u));
  return start;
}

/// The parts of the penalty: its value, and the reach of the gradients over all units considered.
struct PenaltySums {
  double value = 0;    ///< group * sum_u weight_u ||W_u|| + ridge / 2 ||W||^2
  double longest = 0;  ///< the largest norm_u / weight_u
  double excess = 0;   ///< the sum of (norm_u - group * weight_u)_+^2
};

/// `norm`: ||X_u'R|| by unit.
inline PenaltySums penalty_sums(const CenteredColumns& x, const RowPenalty& penalty, const ActiveRows& w,
                                const std::vector<std::size_t>& units, const std::vector<double>& norm) {
  PenaltySums result;
  result.longest = longest_reach(x, units, norm);
  for (const std::size_t u : units) {
    const double over = norm[u] - penalty.group * x.weight(u);
    if (over > 0) result.excess += over * over;
  }
  double rows = 0, squares = 0;
  for (std::size_t s = 0; s < w.unit.size(); ++s) {
    const double square = inner(w.values[s].data(), w.values[s].data(), w.values[s].size());
    rows += x.weight(w.unit[s]) * std::sqrt(square);
    squares += square;
  }
  result.value = penalty.group * rows + penalty.ridge / 2 * squares;
  return result;
}

/// Leaves out units whose coefficients are 0 in every solution: those that no residuals within `radius` of these, times
/// `scale`, can bring up to their penalty. `square`: squared lengths by unit.
inline void screen_units(const CenteredColumns& x, const RowPenalty& penalty, const ActiveRows& w,
                         const std::vector<double>& norm, const std::vector<double>& square, double scale,
                         double radius, std::vector<std::size_t>& units) {
  const auto out = [&](std::size_t u) {
    return scale * norm[u] + radius * std::sqrt(square[u]) < penalty.group * x.weight(u) && !w.has(u);
  };
  units.erase(std::remove_if(units.begin(), units.end(), out), units.end());
}

/// The units of W and those nearest to their penalty, `size` in all, ascending.
inline std::vector<std::size_t> working_units(const CenteredColumns& x, const RowPenalty& penalty, const ActiveRows& w,
                                              const std::vector<double>& norm, const std::vector<double>& square,
                                              double scale, std::size_t size, const std::vector<std::size_t>& units) {
  std::vector<std::size_t> result = w.unit;
  std::vector<std::pair<double, std::size_t>> others;
  for (const std::size_t u : units) {
    if (!w.has(u)) others.emplace_back((penalty.group * x.weight(u) - scale * norm[u]) / std::sqrt(square[u]), u);
  }
  const std::size_t more = std::min(others.size(), size - std::min(size, result.size()));
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(more), others.end());
  for (std::size_t i = 0; i < more; ++i) result.push_back(others[i].second);
  std::sort(result.begin(), result.end());
  return result;
}

/// Units to descend over. `square`: by unit of X; `cross`: X'E; `target_squares`: ||E||^2.
inline WorkingUnits working_set(const CenteredColumns& x, const std::vector<std::size_t>& units,
                                const std::vector<double>& square, const std::vector<double>& cross,
                                std::size_t targets, double target_squares) {
  WorkingUnits result;
  result.targets = targets;
  result.target_squares = target_squares;
  result.start = starts_of(x, units);
  for (const std::size_t u : units) {
    result.square.push_back(square[u]);
    result.weight.push_back(x.weight(u));
    result.goal.insert(result.goal.end(), cross.data() + x.unit_begin(u) * targets,
                       cross.data() + x.unit_end(u) * targets);
  }
  return result;
}

/// What is known of a solution: its objective, and an upper bound on its distance from the minimum.
struct Certificate {
  double objective = 0, gap = 0;
  bool converged = false;
};

/// Of the squared loss. `residual_squares`, `with_targets`: of the residuals, and their product with the targets;
/// `scale`: gets the factor that makes the residuals a point of the dual.
inline Certificate squared_certificate(const RowPenalty& penalty, const PenaltySums& sums, double residual_squares,
                                       double with_targets, double& scale) {
  Certificate result;
  result.objective = residual_squares / 2 + sums.value;
  result.gap = result.objective - row_dual(penalty, residual_squares, with_targets, sums.longest, sums.excess, scale);
  return result;
}

/// A sparse model and what is known of it. `norm`: the norm of each unit's rows of W; `reach`: the length of each
/// unit's gradient, as a share of the penalty.
struct SparseFit {
  std::vector<double> norm, reach;
  Certificate certificate;
  double largest_penalty = 0;
  std::size_t rounds = 0;
};

inline std::vector<double> row_norms(const CenteredColumns& x, const ActiveRows& w) {
  std::vector<double> norm(x.n_units(), 0.0);
  for (std::size_t s = 0; s < w.unit.size(); ++s) {
    norm[w.unit[s]] = std::sqrt(inner(w.values[s].data(), w.values[s].data(), w.values[s].size()));
  }
  return norm;
}

/// Repeats rounds of `certify()`, which bounds how far W is from the minimum, and `descend(size, gap)`, which improves
/// it on a working set of that size, until the gap is at most `enough` or a round no longer reduces it.
template <class Certify, class Descend>
Certificate solve_by_working_sets(double enough, const ActiveRows& w, Certify certify, Descend descend) {
  std::size_t size = 10;
  double best = 0;
  int stuck = 0;
  for (int round = 0;; ++round) {
    Certificate found = certify();
    found.converged = found.gap <= enough;
    stuck = round > 0 && found.gap >= best ? stuck + 1 : 0;
    if (round == 0 || found.gap < best) best = found.gap;
    if (found.converged || stuck == 8 || round == 300) return found;
    size = std::max(stuck > 0 ? 2 * size : size, 2 * w.unit.size());
    descend(size, found.gap);
  }
}

}  // namespace mlsift
