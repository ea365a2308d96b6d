#ifndef MLSIFT_CRITERIA_KNN_MI_SEARCH_H
#define MLSIFT_CRITERIA_KNN_MI_SEARCH_H

#include <algorithm>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../distance/distances.h"
#include "knn_mi.h"

// Forward and backward search with KnnMi. All rows are looked at from one row after the other, and for each row all
// candidates are done while its neighbors are at hand. Distances on the selected features bound those after a change,
// so few rows are looked at.

namespace mlsift {

namespace detail {

// Squares are only added, so no row comes nearer than it was.
struct AddedFeature {
  const double* value;  // the feature's, `stride` apart
  std::size_t stride;
  double own;

  double lowest(double distance) const { return distance; }
  double distance(const Neighbor& near) const {
    const double difference = value[static_cast<std::size_t>(near.row) * stride] - own;
    return near.distance + difference * difference;
  }
};

struct NothingChanged {
  double lowest(double distance) const { return distance; }
  double distance(const Neighbor& near) const { return near.distance; }
};

// A square is taken off, at most that of the way to the feature's farthest value. Where little is left, it is summed
// anew: what is left keeps its digits, and is 0 for equal rows.
struct RemovedFeature {
  const ClassedRows& rows;
  const std::vector<int>& selected;
  std::size_t row, feature;
  double own, farthest;

  double lowest(double distance) const { return distance * (1 - 1e-12) - farthest; }
  double distance(const Neighbor& near) const {
    const double difference = rows.at(static_cast<std::size_t>(near.row), feature) - own;
    const double left = near.distance - difference * difference;
    return left < 0.1 * near.distance ? summed(static_cast<std::size_t>(near.row)) : left;
  }

 private:
  double summed(std::size_t other) const {
    double sum = 0;
    for (const int s : selected) {
      const std::size_t f = static_cast<std::size_t>(s);
      const double difference = rows.at(other, f) - rows.at(row, f);
      if (f != feature) sum += difference * difference;
    }
    return sum;
  }
};

// Distances of all rows on some features: kept, or summed when they are asked for.
struct SubspaceDistances {
  std::vector<std::vector<double>> columns;
  std::vector<double> kept;  // n x n, or empty

  DenseDistances view(std::size_t n) const {
    std::vector<const double*> at;
    for (const auto& column : columns) at.push_back(column.data());
    return DenseDistances(at, n, at, n, std::vector<char>(at.size(), 0));
  }
};

// Sums over all rows for each of `n_changes` changes: visit(row, its distances, scratch, sums). Rows are summed in
// parts that do not depend on threads.
template <class Visit>
std::vector<KnnMiSums> sum_over_rows(const SubspaceDistances& space, std::size_t n, std::size_t n_changes,
                                     const Context& context, Visit visit) {
  const std::size_t size = std::max<std::size_t>(32, n / 256), parts = (n + size - 1) / size;
  const double work =
      static_cast<double>(n) * (static_cast<double>(n) * (5.0 + static_cast<double>(space.columns.size()) / 4) +
                                100.0 * static_cast<double>(n_changes));
  const DenseDistances distances = space.view(n);
  struct Worker {
    DenseDistances::Block block;
    KnnMiScratch scratch;
  };
  std::vector<Worker> workers(worker_count(context, parts, work));
  std::vector<KnnMiSums> sums(parts * n_changes);
  parallel_for(context, parts, work, [&](int worker, std::size_t begin, std::size_t end) {
    Worker& mine = workers[static_cast<std::size_t>(worker)];
    for (std::size_t part = begin; part < end; ++part) {
      const std::size_t stop = std::min(n, (part + 1) * size);
      for (std::size_t first = part * size; first < stop; first += distances.block_rows()) {
        const std::size_t rows = std::min(distances.block_rows(), stop - first);
        if (space.kept.empty()) {
          distances.start(mine.block, first, rows);
          distances.add(mine.block, 0, space.columns.size());
        }
        for (std::size_t i = 0; i < rows; ++i) {
          visit(first + i, space.kept.empty() ? mine.block.row(i) : space.kept.data() + (first + i) * n, mine.scratch,
                sums.data() + part * n_changes);
        }
      }
    }
  });
  for (std::size_t part = 1; part < parts; ++part) {
    for (std::size_t c = 0; c < n_changes; ++c) sums[c] += sums[part * n_changes + c];
  }
  sums.resize(n_changes);
  return sums;
}

}  // namespace detail

/// What share of the distances was looked at.
struct KnnMiVisits {
  double visited = 0, all = 0;

