#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "../core/parallel.h"
#include "../core/step_scores.h"
#include "../criteria/knn_mi.h"
#include "../distance/feature_changes.h"
#include "../distance/subspace_distances.h"

namespace mlsift {

/// Forward search, for the greedy driver: the score of f is I of the selected features and f.
///
/// Rows are processed one after the other, and for each row all candidates are evaluated while its neighbors are in
/// the cache. Distances on the selected features bound those after a change, so few rows are looked at.
///
/// cost     O(d N log N) for the first feature; then N^2 and about N K' for each candidate, K' the rows looked at
/// memory   8 N^2 bytes for N <= max_rows, else the rows that threads work on; the same bits either way
class KnnMiForward : public StepScores {
 public:
  KnnMiForward(const KnnMi& mi, const Context& context)
      : mi_(mi), rows_(mi.rows()), context_(context), space_(rows_.numbers), same_(rows_.n, 0) {}

  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    scores = estimates(rows_.numbers, candidates);
  }

  void add(int s) override {
    if (!rows_.varies(s)) return;
    space_.push_back(s);
    refine(rows_.numbers.column(static_cast<std::size_t>(s)));
    if (rows_.n <= mi_.options().max_rows) space_.keep_last(context_);
  }

  /// Scores of feature f with its values given to other rows: row i gets that of row orders[b][i].
  std::vector<double> score_permuted(int f, const std::vector<std::vector<int>>& orders) {
    const std::vector<double> x = rows_.numbers.column(static_cast<std::size_t>(f));
    NumberTable permuted(rows_.n, orders.size());
    std::vector<int> columns;
    for (std::size_t b = 0; b < orders.size(); ++b) {
      columns.push_back(static_cast<int>(b));
      for (std::size_t i = 0; i < rows_.n; ++i) permuted.row(i)[b] = x[static_cast<std::size_t>(orders[b][i])];
    }
    return estimates(permuted, columns);
  }

 private:
  // Of the selected features with each of some columns of numbers.
  std::vector<double> estimates(const NumberTable& numbers, const std::vector<int>& columns) {
    std::vector<KnnMiSums> sums = space_.size() == 0 ? on_lines(numbers, columns) : added(numbers, columns);
    std::vector<double> result;
    for (const KnnMiSums& sum : sums) result.push_back(mi_.estimate(sum, space_.size() + 1));
    return result;
  }

  std::vector<KnnMiSums> on_lines(const NumberTable& numbers, const std::vector<int>& columns) const {
    std::vector<KnnMiSums> sums(columns.size());
    parallel_each(context_, columns.size(), 20.0 * static_cast<double>(columns.size() * (10 + rows_.n)),
                  [&](std::size_t c) { sums[c] = mi_.line(numbers.column(static_cast<std::size_t>(columns[c]))); });
    return sums;
  }

  std::vector<KnnMiSums> added(const NumberTable& numbers, const std::vector<int>& columns) {
    std::vector<KnnMiSums> sums = sum_over_rows<KnnMiSums, KnnMiScratch>(
        space_, rows_.n, columns.size(), 100.0 * static_cast<double>(rows_.n * columns.size()), context_,
        [&](std::size_t i, const double* distance, KnnMiScratch& scratch, KnnMiSums* mine) {
          mi_.look_from(i, distance, scratch);
          for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::size_t f = static_cast<std::size_t>(columns[c]);
            mi_.add_row(scratch, AddedFeature{numbers.cells.data() + f, numbers.d, numbers.row(i)[f]}, mine[c]);
          }
        });
    if (mi_.options().zero != ZeroRule::floor) return sums;
    parallel_each(context_, columns.size(), 20.0 * static_cast<double>(rows_.n * columns.size()), [&](std::size_t c) {
      if (!mi_.needs_smallest(sums[c])) return;
      const std::vector<double> x = numbers.column(static_cast<std::size_t>(columns[c]));
      sums[c].smallest = std::min(sums[c].smallest, smallest_among_same(x));
    });
    return sums;
  }

  // The rows by group and then by value.
  std::vector<std::size_t> by_group(const std::vector<double>& x) const {
    std::vector<std::size_t> rows(rows_.n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::sort(rows.begin(), rows.end(),
              [&](std::size_t a, std::size_t b) { return same_[a] != same_[b] ? same_[a] < same_[b] : x[a] < x[b]; });
    return rows;
  }

  // The smallest square that sets rows apart which are the same on the selected features.
  double smallest_among_same(const std::vector<double>& x) const {
    double smallest = std::numeric_limits<double>::infinity();
    const std::vector<std::size_t> rows = by_group(x);
    for (std::size_t p = 1; p < rows.size(); ++p) {
      const double difference = x[rows[p]] - x[rows[p - 1]];
      if (same_[rows[p]] == same_[rows[p - 1]] && difference != 0)
        smallest = std::min(smallest, difference * difference);
    }
    return smallest;
  }

  // Groups of rows that are the same on one more feature.
  void refine(const std::vector<double>& x) {
    const std::vector<std::size_t> rows = by_group(x);
    std::vector<int> finer(rows_.n, 0);
    for (std::size_t p = 1; p < rows.size(); ++p) {
      const bool as_before = same_[rows[p]] == same_[rows[p - 1]] && x[rows[p]] == x[rows[p - 1]];
      finer[rows[p]] = finer[rows[p - 1]] + (as_before ? 0 : 1);
    }
    same_.swap(finer);
  }

  const KnnMi& mi_;
  const ClassedRows& rows_;
  const Context& context_;
  SubspaceDistances space_;
  std::vector<int> same_;  // rows that are the same on the selected features have the same number
};

}  // namespace mlsift
