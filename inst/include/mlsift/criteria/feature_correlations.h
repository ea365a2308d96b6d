#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../core/parallel.h"
#include "../data/numbers.h"

namespace mlsift {

/// |r|, the size of Pearson's correlation, of one column with every feature.
///
/// Values are centered before they are summed, and rows with value 0 enter as one group, so sparse columns are never
/// made dense and give the bits of dense ones. A nominal column (of more than two unordered levels) stands for the
/// indicators of its levels: of all pairs the largest |r|. A constant has r = 0. A row of weight w enters moments as w
/// rows.
class Correlations {
 public:
  /// A column less its mean, of length 1.
  struct Standardized {
    std::vector<double> value;  ///< by row
    double sum = 0;
  };

  /// `n_levels`: 0 for a number column, else the number of levels of a nominal one; by feature.
  Correlations(const Features& features, const std::vector<int>& n_levels, const Context& context,
               const double* weights = nullptr)
      : features_(features),
        n_levels_(n_levels),
        context_(context),
        weights_(weights, features.n_rows),
        moments_(features.size()) {
    for (std::size_t f = 0; f < features_.size(); ++f) work_ += column_work(f);
    each_feature([&](NumberReader& reader, std::size_t f) {
      visit_numbers(features_.columns[f], n_levels_[f], reader,
                    [&](const Nonzeros& x) { moments_[f].push_back(moments(x)); });
    });
  }

  /// sums[f] += |r(f, column)| for all features f.
  void add(const Column& column, int n_levels, std::vector<double>& sums) const {
    const std::vector<Standardized> other = standardize(column, n_levels);
    each_feature([&](NumberReader& reader, std::size_t f) { sums[f] += largest(f, other, reader); });
  }

  /// The same for one of the features.
  void add(std::size_t s, std::vector<double>& sums) const { add(features_.columns[s], n_levels_[s], sums); }

  std::size_t size() const { return features_.size(); }

 private:
  struct Moments {
    Center center;
    double per_norm = 0;  // 1 / sqrt(sum of squared deviations), 0 of a constant
  };

  double column_work(std::size_t f) const {
    const Column& column = features_.columns[f];
    return 3.0 * static_cast<double>((column.sparse() ? column.stored : features_.n_rows) *
                                     static_cast<std::size_t>(std::max(1, n_levels_[f])));
  }

  template <class Body>
  void each_feature(Body body) const {
    parallel_each(
        context_, features_.size(), work_, [this] { return NumberReader(features_.n_rows); }, body);
  }

  Moments moments(const Nonzeros& x) const {
    Moments result;
    result.center = center_of(x, features_.n_rows, weights_);
    if (result.center.constant) return result;
    const double squares = squares_of(x, features_.n_rows, weights_, result.center);
    if (squares > 0) result.per_norm = 1 / std::sqrt(squares);
    return result;
  }

  std::vector<Standardized> standardize(const Column& column, int n_levels) const {
    std::vector<Standardized> result;
    NumberReader reader(features_.n_rows);
    visit_numbers(column, n_levels, reader, [&](const Nonzeros& x) {
      const Moments m = moments(x);
      Standardized z;
      z.value.assign(features_.n_rows, -m.center.mean * m.per_norm);
      for (std::size_t i = 0; i < x.size; ++i)
        z.value[static_cast<std::size_t>(x.rows[i])] = m.center.off(x.values[i]) * m.per_norm;
      for (std::size_t i = 0; i < z.value.size(); ++i) z.sum += weights_[static_cast<int>(i)] * z.value[i];
      result.push_back(std::move(z));
    });
    return result;
  }

  double largest(std::size_t f, const std::vector<Standardized>& others, NumberReader& reader) const {
    double result = 0;
    std::size_t indicator = 0;
    visit_numbers(features_.columns[f], n_levels_[f], reader, [&](const Nonzeros& x) {
      const Moments& m = moments_[f][indicator++];
      if (m.per_norm == 0) return;
      for (const Standardized& z : others) result = std::max(result, std::fabs(covariance(x, m, z)) * m.per_norm);
    });
    return std::min(1.0, result);
  }

  double covariance(const Nonzeros& x, const Moments& m, const Standardized& z) const {
    double sum = 0, seen = 0;
    for (std::size_t i = 0; i < x.size; ++i) {
      const double at = weights_[x.rows[i]] * z.value[static_cast<std::size_t>(x.rows[i])];
      sum += m.center.off(x.values[i]) * at;
      seen += at;
    }
    return sum - m.center.mean * (z.sum - seen);
  }

  const Features& features_;
  const std::vector<int>& n_levels_;
  Context context_;
  RowWeights weights_;
  std::vector<std::vector<Moments>> moments_;  // by feature and indicator
  double work_ = 0;
};

}  // namespace mlsift
