#pragma once

#include <cstddef>
#include <vector>

namespace mlsift {

/// The penalty of
///   1/2 ||E - X W||^2 + group * sum_u weight_u ||W_u|| + ridge / 2 ||W||^2,
/// where a unit u is a row of W, or several rows whose columns of X are orthogonal and of equal length.
struct RowPenalty {
  double group = 0, ridge = 0;
};

/// The units of a working set, and what they are fitted to.
struct WorkingUnits {
  std::size_t targets = 0;
  std::vector<std::size_t> start;      ///< the first column of each unit, then the number of columns
  std::vector<double> square, weight;  ///< by unit
  std::vector<double> goal;            ///< X'E, columns x targets
  double target_squares = 0;           ///< ||E||^2

  std::size_t n_units() const { return square.size(); }
  std::size_t n_columns() const { return start.back(); }
};

}  // namespace mlsift
