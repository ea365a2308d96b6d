#ifndef MLSIFT_MEASURE_LABEL_BASED_H
#define MLSIFT_MEASURE_LABEL_BASED_H

#include <cstddef>
#include <numeric>

#include "overlap.h"

namespace mlsift {

/// Macro: the mean of the labels' values that are not NaN (macro F1 is the mean of F1s). Weighted: their mean with
/// weights TP + FN. Micro: from the sums of TP, FP and FN over labels.
using LabelBased = OverlapValues;

/// `weight(l)`: of the label; `n`: the number of rows, or the sum of their weights.
template <class Weight>
LabelBased mean_of_labels(const Overlap<double>& labels, double n, const OverlapRules& rules, Weight weight) {
  Mean precision, recall, f1, fbeta, specificity;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const LabelBased one = overlap_values(n, labels.truth[l], labels.response[l], labels.both[l], rules);
    precision.add(one.precision, weight(l));
    recall.add(one.recall, weight(l));
    f1.add(one.f1, weight(l));
    fbeta.add(one.fbeta, weight(l));
    specificity.add(one.specificity, weight(l));
  }
  return {precision.value(), recall.value(), f1.value(), fbeta.value(), specificity.value()};
}

inline LabelBased macro_average(const Overlap<double>& labels, double n, const OverlapRules& rules) {
  return mean_of_labels(labels, n, rules, [](std::size_t) { return 1; });
}

inline LabelBased micro_average(const Overlap<double>& labels, double n, const OverlapRules& rules) {
  double truth = 0, response = 0, both = 0;  // exact if there are no weights: integers below 2^53
  for (std::size_t l = 0; l < labels.size(); ++l) {
    truth += labels.truth[l];
    response += labels.response[l];
    both += labels.both[l];
  }
  return overlap_values(n * static_cast<double>(labels.size()), truth, response, both, rules);
}

/// The micro average if there is no true label.
inline LabelBased weighted_average(const Overlap<double>& labels, double n, const OverlapRules& rules) {
  const double total = std::accumulate(labels.truth.begin(), labels.truth.end(), 0.0);
  if (total == 0) return micro_average(labels, n, rules);
  return mean_of_labels(labels, n, rules, [&](std::size_t l) { return labels.truth[l]; });
}

}  // namespace mlsift

#endif
