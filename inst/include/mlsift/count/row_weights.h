#ifndef MLSIFT_COUNT_ROW_WEIGHTS_H
#define MLSIFT_COUNT_ROW_WEIGHTS_H

#include <cstddef>

#include "../core/xlogx.h"
#include "../data/indicators.h"

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

}  // namespace mlsift

#endif
