#ifndef MLSIFT_DATA_DISCRETIZE_H
#define MLSIFT_DATA_DISCRETIZE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "column.h"

namespace mlsift {

/// The cut between two neighboring values, for intervals closed on the right: half-way, but never at or above the
/// larger one.
inline double cut_between(double below, double above) {
  const double middle = below / 2 + above / 2;
  return middle < above ? std::max(middle, below) : below;
}

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

/// Rows whose value is below, at and above 0; missing ones are in none.
struct Signs {
  std::size_t negative = 0, zero = 0, positive = 0;
};

inline Signs signs_of(const Column& column, std::size_t n_rows) {
  Signs signs;
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  for (std::size_t i = 0; i < m; ++i) {
    const double v = column.number(i);
    signs.negative += v < 0;
    signs.zero += v == 0;
    signs.positive += v > 0;
  }
  if (column.sparse()) signs.zero += n_rows - m;
  return signs;
}

/// Separates 0 from what lies above it and from what lies below it, where there is such; for intervals closed on the
/// left. The cut above 0 is the smallest positive number, so that no positive value of other rows counts as 0. A column
/// without 0 has no cut.
inline std::vector<double> presence_cuts(const Signs& signs) {
  std::vector<double> cuts;
  if (signs.zero > 0 && signs.negative > 0) cuts.push_back(0.0);
  if (signs.zero > 0 && signs.positive > 0) cuts.push_back(std::numeric_limits<double>::denorm_min());
  return cuts;
}

/// Presence where 0 is the value of more than `zero_share` of the rows, otherwise equal width, closed on the left.
inline std::vector<double> auto_cuts(const Column& column, std::size_t n_rows, int bins, double zero_share) {
  const Signs signs = signs_of(column, n_rows);
  if (static_cast<double>(signs.zero) > zero_share * static_cast<double>(n_rows)) return presence_cuts(signs);
  return equal_width_cuts(column, n_rows, bins, false);
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
