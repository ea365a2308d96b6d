#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../core/exact_sum.h"
#include "../core/parallel.h"
#include "overlap.h"

namespace mlsift {

/// A measure of predicted labels as the weighted mean, over units, of a value of their counts. One unit of all cells:
/// micro measures and Hamming loss. Labels: macro measures, or weighted by their true rows. Rows: example-based ones.
struct UnitMean {
  enum class Unit { micro, macro, weighted, example } unit;
  enum class Value { precision, recall, f1, fbeta, specificity, jaccard, exact, right } value;
  OverlapRules rules;

  double of(double cells, double truth, double response, double both) const {
    if (value == Value::exact) return truth == both && response == both ? 1 : 0;
    if (value == Value::right) return 1 - (truth + response - 2 * both) / cells;
    const OverlapValues all = overlap_values(cells, truth, response, both, rules);
    const double shares[] = {all.precision, all.recall, all.f1, all.fbeta, all.specificity, all.jaccard};
    return shares[static_cast<std::size_t>(value)];
  }
};

/// The mean over units while labels are predicted one by one. Sums are exact, so that no order of cells matters.
class UnitMeans {
 public:
  UnitMeans(const int* truth, std::size_t n, std::size_t q, const UnitMean& mean, const Weights& weights)
      : n_(n), mean_(mean), weights_(weights) {
    units_.resize(mean.unit == UnitMean::Unit::example ? n : mean.unit == UnitMean::Unit::micro ? 1 : q);
    for (std::size_t c = 0; c < n * q; ++c) {
      if (truth[c] < 0) continue;
      unit(c).cells += weight(c);
      unit(c).truth += weight(c) * truth[c];
    }
    double largest = 0;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      units_[u].weight = mean.unit == UnitMean::Unit::weighted  ? units_[u].truth
                         : mean.unit == UnitMean::Unit::example ? weights[u]
                                                                : 1;
      if (units_[u].cells == 0) units_[u].weight = 0;
      largest = std::max(largest, units_[u].weight);
    }
    for (Unit& one : units_) {
      one.weight /= largest;
      enter(one);
    }
  }

  /// Predicts the label of cell c, whose truth is `on`.
  void predict(std::size_t c, int on) {
    Unit& one = unit(c);
    sum_ -= one.value;
    total_ -= one.counted;
    one.response += weight(c);
    one.both += on * weight(c);
    enter(one);
  }

  double value() const { return sum_.value() / total_.value(); }

 private:
  struct Unit {
    double weight = 0, cells = 0, truth = 0, response = 0, both = 0;
    ExactSum value, counted;  // what it adds to the sums
  };

  Unit& unit(std::size_t c) {
    return units_[mean_.unit == UnitMean::Unit::micro ? 0 : mean_.unit == UnitMean::Unit::example ? c % n_ : c / n_];
  }

  // Labels and cells are counted by the weights of rows; rows have theirs as units.
  double weight(std::size_t c) const { return mean_.unit == UnitMean::Unit::example ? 1 : weights_.of_cell(c); }

  void enter(Unit& one) {
    const double value = one.weight > 0 ? mean_.of(one.cells, one.truth, one.response, one.both) : 0;
    const bool defined = !std::isnan(value);
    one.value = ExactSum(defined ? one.weight * value : 0);
    one.counted = ExactSum(defined ? one.weight : 0);
    sum_ += one.value;
    total_ += one.counted;
  }

  std::size_t n_;
  const UnitMean& mean_;
  const Weights& weights_;
  std::vector<Unit> units_;
  ExactSum sum_, total_;
};

/// The threshold t for which the predicted labels [score >= t] have the largest mean, among all cuts between scores.
/// `truth`, `score`: n x q by column; a negative truth is unknown.
///
/// value  midway between the two scores that it separates, which differ by more than 1e-10 of their size; infinite: no
///        label is predicted, or all are
/// ties   of equal means, up to 1e-12, the largest threshold
/// edge   no true label: infinite. All labels true: minus infinite. Nothing known: 0.5. A cut whose mean is not defined
///        is not taken.
/// cost   n q log(n q)
inline double best_threshold(const int* truth, const double* score, std::size_t n, std::size_t q, const UnitMean& mean,
                             const Weights& weights) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> cells;
  bool some_on = false, some_off = false;
  for (std::size_t c = 0; c < n * q; ++c) {
    if (truth[c] < 0) continue;
    cells.push_back(c);
    (truth[c] ? some_on : some_off) = true;
  }
  if (cells.empty()) return 0.5;
  if (!some_on || !some_off) return some_on ? -infinite : infinite;
  std::sort(cells.begin(), cells.end(),
            [&](std::size_t a, std::size_t b) { return score[a] > score[b] || (score[a] == score[b] && a < b); });
  UnitMeans means(truth, n, q, mean, weights);
  double best = means.value(), threshold = infinite;
  for (std::size_t i = 0; i < cells.size();) {
    const double high = score[cells[i]];
    for (; i < cells.size() && score[cells[i]] == high; ++i) means.predict(cells[i], truth[cells[i]]);
    const double low = i < cells.size() ? score[cells[i]] : -infinite;
    if (high - low <= 1e-10 * std::fabs(high)) continue;
    const double value = means.value();
    if (std::isnan(value) || value <= best + 1e-12) continue;
    best = value;
    threshold = low / 2 + high / 2;
  }
  return threshold;
}

/// The best threshold of all labels together or, `by_label`, of each alone.
inline std::vector<double> best_thresholds(const int* truth, const double* score, std::size_t n, std::size_t q,
                                           const UnitMean& mean, bool by_label, const Weights& weights,
                                           const Context& context) {
  if (!by_label) return {best_threshold(truth, score, n, q, mean, weights)};
  std::vector<double> result(q);
  const double work = 100.0 * static_cast<double>(n) * static_cast<double>(q);
  parallel_each(context, q, work,
                [&](std::size_t l) { result[l] = best_threshold(truth + l * n, score + l * n, n, 1, mean, weights); });
  return result;
}

}  // namespace mlsift
