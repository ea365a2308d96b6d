#pragma once

#include "neighbors.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// Visits rows in order of distance, equal ones by row, until all quotas are full. Only rows that a quota still needs
/// are sorted. Scratch space of one thread.
///
/// Rows come in rounds, each up to a limit suggested by a sample of the distances, so only what is needed is sorted: a
/// few near rows for quotas that are easily filled, then only the rows of rare classes.
class OrderedScan {
 public:
  explicit OrderedScan(std::size_t n) : n_(n), list_(n + 1) { sample_.reserve(sample_size); }

  /// quotas    wants(row), full()
  /// take      take(row) of those that are wanted
  /// expected  rows that the first round should yield
  /// distance  of n rows; NaN for rows to skip
  template <class Quotas, class Take>
  void scan(const double* distance, std::size_t expected, const Quotas& quotas, Take take) {
    if (quotas.full()) return;
    draw_sample(distance);
    double above = -1;
    for (std::size_t at = expected * sample_size / n_ + 1;; at *= 6) {
      const double limit =
          n_ > 2 * sample_size && at < sample_.size() ? sample_[at] : std::numeric_limits<double>::infinity();
      list(distance, above, limit, quotas);
      for (std::size_t i = 0; i < listed_; ++i) {
        const std::size_t row = static_cast<std::size_t>(list_[i].row);
        if (!quotas.wants(row)) continue;
        take(row);
        if (quotas.full()) return;
      }
      if (limit == std::numeric_limits<double>::infinity()) return;
      above = limit;
    }
  }

 private:
  static constexpr std::size_t sample_size = 128;

  void draw_sample(const double* distance) {
    sample_.clear();
    for (std::size_t i = 0; i < sample_size; ++i) {
      const double d = distance[i * n_ / sample_size];
      if (d == d) sample_.push_back(d);
    }
    std::sort(sample_.begin(), sample_.end());
  }

  // The wanted rows whose distances are in (above, limit], in order.
  template <class Quotas>
  void list(const double* distance, double above, double limit, const Quotas& quotas) {
    std::size_t found = 0;
    for (std::size_t row = 0; row < n_; ++row) {
      list_[found] = {distance[row], static_cast<int>(row)};
      found += static_cast<std::size_t>((distance[row] <= limit) & (distance[row] > above));
    }
    listed_ = 0;
    for (std::size_t i = 0; i < found; ++i) {
      if (quotas.wants(static_cast<std::size_t>(list_[i].row))) list_[listed_++] = list_[i];
    }
    std::sort(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(listed_));
  }

  std::size_t n_, listed_ = 0;
  std::vector<Neighbor> list_;
  std::vector<double> sample_;
};

}  // namespace mlsift
