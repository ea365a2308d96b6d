#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../core/parallel.h"
#include "overlap.h"
#include "rank_profile.h"

namespace mlsift {

/// Mann-Whitney: the share of pairs (positive, negative) in which the positive scores higher, ties 1/2. NaN if one of
/// the classes is missing. A negative truth is unknown, and left out.
/// Weighted: a pair counts the product of its weights.
inline double auc(const int* truth, const double* score, std::size_t n, RankProfile& profile,
                  const Weights& weights = {}) {
  profile.build(score, truth, n, TieOrder::none);
  profile.weigh(score, truth, n, weights);
  const double pairs = profile.n_relevant() * profile.n_irrelevant();
  if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
  return (pairs - profile.wrong_pairs(0.5)) / pairs;
}

/// area(truth, score, n, scratch, weights) of each label that is known somewhere, a column of n x q matrices.
template <class Area>
std::vector<double> each_label(const int* truth, const double* score, std::size_t n, std::size_t q, Area area,
                               const Weights& weights, const Context& context) {
  std::vector<double> values(q);
  std::vector<char> known(q);
  const double work = 10.0 * static_cast<double>(n) * static_cast<double>(q);
  parallel_each(
      context, q, work, [] { return RankProfile(); },
      [&](RankProfile& profile, std::size_t l) {
        values[l] = area(truth + l * n, score + l * n, n, profile, weights);
        known[l] = profile.n_relevant() + profile.n_irrelevant() > 0;
      });
  std::size_t kept = 0;
  for (std::size_t l = 0; l < q; ++l) {
    values[kept] = values[l];
    kept += known[l] != 0;
  }
  values.resize(kept);
  return values;
}

/// Mean over the labels (columns of n x q matrices) that have both classes or, with `keep_undefined`, NaN if any label
/// lacks one. Micro AUC is auc() of all n * q pairs.
inline double macro_auc(const int* truth, const double* score, std::size_t n, std::size_t q, bool keep_undefined,
                        const Weights& weights, const Context& context) {
  Mean mean;
  for (const double value : each_label(truth, score, n, q, auc, weights, context)) {
    if (keep_undefined && std::isnan(value)) return value;
    mean.add(value);
  }
  return mean.value();
}

/// Area under the step curve of precision over recall: the sum over the distinct scores, best first, of
///
///   (R_s - R_{s-1}) P_s,   P_s and R_s: precision and recall of all with a score of at least s.
///
/// NaN if there are no positives. A negative truth is unknown, and left out.
inline double auprc(const int* truth, const double* score, std::size_t n, RankProfile& profile,
                    const Weights& weights = {}) {
  profile.build(score, truth, n, TieOrder::none);
  profile.weigh(score, truth, n, weights);
  if (profile.n_relevant() == 0) return std::numeric_limits<double>::quiet_NaN();
  double found = 0, sum = 0;
  for (const RankProfile::Level& level : profile.levels()) {
    if (level.size == 0) continue;  // weights of 0
    found += level.size;
    sum += level.size * (found / (found + level.above + level.tied));
  }
  return sum / profile.n_relevant();
}

/// Mean over the labels; labels without positives have the value `empty` (NaN drops them). Micro: auprc() of all n * q
/// pairs.
inline double macro_auprc(const int* truth, const double* score, std::size_t n, std::size_t q, double empty,
                          const Weights& weights, const Context& context) {
  Mean mean;
  for (const double value : each_label(truth, score, n, q, auprc, weights, context)) {
    mean.add(std::isnan(value) ? empty : value);
  }
  return mean.value();
}

/// -1/n sum_i [y_i log p_i + (1 - y_i) log(1 - p_i)]; probabilities are at least the precision of a double. A negative
/// truth is unknown, and left out.
inline double log_loss(const int* truth, const double* score, std::size_t n, const Weights& weights = {}) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (truth[i] < 0) continue;
    const double p = truth[i] != 0 ? score[i] : 1 - score[i], weight = weights.of_cell(i);
    sum -= weight * std::log(std::max(std::numeric_limits<double>::epsilon(), p));
    total += weight;
  }
  return sum / total;
}

}  // namespace mlsift
