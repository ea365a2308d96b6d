#ifndef MLSIFT_CRITERIA_ODDS_RATIO_H
#define MLSIFT_CRITERIA_ODDS_RATIO_H

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
    std::vector<std::int64_t> ones, missing;            // by label, in one level
    std::vector<std::int64_t> rest_ones, rest_missing;  // in the reference level
    std::vector<int> levels, lowest;                    // by label: how many occur where it is known, and the first
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
    if (!l_.all_known()) {
      of_known_levels(feature, s);
    } else if (feature.n_levels() == 2) {
      of_higher_level(feature, s);
    } else {
      each_level(feature, s, [&](int v, const std::vector<std::int64_t>& ones, const std::vector<std::int64_t>&) {
        const double n_v = static_cast<double>(feature.rows[static_cast<std::size_t>(v)]);
        for (std::size_t l = 0; l < q; ++l) take(l, n_v, ones[l], s);
      });
    }
    for (std::size_t l = 0; l < q; ++l) {
      const double n_l = static_cast<double>(ones_[l]);
      if (n_l == 0 || n_l == known_[l] || (!l_.all_known() && s.levels[l] < 2)) s.best[l] = 0;
      if (o_.by_prior) s.best[l] = s.best[l] * n_l / known_[l];
    }
  }

 private:
  double least() const { return o_.raw ? 0 : -1; }

  // Of two levels the higher one says it all.
  void of_higher_level(const FeatureTable& f, Scratch& s) const {
    const double n_v = static_cast<double>(f.rows[1]);
    const int off = 1 - f.reference;
    std::size_t i = f.begin(off);
    for (std::size_t l = 0; l < l_.size(); ++l) {
      const bool met = i < f.end(off) && f.column[i] == static_cast<int>(l);
      const std::int64_t in_off = met ? f.count[i++] : 0;
      take(l, n_v, off == 1 ? in_off : ones_[l] - in_off, s);
    }
  }

  void of_known_levels(const FeatureTable& f, Scratch& s) const {
    find_levels(f, s);
    each_level(f, s, [&](int v, const std::vector<std::int64_t>& ones, const std::vector<std::int64_t>& missing) {
      for (std::size_t l = 0; l < l_.size(); ++l) {
        const std::int64_t n_v = f.rows[static_cast<std::size_t>(v)] - missing[l];
        if (n_v > 0 && !(s.levels[l] == 2 && v == s.lowest[l])) take(l, static_cast<double>(n_v), ones[l], s);
      }
    });
  }

  void find_levels(const FeatureTable& f, Scratch& s) const {
    s.levels.assign(l_.size(), 0);
    s.lowest.assign(l_.size(), f.n_levels());
    each_level(f, s, [&](int v, const std::vector<std::int64_t>&, const std::vector<std::int64_t>& missing) {
      for (std::size_t l = 0; l < l_.size(); ++l) {
        if (f.rows[static_cast<std::size_t>(v)] == missing[l]) continue;
        ++s.levels[l];
        s.lowest[l] = std::min(s.lowest[l], v);
      }
    });
  }

  // Calls take(level, rows with each label, rows in which it is not known) for all levels, the reference last.
  template <class Take>
  void each_level(const FeatureTable& f, Scratch& s, Take take) const {
    const std::size_t q = l_.size();
    s.rest_ones = ones_;
    s.rest_missing.resize(l_.all_known() ? 0 : q);
    for (std::size_t l = 0; l < s.rest_missing.size(); ++l) s.rest_missing[l] = l_.n - l_.known(l);
    for (int v = 0; v < f.n_levels(); ++v) {
      if (v == f.reference) continue;
      s.ones.assign(q, 0);
      s.missing.assign(s.rest_missing.size(), 0);
      std::size_t l = 0;
      for (std::size_t i = f.begin(v); i < f.end(v); ++i) {
        const std::size_t c = static_cast<std::size_t>(f.column[i]);
        while (c >= l_.first[l + 1]) ++l;
        const bool one = c == l_.first[l];
        (one ? s.ones : s.missing)[l] = f.count[i];
        (one ? s.rest_ones : s.rest_missing)[l] -= f.count[i];
      }
      take(v, s.ones, s.missing);
    }
    take(f.reference, s.rest_ones, s.rest_missing);
  }

  void take(std::size_t l, double n_v, std::int64_t ones, Scratch& s) const {
    const double n_l = static_cast<double>(ones_[l]);
    s.best[l] = std::max(s.best[l], of_level(known_[l], n_v, n_l, static_cast<double>(ones)));
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

#endif
