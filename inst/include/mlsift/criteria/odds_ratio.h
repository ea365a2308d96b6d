#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../count/counted_rows.h"

namespace mlsift {

/// BR+OR, summed odds ratio. Chen, Huang, Tian & Qu (2009), Expert Syst. Appl. 36:5432-5435:
///
///   J(f) = sum_l w_l |log OR(f, l)|,    OR = (a + h)(e + h) / ((b + h)(c + h))
///
/// a, b, c, e   rows with (f, l) = (1, 1), (1, 0), (0, 1), (0, 0); h is added to every table
/// raw          OR itself instead of |log OR|
/// w_l          1, or n_l / N
/// levels       more than two: for each label the largest term of any level against the rest. Of two levels the higher
///              one is "present".
/// edge         constant features and labels add nothing
/// unknown      a label that is unknown in some rows is evaluated on the rows, and their levels, in which it is known
class OddsRatio {
 public:
  struct Options {
    double h = 0.5;
    bool raw = false, by_prior = false;
  };

  struct Scratch {
    LevelCells<std::int64_t> cells;
    std::vector<int> levels, lowest;  // by label: how many occur where it is known, and the first
    std::vector<double> best;
  };

  OddsRatio(const TargetColumns& labels, const Options& options) : l_(labels), o_(options) {
    for (std::size_t l = 0; l < l_.size(); ++l) {
      known_.push_back(static_cast<double>(l_.known(l)));
      ones_.push_back(l_.count[l_.first[l]]);
    }
  }

  double score(const FeatureTable& feature, Scratch& s) const {
    by_target(feature, s);
    double sum = 0;
    for (const double one : s.best) sum += one;
    return sum;
  }

  /// s.best[l] = the score of the feature for label l alone.
  void by_target(const FeatureTable& feature, Scratch& s) const {
    const std::size_t q = l_.size();
    s.best.assign(q, feature.n_levels() == 1 ? 0 : least());
    if (feature.n_levels() == 1) return;
    find_levels(feature, s);
    each_known_cell(l_, feature, s.cells, [&](std::size_t l, int v, std::int64_t rows, std::int64_t ones) {
      if (rows == 0 || (s.levels[l] == 2 && v == s.lowest[l])) return;  // of two levels the higher one says it all
      const double n_l = static_cast<double>(ones_[l]),
                   term = of_level(known_[l], static_cast<double>(rows), n_l, static_cast<double>(ones));
      s.best[l] = std::max(s.best[l], term);
    });
    for (std::size_t l = 0; l < q; ++l) {
      const double n_l = static_cast<double>(ones_[l]);
      if (n_l == 0 || n_l == known_[l] || s.levels[l] < 2) s.best[l] = 0;
      if (o_.by_prior) s.best[l] = s.best[l] * n_l / known_[l];
    }
  }

 private:
  double least() const { return o_.raw ? 0 : -1; }

  void find_levels(const FeatureTable& f, Scratch& s) const {
    s.levels.assign(l_.size(), f.n_levels());
    s.lowest.assign(l_.size(), 0);
    if (l_.all_known()) return;
    s.levels.assign(l_.size(), 0);
    s.lowest.assign(l_.size(), f.n_levels());
    each_known_cell(l_, f, s.cells, [&](std::size_t l, int v, std::int64_t rows, std::int64_t) {
      if (rows == 0) return;
      ++s.levels[l];
      s.lowest[l] = std::min(s.lowest[l], v);
    });
  }

  // The term of a level with n_v of n rows and a label with n_l rows, a_l of them at the level.
  double of_level(double n, double n_v, double n_l, double a_l) const {
    const double h = o_.h, ratio = (a_l + h) * (n - n_v - n_l + a_l + h) / ((n_v - a_l + h) * (n_l - a_l + h));
    return o_.raw ? ratio : std::fabs(std::log(ratio));
  }

  const TargetColumns& l_;
  Options o_;
  std::vector<double> known_;       // by label: rows in which it is known
  std::vector<std::int64_t> ones_;  // rows with it
};

}  // namespace mlsift
