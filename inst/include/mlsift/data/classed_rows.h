#ifndef MLSIFT_DATA_CLASSED_ROWS_H
#define MLSIFT_DATA_CLASSED_ROWS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numbers.h"

namespace mlsift {

/// Some rows of the features, as numbers row by row, and the class of each: for searches that look at many features of
/// few rows. Memory: 8 bytes a number, sparse or not.
struct ClassedRows {
  std::size_t n = 0, d = 0;
  std::vector<double> value;              ///< row i: value[i d] .. value[i d + d - 1]
  std::vector<double> deviation;          ///< population standard deviation, by feature; 0: constant on these rows
  std::vector<int> class_of;              ///< from 0
  std::vector<std::vector<int>> members;  ///< rows of each class, ascending

  bool varies(int f) const { return deviation[static_cast<std::size_t>(f)] > 0; }
  double at(std::size_t row, std::size_t f) const { return value[row * d + f]; }

  std::vector<double> column(std::size_t f) const {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = at(i, f);
    return result;
  }
};

namespace detail {

// The numbers of a column in `rows`.
inline void read_rows(const Column& column, const std::vector<int>& rows, std::vector<double>& whole,
                      std::vector<double>& values) {
  if (column.sparse()) {
    std::fill(whole.begin(), whole.end(), 0.0);
    for (std::size_t s = 0; s < column.stored; ++s) whole[static_cast<std::size_t>(column.rows[s])] = column.reals[s];
  }
  const double* from = column.sparse() ? whole.data() : column.reals;
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = from[rows[i]];
}

inline double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double v : values) result = std::max(result, std::fabs(v));
  return result;
}

// Mean and population standard deviation; exactly 0 where all values are equal.
inline void moments(const std::vector<double>& values, double& mean, double& deviation) {
  const double n = static_cast<double>(values.size());
  mean = deviation = 0;
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; })) return;
  for (const double v : values) mean += v / n;
  for (const double v : values) deviation += (v - mean) * (v - mean) / n;
  deviation = std::sqrt(deviation);
}

}  // namespace detail

/// `rows` of the features (numbers all), with their classes 0 .. n_classes - 1. `zscore`: less the mean, divided by the
/// population standard deviation of these rows. `noise`: empty, or a number for each row and feature, by columns, of
/// which 1e-10 standard deviations are added. Constant features are 0.
inline ClassedRows classed_rows(const Features& features, const std::vector<int>& rows,
                                const std::vector<int>& class_of, int n_classes, bool zscore, const double* noise) {
  ClassedRows result;
  result.n = rows.size();
  result.d = features.size();
  result.value.assign(result.n * result.d, 0.0);
  result.class_of = class_of;
  result.members.resize(static_cast<std::size_t>(n_classes));
  for (std::size_t i = 0; i < result.n; ++i)
    result.members[static_cast<std::size_t>(class_of[i])].push_back(static_cast<int>(i));
  std::vector<double> whole(features.n_rows), values(result.n);
  double most = 0;  // distances add features up as they stand, so one unit must serve all
  if (!zscore) {
    for (const Column& column : features.columns) {
      detail::read_rows(column, rows, whole, values);
      most = std::max(most, detail::largest(values));
    }
  }
  for (std::size_t f = 0; f < result.d; ++f) {
    detail::read_rows(features.columns[f], rows, whole, values);
    const double unit = square_unit(zscore ? detail::largest(values) : most);
    for (double& v : values) v *= unit;
    double mean, deviation;
    detail::moments(values, mean, deviation);
    result.deviation.push_back(deviation / unit);
    if (!(deviation > 0)) continue;
    for (std::size_t i = 0; i < result.n; ++i) {
      double v = zscore ? (values[i] - mean) / deviation : values[i];
      if (noise) v += 1e-10 * (zscore ? 1 : deviation) * noise[f * result.n + i];
      result.value[i * result.d + f] = v;
    }
  }
  return result;
}

/// Whether a column varies in `rows`, and most of them have a value that more than `times` of the others have too.
inline bool repeats(const Column& column, std::size_t n_rows, const std::vector<int>& rows, std::size_t times) {
  std::vector<double> whole(n_rows), values(rows.size());
  detail::read_rows(column, rows, whole, values);
  std::sort(values.begin(), values.end());
  std::size_t repeated = 0, begin = 0;
  for (std::size_t i = 1; i <= values.size(); ++i) {
    if (i < values.size() && values[i] == values[begin]) continue;
    if (i - begin > times + 1) repeated += i - begin;
    begin = i;
  }
  return values.front() < values.back() && 2 * repeated > values.size();
}

}  // namespace mlsift

#endif
