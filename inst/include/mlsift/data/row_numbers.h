#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "column.h"

namespace mlsift {

/// Whether the values of a column tell rows apart, from rows that come in any chunks: categories of which more than
/// 90 % of the rows have their own, or whole numbers that run, or nearly run, through the row numbers. Columns that
/// repeat themselves in half of the first 100, 1,000, 10,000, ... rows are given up. Numbers that neither increase nor
/// decrease are looked at as long as fewer than 2^24 differ.
class RowNumbers {
 public:
  enum Kind { none, categories, sorted, unsorted };

  void add(const Column& column, std::size_t n_rows) {
    if (!open_) return;
    category_ = column.category;
    if (column.sparse() && rows_ == 0 && n_rows >= check_at_ && stored_before(column, check_at_) < check_at_ / 2) {
      return close();
    }
    std::size_t s = 0;
    for (std::size_t i = 0; i < n_rows && open_; ++i) {
      const bool stored = !column.sparse() || (s < column.stored && column.rows[s] == static_cast<int>(i));
      take(!stored ? 0.0 : column.number(column.sparse() ? s++ : i));
    }
  }

  /// Adds what was found in the rows that follow. Rows that come in parts are given up where a part repeats itself.
  void join(RowNumbers other) {
    if (!open_ || other.rows_ == 0) return;
    if (!other.open_) return close();
    if (rows_ == 0) return std::swap(*this, other);
    category_ = category_ && other.category_;
    up_ = up_ && other.up_ && last_ <= other.first_;
    down_ = down_ && other.down_ && last_ >= other.first_;
    changes_ += other.changes_ - (last_ == other.first_);
    rows_ += other.rows_;
    last_ = other.last_;
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);
    full_ = full_ || other.full_;
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
    keep_few();
    while (open_ && rows_ >= check_at_) check();
  }

  /// For join(): leaves out what `n_rows` rows in all show to be no numbers of rows.
  void shorten(std::size_t n_rows) {
    if (!category_ && high_ - low_ >= static_cast<double>(n_rows) / 0.9) close();
    tidy();
  }

  template <class Bytes>
  void pass(Bytes& bytes) {
    for (bool* one : {&open_, &category_, &up_, &down_, &full_}) bytes(*one);
    for (std::size_t* one : {&rows_, &changes_, &check_at_}) bytes(*one);
    for (double* one : {&first_, &last_, &low_, &high_}) bytes(*one);
    bytes(values_);
  }

  Kind kind() {
    if (!open_ || rows_ == 0) return none;
    if (rows_ < 100 && !mostly_new()) return none;
    const double n = static_cast<double>(rows_), distinct = static_cast<double>(count());
    if (!(distinct / n > 0.9)) return none;
    if (category_) return categories;
    return high_ - low_ < n / 0.9 ? (up_ || down_ ? sorted : unsorted) : none;
  }

  std::size_t count() {
    if (up_ || down_) return changes_;
    tidy();
    return values_.size();
  }

 private:
  static std::size_t stored_before(const Column& column, std::size_t row) {
    const int* const end = column.rows + column.stored;
    return static_cast<std::size_t>(std::lower_bound(column.rows, end, static_cast<int>(row)) - column.rows);
  }

  void take(double value) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();  // a category of its own
    if (!category_ && !(value == std::floor(value) && std::isfinite(value))) return close();
    if (rows_ == 0) first_ = value;
    if (rows_ == 0 || value != last_) ++changes_;
    if (rows_ > 0 && value < last_) up_ = false;
    if (rows_ > 0 && value > last_) down_ = false;
    last_ = value;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
    if (!full_) values_.push_back(value);
    if (full_ && !up_ && !down_) return close();
    if (++rows_ >= check_at_) check();
  }

  void check() {
    check_at_ *= 10;
    if (!mostly_new()) return close();
    full_ = full_ || values_.size() >= most_kept;
    keep_few();
  }

  void keep_few() {
    if (!full_) return;
    std::vector<double>().swap(values_);
    if (!up_ && !down_) close();
  }

  bool mostly_new() { return 2 * count() > rows_; }

  void tidy() {
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  }

  void close() {
    open_ = false;
    std::vector<double>().swap(values_);
  }

  static constexpr std::size_t most_kept = std::size_t{1} << 24;

  bool open_ = true, category_ = false, up_ = true, down_ = true, full_ = false;
  std::size_t rows_ = 0, changes_ = 0, check_at_ = 100;
  double first_ = 0, last_ = 0, low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
  std::vector<double> values_;
};

}  // namespace mlsift
