#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "row_newton.h"
#include "row_units.h"

namespace mlsift {

/// The minimum over w of 1/2 sum_l h_l w_l^2 - u'w + threshold * ||w||, with all h_l above 0.
inline void weighted_shrink(const double* u, const double* h, double threshold, std::size_t n, double* w) {
  const double length = std::sqrt(inner(u, u, n));
  if (length <= threshold) {
    std::fill(w, w + n, 0.0);
    return;
  }
  const double least = *std::min_element(h, h + n), most = *std::max_element(h, h + n);
  // The length r of w: sum_l (u_l / (h_l r + threshold))^2 = 1.
  double low = (length - threshold) / most, high = (length - threshold) / least, r = low;
  for (int step = 0; step < 60 && high - low > 1e-15 * high; ++step) {
    double sum = 0, slope = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const double below = 1 / (h[l] * r + threshold), part = u[l] * u[l] * below * below;
      sum += part;
      slope += part * h[l] * below;
    }
    const double root = std::sqrt(sum), value = 1 / root - 1;
    if (std::fabs(value) < 1e-15) break;
    (value < 0 ? low : high) = r;
    r -= value * sum * root / slope;
    if (!(r > low && r < high)) r = low + (high - low) / 2;
  }
  for (std::size_t l = 0; l < n; ++l) w[l] = u[l] * r / (h[l] * r + threshold);
}

/// A lower bound on the minimum, from residuals R = E - X W of any W (without a ridge they are scaled until feasible).
/// `residual_squares`: ||R||^2; `residual_targets`: <R, E>; `longest`: the largest ||X_u'R|| / weight_u; `excess`: the
/// sum over units of (||X_u'R|| - group * weight_u)_+^2.
inline double row_dual(const RowPenalty& penalty, double residual_squares, double residual_targets, double longest,
                       double excess, double& scale) {
  scale = 1;
  if (penalty.ridge > 0) return residual_targets - residual_squares / 2 - excess / (2 * penalty.ridge);
  scale = longest > penalty.group ? penalty.group / longest : 1;
  return scale * residual_targets - scale * scale * residual_squares / 2;
}

/// Updates of units whose columns have the same squared length for all targets.
struct EqualLengths {
  static constexpr bool one_gram = false;

  /// Sets w to the exact minimum over unit u. `p`: its rows of X'(E - X W). Returns whether the unit changed; then
  /// `delta` is what was added to `w`.
  bool update(const WorkingUnits& units, const RowPenalty& penalty, std::size_t u, const double* p, double* w,
              double* delta) const {
    const std::size_t size = (units.start[u + 1] - units.start[u]) * units.targets;
    const double square = units.square[u], threshold = penalty.group * units.weight[u];
    bool was_zero = true;
    for (std::size_t i = 0; i < size; ++i) {
      delta[i] = square * w[i] + p[i];
      was_zero = was_zero && w[i] == 0;
    }
    const double squares = inner(delta, delta, size);
    const bool is_zero = squares <= threshold * threshold;
    if (is_zero && was_zero) return false;
    const double shrink = is_zero ? 0 : (1 - threshold / std::sqrt(squares)) / (square + penalty.ridge);
    for (std::size_t i = 0; i < size; ++i) {
      const double now = is_zero ? 0 : shrink * delta[i];
      delta[i] = now - w[i];
      w[i] = now;
    }
    return true;
  }
};

/// X'X, columns x columns.
struct OneGram : EqualLengths {
  static constexpr bool one_gram = true;
  std::vector<double> gram;

  void subtract(const WorkingUnits& units, std::size_t c, std::size_t k, const double* delta, double* to) const {
    add_scaled(to, delta, -gram[c * units.n_columns() + k], units.targets);
  }
};

/// Updates of units whose columns have other lengths for each target.
struct LengthsByTarget {
  static constexpr bool one_gram = false;
  std::vector<double> square;  ///< columns x targets, above 0; for k columns in a unit, k times the squared lengths

