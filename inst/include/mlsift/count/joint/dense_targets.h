#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "../../data/indicators.h"
#include "../../data/target_bits.h"

namespace mlsift {

/// The target indicators of rows, where many rows have many of them. These are bits, of which many are counted at once;
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
    TargetBits bits(n, columns_.size());
    if (ones <= n * bits.words() * of_word) {
      columns_.clear();
      return;
    }
    std::vector<int> at(targets.n_indicators(), -1);
    for (std::size_t j = 0; j < columns_.size(); ++j) at[columns_[j]] = static_cast<int>(j);
    for (std::size_t row = 0; row < n; ++row) {
      for (const int* c = targets.begin(row); c != targets.end(row); ++c) {
        const int j = at[static_cast<std::size_t>(*c)];
        if (j >= 0) {
          bits.set(row, static_cast<std::size_t>(j));
        } else {
          rest_.push_back(*c);
        }
      }
      start_.push_back(rest_.size());
    }
    bits_ = std::move(bits);
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
    bits_.count(begin, end, [&](std::size_t j, int n) { to[columns_[j]] += n; });
  }

 private:
  static constexpr std::size_t rare = 6;     // indicators that fewer rows than one in so many have are listed
  static constexpr std::size_t of_word = 8;  // what counting a word costs, in list entries

  std::vector<std::size_t> columns_;  // the target indicators
  TargetBits bits_;
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
