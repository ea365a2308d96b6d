#ifndef MLSIFT_COUNT_SIDE_TABLE_H
#define MLSIFT_COUNT_SIDE_TABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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

  /// As in JointCounts, of f. `cells`: TargetCells or OtherCells. Without targets when `triple` is null.
  template <class Cells, class G>
  void sums(Cells& cells, const G& g, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) const {
    std::uint64_t two = 0, three = 0;
    if (triple) {
      cells.start(1);
      each = cells.sums_of(0, each);
    }
    for (const int* cell = n_.data(); cell != n_.data() + n_.size(); cell += sides_) {
      two += g(*cell);
      if (triple) three += cells(cell + 1, *cell, each);
    }
    *pair = two;
    if (triple) *triple = three + cells.total(each);
  }

 private:
  std::size_t e_ = 0, levels_ = 0, sides_ = 1;
  std::vector<int> n_;
};

}  // namespace mlsift

#endif
