#pragma once

#include "../core/parallel.h"
#include "dense_distances.h"
#include "sparse_distances.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

struct Neighbor {
  double distance;  // squared, where distances are Euclidean
  int row;
};

/// Nearer first; for equal distances, the lower row first.
inline bool operator<(const Neighbor& a, const Neighbor& b) {
  if (a.distance < b.distance) return true;
  if (b.distance < a.distance) return false;
  return a.row < b.row;
}

namespace detail {

// Moves the last of k rows to its place among the others, which are sorted.
inline void settle(Neighbor* rows, std::size_t k) {
  const Neighbor last = rows[k - 1];
  std::size_t i = k - 1;
  for (; i > 0 && last < rows[i - 1]; --i) rows[i] = rows[i - 1];
  rows[i] = last;
}

// Inserts into `found` (k rows, sorted) those of n rows that are nearer than its last. A distance of NaN is never near.
inline void keep_nearest(const double* distance, std::size_t n, Neighbor* found, std::size_t k) {
  Neighbor& last = found[k - 1];
  const auto offer = [&](std::size_t row) {
    const Neighbor offered{distance[row], static_cast<int>(row)};
    if (!(offered.distance <= last.distance && offered < last)) return;
    last = offered;
    settle(found, k);
  };
  std::size_t row = 0;
  for (; row + 8 <= n; row += 8) {
    if (any_up_to(distance + row, last.distance)) {
      for (std::size_t r = row; r < row + 8; ++r) offer(r);
    }
  }
  for (; row < n; ++row) offer(row);
}

}  // namespace detail

/// The exact k nearest training rows of the query rows, block by block, on each of several nested feature sets.
///
/// Nearby sets are processed as a group. Squares only add up: a row that is farther before the group than the k-th
/// neighbor on its last set is a neighbor on none of its sets. So all rows are scanned only for the last set, with the
/// neighbors of the previous group as a first guess. The earlier sets choose from a short list, updated one feature at
/// a time.
template <class Distances, class Scratch, class Visit>
class NestedSearch {
 public:
  Scratch scratch;

  NestedSearch(const Distances& distances, std::size_t k, const std::vector<std::size_t>& prefixes, bool self,
               const Scratch& scratch_space, Visit& visit)
      : scratch(scratch_space),
        distances_(distances),
        n_(distances.n_train()),
        k_(k),
        prefixes_(prefixes),
        self_(self),
        visit_(visit),
        found_(k),
        list_(n_ + 1),
        near_(n_ / 8 + 1),
        guess_(distances.block_rows() * k) {}

  void search(std::size_t first, std::size_t size) {
    first_ = first;
    distances_.start(block_, first, size);
    for (std::size_t i = 0; i < size; ++i) guess(i);
    for (std::size_t p = 0, done = 0; p < prefixes_.size();) {
      if (done == 0) {
        distances_.add(block_, 0, prefixes_[0]);
        done = prefixes_[0];
      }
      const std::size_t last = group_end(p, done) - 1;
      if constexpr (Distances::has_update) {
        if (last > p) distances_.add_keeping(block_, done, prefixes_[last]);
      }
      if (last == p) distances_.add(block_, done, prefixes_[last]);
      for (std::size_t i = 0; i < size; ++i) {
        select(block_.row(i), guess_.data() + i * k_);
        visit_(scratch, last, first_ + i, found_.data());
        if constexpr (Distances::has_update) {
          if (last > p) select_from_list(i, p, last, done);
        }
        for (std::size_t j = 0; j < k_; ++j) guess_[i * k_ + j] = found_[j].row;
      }
      done = prefixes_[last];
      p = last + 1;
    }
  }

