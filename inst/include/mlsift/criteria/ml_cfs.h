#ifndef MLSIFT_CRITERIA_ML_CFS_H
#define MLSIFT_CRITERIA_ML_CFS_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "../engine/numbers.h"
#include "../engine/parallel.h"
#include "../search/ranking.h"

namespace mlsift {

/// What ML-CFS knows of the selected features.
struct MlCfsState {
  std::vector<double> correlation;  ///< sum of |r(f, s)| over the selected s, by feature
  double relevance = 0, pairs = 0;  ///< sums over the selected features, and over their pairs
  int n_selected = 0;
};

/// ML-CFS. Jungjit et al. (2013):
///
///   Merit(S) = k r_FL / sqrt(k + k (k - 1) r_FF),    k = |S|
///
/// r_FL     mean of |r(f, l)| over the features of S and the q labels that occur
/// r_FF     mean of |r(f, s)| over the pairs of features in S
/// score    of f: Merit(S + f)
/// r        Pearson's correlation, from values centered before they are summed; rows with value 0 enter as one group
/// nominal  features of more than two unordered levels: the r of largest size of any level's indicator
/// edge     constant features and labels: r = 0
/// cost     one pass over the values off zero for each feature added; the sums of |r(f, s)| over S are kept
class MlCfs {
 public:
  /// `n_levels`: 0 for a number column, else the number of levels of a nominal one; `relevance`: sum_l |r(f, l)|; both by
  /// feature.
  MlCfs(const Features& features, const std::vector<int>& n_levels, std::vector<double> relevance, int q, const Context& context,
        MlCfsState state = MlCfsState())
      : features_(features), n_levels_(n_levels), relevance_(std::move(relevance)), q_(std::max(1, q)), context_(context), state_(std::move(state)) {
    state_.correlation.resize(features_.size(), 0.0);
    for (std::size_t f = 0; f < features_.size(); ++f) work_ += column_work(f);
    moments_.resize(features_.size());
    each_feature([&](std::size_t f, NumberReader& reader) {
      visit_numbers(features_.columns[f], n_levels_[f], reader, [&](const Nonzeros& x) { moments_[f].push_back(moments(x)); });
    });
  }

  double score(int f) const {
    const std::size_t i = static_cast<std::size_t>(f);
    return (state_.relevance + relevance_[i]) / q_ / std::sqrt(state_.n_selected + 1 + 2 * (state_.pairs + state_.correlation[i]));
  }

  void add(int s) {
    const std::size_t i = static_cast<std::size_t>(s);
    state_.relevance += relevance_[i];
    state_.pairs += state_.correlation[i];
    ++state_.n_selected;
    const std::vector<Standardized> selected = standardize(i);
    each_feature([&](std::size_t f, NumberReader& reader) { state_.correlation[f] += largest(f, selected, reader); });
  }

  const MlCfsState& state() const { return state_; }

 private:
  struct Moments {
    double mean = 0, per_norm = 0;  ///< 1 / sqrt(sum of squared deviations), 0 of a constant
  };
  struct Standardized {
    std::vector<double> value;  ///< by row
    double sum = 0;
  };

  double column_work(std::size_t f) const {
    const Column& column = features_.columns[f];
    return 3.0 * static_cast<double>((column.sparse() ? column.stored : features_.n_rows) * static_cast<std::size_t>(std::max(1, n_levels_[f])));
  }

  template <class Body>
  void each_feature(Body body) {
    std::vector<NumberReader> readers(worker_count(context_, features_.size(), work_), NumberReader(features_.n_rows));
    parallel_for(context_, features_.size(), work_, [&](int worker, std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) body(f, readers[static_cast<std::size_t>(worker)]);
    });
  }

  Moments moments(const Nonzeros& x) const {
    const double n = static_cast<double>(features_.n_rows), zeros = n - static_cast<double>(x.size);
    const bool constant = x.size == 0 || (zeros == 0 && std::all_of(x.values, x.values + x.size, [&](double v) { return v == x.values[0]; }));
    if (constant) return Moments();
    Moments result;
    for (std::size_t i = 0; i < x.size; ++i) result.mean += x.values[i];
    result.mean /= n;
    double squares = zeros * result.mean * result.mean;
    for (std::size_t i = 0; i < x.size; ++i) squares += (x.values[i] - result.mean) * (x.values[i] - result.mean);
    if (squares > 0) result.per_norm = 1 / std::sqrt(squares);
    return result;
  }

  std::vector<Standardized> standardize(std::size_t s) const {
    std::vector<Standardized> result;
    NumberReader reader(features_.n_rows);
    visit_numbers(features_.columns[s], n_levels_[s], reader, [&](const Nonzeros& x) {
      const Moments& m = moments_[s][result.size()];
      Standardized z;
      z.value.assign(features_.n_rows, -m.mean * m.per_norm);
      for (std::size_t i = 0; i < x.size; ++i) z.value[static_cast<std::size_t>(x.rows[i])] = (x.values[i] - m.mean) * m.per_norm;
      for (const double v : z.value) z.sum += v;
      result.push_back(std::move(z));
    });
    return result;
  }

  // |r(f, s)|, of all pairs of indicators the largest.
  double largest(std::size_t f, const std::vector<Standardized>& selected, NumberReader& reader) const {
    double result = 0;
    std::size_t indicator = 0;
    visit_numbers(features_.columns[f], n_levels_[f], reader, [&](const Nonzeros& x) {
      const Moments& m = moments_[f][indicator++];
      if (m.per_norm == 0) return;
      for (const Standardized& z : selected) result = std::max(result, std::fabs(covariance(x, m.mean, z)) * m.per_norm);
    });
    return std::min(1.0, result);
  }

  static double covariance(const Nonzeros& x, double mean, const Standardized& z) {
    double sum = 0, seen = 0;
    for (std::size_t i = 0; i < x.size; ++i) {
      const double at = z.value[static_cast<std::size_t>(x.rows[i])];
      sum += (x.values[i] - mean) * at;
      seen += at;
    }
    return sum - mean * (z.sum - seen);
  }

  const Features& features_;
  const std::vector<int>& n_levels_;
  std::vector<double> relevance_;
  int q_;
  Context context_;
  MlCfsState state_;
  std::vector<std::vector<Moments>> moments_;  // by feature and indicator
  double work_ = 0;
};

}  // namespace mlsift

#endif
