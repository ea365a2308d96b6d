#ifndef MLSIFT_SRC_ROWS_H
#define MLSIFT_SRC_ROWS_H

#include "convert.h"

#include <mlsift/count/rows_in_memory.h>
#include <mlsift/count/weighted_counts.h>

#include <memory>

namespace mlsift_glue {

// The targets that vary. `y`: labels, codes of classes, or list(values, unknown): labels and a pattern of the cells in
// which they are not known.
inline mlsift::Indicators varying_targets(SEXP y) {
  if (TYPEOF(y) != VECSXP) return mlsift::varying_indicators_of(features_of(y));
  const Rcpp::List both(y);
  return mlsift::known_indicators_of(labels_of(both["values"]), labels_of(both["unknown"]));
}

// Rows in memory as a source of joint counts. `y`: as in varying_targets(); `weights`: of the rows, or NULL; the rest
// as in rows_in_memory().
inline std::unique_ptr<mlsift::JointSource> rows_of(const mlsift::Features& features, SEXP y, SEXP weights, bool joint,
                                                    const mlsift::Context& context) {
  if (const int* const of_rows = weights_of(weights)) {
    return std::make_unique<mlsift::WeightedCounts>(features, varying_targets(y), of_rows, context);
  }
  return mlsift::rows_in_memory(features, varying_targets(y), joint, context);
}

}  // namespace mlsift_glue

#endif
