#pragma once

#include "../core/parallel.h"
#include "../data/column.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

namespace detail {

// The sum of |a - b| times `factor` over all pairs of rows; for a nominal column, the number of pairs that differ.
// `stored` is sorted here. Each gap between neighboring values counts once for every pair that it separates, so nothing
// cancels, and zeros give the same bits whether they are stored or not.
inline double sum_over_pairs(std::vector<double>& stored, std::size_t n, bool nominal, double factor) {
  std::sort(stored.begin(), stored.end());
  std::size_t zeros = n - stored.size(), below = 0, at = 0;
  double sum = 0, last = 0;
  while (below < n) {
    const bool zero = zeros > 0 && (at == stored.size() || stored[at] >= 0);
    const double value = zero ? 0 : stored[at];
    if (below > 0) {
      const double apart = static_cast<double>(below) * static_cast<double>(n - below);
      if (!nominal) sum += (value - last) * factor * apart;
    }
    std::size_t equal = zero ? zeros : 0;
    for (; at < stored.size() && stored[at] == value; ++at) ++equal;
    if (zero) zeros = 0;
    if (nominal) sum += static_cast<double>(below) * static_cast<double>(equal);
    below += equal;
    last = value;
  }
  return sum;
}

}  // namespace detail

/// The mean distance over all pairs of rows, where distances are sums over features as in Relief (AbsoluteTerms). It is
/// computed from sorted columns, in O(n log n) for each, without computing any distance. Columns hold real numbers.
inline double mean_distance(const Context& context, const Features& x, const std::vector<char>& nominal,
                            const std::vector<double>& factor) {
  const double n = static_cast<double>(x.n_rows);
  double sum = 0;
  std::vector<double> stored;
  Poll poll(context);
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Column& column = x.columns[f];
    stored.assign(column.reals, column.reals + (column.sparse() ? column.stored : x.n_rows));
    sum += detail::sum_over_pairs(stored, x.n_rows, nominal[f] != 0, factor[f]);
    poll(f, x.size());
  }
  return sum / (n * (n - 1) / 2);
}

}  // namespace mlsift
