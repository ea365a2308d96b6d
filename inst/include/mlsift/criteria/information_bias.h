#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../count/counted_rows.h"

namespace mlsift {

/// The expected information of a feature and a target by chance, if only the margins are given and every order of the
/// rows is equally likely. Vinh, Epps & Bailey (2010), JMLR 11:2837-2854, eq. 24a:
///
///   E[I(f; t)] = sum_{v, w} sum_k (k / N) log(N k / (n_v n_w)) P(k),    P hypergeometric with n_v, n_w and N
///
/// cost   up to `most_listed` rows: factorials in memory, a sum over all k; beyond, every h-th k where P is wide.
///        With h a quarter of its standard deviation, that changes the sum by far less than the last bit.
class ChanceInformation {
 public:
  static constexpr std::int64_t most_listed = std::int64_t{1} << 20;

  /// For up to `most` rows.
  explicit ChanceInformation(std::int64_t most)
      : log_factorial_(static_cast<std::size_t>(std::min(most, most_listed)) + 1, 0) {
    long double sum = 0;
    for (std::size_t k = 2; k < log_factorial_.size(); ++k) {
      sum += std::log(static_cast<long double>(k));
      log_factorial_[k] = static_cast<double>(sum);
    }
  }

  /// The inner sum with a and b of n rows, in bits.
  double cell(std::int64_t a, std::int64_t b, std::int64_t n) const {
    if (a > b) std::swap(a, b);
    const std::int64_t least = std::max<std::int64_t>(0, a + b - n), most = a;
    const double expected = static_cast<double>(a) * static_cast<double>(b) / static_cast<double>(n);
    const std::int64_t middle = std::min(most, std::max(least, static_cast<std::int64_t>(expected)));
    if (n > most_listed) {
      const double deviation = std::sqrt(expected * (static_cast<double>(n - a) / static_cast<double>(n)) *
                                         (static_cast<double>(n - b) / static_cast<double>(n)));
      if (deviation >= 64) return sum_wide(a, b, n, expected, static_cast<std::int64_t>(deviation / 4), middle);
    }
    const double at_middle = std::exp(n > most_listed ? log_p(middle, a, b, n)
                                                      : f(a) + f(b) + f(n - a) + f(n - b) - f(n) - f(middle) -
                                                            f(a - middle) - f(b - middle) - f(n - a - b + middle));
    double sum = 0, p = at_middle;
    for (std::int64_t k = middle; k <= most && p > negligible; ++k) {
      sum += p * term(k, n, expected);
      p *= static_cast<double>(a - k) * static_cast<double>(b - k) /
           (static_cast<double>(k + 1) * static_cast<double>(n - a - b + k + 1));
    }
    p = at_middle;
    for (std::int64_t k = middle; k > least && p > negligible; --k) {
      p *= static_cast<double>(k) * static_cast<double>(n - a - b + k) /
           (static_cast<double>(a - k + 1) * static_cast<double>(b - k + 1));
      sum += p * term(k - 1, n, expected);
    }
    return sum;
  }

 private:
  static constexpr double negligible = 1e-25;

  double f(std::int64_t k) const { return log_factorial_[static_cast<std::size_t>(k)]; }

  // The sum over every `step`-th k. Twelve standard deviations from the middle, P is 0, and the ends are farther away.
  double sum_wide(std::int64_t a, std::int64_t b, std::int64_t n, double expected, std::int64_t step,
                  std::int64_t middle) const {
    double sum = 0;
    for (std::int64_t i = -48; i <= 48; ++i) {
      const std::int64_t k = middle + i * step;
      sum += std::exp(log_p(k, a, b, n)) * term(k, n, expected);
    }
    return sum * static_cast<double>(step);
  }

  // log P(k), from terms that are small beside log n!: the parts of log x! that are not x log x - x, and the sum of
  // o log(o / e) over the four cells of the table, observed and expected.
  double log_p(std::int64_t k, std::int64_t a, std::int64_t b, std::int64_t n) const {
    const auto cell = [&](std::int64_t o, std::int64_t row, std::int64_t column) {
      const double e = static_cast<double>(row) * (static_cast<double>(column) / static_cast<double>(n));
      const double u = (static_cast<double>(o) - e) / e;
      return rest(o) + (o == 0 ? e : e * ((1 + u) * std::log1p(u) - u));
    };
    return rest(a) + rest(b) + rest(n - a) + rest(n - b) - rest(n) - cell(k, a, b) - cell(a - k, a, n - b) -
           cell(b - k, n - a, b) - cell(n - a - b + k, n - a, n - b);
  }

