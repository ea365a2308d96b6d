#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../count/joint/count_joint.h"
#include "../data/targets.h"
#include "normal_sums.h"

namespace mlsift {

/// Naive Bayes for each label: a label's log odds are
///
///   log P(l) / P(not l) + sum_f log p(x_f | l) / p(x_f | not l).
///
/// For labels that are the categories of a class, alternatively their log joint probability, up to a common constant:
///
///   log P(l) + sum_f log p(x_f | l).
///
/// There are two kinds of features: those whose levels are counted and those with normal densities.
class NaiveBayes {
 public:
  NaiveBayes(CountTables tables, std::vector<char> by_level, LabelSums label_sums)
      : counts(std::move(tables)),
        counted(std::move(by_level)),
        sums(std::move(label_sums)),
        position_(counted.size(), 0) {
    for (std::size_t f = 1; f < counted.size(); ++f) position_[f] = position_[f - 1] + (counted[f - 1] ? 0 : 1);
  }

  CountTables counts;         ///< features that are not counted have no levels here
  std::vector<char> counted;  ///< by feature
  LabelSums sums;             ///< of the features not counted

  double laplace = 1;          ///< p(v | l) = (n_vl + laplace) / (n_l + laplace * levels that occur in training)
  double prior_smoothing = 0;  ///< P(l) = (s + n_l) / (2 s + n)
  /// Added to every density: log(p + density_offset). With 0 the log density has a closed form.
  double density_offset = 0;
  bool standardized = false;  ///< densities of z instead of x
  double count_weight = 1;    ///< how many rows one of the counts represents, if rows have weights
  bool joint = false;         ///< log joint probabilities instead of log odds; without density_offset

  std::size_t n_labels() const { return counts.in_target.size(); }
  double rows_with(std::size_t l) const { return static_cast<double>(counts.in_target[l]); }
  double rows_without(std::size_t l) const { return static_cast<double>(counts.n - counts.in_target[l]); }

  /// Whether the features carry no information about label l.
  bool is_constant(std::size_t l) const { return rows_with(l) == 0 || (rows_without(l) == 0 && !joint); }

  double log_prior_odds(std::size_t l) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (rows_with(l) == 0) return -infinite;
    if (joint) return std::log(prior_smoothing + rows_with(l));
    if (rows_without(l) == 0) return infinite;
    return std::log(prior_smoothing + rows_with(l)) - std::log(prior_smoothing + rows_without(l));
  }

  /// The z of a feature that is not counted, in the rows with label l or in those without. A joint probability ignores
  /// the rows without: see NormalOdds.
  Normal normal(std::size_t f, std::size_t l, bool with) const {
    const NormalSums& all = sums.all[f];
    const std::size_t at = position_[f] * n_labels() + l;
    const double n = static_cast<double>(counts.n) * count_weight;
    const double least = least_deviation * std::sqrt(n / (n - 1));
    const double sum = sums.sum[at] * count_weight, squares = sums.squares[at] * count_weight;
    if (with) return Normal(rows_with(l) * count_weight, sum, squares, least);
    return Normal(rows_without(l) * count_weight, all.sum * count_weight - sum, all.squares * count_weight - squares,
                  least);
  }

 private:
  // Standard deviations are at least this fraction of the feature's overall one.
  static constexpr double least_deviation = 1e-3;

  std::vector<std::size_t> position_;  // by feature: how many before it are not counted
};

/// Counts and sums of the training rows. `counted`: by feature, whether its levels are counted; `weights`: how many
/// rows each row counts for, null for 1.
inline NaiveBayes fit_naive_bayes(const Features& features, const Targets& labels, const std::vector<char>& counted,
                                  const Context& context, const int* weights = nullptr) {
  std::vector<FixedLevels> levels(features.size());
  parallel_each(context, features.size(), 4 * stored_values(features), [&](std::size_t f) {
    if (counted[f]) levels[f] = levels_of(features.columns[f], features.n_rows);
  });
  CountTables counts = count_joint(features, labels, std::move(levels), context, weights);
  LabelSums sums = sum_by_label(features, labels, counts.in_target.size(), counted, weights, context);
  return NaiveBayes(std::move(counts), counted, std::move(sums));
}

}  // namespace mlsift
