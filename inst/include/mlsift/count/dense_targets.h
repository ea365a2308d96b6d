#ifndef MLSIFT_COUNT_DENSE_TARGETS_H
#define MLSIFT_COUNT_DENSE_TARGETS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "../data/indicators.h"

namespace mlsift {

/// The target indicators of rows, where many rows have many of them. These are bytes, of which many are summed at once;
/// the others are listed by row.
class DenseTargets {
 public:
  DenseTargets() = default;

  explicit DenseTargets(const RowBlock& targets) {
    const std::size_t n = targets.n_rows();
    std::size_t ones = 0;
    for (std::size_t c = 0; c < targets.n_indicators(); ++c) {
      const std::size_t rows = static_cast<std::size_t>(targets.count[c]);
      if (rows * rare <= n) continue;
      columns_.push_back(c);
      ones += rows;
    }
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    width_ = (columns_.size() + chunk * bytes - 1) / (chunk * bytes) * chunk;
    if (ones <= n * width_ || n * width_ * bytes > most_bytes) {
      columns_.clear();
      return;
    }
    bytes_.assign(n * width_, 0);
    std::vector<int> at(targets.n_indicators(), -1);
    for (std::size_t j = 0; j < columns_.size(); ++j) at[columns_[j]] = static_cast<int>(j);
    for (std::size_t row = 0; row < n; ++row) {
      std::uint8_t* const to = reinterpret_cast<std::uint8_t*>(bytes_.data() + row * width_);
      for (const int* c = targets.begin(row); c != targets.end(row); ++c) {
        const int j = at[static_cast<std::size_t>(*c)];
        if (j >= 0) {
          to[j] = 1;
        } else {
          rest_.push_back(*c);
        }
      }
      start_.push_back(rest_.size());
    }
  }

  bool empty() const { return columns_.empty(); }  ///< whether rows have few targets, so that this is of no use

  /// The target indicators of a row that are not dense.
  std::pair<const int*, const int*> others(std::size_t row) const {
    return {rest_.data() + start_[row], rest_.data() + start_[row + 1]};
  }

  /// Adds to `to`, by target indicator, how many of the rows have each.
  void add(const int* begin, const int* end, int* to) const {
    for (const int* row = begin; row != end; ++row) {
      const auto targets = others(static_cast<std::size_t>(*row));
      for (const int* c = targets.first; c != targets.second; ++c) ++to[*c];
    }
    add_dense(begin, end, to);
  }

  /// The same of dense target indicators only.
  void add_dense(const int* begin, const int* end, int* to) const {
    while (begin != end) {
      const int* const last = begin + std::min<std::ptrdiff_t>(end - begin, UINT8_MAX);  // what a byte can count
      for (std::size_t at = 0; at < width_; at += chunk) {
        std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;  // in registers
        for (const int* row = begin; row != last; ++row) {
          const std::uint64_t* const of_row = bytes_.data() + static_cast<std::size_t>(*row) * width_ + at;
          a += of_row[0], b += of_row[1], c += of_row[2], d += of_row[3];
          e += of_row[4], f += of_row[5], g += of_row[6], h += of_row[7];
        }
        const std::uint64_t sum[chunk] = {a, b, c, d, e, f, g, h};
        std::uint8_t count[sizeof sum];
        std::memcpy(count, sum, sizeof sum);
        const std::size_t first = at * sizeof(std::uint64_t), n = std::min(columns_.size() - first, sizeof sum);
        for (std::size_t j = 0; j < n; ++j) to[columns_[first + j]] += count[j];
      }
      begin = last;
    }
  }

 private:
  static constexpr std::size_t chunk = 8;  // words that are summed in registers
  static constexpr std::size_t rare = 6, most_bytes = std::size_t{128} << 20;

  std::vector<std::size_t> columns_;  // the target indicators
  std::size_t width_ = 0;             // words of a row
  std::vector<std::uint64_t> bytes_;  // eight in a word
  std::vector<std::size_t> start_{0};
  std::vector<int> rest_;  // other target indicators: row i has those from start_[i] to start_[i + 1]
};

/// Targets by row, for all that count them.
struct TargetRows : RowBlock {
  DenseTargets dense;  ///< empty where rows have weights

  TargetRows() = default;
  TargetRows(const Indicators& table, std::vector<int> which) : RowBlock(table, std::move(which)) {
    if (table.weights.empty()) dense = DenseTargets(*this);
  }
};

}  // namespace mlsift

#endif