  bool update(const WorkingUnits& units, const RowPenalty& penalty, std::size_t u, const double* p, double* w,
              double* delta) {
    const std::size_t size = (units.start[u + 1] - units.start[u]) * units.targets;
    const double* const h = square.data() + units.start[u] * units.targets;
    goal_.resize(size);
    curvature_.resize(size);
    for (std::size_t e = 0; e < size; ++e) {
      goal_[e] = h[e] * w[e] + p[e];
      curvature_[e] = h[e] + penalty.ridge;
    }
    weighted_shrink(goal_.data(), curvature_.data(), penalty.group * units.weight[u], size, delta);
    bool any = false;
    for (std::size_t e = 0; e < size; ++e) {
      const double now = delta[e];
      delta[e] = now - w[e];
      w[e] = now;
      any = any || delta[e] != 0;
    }
    return any;
  }

 private:
  std::vector<double> goal_, curvature_;
};

/// X'X of each target, as the places where it is kept.
struct GramByTarget : LengthsByTarget {
  std::vector<const double*> gram;

  void subtract(const WorkingUnits& units, std::size_t c, std::size_t k, const double* delta, double* to) const {
    add_products(to, gram[c * units.n_columns() + k], delta, -1, units.targets);
  }
};

/// The state that descent keeps up to date, as inner products: P = X'(E - X W), columns x targets.
template <class Products>
class GramState : public Products {
 public:
  /// The state at W = 0.
  void begin(const WorkingUnits& units, std::vector<double>& state) const { state = units.goal; }

  const double* gradient(const WorkingUnits& units, std::size_t c, std::size_t, const std::vector<double>& state) {
    return state.data() + c * units.targets;
  }

  /// Call this after adding `delta` to row c of W.
  void moved(const WorkingUnits& units, std::size_t c, const double* delta, std::vector<double>& state) {
    for (std::size_t k = 0; k < units.n_columns(); ++k) {
      this->subtract(units, c, k, delta, state.data() + k * units.targets);
    }
  }

  /// ||E - X W||^2 = ||E||^2 - <W, X'E + X'(E - X W)>.
  double residual_squares(const WorkingUnits& units, const std::vector<double>& w, const std::vector<double>& state) {
    return units.target_squares - inner(w.data(), units.goal.data(), w.size()) -
           inner(w.data(), state.data(), w.size());
  }
};

/// Cyclic descent over the units of a working set, with Anderson extrapolation, for the subproblems of GroupLasso and
/// TargetLasso. `State`: GramState, or one that keeps residuals; it must be affine in W. With one Gram matrix for all
/// targets, steps of Newton end what descent does slowly, where features are correlated: once it has done half their
/// work.
template <class State>
class RowDescent {
 public:
  State fit;

  /// Descends from w (columns x targets) until the duality gap is at most `enough`, or for `most` epochs. `best`: the
  /// gap at which steps of Newton end, which come to it soon.
  void minimize(const WorkingUnits& units, const RowPenalty& penalty, double enough, double best, std::size_t most,
                std::vector<double>& w, Poll& poll) {
    fit.begin(units, state_);
    for (std::size_t c = 0; c < units.n_columns(); ++c) {
      const double* const row = w.data() + c * units.targets;
      if (std::any_of(row, row + units.targets, [](double v) { return v != 0; })) fit.moved(units, c, row, state_);
    }
    double spent = 0, gap = gap_now(units, penalty, w);
    for (std::size_t epoch = 0; epoch < most && gap > enough;) {
      keep_iterate(0, w);
      for (std::size_t i = 0; i < together; ++i, ++epoch) {
        spent += cycle(units, penalty, w);
        keep_iterate(i + 1, w);
      }
      extrapolate(units, penalty, w);
      poll();
      gap = gap_now(units, penalty, w);
      if constexpr (State::one_gram) {
        if (gap <= enough || 2 * spent < newton_work(units, w)) continue;
        gap = newton_steps(units, penalty, enough, best, gap, w, poll);
        spent = 0;
      }
    }
    drop(units, penalty, w);
  }

 private:
  static constexpr std::size_t together = 5;  // epochs between extrapolations