 private:
  // Start with the lowest k rows, excluding the row itself: its distance is NaN, which is not below any limit.
  void guess(std::size_t i) {
    const std::size_t self = self_ ? first_ + i : n_;
    if (self_) block_.row(i)[self] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < k_; ++j) guess_[i * k_ + j] = static_cast<int>(j < self ? j : j + 1);
  }

  // A group grows while its list stays short.
  std::size_t group_end(std::size_t p, std::size_t done) const {
    if (!Distances::has_update) return p + 1;
    const std::size_t most = std::max(prefixes_[p], done + std::max<std::size_t>(3, done / 3));
    while (p < prefixes_.size() && prefixes_[p] <= most) ++p;
    return p;
  }

  // The k nearest of all rows, stored in found_; `guess` holds any k rows.
  void select(double* distance, const int* guess) {
    for (std::size_t j = 0; j < k_; ++j) found_[j] = {distance[guess[j]], guess[j]};
    for (std::size_t j = 0; j < k_; ++j) distance[guess[j]] = std::numeric_limits<double>::quiet_NaN();
    hidden_ = found_;
    std::sort(found_.begin(), found_.end());
    detail::keep_nearest(distance, n_, found_.data(), k_);
    for (const Neighbor& hidden : hidden_) distance[hidden.row] = hidden.distance;
  }

  // An initial guess, then all other rows that may be neighbors before the last set of a group.
  void make_list(double* before, const int* guess) {
    for (std::size_t j = 0; j < k_; ++j) {
      list_[j] = {before[guess[j]], guess[j]};
      before[guess[j]] = std::numeric_limits<double>::quiet_NaN();
    }
    // Branch-free, since the positions of near rows cannot be predicted.
    const double limit = found_.back().distance;
    std::size_t chunks = 0, row = 0;
    for (; row + 8 <= n_; row += 8) {
      near_[chunks] = row;
      chunks += detail::any_up_to(before + row, limit);
    }
    listed_ = k_;
    const auto consider = [&](std::size_t r) {
      list_[listed_] = {before[r], static_cast<int>(r)};
      listed_ += before[r] <= limit;
    };
    for (std::size_t c = 0; c < chunks; ++c) {
      for (std::size_t r = near_[c]; r < near_[c] + 8; ++r) consider(r);
    }
    for (; row < n_; ++row) consider(row);
  }

  void select_from_list(std::size_t i, std::size_t p, std::size_t last, std::size_t feature) {
    make_list(block_.before(i), guess_.data() + i * k_);
    Neighbor* const list = list_.data();
    for (; p < last; ++p) {
      for (; feature < prefixes_[p]; ++feature) distances_.update(block_, i, feature, list, list + listed_);
      std::sort(list, list + k_);
      std::size_t kept = k_;
      for (std::size_t j = k_; j < listed_; ++j) {
        Neighbor row = list[j];
        if (row.distance <= list[k_ - 1].distance && row < list[k_ - 1]) {
          std::swap(row, list[k_ - 1]);
          detail::settle(list, k_);
        }
        list[kept] = row;
        kept += row.distance <= found_.back().distance;  // else it comes too late for the rest of the group
      }
      listed_ = kept;
      visit_(scratch, p, first_ + i, list);
    }
  }

  const Distances& distances_;
  const std::size_t n_, k_;
  const std::vector<std::size_t>& prefixes_;
  const bool self_;
  Visit& visit_;
  std::size_t first_ = 0, listed_ = 0;
  typename Distances::Block block_;
  std::vector<Neighbor> found_, hidden_, list_;
  std::vector<std::size_t> near_;
  std::vector<int> guess_;  // k rows for each row of the block
};

template <class Distances>
double nearest_work(const Distances& distances, const std::vector<std::size_t>& prefixes) {
  const double pairs = static_cast<double>(distances.n_query()) * static_cast<double>(distances.n_train());
  return distances.work(prefixes.back()) + pairs * static_cast<double>(prefixes.size()) / 4;
}

/// The exact k nearest training rows of every query row.
///
/// distances   DenseDistances or SparseDistances; features enter in their column order
/// k           at most the number of training rows, or one less with `self`
/// prefixes    increasing numbers of leading features; the neighbors are found on each of them
/// self        query row i is training row i, which is not its own neighbor
/// scratch     of `visit`; each thread has a copy, and these are returned
/// visit       visit(scratch, prefix, query_row, const Neighbor*) with k neighbors in any order, from several threads
/// cost        n_train distances in memory for each row of a block; time O(n_query n_train d) for all prefixes together
template <class Distances, class Scratch, class Visit>
std::vector<Scratch> nearest(const Context& context, const Distances& distances, std::size_t k,
                             const std::vector<std::size_t>& prefixes, bool self, const Scratch& scratch, Visit visit) {
  const std::size_t n = distances.n_query(), rows = distances.block_rows(), blocks = (n + rows - 1) / rows;
  const double work = nearest_work(distances, prefixes);
  std::vector<NestedSearch<Distances, Scratch, Visit>> search(worker_count(context, blocks, work),
                                                              {distances, k, prefixes, self, scratch, visit});
  parallel_for(context, blocks, work, [&](int worker, std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      search[static_cast<std::size_t>(worker)].search(b * rows, std::min(rows, n - b * rows));
    }
  });
  std::vector<Scratch> result;
  for (auto& one : search) result.push_back(std::move(one.scratch));
  return result;
}

}  // namespace mlsift
