#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

// What has been read of a text file, row by row, until it is split into columns.

namespace mlsift {

/// Where the column of an attribute goes: an array of doubles or of ints (+ shift), or nowhere.
struct ArffColumn {
  double* real = nullptr;
  int* integer = nullptr;
  int shift = 0;
};

namespace read_detail {

inline void put(const ArffColumn& to, std::size_t row, double value) {
  if (to.real) {
    to.real[row] = value;
  } else if (to.integer) {
    to.integer[row] = value != value ? std::numeric_limits<int>::min() : static_cast<int>(value) + to.shift;
  }
}

/// Dense rows in blocks of about 256 KB, each of which is split into columns and freed while it is in the cache.
class DenseRows {
 public:
  void start(std::size_t width) {
    width_ = width;
    block_rows_ = std::max<std::size_t>(1, 32768 / std::max<std::size_t>(1, width));
  }

  void clear() { blocks_.clear(); }

  double* add_row() {
    if (blocks_.empty() || blocks_.back().size() == block_rows_ * width_) {
      blocks_.emplace_back();
      blocks_.back().reserve(block_rows_ * width_);
    }
    std::vector<double>& block = blocks_.back();
    block.resize(block.size() + width_, 0.0);
    return block.data() + block.size() - width_;
  }

  void take(const std::vector<ArffColumn>& columns) {
    std::size_t first = 0;
    for (std::vector<double>& block : blocks_) {
      const std::size_t rows = block.size() / width_;
      for (std::size_t c = 0; c < width_; ++c) {
        for (std::size_t r = 0; r < rows; ++r) put(columns[c], first + r, block[r * width_ + c]);
      }
      first += rows;
      std::vector<double>().swap(block);
    }
  }

 private:
  std::size_t width_ = 0, block_rows_ = 1;
  std::vector<std::vector<double>> blocks_;
};

/// Sparse rows: column numbers, and values only if one of them is not 1. Zeros are not stored.
class SparseRows {
 public:
  void add(int column, double value) {
    if (value == 0) return;
    if (value != 1 && !has_values_) {
      values_.assign(columns_.size(), 1.0);
      has_values_ = true;
    }
    columns_.push_back(column);
    if (has_values_) values_.push_back(value);
  }

  void end_row() { ends_.push_back(columns_.size()); }

  std::size_t size() const { return columns_.size(); }
  bool has_values() const { return has_values_; }

  void clear() {
    ends_.clear();
    columns_.clear();
    values_.clear();
    has_values_ = false;
  }

  /// As compressed columns: p has n_columns + 1 entries, i and x have size(); rows ascend within a column. Rows without
  /// values need no x.
  void compress(std::size_t n_columns, int* p, int* i, double* x) const {
    std::fill(p, p + n_columns + 1, 0);
    for (const int column : columns_) ++p[column + 1];
    for (std::size_t c = 0; c < n_columns; ++c) p[c + 1] += p[c];
    std::vector<int> next(p, p + n_columns);
    each([&](std::size_t row, int column, double value) {
      const int at = next[static_cast<std::size_t>(column)]++;
      i[at] = static_cast<int>(row);
      if (x) x[at] = value;
    });
  }

  /// Into full columns.
  void take(const std::vector<ArffColumn>& columns) const {
    bool any = false;
    for (const ArffColumn& to : columns) {
      if (!to.real && !to.integer) continue;
      any = true;
      for (std::size_t row = 0; row < ends_.size(); ++row) put(to, row, 0);
    }
    if (!any) return;
    each(
        [&](std::size_t row, int column, double value) { put(columns[static_cast<std::size_t>(column)], row, value); });
  }

 private:
  template <class F>
  void each(F f) const {
    std::size_t at = 0;
    for (std::size_t row = 0; row < ends_.size(); ++row) {
      for (; at < ends_[row]; ++at) f(row, columns_[at], has_values_ ? values_[at] : 1.0);
    }
  }

  std::vector<std::size_t> ends_;  // of each row
  std::vector<int> columns_;
  std::vector<double> values_;
  bool has_values_ = false;
};

}  // namespace read_detail

}  // namespace mlsift
