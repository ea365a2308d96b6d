#ifndef MLSIFT_CRITERIA_CORRELATION_H
#define MLSIFT_CRITERIA_CORRELATION_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "../data/numbers.h"
#include "../data/targets.h"

namespace mlsift {

/// BR+CC, summed correlation. Jungjit et al. (2013):
///
///   J(f) = sum_l |r(f, l)|    or, signed, sum_l r(f, l)
///
/// r        Pearson's correlation, from values centered before they are summed; rows with value 0 enter as one group
/// nominal  features of more than two unordered levels: for each label the r of largest size of any level's indicator
/// edge     constant features and labels: r = 0
/// weights  a row of weight w enters moments as w rows
class Correlation {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : reader(n_rows) {}
    NumberReader reader;
    std::vector<double> sum, r, count;
  };

  /// `n_levels`: 0 for a number column, else the number of levels of a nominal one, by feature.
  Correlation(const Features& features, const Targets& labels, const std::vector<int>& n_levels, bool absolute,
              const double* weights = nullptr)
      : first_(features.columns.data()),
        labels_(labels),
        n_levels_(n_levels),
        absolute_(absolute),
        weights_(weights, features.n_rows),
        count_(labels.count.begin(), labels.count.end()) {
    if (weights) count_ = weighted_count(labels, weights);
  }

  double score(const Column& column, Scratch& scratch) const {
    scratch.r.assign(labels_.count.size(), 0);
    visit_numbers(column, n_levels_[static_cast<std::size_t>(&column - first_)], scratch.reader,
                  [&](const Nonzeros& x) { correlate(x, scratch); });
    double sum = 0;
    for (const double r : scratch.r) sum += absolute_ ? std::fabs(r) : r;
    return sum;
  }

  double work(const Features& features) const {
    const double per_row = static_cast<double>(labels_.ids.size()) / static_cast<double>(features.n_rows);
    return 2 * stored_values(features) * (2 + per_row) +
           4.0 * static_cast<double>(features.size() * labels_.count.size());
  }

 private:
  // Replaces r[l] by r(x, l) where that is larger in size.
  void correlate(const Nonzeros& x, Scratch& scratch) const {
    const Center center = center_of(x, labels_.n_rows(), weights_);
    if (center.constant) return;
    const double n = weights_.total, mean = center.mean;
    double squares = weights_.zeros(x, labels_.n_rows()) * mean * mean;
    scratch.sum.assign(labels_.count.size(), 0);
    scratch.count.assign(labels_.count.size(), 0);
    for (std::size_t i = 0; i < x.size; ++i) {
      const double w = weights_[x.rows[i]], deviation = center.off(x.values[i]);
      squares += w * deviation * deviation;
      const std::size_t row = static_cast<std::size_t>(x.rows[i]);
      for (const int* l = labels_.begin(row); l != labels_.end(row); ++l) {
        scratch.sum[static_cast<std::size_t>(*l)] += w * deviation;
        scratch.count[static_cast<std::size_t>(*l)] += w;
      }
    }
    for (std::size_t l = 0; l < labels_.count.size(); ++l) {
      if (labels_.count[l] == 0 || static_cast<std::size_t>(labels_.count[l]) == labels_.n_rows()) continue;
      const double n_l = count_[l];
      const double covariance = scratch.sum[l] - (n_l - scratch.count[l]) * mean;
      const double r = covariance / std::sqrt(squares * (n_l * (n - n_l) / n));
      if (std::fabs(r) > std::fabs(scratch.r[l])) scratch.r[l] = r;
    }
  }

  const Column* first_;
  const Targets& labels_;
  const std::vector<int>& n_levels_;
  bool absolute_;
  RowWeights weights_;
  std::vector<double> count_;  // rows of each label
};

}  // namespace mlsift

#endif
