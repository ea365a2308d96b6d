#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "overlap.h"

namespace mlsift {

/// Macro: the mean of the labels' values that are not NaN (macro F1 is the mean of F1s). Weighted: their mean with
/// weights TP + FN. Micro: from the sums of TP, FP and FN over labels. Labels without known cells are left out.
using LabelBased = OverlapValues;

/// `weight(l)`: of the label.
template <class Weight>
LabelBased mean_of_labels(const Overlap<double>& labels, const OverlapRules& rules, Weight weight) {
  Mean precision, recall, f1, fbeta, specificity;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    if (labels.known[l] == 0) continue;
    const LabelBased one = overlap_values(labels.known[l], labels.truth[l], labels.response[l], labels.both[l], rules);
    precision.add(one.precision, weight(l));
    recall.add(one.recall, weight(l));
    f1.add(one.f1, weight(l));
    fbeta.add(one.fbeta, weight(l));
    specificity.add(one.specificity, weight(l));
  }
  return {precision.value(), recall.value(), f1.value(), fbeta.value(), specificity.value()};
}

inline LabelBased macro_average(const Overlaps& counts, const OverlapRules& rules) {
  return mean_of_labels(counts.labels, rules, [](std::size_t) { return 1; });
}

inline LabelBased micro_average(const Overlaps& counts, const OverlapRules& rules) {
  double truth = 0, response = 0, both = 0;  // exact if there are no weights: integers below 2^53
  for (std::size_t l = 0; l < counts.labels.size(); ++l) {
    truth += counts.labels.truth[l];
    response += counts.labels.response[l];
    both += counts.labels.both[l];
  }
  return overlap_values(counts.n_rows * counts.labels_per_row, truth, response, both, rules);
}

/// The micro average if there is no true label.
inline LabelBased weighted_average(const Overlaps& counts, const OverlapRules& rules) {
  const std::vector<double>& truth = counts.labels.truth;
  if (std::accumulate(truth.begin(), truth.end(), 0.0) == 0) return micro_average(counts, rules);
  return mean_of_labels(counts.labels, rules, [&](std::size_t l) { return truth[l]; });
}

}  // namespace mlsift
