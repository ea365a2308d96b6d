#ifndef MLSIFT_ENGINE_NEIGHBORS_H
#define MLSIFT_ENGINE_NEIGHBORS_H

#include <mlsift/engine/distances.h>
#include <mlsift/engine/parallel.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

struct Neighbor {
  double distance;  // squared
  int row;
};

/// Nearer first; equal distances: the lower row first.
inline bool operator<(const Neighbor& a, const Neighbor& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
}

/// The k smallest of a row of distances, ties to the lowest row. Rows are scanned upwards with a limit below which a
/// row is still of interest, so that almost every row costs one comparison.
class Selection {
 public:
  explicit Selection(std::size_t k) : k_(k), found_(2 * k + 32) {}

  /// `before`: k different rows, such as the neighbors on fewer features; their distances bound the k-th smallest.
  const Neighbor* select(const double* distance, std::size_t n, const int* before) {
    size_ = 0;
    limit_ = std::numeric_limits<double>::infinity();
    if (before != nullptr) limit_ = above_largest(distance, before);
    std::size_t row = 0;
    for (; row + 8 <= n; row += 8) {
      if (detail::any_below(distance + row, limit_)) {
        for (std::size_t r = row; r < row + 8; ++r) offer(distance[r], r);
      }
    }
    for (; row < n; ++row) offer(distance[row], row);
    if (size_ > k_) keep_nearest();
    for (row = 0; size_ < k_ && row < n; ++row) {  // squares beyond the largest double
      if (std::isinf(distance[row])) found_[size_++] = {distance[row], static_cast<int>(row)};
    }
    return found_.data();
  }

  void sort() { std::sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(k_)); }

 private:
  double above_largest(const double* distance, const int* before) const {
    double largest = 0;
    for (std::size_t i = 0; i < k_; ++i) largest = std::max(largest, distance[before[i]]);
    return std::nextafter(largest, std::numeric_limits<double>::infinity());
  }

  void offer(double distance, std::size_t row) {
    if (!(distance < limit_)) return;
    found_[size_++] = {distance, static_cast<int>(row)};
    if (size_ == found_.size()) keep_nearest();
  }

  // All rows that come later are higher, hence must be strictly nearer than the k-th of those kept.
  void keep_nearest() {
    const auto kth = found_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(found_.begin(), kth, found_.begin() + static_cast<std::ptrdiff_t>(size_));
    limit_ = kth->distance;
    size_ = k_;
  }

  std::size_t k_;
  std::vector<Neighbor> found_;
  std::size_t size_ = 0;
  double limit_ = 0;
};

template <class Distances>
double nearest_work(const Distances& distances, const std::vector<std::size_t>& prefixes) {
  const double pairs = static_cast<double>(distances.n_query()) * static_cast<double>(distances.n_train());
  return distances.work(prefixes.back()) + pairs * static_cast<double>(prefixes.size()) / 2;
}

/// Scratch spaces that `visit` of nearest() needs.
template <class Distances>
std::size_t nearest_workers(const Context& context, const Distances& distances,
                            const std::vector<std::size_t>& prefixes) {
  const std::size_t blocks = (distances.n_query() + distances.block_rows() - 1) / distances.block_rows();
  return worker_count(context, blocks, nearest_work(distances, prefixes));
}

/// The exact k nearest training rows of every query row, on each of several nested feature sets.
///
/// distances   DenseDistances or SparseDistances; features enter in their column order
/// prefixes    increasing numbers of leading features; neighbors are selected on each of them, in one pass over the
///             features, the neighbors on one prefix bounding the search on the next
/// self        query row i is training row i and is not its own neighbor
/// visit       visit(worker, prefix, query_row, const Neighbor*) with k neighbors, from several threads; nearest first
///             if `sorted`, else in any order
/// cost        n_train distances in memory for each row of a block; O(n_query n_train d), all prefixes together
template <class Distances, class Visit>
void nearest(const Context& context, const Distances& distances, std::size_t k, const std::vector<std::size_t>& prefixes,
             bool self, bool sorted, Visit visit) {
  const std::size_t n = distances.n_train();
  const std::size_t rows = distances.block_rows();
  const std::size_t blocks = (distances.n_query() + rows - 1) / rows;

  struct Scratch {
    typename Distances::Block block;
    Selection selection;
    std::vector<int> before;
  };
  std::vector<Scratch> scratch(nearest_workers(context, distances, prefixes),
                               Scratch{{}, Selection(k), std::vector<int>(rows * k)});

  parallel_for(context, blocks, nearest_work(distances, prefixes), [&](int worker, std::size_t begin, std::size_t end) {
    Scratch& mine = scratch[static_cast<std::size_t>(worker)];
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t first = b * rows;
      const std::size_t size = std::min(rows, distances.n_query() - first);
      distances.start(mine.block, first, size);
      for (std::size_t i = 0; self && i < size; ++i) {
        mine.block.row(i)[first + i] = std::numeric_limits<double>::quiet_NaN();  // never below a limit
      }
      std::size_t done = 0;
      for (std::size_t p = 0; p < prefixes.size(); ++p) {
        distances.add(mine.block, done, prefixes[p]);
        done = prefixes[p];
        for (std::size_t i = 0; i < size; ++i) {
          int* before = mine.before.data() + i * k;
          const Neighbor* found = mine.selection.select(mine.block.row(i), n, p > 0 ? before : nullptr);
          if (sorted) mine.selection.sort();
          for (std::size_t j = 0; j < k; ++j) before[j] = found[j].row;
          visit(worker, p, first + i, found);
        }
      }
    }
  });
}

}  // namespace mlsift

#endif
