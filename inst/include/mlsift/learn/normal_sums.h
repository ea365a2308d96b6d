#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../data/numbers.h"
#include "../data/standardized.h"
#include "../data/targets.h"

namespace mlsift {

/// The basis of the normal densities of one feature: the sum and the sum of squares of z = (x - shift) / scale over
/// rows. If at least half of the values are 0, the shift is 0 and only nonzeros are visited; otherwise it is the mean.
/// So sums lose no significant digits.
struct NormalSums {
  bool constant = true, from_zero = true;
  double shift = 0, scale = 1;
  double sum = 0, squares = 0;  ///< over all rows

  /// visit(row, z), rows ascending: all rows, or only nonzero ones.
  template <class Visit>
  void visit(const Nonzeros& x, std::size_t n_rows, bool all_rows, Visit visit) const {
    if (!all_rows) {
      for (std::size_t i = 0; i < x.size; ++i) visit(x.rows[i], x.values[i] / scale);
      return;
    }
    const double zero = -shift / scale;
    std::size_t s = 0;
    for (int i = 0; i < static_cast<int>(n_rows); ++i) {
      const bool here = s < x.size && x.rows[s] == i;
      visit(i, here ? (x.values[s++] - shift) / scale : zero);
    }
  }
};

struct Normal {
  double mean = 0, deviation = 1;

  Normal() = default;
  /// For n rows, with denominator n - 1 in the standard deviation, which is at least `least`, also for a single row.
  Normal(double n, double sum, double squares, double least) : mean(sum / n), deviation(0) {
    if (n > 1) deviation = std::sqrt(std::max(0.0, (squares - sum * mean) / (n - 1)));
    deviation = std::max(deviation, least);
  }
};

/// The sums of features over all rows, and over the rows of each label.
struct LabelSums {
  std::vector<NormalSums> all;       ///< by feature; constant if it is not summed
  std::vector<double> sum, squares;  ///< [position among the features summed][label]
};

/// Sums of the features that are not `left_out`. Terms are added in row order.
inline LabelSums sum_by_label(const Features& features, const Targets& labels, std::size_t n_labels,
                              const std::vector<char>& left_out, const int* weights, const Context& context) {
  const std::size_t n = features.n_rows;
  std::vector<std::size_t> columns;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (!left_out[f]) columns.push_back(f);
  }
  LabelSums result;
  result.all.assign(features.size(), {});
  result.sum.assign(columns.size() * n_labels, 0);
  result.squares.assign(columns.size() * n_labels, 0);
  const double per_row = static_cast<double>(labels.ids.size()) / static_cast<double>(n);
  const auto make = [n] { return NumberReader(n); };
  parallel_each(context, columns.size(), stored_values(features) * (2 + per_row), make,
                [&](NumberReader& reader, std::size_t c) {
                  const Nonzeros x = reader.read(features.columns[columns[c]]);
                  const Standardized standard = standardize(x, n, weights);
                  NormalSums& to = result.all[columns[c]];
                  to.constant = standard.constant;
                  if (to.constant) return;
                  to.from_zero = 2 * x.size <= n;
                  to.shift = to.from_zero ? 0 : standard.mean;
                  to.scale = standard.scale;
                  double* sum = result.sum.data() + c * n_labels;
                  double* squares = result.squares.data() + c * n_labels;
                  to.visit(x, n, !to.from_zero, [&](int row, double z) {
                    const std::size_t i = static_cast<std::size_t>(row);
                    const double one = weights ? weights[i] * z : z, square = one * z;
                    to.sum += one;
                    to.squares += square;
                    for (const int* l = labels.begin(i); l != labels.end(i); ++l) {
                      sum[*l] += one;
                      squares[*l] += square;
                    }
                  });
                });
  return result;
}

}  // namespace mlsift
