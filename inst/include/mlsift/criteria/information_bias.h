#ifndef MLSIFT_CRITERIA_INFORMATION_BIAS_H
#define MLSIFT_CRITERIA_INFORMATION_BIAS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../count/count_tables.h"

namespace mlsift {

/// How the targets of a table of counts belong together: a label is a target of its own, with a second level where it
/// is off; a class target has a column for each of its classes.
struct TargetColumns {
  std::vector<std::vector<int>> columns;  ///< of each target
  bool labels = true;                     ///< whether every target is one label
};

/// What the informations of a feature and a target come to by chance, where only the margins are given and every order
/// of the rows is as likely. Vinh, Epps & Bailey (2010), JMLR 11:2837-2854, eq. 24a:
///
///   E[I(f; t)] = sum_{v, w} sum_k (k / N) log(N k / (n_v n_w)) P(k),    P hypergeometric with n_v, n_w and N
class ChanceInformation {
 public:
  explicit ChanceInformation(std::int64_t n) : n_(n), log_factorial_(static_cast<std::size_t>(n) + 1, 0) {
    long double sum = 0;
    for (std::size_t k = 2; k < log_factorial_.size(); ++k) {
      sum += std::log(static_cast<long double>(k));
      log_factorial_[k] = static_cast<double>(sum);
    }
  }

  /// The inner sum, in bits.
  double cell(std::int64_t a, std::int64_t b) const {
    if (a > b) std::swap(a, b);
    const std::int64_t least = std::max<std::int64_t>(0, a + b - n_), most = a;
    const double expected = static_cast<double>(a) * static_cast<double>(b) / static_cast<double>(n_);
    const std::int64_t middle = std::min(most, std::max(least, static_cast<std::int64_t>(expected)));
    const double at_middle = std::exp(f(a) + f(b) + f(n_ - a) + f(n_ - b) - f(n_) - f(middle) - f(a - middle) -
                                      f(b - middle) - f(n_ - a - b + middle));
    double sum = 0, p = at_middle;
    for (std::int64_t k = middle; k <= most && p > negligible; ++k) {
      sum += p * term(k, expected);
      p *= static_cast<double>(a - k) * static_cast<double>(b - k) /
           (static_cast<double>(k + 1) * static_cast<double>(n_ - a - b + k + 1));
    }
    p = at_middle;
    for (std::int64_t k = middle; k > least && p > negligible; --k) {
      p *= static_cast<double>(k) * static_cast<double>(n_ - a - b + k) /
           (static_cast<double>(a - k + 1) * static_cast<double>(b - k + 1));
      sum += p * term(k - 1, expected);
    }
    return sum;
  }

 private:
  static constexpr double negligible = 1e-25;

  double f(std::int64_t k) const { return log_factorial_[static_cast<std::size_t>(k)]; }

  double term(std::int64_t k, double expected) const {
    if (k == 0) return 0;
    return static_cast<double>(k) / static_cast<double>(n_) * std::log2(static_cast<double>(k) / expected);
  }

  std::int64_t n_;
  std::vector<double> log_factorial_;
};

/// sum_t E[I(f; t)] of every feature, in bits.
inline std::vector<double> chance_informations(const CountTables& table, const TargetColumns& targets) {
  std::map<std::int64_t, double> sides;  // how often a level of a target has so many rows
  for (const auto& columns : targets.columns) {
    for (const int c : columns) {
      const std::int64_t rows = table.in_target[static_cast<std::size_t>(c)];
      if (rows > 0) ++sides[rows];
      if (targets.labels && rows < table.n) ++sides[table.n - rows];
    }
  }
  const ChanceInformation chance(table.n);
  std::unordered_map<std::int64_t, double> of_level;  // n_v -> the sum over all levels of targets
  const auto level = [&](std::int64_t rows) {
    const auto found = of_level.find(rows);
    if (found != of_level.end()) return found->second;
    double sum = 0;
    for (const auto& side : sides) sum += side.second * chance.cell(rows, side.first);
    return of_level[rows] = sum;
  };
  std::vector<double> result;
  for (std::size_t f = 0; f < table.size(); ++f) {
    double sum = 0;
    for (std::size_t v = table.slot[f]; v < table.slot[f + 1]; ++v) {
      if (table.in_level[v] > 0) sum += level(table.in_level[v]);
    }
    result.push_back(sum);
  }
  return result;
}

/// What the informations of every feature with the targets are too large by. Miller (1955), after Madow:
///
///   sum_t (m_ft - m_f - m_t + 1) / (2 N ln 2)
///
/// in bits, with m the number of levels, or cells, that some row has.
inline std::vector<double> miller_madow_biases(const CountTables& table, const TargetColumns& targets) {
  std::vector<int> target_of(table.in_target.size(), -1);
  for (std::size_t t = 0; t < targets.columns.size(); ++t) {
    for (const int c : targets.columns[t]) target_of[static_cast<std::size_t>(c)] = static_cast<int>(t);
  }
  std::vector<double> result;
  std::vector<std::int64_t> rest;
  for (std::size_t f = 0; f < table.size(); ++f) {
    const std::size_t implied = table.slot[f] + static_cast<std::size_t>(table.levels[f].implied);
    rest = table.in_target;
    std::int64_t levels = 0, cells = 0;
    const auto take = [&](std::int64_t rows, std::int64_t in_level) {
      cells += rows > 0;
      // Rows without the label are a cell too.
      if (targets.labels) cells += rows < in_level;
    };
    for (std::size_t v = table.slot[f]; v < table.slot[f + 1]; ++v) {
      if (table.in_level[v] == 0) continue;
      ++levels;
      if (v == implied) continue;
      std::int64_t met = 0;
      for (std::size_t c = table.cell[v]; c < table.cell[v + 1]; ++c) {
        const std::size_t l = static_cast<std::size_t>(table.target[c]);
        rest[l] -= table.count[c];
        if (target_of[l] < 0) continue;
        ++met;
        take(table.count[c], table.in_level[v]);
      }
      if (targets.labels) cells += static_cast<std::int64_t>(targets.columns.size()) - met;
    }
    std::int64_t target_levels = 0;
    for (const auto& columns : targets.columns) {
      for (const int c : columns) {
        const std::int64_t rows = table.in_target[static_cast<std::size_t>(c)];
        target_levels += rows > 0;
        if (targets.labels) target_levels += rows < table.n;
        if (table.in_level[implied] > 0) take(rest[static_cast<std::size_t>(c)], table.in_level[implied]);
      }
    }
    const std::int64_t q = static_cast<std::int64_t>(targets.columns.size());
    const double excess = static_cast<double>(cells - q * levels - target_levels + q);
    result.push_back(excess / (2 * static_cast<double>(table.n) * std::log(2.0)));
  }
  return result;
}

}  // namespace mlsift

#endif