  // Returns how many multiplications it took, roughly.
  double cycle(const WorkingUnits& units, const RowPenalty& penalty, std::vector<double>& w) {
    const std::size_t q = units.targets;
    std::size_t moves = 0;
    delta_.resize(w.size());
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const std::size_t first = units.start[u], columns = units.start[u + 1] - first;
      const double* const p = fit.gradient(units, first, columns, state_);
      if (!fit.update(units, penalty, u, p, w.data() + first * q, delta_.data())) continue;
      for (std::size_t c = 0; c < columns; ++c) fit.moved(units, first + c, delta_.data() + c * q, state_);
      moves += columns;
    }
    return static_cast<double>(moves) * static_cast<double>(w.size());
  }

  // Multiplications of a step of Newton.
  static double newton_work(const WorkingUnits& units, const std::vector<double>& w) {
    std::size_t columns = 0;
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const double* const row = w.data() + units.start[u] * units.targets;
      const std::size_t size = units.start[u + 1] - units.start[u];
      if (std::any_of(row, row + size * units.targets, [](double v) { return v != 0; })) columns += size;
    }
    return RowNewton::work(columns, units.targets);
  }

  // Steps of Newton down to the gap `enough`, then to `best`, as long as each brings the gap down to a tenth.
  double newton_steps(const WorkingUnits& units, const RowPenalty& penalty, double enough, double best, double gap,
                      std::vector<double>& w, Poll& poll) {
    while (gap > enough && newton_step(units, penalty, w, poll)) {
      const double before = gap;
      cycle(units, penalty, w);
      gap = gap_now(units, penalty, w);
      if (gap > before / 10) break;
      enough = best;
    }
    return gap;
  }

  // A step for the units that are not 0. Those that would turn to the opposite side become 0, and the step is found
  // anew for the others. Returns whether the objective fell; otherwise W stays as it is.
  bool newton_step(const WorkingUnits& units, const RowPenalty& penalty, std::vector<double>& w, Poll& poll) {
    w_next_ = w;
    state_next_ = state_;
    bool turned = true;
    for (int found = 0; found < 3 && turned; ++found) {
      newton_.find(units, penalty, fit.gram, w_next_, state_next_, newton_way_, poll);
      turned = false;
      for (std::size_t u = 0; u < units.n_units(); ++u) turned = advance(units, u, true) || turned;
    }
    for (std::size_t u = 0; u < units.n_units(); ++u) advance(units, u, false);
    return take_next(units, penalty, w);
  }

  // Moves unit u of w_next_ by the step of Newton, or to 0 if it would turn; `turning`: only then. Returns whether it
  // moved.
  bool advance(const WorkingUnits& units, std::size_t u, bool turning) {
    const std::size_t first = units.start[u], end = units.start[u + 1], q = units.targets, size = (end - first) * q;
    double* const row = w_next_.data() + first * q;
    const double* const way = newton_way_.data() + first * q;
    const double squares = inner(row, row, size);
    const bool turns = squares + inner(row, way, size) <= 0;
    if (squares == 0 || (turning && !turns)) return false;
    delta_.resize(w_next_.size());
    for (std::size_t e = 0; e < size; ++e) {
      const double next = turns ? 0 : row[e] + way[e];
      delta_[e] = next - row[e];
      row[e] = next;
    }
    for (std::size_t c = first; c < end; ++c) fit.moved(units, c, delta_.data() + (c - first) * q, state_next_);
    return true;
  }

  // W becomes w_next_ if that is better. Returns whether it does.
  bool take_next(const WorkingUnits& units, const RowPenalty& penalty, std::vector<double>& w) {
    const double now = fit.residual_squares(units, w, state_) / 2 + penalty_of(units, penalty, w);
    const double next = fit.residual_squares(units, w_next_, state_next_) / 2 + penalty_of(units, penalty, w_next_);
    if (!(next < now)) return false;
    w.swap(w_next_);
    state_.swap(state_next_);
    return true;
  }

  // Sets units to 0 whose minimum is 0. Extrapolation from iterates in which they are not leaves them a little off.
  void drop(const WorkingUnits& units, const RowPenalty& penalty, std::vector<double>& w) {
    delta_.resize(w.size());
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const std::size_t first = units.start[u], columns = units.start[u + 1] - first, q = units.targets;
      double* const row = w.data() + first * q;
      const auto is_zero = [](double x) { return x == 0; };
      if (std::all_of(row, row + columns * q, is_zero)) continue;
      minimum_.assign(row, row + columns * q);
      const double* const p = fit.gradient(units, first, columns, state_);
      fit.update(units, penalty, u, p, minimum_.data(), delta_.data());
      if (!std::all_of(minimum_.begin(), minimum_.end(), is_zero)) continue;
      std::fill_n(row, columns * q, 0.0);
      for (std::size_t c = 0; c < columns; ++c) fit.moved(units, first + c, delta_.data() + c * q, state_);
    }
  }

  static double penalty_of(const WorkingUnits& units, const RowPenalty& penalty, const std::vector<double>& w) {
    double sum = 0, squares = 0;
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const double* const row = w.data() + units.start[u] * units.targets;
      const double square_of_row = inner(row, row, (units.start[u + 1] - units.start[u]) * units.targets);
      sum += units.weight[u] * std::sqrt(square_of_row);
      squares += square_of_row;
    }
    return penalty.group * sum + penalty.ridge / 2 * squares;
  }

  double gap_now(const WorkingUnits& units, const RowPenalty& penalty, const std::vector<double>& w) {
    double longest = 0, excess = 0, scale = 1;
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const std::size_t first = units.start[u], columns = units.start[u + 1] - first;
      const double* const p = fit.gradient(units, first, columns, state_);
      const double norm = std::sqrt(inner(p, p, columns * units.targets)),
                   over = norm - penalty.group * units.weight[u];
      if (over > 0) excess += over * over;
      longest = std::max(longest, norm / units.weight[u]);
    }
    const double squares = fit.residual_squares(units, w, state_);
    const double with_targets = units.target_squares - inner(w.data(), units.goal.data(), w.size());
    return squares / 2 + penalty_of(units, penalty, w) -
           row_dual(penalty, squares, with_targets, longest, excess, scale);
  }

  void keep_iterate(std::size_t i, const std::vector<double>& w) {
    w_kept_[i] = w;
    state_kept_[i] = state_;
  }

  // The combination of the last iterates with the shortest step, if it is better than the last iterate.
  void extrapolate(const WorkingUnits& units, const RowPenalty& penalty, std::vector<double>& w) {
    double m[together][together + 1];
    for (std::size_t i = 0; i < together; ++i) {
      step_[i].resize(w.size());
      for (std::size_t e = 0; e < w.size(); ++e) step_[i][e] = w_kept_[i + 1][e] - w_kept_[i][e];
    }
    double largest = 0;
    for (std::size_t i = 0; i < together; ++i) {
      for (std::size_t j = 0; j <= i; ++j) m[i][j] = m[j][i] = inner(step_[i].data(), step_[j].data(), w.size());
      largest = std::max(largest, m[i][i]);
    }
    if (!(largest > 0)) return;
    for (std::size_t i = 0; i < together; ++i) {
      m[i][i] += 1e-12 * largest;
      m[i][together] = 1;
    }
    for (std::size_t c = 0; c < together; ++c) {  // Gauss-Jordan; the matrix is positive definite
      if (!(m[c][c] > 0)) return;
      for (std::size_t r = 0; r < together; ++r) {
        if (r == c) continue;
        const double factor = m[r][c] / m[c][c];
        for (std::size_t e = c; e <= together; ++e) m[r][e] -= factor * m[c][e];
      }
    }
    double share[together], sum = 0;
    for (std::size_t i = 0; i < together; ++i) sum += share[i] = m[i][together] / m[i][i];
    if (!std::isfinite(sum) || sum == 0) return;
    w_next_.assign(w.size(), 0.0);
    state_next_.assign(state_.size(), 0.0);
    for (std::size_t i = 0; i < together; ++i) {
      add_scaled(w_next_.data(), w_kept_[i + 1].data(), share[i] / sum, w.size());
      add_scaled(state_next_.data(), state_kept_[i + 1].data(), share[i] / sum, state_.size());
    }
    take_next(units, penalty, w);
  }

  RowNewton newton_;
  std::vector<double> state_, delta_, minimum_, newton_way_, w_next_, state_next_;
  std::vector<double> step_[together], w_kept_[together + 1], state_kept_[together + 1];
};

}  // namespace mlsift
