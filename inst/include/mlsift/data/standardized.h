#ifndef MLSIFT_DATA_STANDARDIZED_H
#define MLSIFT_DATA_STANDARDIZED_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numbers.h"

namespace mlsift {

/// How to transform a column of numbers to mean 0 and (population) standard deviation 1.
///
/// Sparse columns stay sparse: only a column without zeros is shifted, by `shift` = its mean. The mean of any other
/// column is in `mean`, for the reader to subtract. With at least one zero among n rows the mean is at most sqrt(n)
/// standard deviations, so subtracting later loses nothing.
struct Standardized {
  double shift = 0, scale = 1, mean = 0;
  bool constant = true;

  double value(double x) const { return (x - shift) / scale; }
};

inline Standardized standardize(const Nonzeros& x, std::size_t n) {
  Standardized result;
  const bool whole = x.size == n;
  if (x.size == 0 || (whole && std::all_of(x.values, x.values + n, [&](double v) { return v == x.values[0]; })))
    return result;
  result.constant = false;
  double largest = 0;
  for (std::size_t i = 0; i < x.size; ++i) largest = std::max(largest, std::fabs(x.values[i]));
  const double unit = square_unit(largest);
  double sum = 0;
  for (std::size_t i = 0; i < x.size; ++i) sum += x.values[i] * unit;
  const double mean = sum / static_cast<double>(n);
  double squares = static_cast<double>(n - x.size) * mean * mean;
  for (std::size_t i = 0; i < x.size; ++i) squares += (x.values[i] * unit - mean) * (x.values[i] * unit - mean);
  result.mean = mean / unit;
  if (whole) result.shift = result.mean;
  const double scale = std::sqrt(squares / static_cast<double>(n)) / unit;
  if (scale > 0) result.scale = scale;
  return result;
}

/// The same, where each row counts as many times as its weight.
template <class Weight>
Standardized standardize(const Nonzeros& x, std::size_t n, const Weight* weights) {
  Standardized result = standardize(x, n);
  if (!weights || result.constant) return result;
  double total = 0, met = 0, mean = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) total += weights[i];
  const auto weight = [&](std::size_t i) { return weights[x.rows[i]] / total; };
  for (std::size_t i = 0; i < x.size; ++i) {
    met += weight(i);
    mean += weight(i) * x.values[i];
  }
  const double unit = 1 / result.scale;
  for (std::size_t i = 0; i < x.size; ++i) {
    const double off = (x.values[i] - mean) * unit;
    squares += weight(i) * off * off;
  }
  if (x.size < n) squares += (1 - met) * (mean * unit) * (mean * unit);
  result.mean = mean;
  if (x.size == n) result.shift = mean;
  if (squares > 0) result.scale = std::sqrt(squares) / unit;
  return result;
}

/// Of all columns.
inline std::vector<Standardized> standardize(const Features& features) {
  NumberReader reader(features.n_rows);
  std::vector<Standardized> result;
  for (const Column& column : features.columns) result.push_back(standardize(reader.read(column), features.n_rows));
  return result;
}

}  // namespace mlsift

#endif
