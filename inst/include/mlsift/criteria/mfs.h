#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../data/numbers.h"
#include "../data/targets.h"

namespace mlsift {

/// MFS, the multi-label F-statistic. Kong, Ding, Huang & Zhao (2012), CVPR:
///
///   J(f) = (N - q) / (q - 1) * S_b / S_w,    S_b = sum_l n_l (m_l - m)^2,    S_w = sum_l sum_{i has l} (x_i - m_l)^2
///
/// N, q       rows with at least one label, labels that occur; the factor is 1 where it would not be positive
/// m_l, m     mean over the rows of label l; mean over all (row, label) entries
/// weights    a row of weight w counts as w rows, in N and n_l too
/// unweighted S_w = sum_l of the (population) variances within the labels
/// nominal    S_b and S_w summed over the indicators of the levels
/// edge       S_w = 0 < S_b: infinite, such features in order of S_b; both 0: J = 0. A label whose rows all have the
///            same value adds exactly 0 to S_w.
class Mfs {
 public:
  struct Score {
    double j = 0;
    double between = 0;
  };

  struct Scratch {
    explicit Scratch(std::size_t n_rows) : reader(n_rows) {}
    NumberReader reader;
    std::vector<double> sum, within, weight, low, high;
    std::vector<int> count;
  };

  Mfs(const Features& features, const Targets& labels, const std::vector<int>& n_levels, bool weighted,
      const double* weights = nullptr)
      : first_(features.columns.data()),
        labels_(labels),
        n_levels_(n_levels),
        weighted_(weighted),
        weights_(weights, features.n_rows),
        count_(labels.count.begin(), labels.count.end()) {
    if (weights) count_ = weighted_count(labels, weights);
    double rows = 0;
    for (std::size_t i = 0; i < labels.n_rows(); ++i) {
      if (labels.size(i) > 0) rows += weights_[static_cast<int>(i)];
    }
    const double q = static_cast<double>(labels.count.size());
    factor_ = q > 1 && rows > q ? (rows - q) / (q - 1) : 1;
  }

  Score score(const Column& column, Scratch& scratch) const {
    double between = 0, within = 0;
    visit_numbers(column, n_levels_[static_cast<std::size_t>(&column - first_)], scratch.reader,
                  [&](const Nonzeros& x) { scatter(x, scratch, between, within); });
    // Sums that overflow give no score.
    if (!std::isfinite(between) || !std::isfinite(within)) return {std::numeric_limits<double>::quiet_NaN(), 0};
    if (between == 0) return {0, 0};
    if (within == 0) return {std::numeric_limits<double>::infinity(), between};
    return {factor_ * between / within, between};
  }

  double work(const Features& features) const {
    const double per_row = static_cast<double>(labels_.ids.size()) / static_cast<double>(features.n_rows);
    return 3 * stored_values(features) * (1 + 2 * per_row) +
           4.0 * static_cast<double>(features.size() * labels_.count.size());
  }

 private:
  void scatter(const Nonzeros& x, Scratch& s, double& between, double& within) const {
    const std::size_t q = labels_.count.size();
    s.sum.assign(q, 0);
    s.within.assign(q, 0);
    s.weight.assign(q, 0);
    s.count.assign(q, 0);
    s.low.assign(q, std::numeric_limits<double>::infinity());
    s.high.assign(q, -std::numeric_limits<double>::infinity());
    visit(x, [&](std::size_t l, double value, double w) {
      s.sum[l] += w * value;
      s.weight[l] += w;
      ++s.count[l];
      s.low[l] = std::min(s.low[l], value);
      s.high[l] = std::max(s.high[l], value);
    });
    double total = 0, entries = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t l = 0; l < q; ++l) {
      const double n_l = count_[l];
      if (s.count[l] < labels_.count[l]) {
        s.low[l] = std::min(s.low[l], 0.0);
        s.high[l] = std::max(s.high[l], 0.0);
      }
      total += s.sum[l];
      entries += n_l;
      s.sum[l] = s.low[l] == s.high[l] ? s.low[l] : s.sum[l] / n_l;  // from here on the mean m_l
      low = std::min(low, s.low[l]);
      high = std::max(high, s.high[l]);
    }
    if (low == high) return;
    const double mean = total / entries;
    const double factor = square_factor(0.5 * high - 0.5 * low);
    const auto square = [factor](double v) { return (v * factor) * (v * factor); };
    visit(x, [&](std::size_t l, double value, double w) { s.within[l] += w * square(value - s.sum[l]); });
    for (std::size_t l = 0; l < q; ++l) {
      const double n_l = count_[l];
      between += n_l * square(s.sum[l] - mean);
      if (s.low[l] == s.high[l]) continue;
      const double scatter_l = s.within[l] + (n_l - s.weight[l]) * square(s.sum[l]);
      within += weighted_ ? scatter_l : scatter_l / n_l;
    }
  }

  template <class Visit>
  void visit(const Nonzeros& x, Visit each) const {
    for (std::size_t i = 0; i < x.size; ++i) {
      const std::size_t row = static_cast<std::size_t>(x.rows[i]);
      const double w = weights_[x.rows[i]];
      for (const int* l = labels_.begin(row); l != labels_.end(row); ++l)
        each(static_cast<std::size_t>(*l), x.values[i], w);
    }
  }

  const Column* first_;
  const Targets& labels_;
  const std::vector<int>& n_levels_;
  bool weighted_;
  RowWeights weights_;
  std::vector<double> count_;  // rows of each label
  double factor_;
};

}  // namespace mlsift
