#ifndef MLSIFT_COUNT_SIDE_TABLE_H
#define MLSIFT_COUNT_SIDE_TABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "target_cells.h"

namespace mlsift {

/// The joint table of one variable f with one variable s, and with s and every target: [level of f][level of s][side],
/// reference levels last. A side is all rows (number 0), or those with a target indicator.
class SideTable {
 public:
  /// For `e` and `levels` indicators of f and s.
  void resize(std::size_t e, std::size_t levels, std::size_t sides) {
    e_ = e, levels_ = levels, sides_ = sides;
    n_.resize((e + 1) * row());
  }

  std::size_t row() const { return (levels_ + 1) * sides_; }  ///< numbers for each level of f
  int* data() { return n_.data(); }

  /// Fills in the reference levels. `of_s`: [level of s][side]; `of_f`: [indicator of f][side].
  void complete(const int* of_s, const int* of_f) {
    int* const reference = n_.data() + e_ * row();
    std::copy(of_s, of_s + row(), reference);
    for (std::size_t v = 0; v < e_; ++v) {
      int* const n = n_.data() + v * row();
      int* const rest = n + levels_ * sides_;
      std::copy_n(of_f + v * sides_, sides_, rest);
      for (std::size_t u = 0; u < levels_; ++u) {
        for (std::size_t j = 0; j < sides_; ++j) rest[j] -= n[u * sides_ + j];
      }
      for (std::size_t c = 0; c < row(); ++c) reference[c] -= n[c];
    }
  }

  /// G(f, s). Adds the sums of `cells` unless null.
  template <class G>
  std::uint64_t sum(const G& g, const TargetCells* cells, std::uint64_t* sums) const {
    std::uint64_t pair = 0;
    for (const int* cell = n_.data(); cell != n_.data() + n_.size(); cell += sides_) {
      pair += g(*cell);
      if (cells) cells->add(*cell, cell + 1, sums);
    }
    return pair;
  }

 private:
  std::size_t e_ = 0, levels_ = 0, sides_ = 1;
  std::vector<int> n_;
};

}  // namespace mlsift

#endif
