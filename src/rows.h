#ifndef MLSIFT_SRC_ROWS_H
#define MLSIFT_SRC_ROWS_H

#include "convert.h"

#include <mlsift/count/rows_in_memory.h>
#include <mlsift/count/weighted_counts.h>

#include <memory>

namespace mlsift_glue {

// Rows in memory as a source of joint counts. `y`: labels or codes of classes; `weights`: of the rows, or NULL; the
// rest as in rows_in_memory().
inline std::unique_ptr<mlsift::JointSource> rows_of(const mlsift::Features& features, SEXP y, SEXP weights, bool joint,
                                                    const mlsift::Context& context) {
  const mlsift::Features targets = features_of(y);
  if (const int* const of_rows = weights_of(weights)) {
    return std::make_unique<mlsift::WeightedCounts>(features, mlsift::varying_indicators_of(targets), of_rows, context);
  }
  return mlsift::rows_in_memory(features, targets, joint, context);
}

}  // namespace mlsift_glue

#endif