  void add(const std::vector<KnnMiSums>& sums, const ClassedRows& rows) {
    double pairs = static_cast<double>(rows.n) * static_cast<double>(rows.n - 1);
    for (const auto& members : rows.members)
      pairs += static_cast<double>(members.size()) * (static_cast<double>(members.size()) - 1);
    all += pairs * static_cast<double>(sums.size());
    for (const KnnMiSums& sum : sums) visited += sum.visited;
  }
};

/// Forward search, for the greedy driver: the score of f is I of the selected features and f.
///
/// cost     O(d N log N) for the first feature; then N^2 and about N K' for each candidate, K' the rows looked at
/// memory   8 N^2 bytes for N <= max_rows, else the rows that threads work on; the same bits either way
class KnnMiForward {
 public:
  KnnMiForward(const KnnMi& mi, const Context& context)
      : mi_(mi), rows_(mi.rows()), context_(context), same_(rows_.n, 0) {}

  void scores(const std::vector<int>& candidates, std::vector<double>& scores) {
    scores = estimates(rows_.value.data(), rows_.d, candidates);
  }

  void add(int s) {
    const std::size_t f = static_cast<std::size_t>(s), n = rows_.n;
    if (!rows_.varies(s)) return;
    space_.columns.push_back(rows_.column(f));
    const std::vector<double>& x = space_.columns.back();
    refine(x);
    if (n > mi_.options().max_rows) return;
    space_.kept.resize(n * n, 0.0);
    parallel_for(context_, n, static_cast<double>(n) * static_cast<double>(n),
                 [&](int, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     double* const row = space_.kept.data() + i * n;
                     for (std::size_t j = 0; j < n; ++j) row[j] += (x[j] - x[i]) * (x[j] - x[i]);
                   }
                 });
  }

  /// The score of one feature, without the others'.
  double score_alone(int f) { return estimates(rows_.value.data(), rows_.d, {f})[0]; }

  /// Scores of feature f with its values given to other rows: row i gets that of row orders[b][i].
  std::vector<double> score_permuted(int f, const std::vector<std::vector<int>>& orders) {
    std::vector<double> values(rows_.n * orders.size());
    std::vector<int> columns;
    for (std::size_t b = 0; b < orders.size(); ++b) {
      columns.push_back(static_cast<int>(b));
      for (std::size_t i = 0; i < rows_.n; ++i) {
        values[i * orders.size() + b] = rows_.at(static_cast<std::size_t>(orders[b][i]), static_cast<std::size_t>(f));
      }
    }
    return estimates(values.data(), orders.size(), columns);
  }

  const KnnMiVisits& visits() const { return visits_; }

