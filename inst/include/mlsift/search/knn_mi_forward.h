#ifndef MLSIFT_SEARCH_KNN_MI_FORWARD_H
#define MLSIFT_SEARCH_KNN_MI_FORWARD_H

#include <algorithm>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/step_scores.h"
#include "../criteria/knn_mi.h"
#include "../data/row_groups.h"
#include "../distance/feature_changes.h"
#include "../distance/subspace_distances.h"
#include "knn_mi_sparse_step.h"

namespace mlsift {

/// Forward search, for the greedy driver: the score of f is I of the selected features and f.
///
/// Rows are processed one after the other, and for each row all candidates are evaluated while its neighbors are in
/// the cache. Distances on the selected features bound those after a change, so few rows are looked at. Sparse
/// features are added by KnnMiSparseStep.
///
/// cost     O(d N log N) for the first feature; then N^2 and about N K' for each candidate of the table, K' the rows
///          looked at. Sparse candidates: the values of the rows looked at for each row, and for each nonzero value
///          those of the feature
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
    refine(static_cast<std::size_t>(s));
    if (rows_.n <= mi_.options().max_rows) space_.keep_last(context_);
  }

  /// The score of one feature, without the others'.
  double score_alone(int f) { return estimates(rows_.numbers, {f})[0]; }

  /// Scores of feature f with its values given to other rows: row i gets that of row orders[b][i].
  std::vector<double> score_permuted(int f, const std::vector<std::vector<int>>& orders) {
    const std::size_t feature = static_cast<std::size_t>(f), n = rows_.n;
    const std::vector<double> x = rows_.numbers.column(feature);
    const bool in_table = rows_.numbers.in_table(feature);
    SplitNumbers permuted;
    permuted.reset(n, std::vector<char>(orders.size(), in_table));
    std::vector<int> columns;
    std::vector<Entry> entries;
    for (std::size_t b = 0; b < orders.size(); ++b) {
      columns.push_back(static_cast<int>(b));
      entries.clear();
      for (std::size_t i = 0; i < n; ++i) {
        const double value = x[static_cast<std::size_t>(orders[b][i])];
        if (in_table) permuted.cell(i, b) = value;
        if (!in_table && value != 0) entries.push_back({static_cast<int>(i), value});
      }
      permuted.add(entries);
    }
    permuted.finish();
    return estimates(permuted, columns);
  }

 private:
  using Entry = SplitNumbers::Entry;

  // Of the selected features with each of some columns of numbers.
  std::vector<double> estimates(const SplitNumbers& numbers, const std::vector<int>& columns) {
    std::vector<KnnMiSums> sums = space_.size() == 0 ? on_lines(numbers, columns) : added(numbers, columns);
    std::vector<double> result;
    for (const KnnMiSums& sum : sums) result.push_back(mi_.estimate(sum, space_.size() + 1));
    return result;
  }

  std::vector<KnnMiSums> on_lines(const SplitNumbers& numbers, const std::vector<int>& columns) const {
    std::vector<KnnMiSums> sums(columns.size());
    parallel_for(context_, columns.size(), 20.0 * nonzeros(numbers, columns),
                 [&](int, std::size_t begin, std::size_t end) {
                   for (std::size_t c = begin; c < end; ++c)
                     sums[c] = mi_.line(numbers.entries(static_cast<std::size_t>(columns[c])));
                 });
    return sums;
  }

  double nonzeros(const SplitNumbers& numbers, const std::vector<int>& columns) const {
    double sum = 0;
    for (const int c : columns) {
      const std::size_t f = static_cast<std::size_t>(c);
      sum += 10 + static_cast<double>(numbers.in_table(f) ? static_cast<std::ptrdiff_t>(rows_.n)
                                                          : numbers.end(f) - numbers.begin(f));
    }
    return sum;
  }

  std::vector<KnnMiSums> added(const SplitNumbers& numbers, const std::vector<int>& columns) {
    struct Candidate {
      std::size_t place;  // of its sums
      const double* value;
    };
    struct Scratch {
      KnnMiScratch dense;
      KnnMiSparseStep::Scratch sparse;
    };
    std::vector<Candidate> dense;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const int place = numbers.place[static_cast<std::size_t>(columns[c])];
      if (place >= 0) dense.push_back({c, numbers.table.data() + place});
    }
    const bool sparse = dense.size() < columns.size();
    const std::size_t stride = numbers.width, common = columns.size();
    const RowGroups groups(sparse ? same_ : std::vector<int>(), rows_.class_of);
    KnnMiSparseStep step(mi_, numbers, columns, groups);
    const double work = 100.0 * static_cast<double>(rows_.n * dense.size()) +
                        (sparse ? 50.0 * static_cast<double>(rows_.n + numbers.by_row.size()) : 0.0);
    std::vector<KnnMiSums> sums = sum_over_rows<KnnMiSums, Scratch>(
        space_, rows_.n, common + 1, work, context_,
        [&](std::size_t i, const double* distance, Scratch& scratch, KnnMiSums* mine) {
          if (!dense.empty()) mi_.look_from(i, distance, scratch.dense);
          for (const Candidate& candidate : dense) {
            const double* const x = candidate.value;
            mi_.add_row(scratch.dense, AddedFeature{x, stride, x[i * stride]}, mine[candidate.place]);
          }
          if (sparse) step.add_group(i, distance, scratch.sparse, mine, mine[common]);
        });
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!numbers.in_table(static_cast<std::size_t>(columns[c]))) sums[c] += sums[common];
    }
    sums.resize(common);
    find_smallest(numbers, columns, step, sums);
    return sums;
  }

  void find_smallest(const SplitNumbers& numbers, const std::vector<int>& columns, KnnMiSparseStep& step,
                     std::vector<KnnMiSums>& sums) const {
    if (mi_.options().zero != ZeroRule::floor) return;
    step.sort_near_groups();
    parallel_for(context_, columns.size(), 20.0 * static_cast<double>(rows_.n * columns.size()),
                 [&](int, std::size_t begin, std::size_t end) {
                   for (std::size_t c = begin; c < end; ++c) {
                     const std::size_t f = static_cast<std::size_t>(columns[c]);
                     if (!mi_.needs_smallest(sums[c])) continue;
                     double& smallest = sums[c].smallest;
                     smallest =
                         numbers.in_table(f)
                             ? std::min(smallest, smallest_among_same(by_group(numbers, f)))
                             : step.smallest_without(c, smallest, [&](std::size_t i) { return space_.from_row(i); });
                   }
                 });
  }

  int group(const Entry& entry) const { return same_[static_cast<std::size_t>(entry.at)]; }

  // The rows of a feature of the table, or those that have a sparse one, by group and then by value.
  std::vector<Entry> by_group(const SplitNumbers& numbers, std::size_t f) const {
    std::vector<Entry> rows(numbers.begin(f), numbers.end(f));
    for (std::size_t i = 0; numbers.in_table(f) && i < rows_.n; ++i) {
      rows.push_back({static_cast<int>(i), numbers.cell(i, f)});
    }
    std::sort(rows.begin(), rows.end(), [&](const Entry& a, const Entry& b) {
      return group(a) != group(b) ? group(a) < group(b) : a.value < b.value;
    });
    return rows;
  }

  // The smallest square that sets rows apart which are the same on the selected features.
  double smallest_among_same(const std::vector<Entry>& rows) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t p = 1; p < rows.size(); ++p) {
      const double difference = rows[p].value - rows[p - 1].value;
      if (group(rows[p]) == group(rows[p - 1]) && difference != 0) {
        smallest = std::min(smallest, difference * difference);
      }
    }
    return smallest;
  }

  // Only rows that have a sparse feature leave their group.
  void refine(std::size_t f) {
    const std::vector<Entry> moved = by_group(rows_.numbers, f);
    if (moved.size() == rows_.n) next_group_ = 0;
    std::vector<int> finer(moved.size());
    for (std::size_t p = 0; p < moved.size(); ++p) {
      const bool as_before = p > 0 && group(moved[p]) == group(moved[p - 1]) && moved[p].value == moved[p - 1].value;
      finer[p] = as_before ? finer[p - 1] : next_group_++;
    }
    for (std::size_t p = 0; p < moved.size(); ++p) same_[static_cast<std::size_t>(moved[p].at)] = finer[p];
  }

  const KnnMi& mi_;
  const ClassedRows& rows_;
  const Context& context_;
  SubspaceDistances space_;
  std::vector<int> same_;  // rows that are the same on the selected features have the same number
  int next_group_ = 1;
};

/// The estimate for all features that vary; 0 where none does.
inline double knn_mi_of_all(const KnnMi& mi, const Context& context) {
  KnnMiForward selected(mi, context);
  int last = -1;
  for (int f = 0; f < static_cast<int>(mi.rows().d); ++f) {
    if (!mi.rows().varies(f)) continue;
    if (last >= 0) selected.add(last);
    last = f;
  }
  return last < 0 ? 0 : selected.score_alone(last);
}

}  // namespace mlsift

#endif
