#ifndef MLSIFT_ENGINE_NEIGHBORS_H
#define MLSIFT_ENGINE_NEIGHBORS_H

#include <mlsift/engine/distances.h>
#include <mlsift/engine/parallel.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
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

namespace detail {

// `sorted` holds the k nearest so far; the last of them makes room for `in`, which must be nearer.
inline void insert(Neighbor* sorted, std::size_t k, const Neighbor& in) {
  std::size_t i = k - 1;
  for (; i > 0 && in < sorted[i - 1]; --i) sorted[i] = sorted[i - 1];
  sorted[i] = in;
}

}  // namespace detail

/// The exact k nearest training rows of the query rows, block by block, on each of several nested feature sets.
///
/// On every set the neighbors on the one before are the first guess, which leaves one comparison for almost every other
/// row. Sets that lie close together are done as a group: squares only add up, so a row that is farther before the
/// first of them than the k-th neighbor is after the last is a neighbor on none of them; what remains is a short list,
/// updated one feature at a time.
template <class Distances, class Visit>
class NestedSearch {
 public:
  NestedSearch(const Distances& distances, std::size_t k, const std::vector<std::size_t>& prefixes, bool self,
               Visit& visit)
      : distances_(distances), k_(k), prefixes_(prefixes), self_(self), visit_(visit), found_(k), hidden_(k),
        nearest_(distances.block_rows() * k) {}

  void search(int worker, std::size_t first, std::size_t size) {
    worker_ = worker, first_ = first;
    const std::size_t n = distances_.n_train();
    distances_.start(block_, first, size);
    for (std::size_t i = 0; i < size; ++i) guess(i);
    std::size_t done = 0;
    for (std::size_t p = 0; p < prefixes_.size();) {
      const std::size_t last = group_end(p, done) - 1;
      if (last > p) before_.assign(block_.row(0), block_.row(0) + size * n);
      distances_.add(block_, done, prefixes_[last]);
      for (std::size_t i = 0; i < size; ++i) {
        if (last > p) start_list(before_.data() + i * n, i);
        select(block_.row(i), i);
        if (last > p) fill_list(before_.data() + i * n), select_from_list(i, p, last, done);
        visit_(worker_, last, first_ + i, found_.data());
      }
      done = prefixes_[last];
      p = last + 1;
    }
  }

