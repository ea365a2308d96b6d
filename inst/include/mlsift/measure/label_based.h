#ifndef MLSIFT_MEASURE_LABEL_BASED_H
#define MLSIFT_MEASURE_LABEL_BASED_H

#include "overlap.h"

namespace mlsift {

/// Precision TP / (TP + FP), recall TP / (TP + FN) and F1 2 TP / (2 TP + FP + FN). Macro: the mean of the
/// labels' values (macro F1 is the mean of F1s). Micro: of the sums of TP, FP and FN over labels. Where
/// TP + FP + FN = 0 the value is `rules.empty` (NaN drops the label); any other empty denominator gives 0.
struct LabelBased {
  double precision = 0, recall = 0, f1 = 0;
};

inline LabelBased macro_average(const Overlap& labels, const OverlapRules& rules) {
  Mean precision, recall, f1;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const int truth = labels.truth[l], response = labels.response[l], both = labels.both[l];
    const bool nothing = truth + response == 0;
    precision.add(share(both, response, nothing, rules));
    recall.add(share(both, truth, nothing, rules));
    f1.add(share(2.0 * both, static_cast<double>(truth) + response, nothing, rules));
  }
  return {precision.value(), recall.value(), f1.value()};
}

inline LabelBased micro_average(const Overlap& labels, const OverlapRules& rules) {
  double truth = 0, response = 0, both = 0;  // exact, as all counts are whole numbers below 2^53
  for (std::size_t l = 0; l < labels.size(); ++l) {
    truth += labels.truth[l];
    response += labels.response[l];
    both += labels.both[l];
  }
  const bool nothing = truth + response == 0;
  return {share(both, response, nothing, rules), share(both, truth, nothing, rules),
          share(2 * both, truth + response, nothing, rules)};
}

}  // namespace mlsift

#endif
