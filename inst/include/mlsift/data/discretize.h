#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "column.h"

namespace mlsift {

/// The cut between two neighboring values, for intervals closed on the right: the midpoint, but always below the larger
/// one.
inline double cut_between(double below, double above) {
  const double middle = below / 2 + above / 2;
  return middle < above ? std::max(middle, below) : below;
}

/// The values of a column that are not missing, increasing, with how many rows they count for: one value for each row,
/// and one for all zeros that a sparse column omits. `weights`: of the rows, null for 1.
inline std::vector<std::pair<double, std::int64_t>> sorted_values(const Column& column, std::size_t n_rows,
                                                                  const int* weights) {
  using Value = std::pair<double, std::int64_t>;
  std::vector<Value> values;
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  std::int64_t rest =
      weights ? std::accumulate(weights, weights + n_rows, std::int64_t{0}) : static_cast<std::int64_t>(n_rows);
  values.reserve(m + 1);
  for (std::size_t i = 0; i < m; ++i) {
    const int w = weights ? weights[column.sparse() ? static_cast<std::size_t>(column.rows[i]) : i] : 1;
    const double v = column.number(i);
    if (!std::isnan(v)) values.emplace_back(v, w);
    rest -= w;
  }
  if (rest > 0) values.emplace_back(0.0, rest);
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return a.first < b.first; });
  return values;
}

/// What cuts of equal width and cuts at zero depend on. For rows in several pieces, it is merged from the pieces.
struct Spread {
  std::size_t rows = 0, missing = 0;
  std::size_t negative = 0, zero = 0, positive = 0;  ///< rows by the sign of their value; missing ones are not counted
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool whole = true;             ///< whether all values are whole numbers
  std::vector<double> distinct;  ///< the distinct values, increasing, or `most` + 1 of them if there are more

  /// Adds a value that occurs in `times` rows.
  void take(double v, std::size_t most, std::size_t times = 1) {
    if (std::isnan(v)) {
      missing += times;
      return;
    }
    if (v < 0) negative += times;
    if (v == 0) zero += times;
    if (v > 0) positive += times;
    low = std::min(low, v);
    high = std::max(high, v);
    whole = whole && v == std::floor(v);
    see(v, most);
  }

  void join(const Spread& other, std::size_t most) {
    rows += other.rows;
    missing += other.missing;
    negative += other.negative;
    zero += other.zero;
    positive += other.positive;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    whole = whole && other.whole;
    for (const double v : other.distinct) see(v, most);
  }

  template <class Bytes>
  void pass(Bytes& bytes) {
    for (std::size_t* one : {&rows, &missing, &negative, &zero, &positive}) bytes(*one);
    for (double* one : {&low, &high}) bytes(*one);
    bytes(whole);
    bytes(distinct);
  }

 private:
  void see(double v, std::size_t most) {
    if (distinct.size() > most) return;
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), v);
    if (at == distinct.end() || *at != v) distinct.insert(at, v + 0.0);
  }
};

/// `weights`: how many rows each row counts for; null for 1.
inline Spread spread_of(const Column& column, std::size_t n_rows, std::size_t most, const int* weights = nullptr) {
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  const auto times = [&](std::size_t i) {
    return weights ? static_cast<std::size_t>(weights[column.sparse() ? static_cast<std::size_t>(column.rows[i]) : i])
                   : 1;
  };
  Spread spread;
  spread.rows = weights ? std::accumulate(weights, weights + n_rows, std::size_t{0}) : n_rows;
  std::size_t rest = spread.rows;  // that are not stored
  for (std::size_t i = 0, next; i < m; i = next) {
    const double v = column.number(i);
    std::size_t equal = times(i);
    for (next = i + 1; next < m && column.number(next) == v; ++next) equal += times(next);
    spread.take(v, most, equal);
    rest -= equal;
  }
  if (m < n_rows) spread.take(0, most, rest);
  return spread;
}

/// Equal width: cuts min + k (max - min) / bins. With intervals closed on the left, a column with at most `bins`
/// distinct values is only recoded: cuts are midpoints between neighbors. A constant column has no cut. `spread` must
/// have seen more than `bins` distinct values if there are that many.
inline std::vector<double> equal_width_cuts(const Spread& spread, int bins, bool right) {
  const double low = spread.low, high = spread.high;
  if (!(low < high)) return {};
  std::vector<double> cuts;
  if (!right && spread.distinct.size() <= static_cast<std::size_t>(bins)) {
    for (std::size_t i = 1; i < spread.distinct.size(); ++i) {
      const double below = spread.distinct[i - 1], middle = below / 2 + spread.distinct[i] / 2;
      cuts.push_back(middle > below ? middle : spread.distinct[i]);
    }
    return cuts;
  }
  const double span = high - low;
  for (int k = 1; k < bins; ++k) {
    // Where the span overflows, so may its parts.
    cuts.push_back(std::isinf(span) ? low / bins * (bins - k) + high / bins * k : low + k * (span / bins));
  }
  return cuts;
}

/// Separates 0 from the values above and below it, if there are any; for intervals closed on the left. The cut above 0
/// is the smallest positive number, so that no positive value of other rows counts as 0. A column without 0 has no cut.
inline std::vector<double> presence_cuts(const Spread& spread) {
  std::vector<double> cuts;
  if (spread.zero > 0 && spread.negative > 0) cuts.push_back(0.0);
  if (spread.zero > 0 && spread.positive > 0) cuts.push_back(std::numeric_limits<double>::denorm_min());
  return cuts;
}

/// Presence if more than `zero_share` of the rows are 0 (below 0: always, 1: never), otherwise equal width.
inline std::vector<double> auto_cuts(const Spread& spread, int bins, bool right, double zero_share) {
  if (static_cast<double>(spread.zero) > zero_share * static_cast<double>(spread.rows)) return presence_cuts(spread);
  return equal_width_cuts(spread, bins, right);
}

/// Equal frequency: cuts at the sorted values number round(k N / bins), halves up, without duplicates and without the
/// largest. Intervals are closed on the right, so equal values stay together. `weights`: how many rows each row counts
/// for.
inline std::vector<double> equal_frequency_cuts(const Column& column, std::size_t n_rows, int bins,
                                                const int* weights = nullptr) {
  auto values = sorted_values(column, n_rows, weights);
  if (values.empty()) return {};
  std::int64_t n = 0;
  for (auto& value : values) value.second = n += value.second;  // the rows up to this value
  std::vector<double> cuts;
  for (int k = 1; k <= bins; ++k) {
    const double share = std::floor(k * static_cast<double>(n) / bins + 0.5);
    const std::int64_t rank = std::min(std::max<std::int64_t>(1, static_cast<std::int64_t>(share)), n);
    const auto at = std::lower_bound(values.begin(), values.end(), rank,
                                     [](const auto& value, std::int64_t r) { return value.second < r; });
    cuts.push_back(at->first);
  }
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.pop_back();
  return cuts;
}

}  // namespace mlsift
