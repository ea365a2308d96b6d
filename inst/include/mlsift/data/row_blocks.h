#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "column.h"
#include "partition.h"
#include "targets.h"

// Signs that rows belong together: equal rows, and a column within whose values most features do not vary.

namespace mlsift {

/// For each row the first row with the same values in all columns, which may be itself, told by hashes of 64 bits. A
/// missing value is a value.
inline std::vector<int> first_equal_rows(const Features& features) {
  const std::vector<std::uint64_t> hash = row_hashes(features);
  std::unordered_map<std::uint64_t, int> seen;
  seen.reserve(features.n_rows);
  std::vector<int> first(features.n_rows);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = seen.emplace(hash[i], static_cast<int>(i)).first->second;
  return first;
}

/// How many rows would repeat earlier ones if columns were independent, about: the expected number of n rows less that
/// of different ones, with the chances of rows that occur.
inline double repeats_by_chance(const Features& features) {
  const std::size_t n = features.n_rows;
  const double rows = static_cast<double>(n);
  std::vector<double> log_chance(n);
  double log_zeros = 0;
  std::unordered_map<std::uint64_t, double> count;
  for (const Column& column : features.columns) {
    const std::size_t m = column.sparse() ? column.stored : n;
    count.clear();
    if (m < n) count[0] = static_cast<double>(n - m);
    for (std::size_t i = 0; i < m; ++i) ++count[partition_detail::bits_of(column.number(i))];
    for (auto& one : count) one.second = std::log(one.second / rows);
    const double zero = m < n ? count[0] : 0;  // of the rows that are not stored
    log_zeros += zero;
    for (std::size_t i = 0; i < m; ++i) {
      log_chance[column.sparse() ? static_cast<std::size_t>(column.rows[i]) : i] +=
          count[partition_detail::bits_of(column.number(i))] - zero;
    }
  }
  double repeats = 0;
  for (const double log_one : log_chance) {
    const double expected = rows * std::exp(log_one + log_zeros);
    repeats += expected < 1e-6 ? expected / 2 : 1 + std::expm1(-expected) / expected;
  }
  return repeats;
}

/// Rows by the values of a column that may say which rows belong together.
class GroupedRows {
 public:
  /// Whether the column holds levels or whole numbers, at least 3 of them, each of which has 3 rows or more on average,
  /// and is missing, or a number 0, in no more than half of the rows.
  bool group(const Column& column, std::size_t n_rows) {
    if (column.pattern || (column.sparse() && 2 * column.stored < n_rows)) return false;
    numbers_.clear();
    of_row_.assign(n_rows, column.sparse() ? 0 : -1);
    const std::size_t m = column.sparse() ? column.stored : n_rows;
    if (m < n_rows) numbers_[0] = 0;
    std::size_t zeros = n_rows - m, missing = 0;
    double last = std::nan("");
    int number = -1;
    for (std::size_t i = 0; i < m; ++i) {
      const double value = column.number(i);
      int& of_row = of_row_[column.sparse() ? static_cast<std::size_t>(column.rows[i]) : i];
      if (std::isnan(value)) {
        of_row = -1;
        ++missing;
        continue;
      }
      if (value != last) {
        if (value != std::floor(value)) return false;
        number = numbers_.emplace(value, static_cast<int>(numbers_.size())).first->second;
        if (3 * numbers_.size() > n_rows) return false;
        last = value;
      }
      zeros += value == 0;
      of_row = number;
    }
    n_known_ = n_rows - missing;
    if (numbers_.size() < 3 || 3 * numbers_.size() > n_known_ || 2 * n_known_ < n_rows) return false;
    if (!column.category && 2 * zeros > n_rows) return false;
    rows_ = targets_of(size(), n_rows, [&](std::size_t i, auto take) {
      if (of_row_[i] >= 0) take(of_row_[i]);
    });
    return true;
  }

  std::size_t size() const { return numbers_.size(); }
  std::size_t n_known() const { return n_known_; }  ///< rows that are in a group
  int of_row(std::size_t i) const { return of_row_[i]; }
  const int* begin(std::size_t g) const { return rows_.begin(g); }
  const int* end(std::size_t g) const { return rows_.end(g); }

 private:
  std::unordered_map<double, int> numbers_;  // of the values
  std::vector<int> of_row_;                  // -1 for none
  Targets rows_;                             // of each group, as if they were classes of it
  std::size_t n_known_ = 0;
};

/// How much columns vary, as sums of squares about the mean, of which those of categories are summed over their
/// indicators. Missing values are left out.
class Spreads {
 public:
  explicit Spreads(const Features& features) : features_(features), all_(features.size(), Sum{-1, 0}) {}

  /// Whether a column varies at all.
  bool varies(std::size_t f) { return all(f).squares > 0; }

  /// Whether no more than 5 % of the variance of a column are within groups. Groups of one row say nothing: both
  /// variances are divided by their degrees of freedom.
  bool is_of_groups(std::size_t f, const GroupedRows& groups) {
    const double most = 0.05 * all(f).squares / all(f).freedom;
    const Sum within = features_.columns[f].sparse() ? sparse_within(f, groups) : dense_within(f, groups, most);
    return within.freedom > 0 && within.squares <= most * within.freedom;
  }

 private:
  struct Sum {
    double squares, freedom;
  };

