#ifndef MLSIFT_COUNT_JOINT_COUNTS_H
#define MLSIFT_COUNT_JOINT_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "joint_rows.h"

namespace mlsift {

/// The cells of a table of two variables of one indicator each, in n rows. `g`: XLogX or XLogXOnDemand.
template <class G>
std::uint64_t four_cells(const G& g, int n, int n_f, int n_s, int n_fs) {
  return g(n_fs) + g(n_f - n_fs) + g(n_s - n_fs) + g(n - n_f - n_s + n_fs);
}

/// The same of all targets together. n_f, n_s, n_fs: rows of f, s and both; f, s, fs: how many of them have each target
/// indicator; null for fs: none.
template <class G>
std::uint64_t four_cells(const G& g, const Block& targets, int n, int n_f, const int* f, int n_s, const int* s,
                         int n_fs, const int* fs) {
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    int rest_f = n_f, rest_s = n_s, rest_fs = n_fs, rest = n;
    for (std::size_t c = targets.first[t]; c < targets.first[t + 1]; ++c) {
      const int both = fs ? fs[c] : 0;
      sum += four_cells(g, targets.count[c], f[c], s[c], both);
      rest_f -= f[c];
      rest_s -= s[c];
      rest_fs -= both;
      rest -= targets.count[c];
    }
    sum += four_cells(g, rest, rest_f, rest_s, rest_fs);
  }
  return sum;
}

/// Sums of n log n over the cells of joint tables (integers of XLogX), which give all informations: with G(A) the sum
/// for A, N H(A) = g(N) - G(A).
///
/// Tables of (f, s) and of (f, s, t) for one variable s against every variable f of a block and every target t. Sums of
/// whole numbers, so every way of counting gives the same bits:
///
/// TableCounts  by rows, with a table of features x targets: cheap where few rows are off the reference levels
/// GroupCounts  by the targets' groups of rows: cheap where targets have very many levels
/// BitCounts    by bit columns: cheap where features and targets have few levels, of any frequency
class JointCounts {
 public:
  static constexpr int all = JointRows::all_features;

  virtual ~JointCounts() = default;

  /// pair[f] = G(f, s) for every f of the block, numbered as in the whole set.
  virtual void pairs(int s, std::uint64_t* pair) = 0;

  /// Calls take(f, G(f, s), sums of `cells`) for every f of the block. `only`: the variable of the block that needs it,
  /// or all; others may get it too.
  virtual void visit(int /*s*/, int /*only*/, const TargetCells&, const TakeSums&) {
    throw std::logic_error("These rows are counted without targets.");
  }

  /// What indicator c of the block counts with each target indicator, or null where that is not kept.
  virtual const int* with_targets(std::size_t) const { return nullptr; }
};

}  // namespace mlsift

#endif
