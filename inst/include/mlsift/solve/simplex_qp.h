#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../core/parallel.h"

namespace mlsift {

/// The function 1/2 x' A x - b' x, A = scale (Q + shift I), where Q is a full symmetric n x n matrix.
struct Quadratic {
  const double* q = nullptr;
  std::size_t n = 0;
  double scale = 1, shift = 0;
  std::vector<double> b;

  const double* row(std::size_t i) const { return q + i * n; }
  double diagonal(std::size_t i) const { return scale * (row(i)[i] + shift); }
};

/// The same with rows of Q computed on request. As many as fit are kept, and the least recently used ones are dropped;
/// the last two requested are always available.
struct QuadraticOnDemand {
  std::size_t n = 0;
  double scale = 1, shift = 0;
  std::vector<double> b, q_diagonal;
  std::function<void(std::size_t, std::vector<double>&)> make;  ///< make(i, row) sets row i of Q
  std::size_t most_kept = 2;                                    ///< rows

  const double* row(std::size_t i) const {
    if (rows_.empty()) {
      rows_.resize(n);
      used_.assign(n, 0);
    }
    used_[i] = ++time_;
    if (rows_[i].empty()) {
      if (kept_.size() >= std::max<std::size_t>(2, most_kept)) drop();
      make(i, rows_[i]);
      kept_.push_back(i);
    }
    return rows_[i].data();
  }
  double diagonal(std::size_t i) const { return scale * (q_diagonal[i] + shift); }

 private:
  void drop() const {
    const auto oldest = std::min_element(kept_.begin(), kept_.end(),
                                         [&](std::size_t a, std::size_t b_) { return used_[a] < used_[b_]; });
    std::vector<double>().swap(rows_[*oldest]);
    *oldest = kept_.back();
    kept_.pop_back();
  }

  mutable std::vector<std::vector<double>> rows_;
  mutable std::vector<std::size_t> kept_;
  mutable std::vector<std::uint64_t> used_;
  mutable std::uint64_t time_ = 0;
};

struct SimplexMinimum {
  std::vector<double> x, gradient;
  double objective = 0, gap = 0;  ///< the objective is at most `gap` above the minimum
  std::size_t steps = 0;
};

/// Minimizes a quadratic over x >= 0, sum x = 1.
///
/// Each step moves weight from a coordinate that has some to the one with the smallest gradient, as far as that lowers
/// the objective (sequential minimal optimization, pairwise Frank-Wolfe). The giver is the one for which the step
/// lowers it most. The gradient is kept up to date, so a step costs O(n); weights that vanish are exactly 0.
///
/// If A is not positive semi-definite, it ends at a point from which no exchange of weight between two coordinates
/// lowers the objective. Each step lowers it, whatever A.
///
/// stop     the duality gap x' g - min g is at most 1e-12 max(1, |objective|), with the gradient recomputed
/// ties     the lowest coordinate
template <class Function>
class SimplexMinimizer {
 public:
  SimplexMinimizer(const Function& f, const Context& context) : f_(f), poll_(context) {}

  SimplexMinimum minimize(std::size_t most_steps = 20000000) {
    start();
    bool fresh = true;
    while (true) {
      const std::size_t to =
          static_cast<std::size_t>(std::min_element(m_.gradient.begin(), m_.gradient.end()) - m_.gradient.begin());
      look(to);
      if (m_.gap <= 1e-12 * std::max(1.0, std::fabs(m_.objective)) || m_.steps >= most_steps || gain_ <= 0) {
        if (fresh) return m_;
        refresh();
        fresh = true;
        continue;
      }
      move(to);
      fresh = false;
      if (++m_.steps % 1024 == 0) poll_();
    }
  }

 private:
  // Puts all weight on the coordinate with the smallest objective.
  void start() {
    std::size_t best = 0;
    const auto alone = [&](std::size_t i) { return f_.diagonal(i) / 2 - f_.b[i]; };
    for (std::size_t i = 1; i < f_.n; ++i) {
      if (alone(i) < alone(best)) best = i;
    }
    m_.x.assign(f_.n, 0.0);
    m_.x[best] = 1;
    support_ = {best};
    refresh();
  }

  // The gradient from its definition, with weights normalized to sum 1.
  void refresh() {
    double sum = 0;
    for (const double v : m_.x) sum += v;
    for (double& v : m_.x) v /= sum;
    m_.gradient.resize(f_.n);
    for (std::size_t i = 0; i < f_.n; ++i) m_.gradient[i] = -f_.b[i];
    for (const std::size_t s : support_) add(s, m_.x[s]);
  }

  void add(std::size_t s, double weight) {
    const double* row = f_.row(s);
    const double w = f_.scale * weight;
    for (std::size_t i = 0; i < f_.n; ++i) m_.gradient[i] += w * row[i];
    m_.gradient[s] += w * f_.shift;
  }

  // Objective and gap, and the giver from which moving weight to `to` lowers the objective most.
  void look(std::size_t to) {
    double along = 0, linear = 0;
    gain_ = 0;
    const double* const taker = f_.row(to);
    for (std::size_t s = 0; s < support_.size(); ++s) {
      const std::size_t i = support_[s];
      along += m_.x[i] * m_.gradient[i];
      linear += m_.x[i] * f_.b[i];
      const double slope = m_.gradient[i] - m_.gradient[to];
      if (i == to || slope <= 0) continue;
      const double curve = f_.diagonal(to) + f_.diagonal(i) - 2 * f_.scale * taker[i];
      const double step = curve * m_.x[i] > slope ? slope / curve : m_.x[i];
      const double gain = step * (slope - step * curve / 2);
      if (gain > gain_) {
        gain_ = gain;
        step_ = step;
        from_ = s;
      }
    }
    m_.objective = (along - linear) / 2;
    m_.gap = along - m_.gradient[to];
  }

  void move(std::size_t to) {
    const std::size_t from = support_[from_];
    const double *gains = f_.row(to), *loses = f_.row(from), w = f_.scale * step_;
    for (std::size_t i = 0; i < f_.n; ++i) m_.gradient[i] += w * (gains[i] - loses[i]);
    m_.gradient[to] += w * f_.shift;
    m_.gradient[from] -= w * f_.shift;
    const bool new_one = m_.x[to] == 0;
    m_.x[to] += step_;
    if (step_ == m_.x[from]) {
      m_.x[from] = 0;
      support_.erase(support_.begin() + static_cast<std::ptrdiff_t>(from_));
    } else {
      m_.x[from] -= step_;
    }
    if (new_one) support_.insert(std::lower_bound(support_.begin(), support_.end(), to), to);
  }

  const Function& f_;
  Poll poll_;
  SimplexMinimum m_;
  std::vector<std::size_t> support_;  // coordinates with weight, ascending
  std::size_t from_ = 0;              // the best giver, by its position in support_
  double step_ = 0, gain_ = 0;
};

}  // namespace mlsift