  // log x! - (x log x - x), by Stirling's series for large x.
  double rest(std::int64_t k) const {
    const double x = static_cast<double>(k);
    if (k < 64) return k == 0 ? 0 : f(k) - (x * std::log(x) - x);
    return 0.5 * std::log(2 * 3.14159265358979323846 * x) + 1 / (12 * x) - 1 / (360 * x * x * x) +
           1 / (1260 * x * x * x * x * x);
  }

  static double term(std::int64_t k, std::int64_t n, double expected) {
    if (k == 0) return 0;
    return static_cast<double>(k) / static_cast<double>(n) * std::log2(static_cast<double>(k) / expected);
  }

  std::vector<double> log_factorial_;
};

/// sum_t E[I(f; t)] of a feature, in bits, each target on the rows in which it is known.
class ChanceBias {
 public:
  struct Scratch {
    std::unordered_map<std::int64_t, double> of_level;  // n_v -> the sum over all levels of targets
    LevelCells<std::int64_t> cells;
  };

  explicit ChanceBias(const TargetColumns& targets) : t_(targets), chance_(targets.n) {
    for (std::size_t c = 0; c < targets.n_columns(); ++c) ++sides_[targets.count[c]];
    for (const std::int64_t rows : targets.reference) ++sides_[rows];
    sides_.erase(0);
  }

  /// Elementary steps for a feature of two levels, each a sum over some twenty standard deviations.
  double work() const {
    const double terms = 10 * std::sqrt(static_cast<double>(std::min(t_.n, ChanceInformation::most_listed)));
    return 40 * terms * static_cast<double>(t_.all_known() ? sides_.size() : 2 * t_.size());
  }

  double score(const FeatureTable& feature, Scratch& s) const {
    double sum = 0;
    if (t_.all_known()) {
      for (const std::int64_t rows : feature.rows) sum += level(rows, s);
      return sum;
    }
    each_known_cell(t_, feature, s.cells, [&](std::size_t t, int, std::int64_t rows, std::int64_t) {
      if (rows == 0) return;
      const std::int64_t known = t_.known(t), ones = t_.count[t_.first[t]];
      sum += chance_.cell(rows, ones, known) + chance_.cell(rows, known - ones, known);
    });
    return sum;
  }

 private:
  double level(std::int64_t rows, Scratch& s) const {
    const auto found = s.of_level.find(rows);
    if (found != s.of_level.end()) return found->second;
    double sum = 0;
    for (const auto& side : sides_) sum += side.second * chance_.cell(rows, side.first, t_.n);
    return s.of_level[rows] = sum;
  }

  const TargetColumns& t_;
  ChanceInformation chance_;
  std::map<std::int64_t, double> sides_;  // how often a level of a target has so many rows
};

/// The upward bias of the informations of a feature with the targets. Miller (1955), after Madow:
///
///   sum_t (m_ft - m_f - m_t + 1) / (2 N ln 2)
///
/// in bits, with m the number of levels, or cells, that some row has, and each target on the rows in which it is known.
class MillerMadowBias {
 public:
  struct Scratch {
    std::vector<std::int64_t> excess;  // by target
    LevelCells<std::int64_t> cells;
  };

  explicit MillerMadowBias(const TargetColumns& targets) : t_(targets) {
    for (std::size_t t = 0; t < t_.size(); ++t) alone_.push_back(1 - levels(t, t_.n, t_.count.data()));
  }

  double score(const FeatureTable& f, Scratch& s) const {
    s.excess = alone_;
    each_level(t_, f, s.cells, [&](int, std::int64_t rows, const std::int64_t* with) {
      for (std::size_t t = 0; t < t_.size(); ++t) {
        if (t_.known(t, rows, with) > 0) s.excess[t] += levels(t, rows, with) - 1;
      }
    });
    if (t_.all_known()) {
      const double excess = static_cast<double>(std::accumulate(s.excess.begin(), s.excess.end(), std::int64_t{0}));
      return excess / (2 * static_cast<double>(t_.n) * std::log(2.0));
    }
    double sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t)
      sum += static_cast<double>(s.excess[t]) / static_cast<double>(t_.known(t));
    return sum / (2 * std::log(2.0));
  }

 private:
  // How many levels target t has in those of `rows` rows in which it is known, where so many have each column.
  std::int64_t levels(std::size_t t, std::int64_t rows, const std::int64_t* with) const {
    std::int64_t found = 0, rest = t_.known(t, rows, with);
    for (std::size_t c = t_.first[t], end = t_.end_of_levels(t); c < end; ++c) {
      found += with[c] > 0;
      rest -= with[c];
    }
    return found + (rest > 0);
  }

  const TargetColumns& t_;
  std::vector<std::int64_t> alone_;  // by target: 1 - m_t
};

}  // namespace mlsift
