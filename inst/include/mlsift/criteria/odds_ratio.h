#ifndef MLSIFT_CRITERIA_ODDS_RATIO_H
#define MLSIFT_CRITERIA_ODDS_RATIO_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "../data/targets.h"

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
class OddsRatio {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    std::vector<int> count, met;
    std::vector<double> best;
  };

  OddsRatio(const Targets& labels, double h, bool raw, bool by_prior)
      : labels_(labels), h_(h), raw_(raw), by_prior_(by_prior) {}

  double score(const Column& column, Scratch& scratch) const {
    const LevelRows& feature = scratch.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    const std::size_t q = labels_.count.size();
    scratch.count.assign(q, 0);
    scratch.met.assign(q, 0);
    scratch.best.assign(q, raw_ ? 0 : -1);
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      count_classes(feature.begin(v), feature.end(v), labels_, scratch.count.data());
      for (std::size_t l = 0; l < q; ++l) scratch.met[l] += scratch.count[l];
      take_level(feature, v, scratch.count, scratch.best);
      std::fill(scratch.count.begin(), scratch.count.end(), 0);
    }
    for (std::size_t l = 0; l < q; ++l) scratch.count[l] = labels_.count[l] - scratch.met[l];
    take_level(feature, feature.reference, scratch.count, scratch.best);
    return total(scratch.best);
  }

  double work(const Features& features) const {
    const double per_row = static_cast<double>(labels_.ids.size()) / static_cast<double>(features.n_rows);
    return stored_values(features) * (1 + per_row) + 40.0 * static_cast<double>(features.size() * labels_.count.size());
  }

 private:
  void take_level(const LevelRows& feature, int v, const std::vector<int>& a, std::vector<double>& best) const {
    if (feature.n_levels() == 2 && v == 0) return;  // the higher of two levels says it all
    const double n = static_cast<double>(labels_.n_rows());
    const double n_v = feature.count[static_cast<std::size_t>(v)];
    for (std::size_t l = 0; l < a.size(); ++l) {
      const double a_l = a[l], n_l = labels_.count[l];
      const double ratio = (a_l + h_) * (n - n_v - n_l + a_l + h_) / ((n_v - a_l + h_) * (n_l - a_l + h_));
      best[l] = std::max(best[l], raw_ ? ratio : std::fabs(std::log(ratio)));
    }
  }

  double total(const std::vector<double>& best) const {
    const double n = static_cast<double>(labels_.n_rows());
    double sum = 0;
    for (std::size_t l = 0; l < best.size(); ++l) {
      const double n_l = labels_.count[l];
      if (n_l == 0 || n_l == n) continue;
      sum += by_prior_ ? best[l] * n_l / n : best[l];
    }
    return sum;
  }

  const Targets& labels_;
  double h_;
  bool raw_, by_prior_;
};

}  // namespace mlsift

#endif