  const Sum& all(std::size_t f) {
    Sum& sum = all_[f];
    if (sum.squares >= 0) return sum;
    const Column& column = features_.columns[f];
    const std::size_t n = features_.n_rows;
    if (column.sparse()) {
      double total = 0, squares = 0, known = static_cast<double>(n);
      for (std::size_t i = 0; i < column.stored; ++i) {
        const double v = column.number(i);
        if (std::isnan(v)) {
          --known;
        } else {
          total += v;
          squares += v * v;
        }
      }
      sum = {known > 0 ? std::fmax(0, squares - total * total / known) : 0, known - 1};
    } else {
      rows_.resize(n);
      std::iota(rows_.begin(), rows_.end(), 0);
      sum = about_mean(f, rows_.data(), rows_.data() + n);
    }
    return sum;
  }

  // Numbers may stop where the sum is above `enough`.
  Sum about_mean(std::size_t f, const int* begin, const int* end,
                 double enough = std::numeric_limits<double>::infinity()) {
    return features_.columns[f].category ? of_levels(f, begin, end) : of_numbers(f, begin, end, enough);
  }

  // About the first value, so that equal values give exactly 0.
  Sum of_numbers(std::size_t f, const int* begin, const int* end, double enough) const {
    const Column& column = features_.columns[f];
    double first = 0, total = 0, squares = 0, known = 0;
    for (; begin != end; ++begin) {
      const double v = column.number(static_cast<std::size_t>(*begin));
      if (std::isnan(v)) continue;
      if (known++ == 0) first = v;
      total += v - first;
      squares += (v - first) * (v - first);
      if (squares > enough && squares - total * total / known > enough) break;
    }
    return {known > 0 ? std::fmax(0, squares - total * total / known) : 0, known - 1};
  }

  Sum of_levels(std::size_t f, const int* begin, const int* end) {
    const int* const codes = features_.columns[f].ints;
    double squares = 0, known = 0;
    for (const int* at = begin; at != end; ++at) {
      const int level = codes[*at];
      if (level == int_missing) continue;
      if (static_cast<std::size_t>(level) >= count_.size()) count_.resize(static_cast<std::size_t>(level) + 1, 0);
      squares += 2 * count_[static_cast<std::size_t>(level)]++ + 1;
      ++known;
    }
    for (const int* at = begin; at != end; ++at) {
      if (codes[*at] != int_missing) count_[static_cast<std::size_t>(codes[*at])] = 0;
    }
    return {known > 0 ? known - squares / known : 0, known - 1};
  }

  // Stops where more than `most` for each degree of freedom is certain.
  Sum dense_within(std::size_t f, const GroupedRows& groups, double most) {
    const double enough = most * static_cast<double>(groups.n_known());
    Sum within{0, 0};
    for (std::size_t g = 0; g < groups.size() && within.squares <= enough; ++g) {
      const Sum one = about_mean(f, groups.begin(g), groups.end(g), enough - within.squares);
      if (one.freedom < 0) continue;
      within.squares += one.squares;
      within.freedom += one.freedom;
    }
    return within;
  }

  Sum sparse_within(std::size_t f, const GroupedRows& groups) {
    const Column& column = features_.columns[f];
    total_.assign(groups.size(), 0);
    missing_.assign(groups.size(), 0);
    double squares = 0;
    for (std::size_t i = 0; i < column.stored; ++i) {
      const int group = groups.of_row(static_cast<std::size_t>(column.rows[i]));
      if (group < 0) continue;
      const double v = column.number(i);
      if (std::isnan(v)) {
        ++missing_[static_cast<std::size_t>(group)];
      } else {
        total_[static_cast<std::size_t>(group)] += v;
        squares += v * v;
      }
    }
    Sum within{squares, 0};
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double known = static_cast<double>(groups.end(g) - groups.begin(g)) - missing_[g];
      if (known == 0) continue;
      within.squares -= total_[g] * total_[g] / known;
      within.freedom += known - 1;
    }
    return within;
  }

  const Features& features_;
  std::vector<Sum> all_;  // squares below 0: not known yet
  std::vector<int> rows_;
  std::vector<double> count_, total_, missing_;
};

/// A column within whose values more than half of the features that vary are constant or nearly so.
struct RowBlocks {
  int column = -1;  ///< -1 for none
  std::size_t n_groups = 0, n_within = 0, n_varying = 0;
};

/// The column of `by` with the most such features, and of several the one with the fewest values. `own`: whether `by`
/// are the features themselves.
inline RowBlocks row_blocks(const Features& features, const Features& by, bool own) {
  const std::size_t d = features.size();
  // Features in an order that soon has some of all parts, to tell early that a column is no such one.
  std::size_t step = 1 + static_cast<std::size_t>(0.618 * static_cast<double>(d));
  const auto divisor = [](std::size_t a, std::size_t b) {
    while (b > 0) {
      const std::size_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  };
  while (divisor(step, d) != 1) ++step;
  Spreads spreads(features);
  GroupedRows groups;
  RowBlocks best;
  for (std::size_t c = 0; c < by.size(); ++c) {
    if (!groups.group(by.columns[c], by.n_rows)) continue;
    std::size_t within = 0, others = 0;
    bool open = true;
    for (std::size_t i = 0, f = 0; i < d && open; ++i, f = (f + step) % d) {
      if ((own && f == c) || !spreads.varies(f)) continue;
      ++(spreads.is_of_groups(f, groups) ? within : others);
      open = 2 * others < d && (others < 48 || others < 3 * within);
    }
    if (!open || within <= others) continue;
    if (within < best.n_within || (within == best.n_within && groups.size() >= best.n_groups)) continue;
    best = {static_cast<int>(c), groups.size(), within, within + others};
  }
  return best;
}

}  // namespace mlsift
