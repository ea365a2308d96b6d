#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../core/vectors.h"
#include "../count/informations.h"
#include "../solve/eigenpairs.h"
#include "../solve/simplex_qp.h"

namespace mlsift {

namespace detail {

inline double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

// alpha that puts redundancy and relevance on one scale.
inline double balance(double redundancy, double relevance) {
  return redundancy + relevance > 0 ? redundancy / (redundancy + relevance) : 0.5;
}

inline std::vector<double> relevances(const Informations& data) {
  std::vector<double> result;
  for (std::size_t f = 0; f < data.size(); ++f) result.push_back(data.relevance(static_cast<int>(f)));
  return result;
}

}  // namespace detail

/// QPMLFS. Lim, Lee & Kim (2015), after Rodriguez-Lujan et al. (2010), JMLR 11:1491-1516:
///
///   min  1/2 (1 - alpha) x' Q x - alpha c' x    over x >= 0, sum x = 1
///
/// Q        I(f; s), with H(f) on the diagonal; where Q has a negative eigenvalue, its size is added to the diagonal
/// c        R(f) = sum_l I(f; l); all in bits
/// alpha    NaN: mean(Q) / (mean(Q) + mean(c)), or 1/2 where both are 0
/// ranking  x decreasing; features of weight 0 by increasing gradient of the objective
/// cost     the matrix, 8 d^2 bytes, some hundred products with it, and O(d) for each step of the minimization
class Qpmlfs {
 public:
  Qpmlfs(std::vector<double> q, std::vector<double> c, double alpha, const Context& context)
      : q_(std::move(q)), c_(std::move(c)), alpha_(alpha) {
    if (std::isnan(alpha_)) alpha_ = detail::balance(detail::mean(q_), detail::mean(c_));
    shift_ = std::max(0.0, -smallest_eigenvalue(c_.size(), [&](const std::vector<double>& x, std::vector<double>& y) {
                        multiply(x, y, context);
                      }));
  }

  Qpmlfs(Informations& data, double alpha, const Context& context)
      : Qpmlfs(information_of_pairs(data, context), detail::relevances(data), alpha, context) {}

  double alpha() const { return alpha_; }
  double shift() const { return shift_; }

  SimplexMinimum minimum(const Context& context) const {
    Quadratic f{q_.data(), c_.size(), 1 - alpha_, shift_, c_};
    for (double& b : f.b) b *= alpha_;
    return SimplexMinimizer<Quadratic>(f, context).minimize();
  }

 private:
  void multiply(const std::vector<double>& x, std::vector<double>& y, const Context& context) const {
    const std::size_t n = x.size();
    parallel_each(context, n, static_cast<double>(n) * static_cast<double>(n),
                  [&](std::size_t i) { y[i] = inner(q_.data() + i * n, x.data(), n); });
  }

  std::vector<double> q_, c_;
  double alpha_, shift_ = 0;
};

/// The same if Q is too large to keep: rows of Q are computed when the minimization needs them, that is, for features
/// that have or get weight. No eigenvalue is looked for, so the diagonal is not raised; where Q has a negative
/// eigenvalue the weights are those of a local minimum (exchanging weight between two features is convex all the same,
/// as H(f) + H(s) - 2 I(f; s) >= 0).
///
/// cost     a pass over the data for each row made; `bytes` for rows that are kept
inline SimplexMinimum qpmlfs_on_demand(Informations& data, double& alpha, double bytes, const Context& context) {
  QuadraticOnDemand f;
  f.n = data.size();
  f.b = detail::relevances(data);
  Poll poll(context);
  f.make = [&](std::size_t s, std::vector<double>& row) {
    poll();
    data.with_feature(static_cast<int>(s), row);
  };
  for (std::size_t s = 0; s < f.n; ++s) f.q_diagonal.push_back(data.entropy(static_cast<int>(s)));
  if (std::isnan(alpha)) {
    double sum = 0;
    std::vector<double> row;
    for (std::size_t s = 0; s < f.n; ++s) {
      f.make(s, row);
      for (const double v : row) sum += v;
    }
    alpha = detail::balance(sum / static_cast<double>(f.n) / static_cast<double>(f.n), detail::mean(f.b));
  }
  f.scale = 1 - alpha;
  f.most_kept = static_cast<std::size_t>(bytes / 8 / static_cast<double>(f.n));
  for (double& b : f.b) b *= alpha;
  return SimplexMinimizer<QuadraticOnDemand>(f, context).minimize();
}

}  // namespace mlsift
