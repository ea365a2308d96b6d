#ifndef MLSIFT_MEASURE_AUC_H
#define MLSIFT_MEASURE_AUC_H

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../core/parallel.h"
#include "overlap.h"
#include "rank_profile.h"

namespace mlsift {

/// Mann-Whitney: the share of pairs (positive, negative) in which the positive scores higher, ties 1/2.
/// NaN when one of the classes is missing.
inline double auc(const int* truth, const double* score, std::size_t n, RankProfile& profile) {
  profile.build(score, truth, n, TieOrder::none);
  const double pairs = profile.n_relevant() * profile.n_irrelevant();
  if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
  return (pairs - profile.wrong_pairs(0.5)) / pairs;
}

/// Mean over the labels (columns of n x q matrices) that have both classes, or, with `keep_undefined`, NaN as soon as
/// one has not. Micro AUC is auc() of all n * q pairs.
inline double macro_auc(const int* truth, const double* score, std::size_t n, std::size_t q, bool keep_undefined,
                        const Context& context) {
  std::vector<double> values(q);
  const double work = 10.0 * static_cast<double>(n) * static_cast<double>(q);
  std::vector<RankProfile> scratch(worker_count(context, q, work));
  parallel_for(context, q, work, [&](int worker, std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l) {
      values[l] = auc(truth + l * n, score + l * n, n, scratch[static_cast<std::size_t>(worker)]);
    }
  });
  Mean mean;
  for (double value : values) {
    if (keep_undefined && std::isnan(value)) return value;
    mean.add(value);
  }
  return mean.value();
}

}  // namespace mlsift

#endif
