#ifndef MLSIFT_MEASURE_LABEL_BASED_H
#define MLSIFT_MEASURE_LABEL_BASED_H

#include <cstddef>
#include <limits>
#include <numeric>

#include "overlap.h"

namespace mlsift {

/// Precision TP / (TP + FP), recall TP / (TP + FN), F1 2 TP / (2 TP + FP + FN), F-beta (1 + b^2) TP / ((1 + b^2) TP +
/// b^2 FN + FP) and specificity TN / (TN + FP). Macro: the mean of the labels' values (macro F1 is the mean of F1s).
/// Weighted: their mean with weights TP + FN. Micro: from the sums of TP, FP and FN over labels. If TP + FP + FN = 0,
/// the first four have the value `rules.empty` (NaN drops the label); any other zero denominator gives
/// `rules.undefined`. Specificity is NaN if its denominator is 0.
struct LabelBased {
  double precision = 0, recall = 0, f1 = 0, fbeta = 0, specificity = 0;
};

/// Values of one label, or from sums over labels: of `rows` rows (or pairs of row and label), `truth` are true,
/// `response` are predicted, and `both` are both.
inline LabelBased label_values(double rows, double truth, double response, double both, const OverlapRules& rules) {
  const bool nothing = truth + response == 0;
  const double squared = rules.beta * rules.beta, off = rows - truth;
  LabelBased result;
  result.precision = share(both, response, nothing, rules);
  result.recall = share(both, truth, nothing, rules);
  result.f1 = share(2 * both, truth + response, nothing, rules);
  result.fbeta = share((1 + squared) * both, squared * truth + response, nothing, rules);
  result.specificity = off > 0 ? (off - (response - both)) / off : std::numeric_limits<double>::quiet_NaN();
  return result;
}

/// `weight(l)`: of the label; `n`: the number of rows, or the sum of their weights.
template <class Weight>
LabelBased mean_of_labels(const Overlap<double>& labels, double n, const OverlapRules& rules, Weight weight) {
  Mean precision, recall, f1, fbeta, specificity;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const LabelBased one = label_values(n, labels.truth[l], labels.response[l], labels.both[l], rules);
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
  return label_values(n * static_cast<double>(labels.size()), truth, response, both, rules);
}

/// The micro average if there is no true label.
inline LabelBased weighted_average(const Overlap<double>& labels, double n, const OverlapRules& rules) {
  const double total = std::accumulate(labels.truth.begin(), labels.truth.end(), 0.0);
  if (total == 0) return micro_average(labels, n, rules);
  return mean_of_labels(labels, n, rules, [&](std::size_t l) { return labels.truth[l]; });
}

}  // namespace mlsift

#endif
