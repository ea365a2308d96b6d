#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../core/prefetch.h"
#include "column.h"

namespace mlsift {

/// The classes (labels, or the classes of a transformation) of each row, by row.
struct Targets {
  int n_classes = 0;
  std::vector<std::size_t> start;  ///< row i: ids[start[i]] .. ids[start[i + 1]] - 1
  std::vector<int> ids;            ///< class numbers, ascending within a row
  std::vector<int> count;          ///< entries of each class
  /// Every entry of row i weighs 1 / divisor[i]; empty: all weigh 1.
  std::vector<int> divisor;

  std::size_t n_rows() const { return start.size() - 1; }
  const int* begin(std::size_t row) const { return ids.data() + start[row]; }
  const int* end(std::size_t row) const { return ids.data() + start[row + 1]; }
  int size(std::size_t row) const { return static_cast<int>(start[row + 1] - start[row]); }
  int n_occurring() const {
    return static_cast<int>(std::count_if(count.begin(), count.end(), [](int entries) { return entries > 0; }));
  }
};

/// Makes targets row by row.
class TargetsBuilder {
 public:
  explicit TargetsBuilder(int n_classes) {
    targets_.n_classes = n_classes;
    targets_.count.assign(static_cast<std::size_t>(n_classes), 0);
    targets_.start.push_back(0);
  }
  /// Adds a class, ascending within a row.
  void emit(int c) {
    targets_.ids.push_back(c);
    ++targets_.count[static_cast<std::size_t>(c)];
  }
  void end_row() { targets_.start.push_back(targets_.ids.size()); }
  Targets finish() { return std::move(targets_); }

 private:
  Targets targets_;
};

/// The entries of each class, where each row counts as many times as its weight.
template <class Weight>
std::vector<Weight> weighted_count(const Targets& targets, const Weight* weights) {
  std::vector<Weight> count(targets.count.size(), 0);
  for (std::size_t i = 0; i < targets.n_rows(); ++i) {
    for (const int* c = targets.begin(i); c != targets.end(i); ++c) count[static_cast<std::size_t>(*c)] += weights[i];
  }
  return count;
}

/// How many rows have each class, or the sums of their weights. `weights`: null for 1.
inline std::vector<std::int64_t> counts_of_classes(const Targets& targets, const int* weights) {
  const std::vector<int> count = weights ? weighted_count(targets, weights) : targets.count;
  return {count.begin(), count.end()};
}

/// The same targets with the sums of weights as counts. `weights`: null for 1.
inline Targets weighed(Targets targets, const int* weights) {
  if (weights) targets.count = weighted_count(targets, weights);
  return targets;
}

/// Without classes that no row has; the others are renumbered.
inline Targets without_absent(Targets targets) {
  std::vector<int> present(static_cast<std::size_t>(targets.n_classes), 0), count;
  targets.n_classes = 0;
  for (std::size_t c = 0; c < present.size(); ++c) {
    present[c] = targets.n_classes;
    if (targets.count[c] == 0) continue;
    ++targets.n_classes;
    count.push_back(targets.count[c]);
  }
  for (int& c : targets.ids) c = present[static_cast<std::size_t>(c)];
  targets.count = std::move(count);
  return targets;
}

/// Labels and unknown labels as 2 q classes: l is carried, l + q says that l is not known.
inline Targets with_unknown(const Targets& carried, const Targets& unknown) {
  const int q = carried.n_classes;
  TargetsBuilder builder(2 * q);
  for (std::size_t i = 0; i < carried.n_rows(); ++i) {
    for (const int* l = carried.begin(i); l != carried.end(i); ++l) builder.emit(*l);
    for (const int* l = unknown.begin(i); l != unknown.end(i); ++l) builder.emit(q + *l);
    builder.end_row();
  }
  return builder.finish();
}

/// A 0/1 matrix as passed in: dense by columns, or the pattern of a sparse one by columns.
struct LabelMatrix {
  std::size_t n_rows = 0;
  int n_labels = 0;
  const int* dense = nullptr;
  const int* rows = nullptr;
  const int* col_start = nullptr;

  template <class Visit>
  void visit_column(int l, Visit visit) const {
    if (dense) {
      const int* column = dense + static_cast<std::size_t>(l) * n_rows;
      for (std::size_t i = 0; i < n_rows; ++i) {
        if (column[i]) visit(static_cast<int>(i));
      }
    } else {
      for (int s = col_start[l]; s < col_start[l + 1]; ++s) visit(rows[s]);
    }
  }

  std::vector<int> counts() const {
    std::vector<int> result(static_cast<std::size_t>(n_labels), 0);
    for (int l = 0; l < n_labels; ++l) {
      int& count = result[static_cast<std::size_t>(l)];
      visit_column(l, [&](int) { ++count; });
    }
    return result;
  }
};

/// Classes by row. visit(c, take): calls take(row) for the rows of class c.
template <class Visit>
Targets targets_of(std::size_t n_rows, std::size_t n_classes, Visit visit) {
  Targets result;
  result.n_classes = static_cast<int>(n_classes);
  result.start.assign(n_rows + 1, 0);
  result.count.assign(n_classes, 0);
  for (std::size_t c = 0; c < n_classes; ++c) {
    visit(c, [&](int row) {
      ++result.start[static_cast<std::size_t>(row) + 1];
      ++result.count[c];
    });
  }
  for (std::size_t i = 0; i < n_rows; ++i) result.start[i + 1] += result.start[i];
  result.ids.resize(result.start[n_rows]);
  // start[i] advances to the end of row i during filling, and is moved back afterwards.
  for (std::size_t c = 0; c < n_classes; ++c) {
    visit(c, [&](int row) { result.ids[result.start[static_cast<std::size_t>(row)]++] = static_cast<int>(c); });
  }
  for (std::size_t i = n_rows; i > 0; --i) result.start[i] = result.start[i - 1];
  result.start[0] = 0;
  return result;
}

/// The labels by row. `labels`: which columns to take (they become classes 0, 1, ...).
inline Targets targets_of(const LabelMatrix& y, const std::vector<int>& labels) {
  return targets_of(y.n_rows, labels.size(), [&](std::size_t c, auto take) { y.visit_column(labels[c], take); });
}

/// Labels that occur, in column order (labels that never occur carry no information and are excluded from all scores).
inline std::vector<int> labels_that_occur(const LabelMatrix& y) {
  const std::vector<int> count = y.counts();
  std::vector<int> result;
  for (int l = 0; l < y.n_labels; ++l) {
    if (count[static_cast<std::size_t>(l)] > 0) result.push_back(l);
  }
  return result;
}

/// Adds to counts[c], for each class c, the number of the rows that carry it. The rows of a feature are spread over all
/// of the targets. With many rows, most time is spent waiting for memory, unless it is prefetched a few rows ahead.
inline void count_classes(const int* row, const int* end, const Targets& targets, int* counts) {
  constexpr std::ptrdiff_t ahead = 12;
  const std::size_t* start = targets.start.data();
  const int* ids = targets.ids.data();
  for (; row != end; ++row) {
    if (end - row > 2 * ahead) {
      prefetch(start + row[2 * ahead]);
      const int* soon = ids + start[row[ahead]];
      prefetch(soon);
      prefetch(soon + 16);
    }
    const int* stop = ids + start[*row + 1];
    for (const int* c = ids + start[*row]; c != stop; ++c) ++counts[*c];
  }
}

}  // namespace mlsift