 private:
  // Of the selected features with each of some columns of values, which stand `stride` apart.
  std::vector<double> estimates(const double* values, std::size_t stride, const std::vector<int>& columns) {
    const std::size_t n = rows_.n;
    const auto column = [&](std::size_t c) {
      std::vector<double> x(n);
      for (std::size_t i = 0; i < n; ++i) x[i] = values[i * stride + static_cast<std::size_t>(columns[c])];
      return x;
    };
    std::vector<KnnMiSums> sums(columns.size());
    const double sorting = 20.0 * static_cast<double>(n * columns.size());
    if (space_.columns.empty()) {
      parallel_for(context_, columns.size(), sorting, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) sums[c] = mi_.line(column(c));
      });
    } else {
      sums = detail::sum_over_rows(space_, n, columns.size(), context_,
                                   [&](std::size_t i, const double* distance, KnnMiScratch& scratch, KnnMiSums* mine) {
                                     mi_.look_from(i, distance, scratch);
                                     for (std::size_t c = 0; c < columns.size(); ++c) {
                                       const double* const x = values + static_cast<std::size_t>(columns[c]);
                                       mi_.add_row(scratch, detail::AddedFeature{x, stride, x[i * stride]}, mine[c]);
                                     }
                                   });
      visits_.add(sums, rows_);
      parallel_for(context_, columns.size(), sorting, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
          if (mi_.needs_smallest(sums[c]))
            sums[c].smallest = std::min(sums[c].smallest, smallest_among_same(column(c)));
        }
      });
    }
    std::vector<double> result;
    for (const KnnMiSums& sum : sums) result.push_back(mi_.estimate(sum, space_.columns.size() + 1));
    return result;
  }

  std::vector<int> by_group(const std::vector<double>& x) const {
    std::vector<int> order(rows_.n);
    for (std::size_t i = 0; i < rows_.n; ++i) order[i] = static_cast<int>(i);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      const std::size_t i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      return same_[i] != same_[j] ? same_[i] < same_[j] : x[i] < x[j];
    });
    return order;
  }

  // The smallest square that sets rows apart which are the same on the selected features.
  double smallest_among_same(const std::vector<double>& x) const {
    double smallest = std::numeric_limits<double>::infinity();
    const std::vector<int> order = by_group(x);
    for (std::size_t p = 1; p < order.size(); ++p) {
      const std::size_t i = static_cast<std::size_t>(order[p - 1]), j = static_cast<std::size_t>(order[p]);
      if (same_[i] == same_[j] && x[i] != x[j]) smallest = std::min(smallest, (x[j] - x[i]) * (x[j] - x[i]));
    }
    return smallest;
  }

  void refine(const std::vector<double>& x) {
    const std::vector<int> order = by_group(x);
    std::vector<int> finer(rows_.n);
    int group = 0;
    for (std::size_t p = 0; p < order.size(); ++p) {
      const std::size_t j = static_cast<std::size_t>(order[p]);
      if (p > 0) {
        const std::size_t i = static_cast<std::size_t>(order[p - 1]);
        if (same_[i] != same_[j] || x[i] != x[j]) ++group;
      }
      finer[j] = group;
    }
    same_ = std::move(finer);
  }

  const KnnMi& mi_;
  const ClassedRows& rows_;
  const Context& context_;
  detail::SubspaceDistances space_;
  std::vector<int> same_;  // rows that are the same on the selected features have the same number
  KnnMiVisits visits_;
};

struct KnnMiRemovals {
  std::vector<int> feature;   ///< in the order they were removed; the last of all is not
  std::vector<double> score;  ///< of the set from which it was removed
  std::vector<int> left;      ///< features never removed
  double left_score = 0;
  KnnMiVisits visits;
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
  detail::SubspaceDistances space;
  for (const int s : selected) {
    const std::size_t f = static_cast<std::size_t>(s);
    space.columns.push_back(rows.column(f));
    const auto range = std::minmax_element(space.columns.back().begin(), space.columns.back().end());
    low[f] = *range.first;
    high[f] = *range.second;
  }
  KnnMiRemovals result;
  const auto estimate_without = [&](const std::vector<int>& candidates) {
    std::vector<KnnMiSums> sums = detail::sum_over_rows(
        space, rows.n, std::max<std::size_t>(1, candidates.size()), context,
        [&](std::size_t i, const double* distance, KnnMiScratch& scratch, KnnMiSums* mine) {
          mi.look_from(i, distance, scratch);
          if (candidates.empty()) mi.add_row(scratch, detail::NothingChanged(), mine[0]);
          for (std::size_t c = 0; c < candidates.size(); ++c) {
            const std::size_t f = static_cast<std::size_t>(candidates[c]);
            const double own = rows.at(i, f), way = std::max(own - low[f], high[f] - own);
            mi.add_row(scratch, detail::RemovedFeature{rows, selected, i, f, own, way * way}, mine[c]);
          }
        });
    if (!candidates.empty()) result.visits.add(sums, rows);
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
    space.columns.erase(space.columns.begin() + (at - selected.begin()));
    selected.erase(at);
  }
  result.left = selected;
  result.left_score = score;
  return result;
}

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
