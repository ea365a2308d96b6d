#ifndef MLSIFT_CRITERIA_SCLS_H
#define MLSIFT_CRITERIA_SCLS_H

#include <algorithm>
#include <limits>
#include <vector>

#include "linear.h"

namespace mlsift {

/// SCLS. Lee & Kim (2017), Pattern Recognition 66:342-352, eq. 8:
///
///   J(f|S) = R(f) (1 - sum_{s in S} I(f;s) / H(f))
///
/// in bits. A constant feature scores 0. J may turn negative and is never clipped.
class Scls : public Selected {
 public:
  Scls() : Selected(false) {}

  /// R(f) is an upper bound where redundancies are not negative but for rounding, and most candidates stay behind it.
  bool leaders(const std::vector<char>& taken, Leaders& leaders) override {
    const auto bound = [this](int f) {
      const double r = data().relevance(f);
      return r < 0 ? infinity : (1 + 1e-6) * r;
    };
    if (bounds_.empty()) bounds_ = largest(data().size(), bound);
    const bool bounded = least_redundancy() >= -1e-6 * least_entropy();
    return offer_all(taken, leaders, bounded ? bounds_ : Bounds(), [this](int f) { return Scls::score(f); });
  }

 protected:
  double score(int f) const override {
    const double h = data().entropy(f);
    return h > 0 ? data().relevance(f) * (1 - redundancy(f) / h) : 0;
  }

 private:
  // Of the features that are not constant.
  double least_entropy() {
    if (least_entropy_ > 0) return least_entropy_;
    least_entropy_ = infinity;
    for (std::size_t f = 0; f < data().size(); ++f) {
      const double h = data().entropy(static_cast<int>(f));
      if (h > 0) least_entropy_ = std::min(least_entropy_, h);
    }
    return least_entropy_;
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double least_entropy_ = 0;
  Bounds bounds_;  // without redundancy
};

}  // namespace mlsift

#endif
