#ifndef MLSIFT_ENGINE_NEAR_ROWS_H
#define MLSIFT_ENGINE_NEAR_ROWS_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// Rows by increasing distance from one row, sorted only as far as somebody looks.
class NearRows {
 public:
  struct Row {
    double distance;  // squared
    int row;
  };

  /// The rows 0 .. n - 1, or those of `rows`, without `self`; `sorted` false leaves them in their own order.
  void reset(const double* distance, std::size_t n, std::size_t self, bool sorted) {
    begin();
    for (std::size_t j = 0; j < n; ++j) {
      if (j != self) rows_.push_back({distance[j], static_cast<int>(j)});
    }
    sorted_ = sorted ? 0 : rows_.size();
  }

  void reset(const double* distance, const std::vector<int>& rows, std::size_t self, bool sorted) {
    begin();
    for (const int j : rows) {
      if (static_cast<std::size_t>(j) != self) rows_.push_back({distance[j], j});
    }
    sorted_ = sorted ? 0 : rows_.size();
  }

  std::size_t size() const { return rows_.size(); }

  const Row& operator[](std::size_t i) {
    while (i >= sorted_) sort_more();
    return rows_[i];
  }

  /// Place of the first row at a distance above 0.
  std::size_t first_apart() {
    while (apart_ < size() && !((*this)[apart_].distance > 0)) ++apart_;
    return apart_;
  }

 private:
  void begin() {
    rows_.clear();
    apart_ = 0;
  }

  void sort_more() {
    const auto nearer = [](const Row& a, const Row& b) { return a.distance < b.distance; };
    const std::size_t end = std::min(rows_.size(), sorted_ + std::max<std::size_t>(32, sorted_));
    const auto from = rows_.begin() + static_cast<std::ptrdiff_t>(sorted_), to = rows_.begin() + static_cast<std::ptrdiff_t>(end);
    if (end < rows_.size()) std::nth_element(from, to, rows_.end(), nearer);
    std::sort(from, to, nearer);
    sorted_ = end;
  }

  std::vector<Row> rows_;
  std::size_t sorted_ = 0;  // rows in their final place
  std::size_t apart_ = 0;   // rows known to be at distance 0
};

}  // namespace mlsift

#endif
