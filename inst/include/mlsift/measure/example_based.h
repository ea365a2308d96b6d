#pragma once

#include "overlap.h"

namespace mlsift {

/// Measures of a bipartition, row by row. Lambda is the true set of a row, Lambda' the predicted one.
///
///   hamming loss     |Lambda triangle Lambda'| / q         jaccard    |both| / |Lambda union Lambda'|
///   subset accuracy  [Lambda = Lambda']                    precision  |both| / |Lambda'|
///   f1               2 |both| / (|Lambda| + |Lambda'|)     recall     |both| / |Lambda|
///   f-beta           (1 + b^2) |both| / (b^2 |Lambda| + |Lambda'|),   b: `rules.beta`
///
/// Weighted means over the rows in which some label is known, added up in row order. With unknown labels, the sets are
/// those of the known labels of a row, and hamming loss is the weighted share of all known cells that are wrong. A row
/// with nothing true and nothing predicted has the value `rules.empty` in the last five; any other zero denominator
/// gives `rules.undefined`.
struct ExampleBased {
  double hamming_loss = 0, subset_accuracy = 0, jaccard = 0, precision = 0, recall = 0, f1 = 0, fbeta = 0;
};

inline ExampleBased example_based(const Overlaps& counts, const OverlapRules& rules, const Weights& weights = {}) {
  const Overlap<int>& rows = counts.rows;
  double wrong = 0, exact = 0;
  Mean jaccard, precision, recall, f1, fbeta;
  const double squared = rules.beta * rules.beta;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.known[i] == 0) continue;
    const int truth = rows.truth[i], response = rows.response[i], both = rows.both[i];
    const double weight = weights[i];
    wrong += weight * (truth + response - 2 * both);
    exact += truth == both && response == both ? weight : 0;
    const OverlapValues one = overlap_values(rows.known[i], truth, response, both, rules);
    jaccard.add(one.jaccard, weight);
    precision.add(one.precision, weight);
    recall.add(one.recall, weight);
    f1.add(one.f1, weight);
    if (squared > 0) fbeta.add(one.fbeta, weight);
  }
  ExampleBased result;
  result.hamming_loss = wrong / counts.n_rows / counts.labels_per_row;
  result.subset_accuracy = exact / counts.n_rows;
  result.jaccard = jaccard.value();
  result.precision = precision.value();
  result.recall = recall.value();
  const double p = result.precision, r = result.recall;
  result.f1 = rules.f1_of_means ? 2 * p * r / (p + r) : f1.value();
  result.fbeta = rules.f1_of_means ? (1 + squared) * p * r / (squared * p + r) : fbeta.value();
  return result;
}

}  // namespace mlsift
