#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "subset_search.h"

namespace mlsift {

/// What two objectives to be minimized are: the value of a set and its size.
struct Objectives {
  double value = 0, size = 0;
};

/// A set that could not be evaluated is the worst in both.
inline Objectives objectives_of(const Solution& solution) {
  constexpr double worst = std::numeric_limits<double>::infinity();
  if (!(solution.value < worst)) return {worst, worst};
  return {solution.value, static_cast<double>(solution.features.size())};
}

/// No worse in both and better in one.
inline bool dominates(const Objectives& a, const Objectives& b) {
  return a.value <= b.value && a.size <= b.size && (a.value < b.value || a.size < b.size);
}

/// Indices by fronts: those that nothing dominates, those that only the first front dominates, and so on; ascending
/// within a front. Deb et al. (2002), IEEE Transactions on Evolutionary Computation 6:182-197, section III-A.
inline std::vector<std::vector<std::size_t>> nondominated_fronts(const std::vector<Objectives>& points) {
  const std::size_t n = points.size();
  std::vector<std::size_t> dominators(n, 0);
  std::vector<std::vector<std::size_t>> fronts(1), dominated(n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!dominates(points[a], points[b])) continue;
      dominated[a].push_back(b);
      ++dominators[b];
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    if (dominators[a] == 0) fronts[0].push_back(a);
  }
  while (!fronts.back().empty()) {
    std::vector<std::size_t> next;
    for (const std::size_t a : fronts.back()) {
      for (const std::size_t b : dominated[a]) {
        if (--dominators[b] == 0) next.push_back(b);
      }
    }
    std::sort(next.begin(), next.end());
    fronts.push_back(std::move(next));
  }
  fronts.pop_back();
  return fronts;
}

/// The crowding distance of each member of a front: over both objectives, the distance of its two neighbors in the
/// order of the objective as a share of the front's range (0 where there is no finite range). Those at the ends are
/// infinitely far from others. Deb et al. (2002), section III-B.
inline std::vector<double> crowding_distances(const std::vector<Objectives>& points,
                                              const std::vector<std::size_t>& front) {
  const std::size_t n = front.size();
  std::vector<double> distance(n, 0);
  if (n == 0) return distance;
  for (const double Objectives::*objective : {&Objectives::value, &Objectives::size}) {
    const auto at = [&](std::size_t i) { return points[front[i]].*objective; };
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
    const double range = at(order.back()) - at(order.front());
    for (const std::size_t end : {order.front(), order.back()}) {
      distance[end] = std::numeric_limits<double>::infinity();
    }
    if (!(range > 0) || std::isinf(range)) continue;
    for (std::size_t i = 1; i + 1 < n; ++i) distance[order[i]] += (at(order[i + 1]) - at(order[i - 1])) / range;
  }
  return distance;
}

/// Indices of all points: by fronts, within a front by falling crowding distance, equal ones ascending.
inline std::vector<std::size_t> crowded_order(const std::vector<Objectives>& points) {
  std::vector<std::size_t> order;
  for (const std::vector<std::size_t>& front : nondominated_fronts(points)) {
    const std::vector<double> distance = crowding_distances(points, front);
    std::vector<std::size_t> within(front.size());
    for (std::size_t i = 0; i < within.size(); ++i) within[i] = i;
    std::stable_sort(within.begin(), within.end(),
                     [&](std::size_t a, std::size_t b) { return distance[a] > distance[b]; });
    for (const std::size_t i : within) order.push_back(front[i]);
  }
  return order;
}

inline std::vector<Objectives> objectives_of(const std::vector<Solution>& solutions) {
  std::vector<Objectives> points;
  for (const Solution& solution : solutions) points.push_back(objectives_of(solution));
  return points;
}

/// Those that no other dominates, by value; each pair of objectives once, the first one of them.
inline std::vector<Solution> nondominated(const std::vector<Solution>& solutions) {
  std::vector<Solution> front;
  for (const Solution& one : solutions) {
    const Objectives mine = objectives_of(one);
    const bool wanted = std::none_of(solutions.begin(), solutions.end(),
                                     [&](const Solution& other) { return dominates(objectives_of(other), mine); });
    const bool there = std::any_of(front.begin(), front.end(), [&](const Solution& other) {
      return other.value == one.value && other.features.size() == one.features.size();
    });
    if (wanted && !there) front.push_back(one);
  }
  std::stable_sort(front.begin(), front.end(), [](const Solution& a, const Solution& b) { return a.value < b.value; });
  return front;
}

}  // namespace mlsift
