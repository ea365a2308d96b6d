#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <vector>

#include "centered_columns.h"

namespace mlsift {

namespace detail {

// For each unit of one column, the size of its product, at length 1, with a fixed vector. Equal columns have the same.
// Different columns hardly ever do.
inline std::vector<double> column_keys(const CenteredColumns& x) {
  std::vector<double> direction(x.n_rows()), key(x.n_units(), 0.0);
  double state = 0.5, total = 0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    state = std::fmod(state * 997.0 + 0.38196601125010515, 1.0);
    direction[i] = state - 0.5;
    total += direction[i] * x.root(i);
  }
  for (std::size_t u = 0; u < key.size(); ++u) {
    if (x.unit_size(u) != 1) continue;
    const std::size_t j = x.unit_begin(u);
    double product = -x.mean(j) * total;
    x.each(j, [&](std::size_t i, double v) { product += v * direction[i]; });
    key[u] = std::fabs(product) / std::sqrt(x.square(u));
  }
  return key;
}

inline void read_column(const CenteredColumns& x, std::size_t j, std::vector<double>& to) {
  to.assign(x.n_rows(), 0.0);
  for (std::size_t i = 0; i < to.size() && !x.dense(j); ++i) to[i] = -x.mean(j) * x.root(i);
  x.each(j, [&](std::size_t i, double v) { to[i] += v; });
}

inline bool equal_up_to_sign(const std::vector<double>& a, const std::vector<double>& b, double square) {
  double sum = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (a[i] + b[i]) * (a[i] + b[i]);
    difference += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return std::min(sum, difference) <= 1e-20 * square;
}

// Sets first[u] for those of these units, ascending, whose column equals that of an earlier one of them.
inline void compare_units(const CenteredColumns& x, const std::vector<std::size_t>& units,
                          std::vector<std::size_t>& first) {
  std::vector<double> one, other;
  for (std::size_t a = 0; a < units.size(); ++a) {
    const std::size_t u = units[a];
    const double square = x.square(u);
    if (first[u] != u || square == 0) continue;
    one.clear();
    for (std::size_t b = a + 1; b < units.size(); ++b) {
      const std::size_t v = units[b];
      if (first[v] != v || std::fabs(x.square(v) / square - 1) > 1e-9) continue;
      if (one.empty()) read_column(x, x.unit_begin(u), one);
      read_column(x, x.unit_begin(v), other);
      if (equal_up_to_sign(one, other, square)) first[v] = u;
    }
  }
}

}  // namespace detail

/// For each unit, the first unit whose column is the same up to sign, or itself if there is none. Blocks of several
/// columns are not compared.
inline std::vector<std::size_t> first_equal_units(const CenteredColumns& x) {
  const std::vector<double> key = detail::column_keys(x);
  std::vector<std::size_t> first(x.n_units()), order;
  std::iota(first.begin(), first.end(), std::size_t{0});
  std::copy_if(first.begin(), first.end(), std::back_inserter(order),
               [&](std::size_t u) { return x.unit_size(u) == 1; });
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key[a] < key[b] || (key[a] == key[b] && a < b); });
  for (auto begin = order.begin(), end = begin; begin != order.end(); begin = end) {
    for (++end; end != order.end() && key[*end] - key[end[-1]] <= 1e-10;) ++end;
    std::vector<std::size_t> near(begin, end);
    std::sort(near.begin(), near.end());
    detail::compare_units(x, near, first);
  }
  return first;
}

}  // namespace mlsift
