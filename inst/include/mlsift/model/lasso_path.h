#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "cell_lasso.h"
#include "equal_columns.h"
#include "group_lasso.h"
#include "logistic_loss.h"
#include "model_targets.h"
#include "target_lasso.h"

namespace mlsift {

/// A path of penalties, from the largest one downward: largest * ratio^(i / (n - 1)).
struct PathOptions {
  std::size_t n = 100;
  double ratio = 0.01;
  double last = std::nan("");  ///< the last penalty, instead of `ratio`
  bool refine = false;         ///< go on in smaller steps where several units enter in one
  std::size_t wanted = 0;      ///< the path ends once so many features have entered
  double least = -1e300;       ///< the smallest penalty to go to
  double max_seconds = 1e300;
};

struct PathPoint {
  double penalty = 0;
  ActiveRows w;
  Certificate certificate;
};

/// A unit, the point of the path at which its coefficients were not 0 for the first time, and their norm there.
struct PathEntry {
  std::size_t unit, point;
  double norm;
};

/// Follows the solutions of a problem while its penalty becomes smaller. Each point starts from the one before.
class LassoPath {
 public:
  /// From these coefficients, which it replaces, the solution at a penalty.
  using Solve = std::function<Certificate(double, ActiveRows&)>;

  std::vector<PathPoint> points;
  std::vector<PathEntry> entries;
  std::size_t steps = 0;  ///< of the grid, that are done
  ActiveRows last;        ///< at the last point of the grid that is done
  double last_penalty = 0;
  std::size_t n_entered = 0;  ///< features
  bool interrupted = false;
  bool late = false;         ///< ended by max_seconds
  std::vector<double> dual;  ///< by unit, the norms at the end of the grid; 0 before

  /// `sizes`: the number of features of each unit.
  LassoPath(const PathOptions& options, const std::vector<std::size_t>& sizes)
      : dual(sizes.size(), 0.0), options_(options), sizes_(sizes), seen_(sizes.size(), 0) {}

  /// A unit that has entered already.
  void mark(std::size_t unit) {
    if (!seen_[unit]) n_entered += sizes_[unit];
    seen_[unit] = 1;
  }

  /// The grid from step `steps` on. `empty`: the model at the largest penalty, that of step 0; `norms(w)`: for `dual`.
  template <class Norms>
  void run(const PathPoint& empty, const Solve& solve, Norms norms) {
    const auto started = std::chrono::steady_clock::now();
    empty_ = empty;
    if (!std::isnan(options_.last)) {
      options_.ratio = options_.last / empty.penalty;
      if (options_.last >= empty.penalty) options_.n = 1;
    }
    try {
      while (steps < options_.n && n_entered < options_.wanted && penalty_at(steps) >= options_.least) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
        late = steps > 0 && seconds.count() > options_.max_seconds;
        if (late) break;
        step(solve);
      }
      if (steps >= options_.n) dual = norms(last);
    } catch (const Interrupted&) {
      interrupted = true;
    }
  }

 private:
  void step(const Solve& solve) {
    const double penalty = penalty_at(steps);
    std::vector<PathPoint> found;
    PathPoint point = empty_;
    if (steps > 0) {
      point.penalty = penalty;
      point.w = last;
      point.certificate = solve(penalty, point.w);
      if (options_.refine) {
        std::vector<char> seen = seen_;
        refine(solve, last_penalty, last, point, seen, found);
      }
    }
    found.push_back(point);
    for (PathPoint& one : found) {
      for (std::size_t s = 0; s < one.w.unit.size(); ++s) {
        const std::size_t u = one.w.unit[s];
        if (seen_[u]) continue;
        const std::vector<double>& w = one.w.values[s];
        entries.push_back({u, points.size(), std::sqrt(inner(w.data(), w.data(), w.size()))});
        mark(u);
      }
      points.push_back(std::move(one));
    }
    last = points.back().w;
    last_penalty = penalty;
    ++steps;
  }

  double penalty_at(std::size_t step) const {
    if (step == 0) return empty_.penalty;
    if (step + 1 == options_.n) return empty_.penalty * options_.ratio;
    return empty_.penalty * std::pow(options_.ratio, static_cast<double>(step) / static_cast<double>(options_.n - 1));
  }

