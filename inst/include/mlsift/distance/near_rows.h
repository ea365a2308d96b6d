#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "neighbors.h"

namespace mlsift {

/// Rows by increasing distance from one row. They are spread over buckets at once; each bucket is sorted when it is
/// first reached.
class NearRows {
 public:
  /// The rows 0 .. n - 1 except `self`.
  void reset(const double* distance, std::size_t n, std::size_t self) {
    reset(distance, n, self, [](std::size_t p) { return p; });
  }

  /// The given rows except `self`.
  void reset(const double* distance, const std::vector<int>& rows, std::size_t self) {
    reset(distance, rows.size(), self, [&](std::size_t p) { return static_cast<std::size_t>(rows[p]); });
  }

  std::size_t size() const { return rows_.size(); }

  const Neighbor& operator[](std::size_t i) {
    while (i >= sorted_) sort_bucket();
    return rows_[i];
  }

  /// Position of the first row at a distance above 0.
  std::size_t first_apart() {
    while (apart_ < size() && !((*this)[apart_].distance > 0)) ++apart_;
    return apart_;
  }

 private:
  static constexpr std::size_t per_bucket = 4;

  template <class RowAt>
  void reset(const double* distance, std::size_t n, std::size_t self, RowAt row_at) {
    apart_ = sorted_ = bucket_ = 0;
    rows_.resize(n - 1);
    double farthest = 0;
    for (std::size_t p = 0; p < n; ++p) {
      if (row_at(p) != self) farthest = std::max(farthest, distance[row_at(p)]);
    }
    const std::size_t last = farthest > 1e-300 ? n / per_bucket : 0;
    const double scale = last > 0 ? static_cast<double>(last) / farthest : 0;
    const auto bucket = [&](std::size_t row) {
      return last > 0 ? std::min(last, static_cast<std::size_t>(distance[row] * scale)) : 0;
    };
    end_.assign(last + 1, 0);
    for (std::size_t p = 0; p < n; ++p) {
      if (row_at(p) != self) ++end_[bucket(row_at(p))];
    }
    int before = 0;
    for (int& end : end_) {
      const int size = end;
      end = before;
      before += size;
    }
    for (std::size_t p = 0; p < n; ++p) {
      const std::size_t row = row_at(p);
      if (row != self) rows_[static_cast<std::size_t>(end_[bucket(row)]++)] = {distance[row], static_cast<int>(row)};
    }
  }

  void sort_bucket() {
    const std::size_t end = static_cast<std::size_t>(end_[bucket_++]);
    const auto nearer = [](const Neighbor& a, const Neighbor& b) { return a.distance < b.distance; };
    const auto from = rows_.begin() + static_cast<std::ptrdiff_t>(sorted_),
               to = rows_.begin() + static_cast<std::ptrdiff_t>(end);
    // Often many rows are at the same distance.
    if (!std::is_sorted(from, to, nearer)) std::sort(from, to, nearer);
    sorted_ = end;
  }

  std::vector<Neighbor> rows_;
  std::vector<int> end_;    // of each bucket
  std::size_t sorted_ = 0;  // rows in their final place
  std::size_t bucket_ = 0;  // the first bucket that is not sorted
  std::size_t apart_ = 0;   // rows known to be at distance 0
};

}  // namespace mlsift
