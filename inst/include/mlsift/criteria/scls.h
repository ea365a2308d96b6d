#ifndef MLSIFT_CRITERIA_SCLS_H
#define MLSIFT_CRITERIA_SCLS_H

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

 protected:
  double score(int f) const override {
    const double h = data().entropy(f);
    return h > 0 ? data().relevance(f) * (1 - redundancy(f) / h) : 0;
  }
};

}  // namespace mlsift

#endif
