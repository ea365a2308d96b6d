#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../criteria/knn_mi.h"
#include "../distance/feature_changes.h"
#include "../distance/subspace_distances.h"

namespace mlsift {

struct KnnMiRemovals {
  std::vector<int> feature;   ///< in the order of removal; the very last one is never removed
  std::vector<double> score;  ///< of the set from which it was removed
  std::vector<int> left;      ///< features never removed
  double left_score = 0;
};

/// Backward search: begins with all features of `selected`, and removes the one without which the rest has the largest
/// estimate, the lowest of several, until one is left, or those of `stays`.
///
/// cost     N^2 for each of the features left, then about N K' for each, K' the rows looked at
/// memory   the numbers twice, and the rows that threads work on
inline KnnMiRemovals remove_backward(const KnnMi& mi, std::vector<int> selected, const std::vector<char>& stays,
                                     const Context& context) {
  const ClassedRows& rows = mi.rows();
  std::vector<double> low(rows.d, 0.0), high(rows.d, 0.0);
  SubspaceDistances space(rows.numbers);
  for (const int s : selected) {
    const std::size_t f = static_cast<std::size_t>(s);
    space.push_back(s);
    const std::vector<double> column = rows.numbers.column(f);
    const auto range = std::minmax_element(column.begin(), column.end());
    low[f] = *range.first;
    high[f] = *range.second;
  }
  KnnMiRemovals result;
  const auto estimate_without = [&](const std::vector<int>& candidates) {
    const std::size_t n_changes = std::max<std::size_t>(1, candidates.size());
    std::vector<KnnMiSums> sums = sum_over_rows<KnnMiSums, KnnMiScratch>(
        space, rows.n, n_changes, 100.0 * static_cast<double>(rows.n * n_changes), context,
        [&](std::size_t i, const double* distance, KnnMiScratch& scratch, KnnMiSums* mine) {
          mi.look_from(i, distance, scratch);
          if (candidates.empty()) mi.add_row(scratch, NothingChanged(), mine[0]);
          for (std::size_t c = 0; c < candidates.size(); ++c) {
            const std::size_t f = static_cast<std::size_t>(candidates[c]);
            const double own = rows.numbers.row(i)[f], way = std::max(own - low[f], high[f] - own);
            mi.add_row(scratch, RemovedFeature{rows, selected, i, f, own, way * way}, mine[c]);
          }
        });
    std::vector<double> estimates;
    for (const KnnMiSums& sum : sums) estimates.push_back(mi.estimate(sum, selected.size() - !candidates.empty()));
    return estimates;
  };

  if (selected.empty()) return result;
  double score = estimate_without({})[0];
  while (selected.size() > 1) {
    std::vector<int> candidates;
    for (const int s : selected) {
      if (!stays[static_cast<std::size_t>(s)]) candidates.push_back(s);
    }
    if (candidates.empty()) break;
    const std::vector<double> scores = estimate_without(candidates);
    const auto best = std::max_element(scores.begin(), scores.end());
    result.feature.push_back(candidates[static_cast<std::size_t>(best - scores.begin())]);
    result.score.push_back(score);
    score = *best;
    const auto at = std::find(selected.begin(), selected.end(), result.feature.back());
    space.erase(*at);
    selected.erase(at);
  }
  result.left = selected;
  result.left_score = score;
  return result;
}

}  // namespace mlsift
