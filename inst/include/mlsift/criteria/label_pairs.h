#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/xlogx.h"
#include "../count/target_columns.h"
#include "../data/pair_columns.h"

namespace mlsift {

/// What a criterion takes from the pairs of labels.
enum class PairSum { interaction, given, sum, largest };

/// Labels and their pairs as the target columns of counted rows, see pair_column(), for criteria that need them with
/// each feature. G is the sum of n log n over the cells of a table. Counts are at most 2^31 - 1.
///
/// XLogs  XLogX, or XLogXOnDemand where rows are many
template <class XLogs>
class LabelPairs {
 protected:
  LabelPairs(const TargetColumns& columns, const XLogs& xlogx)
      : columns_(columns), g_(xlogx), q_(labels_in_pairs(columns.size())) {}

  int n() const { return static_cast<int>(columns_.n); }
  int meet(std::size_t l, std::size_t m) const { return static_cast<int>(columns_.count[pair_column(l, m)]); }
  int count(std::size_t l) const { return meet(l, l); }

  /// What the labels alone count, where all columns count so much.
  void take_single(const int* with, std::vector<int>& single) const {
    single.resize(q_);
    for (std::size_t l = 0; l < q_; ++l) single[l] = with[pair_column(l, l)];
  }

  /// G of two labels among n rows, of which n_l and n_m carry the one and the other, and `both` both.
  std::uint64_t four(int both, int n_l, int n_m, int n) const {
    return g_(both) + g_(n_l - both) + g_(n_m - both) + g_(n - n_l - n_m + both);
  }

  const TargetColumns& columns_;
  const XLogs& g_;
  std::size_t q_;
};

}  // namespace mlsift
