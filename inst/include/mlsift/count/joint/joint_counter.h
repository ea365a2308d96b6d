#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "../../core/xlogx.h"
#include "../../data/indicators.h"
#include "../joint_rows.h"

namespace mlsift {

/// What rows count for where they are counted, and where n log n of the counts comes from: each row counts once.
struct EachOnce {
  using G = XLogX;
  static constexpr bool weighted = false;

  explicit EachOnce(const Indicators&) {}
  int operator[](std::size_t) const { return 1; }
};

/// The same for rows with weights: a row of weight w counts as w rows. XLogs: XLogX, or XLogXOnDemand where a table of
/// all counts is not worth its time.
template <class XLogs>
struct ByWeight {
  using G = XLogs;
  static constexpr bool weighted = true;

  explicit ByWeight(const Indicators& table) : of_row_(table.weights.data()) {}
  int operator[](std::size_t row) const { return of_row_[row]; }

 private:
  const int* of_row_;
};

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

/// The joint table of one variable f with one variable s, and with s and every target: [level of f][level of s][side],
/// reference levels last. A side is all rows (number 0), or those with a target indicator.
class PairTable {
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

/// Sums of n log n over the cells of joint tables (integers of XLogX), which give all informations: with G(A) the sum
/// for A, N H(A) = g(N) - G(A).
///
/// Tables of (f, s) and of (f, s, t) for one variable s against every variable f of a block and every target t. Sums of
/// whole numbers, so every way of counting gives the same bits:
///
/// RowCounter  by rows, with a table of features x targets: cheap where few rows are off the reference levels
/// GroupCounter  by the targets' groups of rows: cheap where targets have very many levels
/// BitCounter    by bit columns: cheap where features and targets have few levels, of any frequency
class JointCounter {
 public:
  static constexpr int all = JointRows::all_features;

  virtual ~JointCounter() = default;

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
