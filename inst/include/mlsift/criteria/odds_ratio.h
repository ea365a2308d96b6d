#ifndef MLSIFT_CRITERIA_ODDS_RATIO_H
#define MLSIFT_CRITERIA_ODDS_RATIO_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "../count/count_tables.h"
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
struct OddsRatioTerms {
  double h = 0.5;
  bool raw = false, by_prior = false;

  double least() const { return raw ? 0 : -1; }

  /// The term of a level with n_v of n rows and a label with n_l rows, a_l of them at the level.
  double term(double n, double n_v, double n_l, double a_l) const {
    const double ratio = (a_l + h) * (n - n_v - n_l + a_l + h) / ((n_v - a_l + h) * (n_l - a_l + h));
    return raw ? ratio : std::fabs(std::log(ratio));
  }

  /// The largest terms of the labels, summed.
  template <class Count>
  double total(const std::vector<double>& best, double n, const std::vector<Count>& label_rows) const {
    double sum = 0;
    for (std::size_t l = 0; l < best.size(); ++l) {
      const double n_l = static_cast<double>(label_rows[l]);
      if (n_l == 0 || n_l == n) continue;
      sum += by_prior ? best[l] * n_l / n : best[l];
    }
    return sum;
  }
};

class OddsRatio {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    std::vector<int> count, met;
    std::vector<double> best;
  };

  OddsRatio(const Targets& labels, const OddsRatioTerms& terms) : labels_(labels), terms_(terms) {}

  double score(const Column& column, Scratch& scratch) const {
    const LevelRows& feature = scratch.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    const std::size_t q = labels_.count.size();
    scratch.count.assign(q, 0);
    scratch.met.assign(q, 0);
    scratch.best.assign(q, terms_.least());
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      count_classes(feature.begin(v), feature.end(v), labels_, scratch.count.data());
      for (std::size_t l = 0; l < q; ++l) scratch.met[l] += scratch.count[l];
      take_level(feature, v, scratch.count, scratch.best);
      std::fill(scratch.count.begin(), scratch.count.end(), 0);
    }
    for (std::size_t l = 0; l < q; ++l) scratch.count[l] = labels_.count[l] - scratch.met[l];
    take_level(feature, feature.reference, scratch.count, scratch.best);
    return terms_.total(scratch.best, static_cast<double>(labels_.n_rows()), labels_.count);
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
    for (std::size_t l = 0; l < a.size(); ++l) best[l] = std::max(best[l], terms_.term(n, n_v, labels_.count[l], a[l]));
  }

  const Targets& labels_;
  OddsRatioTerms terms_;
};

/// The same scores, bit for bit, from a table of counts.
inline std::vector<double> odds_ratio_scores(const CountSource& source, const OddsRatioTerms& terms) {
  const CountTables table = source.targets();
  const double n = static_cast<double>(table.n);
  const std::size_t q = table.in_target.size();
  std::vector<double> scores, best(q);
  std::vector<std::int64_t> count(q), rest(q);
  for (std::size_t f = 0; f < table.size(); ++f) {
    const std::size_t implied = table.slot[f] + static_cast<std::size_t>(table.levels[f].implied);
    std::vector<std::size_t> occurring;
    for (std::size_t v = table.slot[f]; v < table.slot[f + 1]; ++v) {
      if (table.in_level[v] > 0) occurring.push_back(v);
    }
    best.assign(q, terms.least());
    rest = table.in_target;
    const auto take = [&](std::size_t v, const std::vector<std::int64_t>& a) {
      if (occurring.size() == 2 && v == occurring[0]) return;
      for (std::size_t l = 0; l < q; ++l) {
        best[l] = std::max(best[l], terms.term(n, static_cast<double>(table.in_level[v]),
                                               static_cast<double>(table.in_target[l]), static_cast<double>(a[l])));
      }
    };
    for (const std::size_t v : occurring) {
      if (v == implied) continue;
      count.assign(q, 0);
      for (std::size_t c = table.cell[v]; c < table.cell[v + 1]; ++c) {
        const std::size_t l = static_cast<std::size_t>(table.target[c]);
        count[l] = table.count[c];
        rest[l] -= table.count[c];
      }
      take(v, count);
    }
    if (table.in_level[implied] > 0) take(implied, rest);
    scores.push_back(occurring.size() < 2 ? 0 : terms.total(best, n, table.in_target));
  }
  return scores;
}

}  // namespace mlsift

#endif
