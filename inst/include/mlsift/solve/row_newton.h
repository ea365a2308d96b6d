#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "cholesky.h"
#include "row_units.h"

namespace mlsift {

/// Steps of Newton's method for the units that are not 0, where the objective of RowPenalty is smooth.
///
/// With c_u = group * weight_u / ||W_u|| and v_u = W_u / ||W_u||, the matrix of second derivatives is that of
/// M = X'X + diag(c + ridge), the same for each target, less c_u v_u v_u' for each unit. So by Woodbury's formula, a
/// step needs M^-1 and the solution of one system in the units, whatever the number of targets:
///   D = M^-1 (R + V s),   s = (diag(1 / c) - V'M^-1 V)^-1 V'M^-1 R,
/// where R is the negative gradient and column u of V has v_u in the place of unit u.
class RowNewton {
 public:
  /// Of one step, in multiplications, for so many columns that are not 0.
  static double work(std::size_t columns, std::size_t targets) {
    const double a = static_cast<double>(columns);
    return 0.7 * a * a * a + 2.5 * a * a * static_cast<double>(targets);
  }

  /// step = D for all rows of W. `p`: X'(E - X W).
  void find(const WorkingUnits& units, const RowPenalty& penalty, const std::vector<double>& gram,
            const std::vector<double>& w, const std::vector<double>& p, std::vector<double>& step, Poll& poll) {
    const std::size_t q = units.targets;
    collect(units, penalty, w, p);
    const std::size_t n = column_.size();
    factor_.resize(n * n);
    for (std::size_t a = 0; a < n; ++a) {
      const double* const from = gram.data() + column_[a] * units.n_columns();
      for (std::size_t b = 0; b <= a; ++b) factor_[a * n + b] = from[column_[b]];
      // A little more, for columns that depend on others.
      factor_[a * n + a] = factor_[a * n + a] * (1 + 1e-10) + curvature_[place_[a]] + penalty.ridge;
    }
    invert(n, poll);
    multiply(n, q, rest_, found_);
    correct(n, q);
    multiply(n, q, rest_, found_);
    step.assign(w.size(), 0.0);
    for (std::size_t a = 0; a < n; ++a) std::copy_n(found_.data() + a * q, q, step.data() + column_[a] * q);
  }

 private:
  // The columns of units that are not 0, the place of the unit of each among these, c_u, v_u and R.
  void collect(const WorkingUnits& units, const RowPenalty& penalty, const std::vector<double>& w,
               const std::vector<double>& p) {
    const std::size_t q = units.targets;
    column_.clear();
    place_.clear();
    curvature_.clear();
    direction_.clear();
    rest_.clear();
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const std::size_t begin = units.start[u] * q, end = units.start[u + 1] * q;
      const double norm = std::sqrt(inner(w.data() + begin, w.data() + begin, end - begin));
      if (norm == 0) continue;
      for (std::size_t c = units.start[u]; c < units.start[u + 1]; ++c) {
        column_.push_back(c);
        place_.push_back(curvature_.size());
      }
      const double threshold = penalty.group * units.weight[u];
      for (std::size_t e = begin; e < end; ++e) {
        direction_.push_back(w[e] / norm);
        rest_.push_back(p[e] - threshold * direction_.back() - penalty.ridge * w[e]);
      }
      // One number has no direction to turn to.
      curvature_.push_back(end - begin > 1 ? threshold / norm : 0);
    }
  }

  // inverse_ = M^-1, from the lower triangle of M.
  void invert(std::size_t n, Poll& poll) {
    cholesky_.factor(factor_, n, &poll);
    std::vector<double>& l = factor_;
    // Row i of L^-1 replaces that of L.
    std::vector<double> row(n);
    for (std::size_t i = 0; i < n; ++i) {
      poll();
      std::fill_n(row.begin(), i, 0.0);
      const double* const from = l.data() + i * n;
      for (std::size_t k = 0; k < i; ++k) add_scaled(row.data(), l.data() + k * n, -from[k], k + 1);
      const double pivot = from[i];
      row[i] = 1;
      for (std::size_t k = 0; k <= i; ++k) l[i * n + k] = pivot > 0 ? row[k] / pivot : 0;
    }
    inverse_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      poll();
      const double* const from = l.data() + i * n;
      for (std::size_t k = 0; k <= i; ++k) add_scaled(inverse_.data() + k * n, from, from[k], k + 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) inverse_[k * n + i] = inverse_[i * n + k];
    }
  }

  void multiply(std::size_t n, std::size_t q, const std::vector<double>& from, std::vector<double>& to) const {
    to.assign(n * q, 0.0);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) add_scaled(to.data() + a * q, from.data() + b * q, inverse_[a * n + b], q);
    }
  }

  // Adds V s to R, of which found_ is M^-1 R. The system is multiplied by the root of c on both sides.
  void correct(std::size_t n, std::size_t q) {
    const std::size_t m = curvature_.size();
    std::vector<double> root(m), s(m, 0.0), system(m * m, 0.0);
    for (std::size_t u = 0; u < m; ++u) root[u] = std::sqrt(curvature_[u]);
    for (std::size_t a = 0; a < n; ++a) {
      const double* const v = direction_.data() + a * q;
      s[place_[a]] += root[place_[a]] * inner(v, found_.data() + a * q, q);
      for (std::size_t b = 0; b <= a; ++b) {
        const bool twice = b < a && place_[a] == place_[b];
        const double both = (twice ? 2 : 1) * inverse_[a * n + b] * inner(v, direction_.data() + b * q, q);
        system[place_[a] * m + place_[b]] -= root[place_[a]] * root[place_[b]] * both;
      }
    }
    for (std::size_t u = 0; u < m; ++u) system[u * m + u] += 1;
    cholesky_.factor(system, m);
    cholesky_.solve(s.data());
    for (std::size_t a = 0; a < n; ++a) {
      add_scaled(rest_.data() + a * q, direction_.data() + a * q, root[place_[a]] * s[place_[a]], q);
    }
  }

  Cholesky cholesky_;
  std::vector<std::size_t> column_, place_;
  std::vector<double> curvature_, direction_, rest_, factor_, inverse_, found_;
};

}  // namespace mlsift
