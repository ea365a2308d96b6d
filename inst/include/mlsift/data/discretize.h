#ifndef MLSIFT_DATA_DISCRETIZE_H
#define MLSIFT_DATA_DISCRETIZE_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "column.h"

namespace mlsift {

/// The values of a continuous column that are not missing, with how often 0 stands for rows that a sparse one leaves
/// out.
inline std::vector<double> present_values(const Column& column, std::size_t n_rows) {
  std::vector<double> values;
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  for (std::size_t i = 0; i < m; ++i) {
    const double v = column.number(i);
    if (!std::isnan(v)) values.push_back(v);
  }
  if (column.sparse()) values.insert(values.end(), n_rows - m, 0.0);
  return values;
}

/// Equal width: cuts min + k (max - min) / bins. With intervals closed on the left, a column of at most `bins`
/// different values is only recoded: cuts half-way between neighbors. A constant column has no cut.
inline std::vector<double> equal_width_cuts(const Column& column, std::size_t n_rows, int bins, bool right) {
  const std::vector<double> values = present_values(column, n_rows);
  if (values.empty()) return {};
  const auto range = std::minmax_element(values.begin(), values.end());
  const double low = *range.first, high = *range.second;
  if (low == high) return {};
  std::vector<double> cuts;
  if (!right) {
    std::vector<double> distinct;
    for (const double v : values) {
      if (std::find(distinct.begin(), distinct.end(), v) == distinct.end()) distinct.push_back(v);
      if (distinct.size() > static_cast<std::size_t>(bins)) break;
    }
    if (distinct.size() <= static_cast<std::size_t>(bins)) {
      std::sort(distinct.begin(), distinct.end());
      for (std::size_t i = 1; i < distinct.size(); ++i) {
        const double middle = distinct[i - 1] / 2 + distinct[i] / 2;
        cuts.push_back(middle > distinct[i - 1] ? middle : distinct[i]);
      }
      return cuts;
    }
  }
  const double span = high - low;
  const double width = std::isinf(span) ? high / bins - low / bins : span / bins;
  for (int k = 1; k < bins; ++k) cuts.push_back(low + k * width);
  return cuts;
}

/// Equal frequency: cuts at the sorted values number round(k N / bins), halves up, each once and without the
/// largest; intervals closed on the right, so equal values stay together.
inline std::vector<double> equal_frequency_cuts(const Column& column, std::size_t n_rows, int bins) {
  std::vector<double> values = present_values(column, n_rows);
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  std::vector<double> cuts;
  const double n = static_cast<double>(values.size());
  for (int k = 1; k <= bins; ++k) {
    const std::size_t rank = std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(k * n / bins + 0.5)));
    cuts.push_back(values[std::min(rank, values.size()) - 1]);
  }
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.pop_back();
  return cuts;
}

}  // namespace mlsift

#endif
