#ifndef MLSIFT_COUNT_JOINT_H
#define MLSIFT_COUNT_JOINT_H

#include <cstdint>

#include "../core/xlogx.h"
#include "../data/indicators.h"

namespace mlsift {

/// Sums of n log n over the cells of joint tables (XLogX units), from which all informations follow: with G(A) the sum
/// for A, N H(A) = g(N) - G(A).
///
/// Tables of (f, s) and of (f, s, t) for one variable s against every variable f of a block and every target t. Without
/// s (s < 0) they are tables of f and of (f, t). Sums of whole numbers, so every way of counting gives the same bits:
///
/// TableCounts  by rows, with a table of features x targets: cheap where few rows are off the reference levels
/// GroupCounts  by the targets' groups of rows: cheap where targets have many levels
/// BitCounts    by bit columns: cheap where features and targets have few levels, of any frequency
class JointCounts {
 public:
  virtual ~JointCounts() = default;

  /// pair[f] = G(f, s) for every f of the block, numbered as in the whole set.
  virtual void pairs(int s, std::uint64_t* pair) = 0;

  /// The same, and triple[f] = sum over targets t of G(f, s, t); each[f * targets + t] = G(f, s, t) unless null.
  virtual void triples(int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) = 0;
};

/// The sums over the cells of some rows with every target.
class TargetCells {
 public:
  TargetCells(const Block& targets, const XLogX& g) : t_(targets), g_(g), one_each_(t_.n_indicators() == t_.size()) {}

  bool one_each() const { return one_each_; }  ///< whether all targets have one indicator (they vary)

  /// Of n rows in which the target indicators count `with`. each[t]: grows by what target t adds, unless null.
  std::uint64_t operator()(const int* with, int n, std::uint64_t* each) const {
    if (n == 0) return 0;
    if (one_each_ && !each) return of_two(with, n);
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int rest = n;
      std::uint64_t cells = 0;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        cells += g_(with[c]);
        rest -= with[c];
      }
      cells += g_(rest);
      if (each) each[t] += cells;
      sum += cells;
    }
    return sum;
  }

 private:
  std::uint64_t of_two(const int* with, int n) const {
    const std::uint64_t g_n = g_(n);
    std::uint64_t sum = g_n * t_.size();
    for (std::size_t t = 0; t < t_.size(); ++t) {
      if (with[t] != 0) sum += g_(with[t]) + g_(n - with[t]) - g_n;
    }
    return sum;
  }

  const Block& t_;
  const XLogX& g_;
  bool one_each_;
};

}  // namespace mlsift

#endif
