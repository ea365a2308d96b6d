#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/lane.h"

namespace mlsift {

/// (a - b)^2: squared Euclidean distances.
struct SquaredTerms {
  struct Term {
    double operator()(double difference) const { return difference * difference; }
    template <class L>
    MLSIFT_IN_LANES void add(L& sum, const L& difference) const {
      sum += difference * difference;
    }
  };
  Term operator[](std::size_t) const { return {}; }
  bool keeps_whole() const { return true; }
};

/// |a - b| times the weight of the feature: Manhattan distances, or those of Relief with 1 / range (0 for a constant).
struct AbsoluteTerms {
  struct Term {
    double weight;
    double operator()(double difference) const { return std::fabs(difference) * weight; }
    template <class L>
    MLSIFT_IN_LANES void add(L& sum, const L& difference) const {
      L size = difference, weights = {};
      detail::drop_signs(size);
      detail::fill(weights, weight);
      sum += size * weights;
    }
  };
  std::vector<double> weight;

  Term operator[](std::size_t f) const { return {weight[f]}; }
  /// Whether integer values give integer terms.
  bool keeps_whole() const {
    return std::all_of(weight.begin(), weight.end(), [](double w) { return w == 0 || w == 1; });
  }
};

}  // namespace mlsift