  // The points between two, of which `low` has the smaller penalty and is not added.
  void refine(const Solve& solve, double high, const ActiveRows& from, const PathPoint& low, std::vector<char>& seen,
              std::vector<PathPoint>& found) const {
    std::size_t entering = 0;
    for (const std::size_t u : low.w.unit) entering += !seen[u];
    if (entering > 1 && std::log(high / low.penalty) > 1e-4) {
      PathPoint middle;
      middle.penalty = std::sqrt(high * low.penalty);
      middle.w = from;
      middle.certificate = solve(middle.penalty, middle.w);
      refine(solve, high, from, middle, seen, found);
      found.push_back(middle);
      refine(solve, middle.penalty, middle.w, low, seen, found);
    }
    for (const std::size_t u : low.w.unit) seen[u] = 1;
  }

  PathOptions options_;
  PathPoint empty_;
  std::vector<std::size_t> sizes_;
  std::vector<char> seen_;
};

/// What a path is of, for N the sum of the weights of rows: 1 / N times the loss of the targets, plus
/// lambda * (alpha * sum_u weight_u ||W_u|| + (1 - alpha) / 2 ||W||^2).
class LassoProblem {
 public:
  struct Options {
    bool standardize = true, standardize_targets = false, logistic = false;
    double alpha = 1;
    double tol = 1e-6;  ///< gaps are at most this share of the objective at 0
  };

  /// `blocks`, `weights`: as CenteredColumns takes them; `left_out`: by unit; `y`: rows x `q`, by columns; `start`,
  /// `rows`: the unknown rows of each target, as cell_weights() takes them.
  LassoProblem(const Features& features, const std::vector<int>& blocks, const std::vector<int>& left_out,
               const double* y, std::size_t q, const double* weights, const int* start, const int* rows,
               const Options& options)
      : options_(options),
        by_cells_(options.logistic || start),
        cells_(by_cells_ ? cell_weights(features.n_rows, q, weights, start, rows) : std::vector<double>()),
        columns_(features, options.standardize ? Centering::standardize : Centering::mean, blocks, weights),
        targets_(y, features.n_rows, q, options.standardize_targets, weights, cells_),
        left_out_(left_out.begin(), left_out.end()) {
    if (weights && !by_cells_) columns_.multiply_by_roots();
    // The first eligible column among equal ones represents the others.
    const std::vector<std::size_t> first_equal = first_equal_units(columns_);
    const std::size_t none = left_out.size();
    std::vector<std::size_t> first(none, none);
    for (std::size_t u = 0; u < none; ++u) {
      represented_by_.push_back(u);
      if (left_out_[u]) continue;
      std::size_t& by = first[first_equal[u]];
      if (by == none) by = u;
      represented_by_[u] = by;
      left_out_[u] = by != u;
    }
  }

  const CenteredColumns& columns() const { return columns_; }
  const ModelTargets& targets() const { return targets_; }

  void follow(const Context& context, LassoPath& path) const {
    const std::vector<double> y = by_cells_ ? targets_.scaled() : targets_.centered();
    const std::size_t q = targets_.mean().size();
    if (!by_cells_) {
      GroupLasso lasso(context, columns_, q, left_out_);
      lasso.set_targets(y.data());
      follow(lasso, path);
    } else if (options_.logistic) {
      CellLasso<LogisticLoss> lasso(context, columns_, q, y.data(), cells_, left_out_);
      follow(lasso, path);
    } else {
      TargetLasso lasso(context, columns_, q, y.data(), cells_, left_out_);
      follow(lasso, path);
    }
  }

 private:
  template <class Lasso>
  void follow(Lasso& lasso, LassoPath& path) const {
    const double n = columns_.total(), alpha = options_.alpha;
    const PathPoint empty = {lasso.largest_penalty() / (n * alpha), lasso.empty(), {lasso.empty_objective(), 0, true}};
    const double enough = options_.tol * empty.certificate.objective;
    const auto solve = [&](double lambda, ActiveRows& w) {
      return lasso.solve({n * lambda * alpha, n * lambda * (1 - alpha)}, enough, options_.tol < 1e-9, w);
    };
    path.run(empty, solve, [&](const ActiveRows& w) { return lasso.norms(w); });
    for (std::size_t u = 0; u < path.dual.size(); ++u) path.dual[u] = path.dual[represented_by_[u]];
  }

  Options options_;
  bool by_cells_;  // not the squared loss of all cells
  std::vector<double> cells_;
  CenteredColumns columns_;
  ModelTargets targets_;
  std::vector<char> left_out_;
  std::vector<std::size_t> represented_by_;
};

}  // namespace mlsift
