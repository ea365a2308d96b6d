#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// The labels of row i and those that are unknown in it (on = 0) are cells start[i] .. start[i + 1] - 1.
struct LabelCells {
  const int* start;
  const int* label;
  const int* on;
};

/// By label. NaN where the feature or the label does not vary in the rows in which both are known.
struct CliffDeltas {
  std::vector<double> value, variance;
  std::vector<double> fewer;  ///< the number of rows with the label or without, whichever is smaller
};

namespace detail {

// The sums of one label over rows in the order of values, see cliff_deltas().
struct CliffSums {
  double with = 0, unknown = 0;            // below the present level
  double tied_with = 0, tied_unknown = 0;  // at it
  double component = 0, squares = 0, squared_ranks = 0;
  bool met = false;  // whether the present level has cells of the label

  // The present level has rows of weight `ties`, with midrank a; `all`: of all rows.
  void end_level(double a, double ties, double all) {
    const double p = with + tied_with / 2, one = a - p - unknown - tied_unknown / 2;
    component += tied_with * one;
    squares += tied_with * one * one;
    squared_ranks += tied_with * (2 * p * (all - a) - tied_with * ties / 4);
    squared_ranks -= (tied_with + tied_unknown) * p * p;
    with += tied_with;
    unknown += tied_unknown;
    tied_with = tied_unknown = 0;
    met = false;
  }
};

inline CliffDeltas cliff_deltas_of(const std::vector<CliffSums>& sums, double all) {
  const std::vector<double> none(sums.size(), std::numeric_limits<double>::quiet_NaN());
  CliffDeltas found{none, none, none};
  const double least = 1e-12 * all;  // what rounding leaves of sums of weights
  for (std::size_t l = 0; l < sums.size(); ++l) {
    const CliffSums& s = sums[l];
    const double m = s.with, n = all - m - s.unknown;
    if (m <= least || n <= least) continue;
    const double auc = s.component / (m * n), delta = 2 * auc - 1;
    const double spread = std::max(0.0, s.squares / (n * n) - m * auc * auc);
    const double other = std::max(0.0, s.squared_ranks / (m * m) - n * (1 - auc) * (1 - auc));
    const bool apart = std::abs(delta) > 1 - 1e-12;
    if (!apart && spread + other <= least) continue;  // all values are equal
    found.value[l] = delta;
    found.fewer[l] = std::min(m, n);
    if (!apart && m > 1 && n > 1) found.variance[l] = 4 * (spread / (m * (m - 1)) + other / (n * (n - 1)));
  }
  return found;
}

}  // namespace detail

/// Cliff's (1993) delta of a feature and each of q labels: P(x > x') - P(x < x') for a row with the label and one
/// without, which is 2 AUC - 1; and 4 times the variance of AUC by DeLong, DeLong & Clarke-Pearson (1988), Biometrics
/// 44:837-845.
///
/// level   of each of n rows: numbers from 1 in the order of values; smaller ones leave the row out
/// weight  of each row, above 0. Weights multiply the terms of sums and add up to the numbers of rows, so whole ones
///         are copies of rows
///
/// A, P and U are midranks of a value (the weight below, and half of that of equal values) among all rows, among those
/// with the label and among those in which it is unknown; m and n are the numbers of rows with the label and without.
/// The components are (A - P - U) / n for a row with the label and 1 - P / m for one without. Cells are enough for all
/// sums, as over all rows, with T rows of the same value, of which T_l have the label,
///
///   sum of P^2 = sum over rows with the label of 2 P (all - A) - T_l T / 4.
///
/// edge    The variance is NaN for delta 1 and -1, where it would be 0 whatever the number of rows, and with a single
///         row on one side
/// cost    rows + cells
inline CliffDeltas cliff_deltas(const int* level, std::size_t n_rows, const LabelCells& cells, std::size_t q,
                                const double* weight) {
  std::vector<std::size_t> rows;
  double all = 0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (level[i] < 1) continue;
    rows.push_back(i);
    all += weight[i];
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return level[a] < level[b]; });
  std::vector<detail::CliffSums> sums(q);
  std::vector<std::size_t> met;
  double below = 0;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    double ties = 0;
    for (; end < rows.size() && level[rows[end]] == level[rows[begin]]; ++end) {
      const std::size_t i = rows[end];
      ties += weight[i];
      for (int c = cells.start[i]; c < cells.start[i + 1]; ++c) {
        detail::CliffSums& s = sums[static_cast<std::size_t>(cells.label[c])];
        (cells.on[c] != 0 ? s.tied_with : s.tied_unknown) += weight[i];
        if (!s.met) met.push_back(static_cast<std::size_t>(cells.label[c]));
        s.met = true;
      }
    }
    for (const std::size_t l : met) sums[l].end_level(below + ties / 2, ties, all);
    met.clear();
    below += ties;
  }
  return detail::cliff_deltas_of(sums, all);
}

}  // namespace mlsift
