#ifndef MLSIFT_SEARCH_LASSO_PATH_H
#define MLSIFT_SEARCH_LASSO_PATH_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../model/group_lasso.h"

namespace mlsift {

/// A path of penalties, from the largest one downward: largest * ratio^(i / (n - 1)).
struct PathOptions {
  std::size_t n = 100;
  double ratio = 0.01;
  bool refine = false;     ///< go on in smaller steps where several units enter in one
  std::size_t wanted = 0;  ///< the path ends once so many features have entered
  double least = -1e300;   ///< the smallest penalty to go to
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

  LassoPath() = default;

  /// `empty`: the model at the largest penalty; `sizes`: the number of features of each unit.
  LassoPath(const PathOptions& options, const PathPoint& empty, const std::vector<std::size_t>& sizes)
      : options_(options), empty_(empty), sizes_(sizes), seen_(sizes.size(), 0) {}

  /// A unit that has entered already.
  void mark(std::size_t unit) {
    if (!seen_[unit]) n_entered += sizes_[unit];
    seen_[unit] = 1;
  }

  /// The grid from step `steps` on. Step 0 does not call `solve`.
  void run(const Solve& solve) {
    const auto started = std::chrono::steady_clock::now();
    try {
      while (steps < options_.n && n_entered < options_.wanted && penalty_at(steps) >= options_.least) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
        if (steps > 0 && seconds.count() > options_.max_seconds) break;
        step(solve);
      }
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

}  // namespace mlsift

#endif
