#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../../data/indicators.h"
#include "bit_counter.h"
#include "joint_counter.h"

namespace mlsift {

/// How the features of rows in memory are counted, see choose_layout().
struct Layout {
  static constexpr std::size_t most_kept = std::size_t{512} << 20;  // bytes of tables that stay between steps

  std::vector<int> sparse, dense;   ///< features that are counted by rows, and as bit columns
  bool by_groups = false;           ///< whether those by rows are counted by the targets' groups of rows
  bool keep = true;                 ///< whether all tables stay between steps
  std::size_t most_indicators = 1;  ///< that are counted at a time
  double step_work = 0;             ///< of all features
  double cost_of_one = 1;           ///< see JointRows
};

namespace detail {

/// Rows that are not alone in their level of a target, over all targets.
inline double rows_in_company(const Indicators& targets) {
  double rows = 0;
  const auto add = [&rows](int size) { rows += size > 1 ? size : 0; };
  for (int t = 0; t < targets.n_variables(); ++t) {
    add(static_cast<int>(targets.n_rows) - targets.size_off(t));
    for (int c = targets.begin(t); c < targets.end(t); ++c) add(targets.size(c));
  }
  return rows;
}

}  // namespace detail

/// Chooses by the cost of a step: increments of a count, words of 64 rows, look-ups. `joint`: whether targets are
/// counted at every step.
inline Layout choose_layout(const Indicators& features, const Indicators& targets, bool joint) {
  constexpr double steps = 32;  // one-time work is spread over this many steps
  Layout layout;
  const double n = static_cast<double>(features.n_rows), m = targets.n_indicators(), q = targets.n_variables();
  const double targets_of_row = static_cast<double>(targets.rows.size()) / n;
  const double sides = joint ? 1 + m : 1;
  const bool weighted = !features.weights.empty();
  const double words = n / 64 * (weighted ? static_cast<double>(WeightPlanes::number_of(features)) : 1);
  double off_all = 0, table_work = 0, work_alone = 0;
  for (int f = 0; f < features.n_variables(); ++f) {
    const double e = features.end(f) - features.begin(f);
    const double rest = static_cast<double>(features.n_rows) - features.size_off(f), off = 1 - rest / n;
    const double by_rows = off * off * n * (joint ? 1 + targets_of_row : 1) + off * n * targets_of_row / steps;
    const double by_bits = e * e * sides * words + e * m * words / steps;
    layout.step_work += std::min(by_rows, by_bits) + 8 * (e + 1) * sides;
    work_alone += (by_bits < by_rows ? by_bits : std::max(by_rows, 2 * off * n)) + 8 * (e + 1) * sides;
    (by_bits < by_rows ? layout.dense : layout.sparse).push_back(f);
    if (by_bits < by_rows) continue;
    off_all += off * n;
    table_work += 4 * (std::min(m, off * n * targets_of_row) + q) + off * off * n * targets_of_row + e * m;
  }
  layout.by_groups = 7 * detail::rows_in_company(targets) * (off_all / n + 1) < table_work;
  const double cells = layout.by_groups ? 4 : joint ? 2 * (m + 1) : m + 1;  // of the tables, for each indicator
  const double most = static_cast<double>(Layout::most_kept);
  layout.keep = joint && 4 * cells * features.n_indicators() <= most;
  layout.most_indicators = static_cast<std::size_t>(std::max(1.0, (layout.keep ? most : most / 8) / (4 * cells)));
  const double d = features.n_variables();
  if (layout.keep && (!layout.by_groups || layout.sparse.empty()))
    layout.cost_of_one = work_alone / (layout.step_work * d);
  return layout;
}

}  // namespace mlsift
