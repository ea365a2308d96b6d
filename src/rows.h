#ifndef MLSIFT_SRC_ROWS_H
#define MLSIFT_SRC_ROWS_H

#include "convert.h"

#include <mlsift/count/joint/rows_in_memory.h>

#include <memory>

namespace mlsift_glue {

// The targets that vary. `y`: labels, codes of classes, or list(values, unknown): labels and a pattern of the cells in
// which they are not known; `weights`: of the rows, or null.
inline mlsift::Indicators varying_targets(SEXP y, const int* weights = nullptr) {
  if (TYPEOF(y) != VECSXP) return mlsift::varying_indicators_of(features_of(y), weights);
  const Rcpp::List both(y);
  return mlsift::known_indicators_of(labels_of(both["values"]), labels_of(both["unknown"]), weights);
}

// Joint counts of rows in memory. `y`: as in varying_targets(); `weights`: of the rows, or NULL; the rest
// as in rows_in_memory().
inline std::unique_ptr<mlsift::JointRows> rows_of(const mlsift::Features& features, SEXP y, SEXP weights,
                                                  mlsift::WithTargets with_targets, const mlsift::Context& context) {
  const int* const of_rows = weights_of(weights);
  return mlsift::rows_in_memory(mlsift::indicators_of(features, of_rows), varying_targets(y, of_rows), with_targets,
                                context);
}

}  // namespace mlsift_glue

#endif