 private:
  // To begin with the lowest k rows, without the row itself: its distance is NaN, which is not below any limit.
  void guess(std::size_t i) {
    const std::size_t self = self_ ? first_ + i : distances_.n_train();
    if (self_) block_.row(i)[self] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < k_; ++j) nearest_[i * k_ + j] = static_cast<int>(j < self ? j : j + 1);
  }

  // A group grows while its list stays short.
  std::size_t group_end(std::size_t p, std::size_t done) const {
    if (!Distances::can_update || p == 0) return p + 1;
    const std::size_t most = std::max(prefixes_[p], done + done / (getenv("GS") ? atoi(getenv("GS")) : 4));
    while (p < prefixes_.size() && prefixes_[p] <= most) ++p;
    return p;
  }

  // The k nearest of all rows, into found_ and nearest_.
  void select(double* distance, std::size_t i) {
    int* const nearest = nearest_.data() + i * k_;
    for (std::size_t j = 0; j < k_; ++j) {
      found_[j] = {distance[nearest[j]], nearest[j]};
      hidden_[j] = found_[j];
      distance[nearest[j]] = std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(found_.begin(), found_.end());
    const std::size_t n = distances_.n_train();
    std::size_t row = 0;
    for (; row + 8 <= n; row += 8) {
      if (detail::any_up_to(distance + row, found_.back().distance)) {
        for (std::size_t r = row; r < row + 8; ++r) offer({distance[r], static_cast<int>(r)});
      }
    }
    for (; row < n; ++row) offer({distance[row], static_cast<int>(row)});
    for (const Neighbor& hidden : hidden_) distance[hidden.row] = hidden.distance;
    for (std::size_t j = 0; j < k_; ++j) nearest[j] = found_[j].row;
  }

  void offer(const Neighbor& row) {
    if (row < found_.back()) detail::insert(found_.data(), k_, row);
  }

  // The list opens with the neighbors so far ...
  void start_list(double* before, std::size_t i) {
    list_.resize(k_ + distances_.n_train());
    near_.resize(distances_.n_train() + 1);
    for (std::size_t j = 0; j < k_; ++j) {
      const int row = nearest_[i * k_ + j];
      list_[j] = {before[row], row};
      before[row] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  // ... and goes on with all rows that may become neighbors within the group.
  void fill_list(const double* before) {
    const double limit = found_.back().distance;
    const std::size_t n = distances_.n_train();
    std::size_t near = 0;
    for (std::size_t row = 0; row < n; ++row) {
      near_[near] = static_cast<int>(row);
      near += before[row] <= limit;
    }
    listed_ = k_ + near;
    for (std::size_t j = 0; j < near; ++j) list_[k_ + j] = {before[near_[j]], near_[j]};
  }

  void select_from_list(std::size_t i, std::size_t p, std::size_t last, std::size_t feature) {
    Neighbor* const list = list_.data();
    for (; p < last; ++p) {
      for (; feature < prefixes_[p]; ++feature) distances_.update(block_, i, feature, list, list + listed_);
      std::sort(list, list + k_);
      for (std::size_t j = k_; j < listed_; ++j) {
        if (list[j] < list[k_ - 1]) {
          const Neighbor out = list[k_ - 1];
          detail::insert(list, k_, list[j]);
          list[j] = out;
        }
      }
      visit_(worker_, p, first_ + i, list);
    }
  }

  const Distances& distances_;
  const std::size_t k_;
  const std::vector<std::size_t>& prefixes_;
  const bool self_;
  Visit& visit_;
  int worker_ = 0;
  std::size_t first_ = 0, listed_ = 0;
  typename Distances::Block block_;
  std::vector<Neighbor> found_, hidden_, list_;
  std::vector<int> near_;
  std::vector<int> nearest_;    // the last k neighbors of each row of the block
  std::vector<double> before_;  // distances of the block before a group
};

template <class Distances>
double nearest_work(const Distances& distances, const std::vector<std::size_t>& prefixes) {
  const double pairs = static_cast<double>(distances.n_query()) * static_cast<double>(distances.n_train());
  return distances.work(prefixes.back()) + pairs * static_cast<double>(prefixes.size()) / 4;
}

/// Scratch spaces that `visit` of nearest() needs.
template <class Distances>
std::size_t nearest_workers(const Context& context, const Distances& distances,
                            const std::vector<std::size_t>& prefixes) {
  const std::size_t blocks = (distances.n_query() + distances.block_rows() - 1) / distances.block_rows();
  return worker_count(context, blocks, nearest_work(distances, prefixes));
}

/// The exact k nearest training rows of every query row.
///
/// distances   DenseDistances or SparseDistances; features enter in their column order
/// k           at most the number of training rows, or one less with `self`
/// prefixes    increasing numbers of leading features; the neighbors are found on each of them
/// self        query row i is training row i, which is not its own neighbor
/// visit       visit(worker, prefix, query_row, const Neighbor*) with k neighbors in any order, from several threads
/// cost        n_train distances in memory for each row of a block; time O(n_query n_train d) for all prefixes together
template <class Distances, class Visit>
void nearest(const Context& context, const Distances& distances, std::size_t k, const std::vector<std::size_t>& prefixes,
             bool self, Visit visit) {
  const std::size_t n = distances.n_query(), rows = distances.block_rows();
  std::vector<NestedSearch<Distances, Visit>> search(nearest_workers(context, distances, prefixes),
                                                     {distances, k, prefixes, self, visit});
  parallel_for(context, (n + rows - 1) / rows, nearest_work(distances, prefixes),
               [&](int worker, std::size_t begin, std::size_t end) {
                 for (std::size_t b = begin; b < end; ++b) {
                   search[static_cast<std::size_t>(worker)].search(worker, b * rows, std::min(rows, n - b * rows));
                 }
               });
}

}  // namespace mlsift

#endif
