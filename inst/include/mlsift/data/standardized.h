#pragma once

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
  const RowWeights once(nullptr, n);
  const Center center = center_of(x, n, once);
  Standardized result;
  result.constant = center.constant;
  if (result.constant) return result;
  result.mean = center.mean / center.factor;
  if (x.size == n) result.shift = result.mean;
  const double scale = std::sqrt(squares_of(x, n, once, center) / static_cast<double>(n)) / center.factor;
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
  const double inverse = 1 / result.scale;
  for (std::size_t i = 0; i < x.size; ++i) {
    const double off = (x.values[i] - mean) * inverse;
    squares += weight(i) * off * off;
  }
  if (x.size < n) squares += (1 - met) * (mean * inverse) * (mean * inverse);
  result.mean = mean;
  if (x.size == n) result.shift = mean;
  if (squares > 0) result.scale = std::sqrt(squares) / inverse;
  return result;
}

/// Of all columns.
inline std::vector<Standardized> standardize(const Features& features, const double* weights = nullptr) {
  NumberReader reader(features.n_rows);
  std::vector<Standardized> result;
  for (const Column& column : features.columns) {
    result.push_back(standardize(reader.read(column), features.n_rows, weights));
  }
  return result;
}

}  // namespace mlsift
