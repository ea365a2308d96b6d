#ifndef MLSIFT_MODEL_EQUAL_COLUMNS_H
#define MLSIFT_MODEL_EQUAL_COLUMNS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "centered_columns.h"

namespace mlsift {

/// For each unit, the first unit whose column is the same up to sign, or itself if there is none. Blocks of several
/// columns are not compared.
inline std::vector<std::size_t> first_equal_units(const CenteredColumns& x) {
  const std::size_t n = x.n_rows(), units = x.n_units();
  // Equal columns have equal products with any vector. Different columns hardly ever agree on this one.
  std::vector<double> direction(n), key(units, 0.0);
  double state = 0.5, total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    state = std::fmod(state * 997.0 + 0.38196601125010515, 1.0);
    direction[i] = state - 0.5;
    total += direction[i] * x.root(i);
  }
  std::vector<std::size_t> order;
  for (std::size_t u = 0; u < units; ++u) {
    if (x.unit_size(u) != 1) continue;
    const std::size_t j = x.unit_begin(u);
    double product = -x.mean(j) * total;
    x.each(j, [&](std::size_t i, double v) { product += v * direction[i]; });
    key[u] = std::fabs(product) / std::sqrt(x.square(u));
    order.push_back(u);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key[a] < key[b] || (key[a] == key[b] && a < b); });

  std::vector<std::size_t> first(units);
  std::iota(first.begin(), first.end(), std::size_t{0});
  const auto values_of = [&](std::size_t u, std::vector<double>& to) {
    const std::size_t j = x.unit_begin(u);
    to.assign(n, 0.0);
    for (std::size_t i = 0; i < n && !x.dense(j); ++i) to[i] = -x.mean(j) * x.root(i);
    x.each(j, [&](std::size_t i, double v) { to[i] += v; });
  };
  std::vector<double> one, other;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && key[order[end]] - key[order[end - 1]] <= 1e-10) ++end;
    std::vector<std::size_t> near(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                  order.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(near.begin(), near.end());
    for (std::size_t a = 0; a < near.size(); ++a) {
      if (first[near[a]] != near[a]) continue;
      bool read = false;
      for (std::size_t b = a + 1; b < near.size(); ++b) {
        if (first[near[b]] != near[b] || x.square(near[a]) == 0) continue;
        if (std::fabs(x.square(near[b]) / x.square(near[a]) - 1) > 1e-9) continue;
        if (!read) values_of(near[a], one);
        read = true;
        values_of(near[b], other);
        double sum = 0, difference = 0;
        for (std::size_t i = 0; i < n; ++i) {
          sum += (one[i] + other[i]) * (one[i] + other[i]);
          difference += (one[i] - other[i]) * (one[i] - other[i]);
        }
        if (std::min(sum, difference) <= 1e-20 * x.square(near[a])) first[near[b]] = near[a];
      }
    }
    begin = end;
  }
  return first;
}

}  // namespace mlsift

#endif
