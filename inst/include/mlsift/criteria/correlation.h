#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../data/numbers.h"
#include "../data/target_bits.h"
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
/// unknown  a label has only the rows in which it is known; sums over these are those over all rows less the others
class Correlation {
 public:
  // Of the rows listed in which a label is unknown: their weight, and sums of deviations and of their squares.
  struct Missing {
    double count = 0, sum = 0, squares = 0;
  };

  struct Scratch {
    explicit Scratch(std::size_t n_rows) : reader(n_rows) {}
    NumberReader reader;
    std::vector<double> sum, r, count;
    std::vector<Missing> missing;
  };

  /// `unknown`: the labels that are unknown in each row; `n_levels`: 0 for a number column, else the number of levels
  /// of a nominal one, by feature.
  Correlation(const Features& features, const Targets& labels, const Targets& unknown, const std::vector<int>& n_levels,
              bool absolute, const double* weights)
      : first_(features.columns.data()),
        labels_(labels),
        unknown_(unknown),
        n_levels_(n_levels),
        absolute_(absolute),
        weights_(weights, features.n_rows),
        count_(counts(labels, weights)),
        missing_(counts(unknown, weights)) {
    if (weights || unknown.ids.empty()) return;
    bits_ = TargetBits(unknown, stored_values(features));
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
    const double per_row =
        static_cast<double>(labels_.ids.size() + unknown_.ids.size()) / static_cast<double>(features.n_rows);
    return 2 * stored_values(features) * (2 + per_row) +
           4.0 * static_cast<double>(features.size() * labels_.count.size());
  }

 private:
  static std::vector<double> counts(const Targets& targets, const double* weights) {
    if (weights) return weighted_count(targets, weights);
    return {targets.count.begin(), targets.count.end()};
  }

  // Replaces r[l] by r(x, l) where that is larger in size.
  void correlate(const Nonzeros& x, Scratch& scratch) const {
    const Center center = center_of(x, labels_.n_rows(), weights_);
    if (center.constant) return;
    const double mean = center.mean;
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
    // The sum of deviations, 0 but for the rounding of the mean.
    const double rounding = unknown_.ids.empty() ? 0 : add_missing(x, center, scratch.missing);
    for (std::size_t l = 0; l < labels_.count.size(); ++l) {
      const int known = static_cast<int>(labels_.n_rows()) - (missing_.empty() ? 0 : unknown_.count[l]);
      if (labels_.count[l] == 0 || labels_.count[l] == known) continue;
      const double n_l = count_[l];
      double n = weights_.total, left = squares, covariance = scratch.sum[l] - (n_l - scratch.count[l]) * mean;
      if (known < static_cast<int>(labels_.n_rows())) {
        const Missing& missing = scratch.missing[l];
        const double zeros = missing_[l] - missing.count;
        n -= missing_[l];
        const double off = (rounding + zeros * mean - missing.sum) / n;  // of the mean of known rows
        left -= missing.squares + zeros * mean * mean + n * off * off;
        covariance -= n_l * off;
        if (left < most_lost * squares && !look_at_known(x, l, n, covariance, left)) continue;
      }
      const double r = covariance / std::sqrt(left * (n_l * (n - n_l) / n));
      if (std::fabs(r) > std::fabs(scratch.r[l])) scratch.r[l] = r;
    }
  }

  double add_missing(const Nonzeros& x, const Center& center, std::vector<Missing>& missing) const {
    missing.assign(labels_.count.size(), {});
    const bool same = std::all_of(x.values, x.values + x.size, [&](double v) { return v == x.values[0]; });
    if (same && !bits_.empty()) {
      bits_.count(x.rows, x.rows + x.size, [&](std::size_t l, int n) { missing[l].count += n; });
    } else {
      for (std::size_t i = 0; i < x.size; ++i) {
        const double w = weights_[x.rows[i]], deviation = same ? 0 : center.off(x.values[i]);
        const std::size_t row = static_cast<std::size_t>(x.rows[i]);
        for (const int* l = unknown_.begin(row); l != unknown_.end(row); ++l) {
          Missing& of_label = missing[static_cast<std::size_t>(*l)];
          of_label.count += w;
          of_label.sum += w * deviation;
          of_label.squares += w * deviation * deviation;
        }
      }
    }
    if (same) {
      const double deviation = center.off(x.values[0]);
      for (Missing& of_label : missing) {
        of_label.sum = of_label.count * deviation;
        of_label.squares = of_label.count * deviation * deviation;
      }
    }
    double sum = -weights_.zeros(x, labels_.n_rows()) * center.mean;
    for (std::size_t i = 0; i < x.size; ++i) sum += weights_[x.rows[i]] * center.off(x.values[i]);
    return sum;
  }

  // Covariance and squares from the rows in which label l is known, of weight n, where they vary so little that a
  // difference of sums is not exact. False for a constant.
  bool look_at_known(const Nonzeros& x, std::size_t l, double n, double& covariance, double& squares) const {
    std::vector<std::size_t> listed;
    double largest = 0, sum = 0, weight = 0;
    bool same = true;
    const auto has = [l](const Targets& targets, int row) {
      const std::size_t i = static_cast<std::size_t>(row);
      return std::binary_search(targets.begin(i), targets.end(i), static_cast<int>(l));
    };
    for (std::size_t i = 0; i < x.size; ++i) {
      if (has(unknown_, x.rows[i])) continue;
      listed.push_back(i);
      same = same && x.values[i] == x.values[listed[0]];
      largest = std::max(largest, std::fabs(x.values[i]));
      weight += weights_[x.rows[i]];
    }
    const bool all = listed.size() == labels_.n_rows() - static_cast<std::size_t>(unknown_.count[l]);
    if (listed.empty() || (all && same)) return false;
    const double factor = square_factor(largest), zeros = all ? 0 : n - weight;
    for (const std::size_t i : listed) sum += weights_[x.rows[i]] * (x.values[i] * factor);
    const double mean = sum / n;
    double with_label = 0;
    squares = zeros * mean * mean;
    covariance = 0;
    for (const std::size_t i : listed) {
      const double w = weights_[x.rows[i]], deviation = x.values[i] * factor - mean;
      squares += w * deviation * deviation;
      if (!has(labels_, x.rows[i])) continue;
      covariance += w * deviation;
      with_label += w;
    }
    covariance -= (count_[l] - with_label) * mean;
    return true;
  }

  static constexpr double most_lost = 1e-4;  // of squares, before a difference of sums is not exact enough

  const Column* first_;
  const Targets &labels_, &unknown_;
  const std::vector<int>& n_levels_;
  bool absolute_;
  RowWeights weights_;
  std::vector<double> count_, missing_;  // rows of each label, and those in which it is unknown
  TargetBits bits_;                      // of the unknown labels
};

}  // namespace mlsift
