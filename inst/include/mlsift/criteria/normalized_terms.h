#ifndef MLSIFT_CRITERIA_NORMALIZED_TERMS_H
#define MLSIFT_CRITERIA_NORMALIZED_TERMS_H

#include <algorithm>
#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// Criteria of informations divided by entropies:
///
///   J(f|S) = sum or min over s in S of sum_t I((f, s); t) / divisor(f, s, t)
///
/// normalized JMI  sum, sqrt(H(f, s) H(t)): the JMI family as its published program computes it (Group_JMI_Rand.m)
/// DISR            sum, H(f, s, t). Meyer & Bontempi (2006), EvoWorkshops, LNCS 3907:91-102, summed over targets
/// NJMIM           min, H(f, s, t). Bennasar, Hicks & Setchi (2015), Expert Systems with Applications 42:8520-8532,
///                 summed over targets
///
/// with S empty  R(f) = sum_t I(f; t), divided by `unit`, or sum_t I(f; t) / divisor(f, t)
/// edge          a term with divisor 0 is 0
class NormalizedTerms : public GreedyCriterion {
 public:
  enum class Combine { sum, least };

  struct First {
    bool normalized = true;
    double unit = 1;  ///< in bits, of R(f)
  };

  NormalizedTerms(Informations::Divisor divisor, Combine combine, const First& first)
      : divisor_(divisor), combine_(combine), first_(first) {}

  bool needs_targets() const override { return true; }

 protected:
  double score(int f) const override {
    const std::size_t i = static_cast<std::size_t>(f);
    if (size() > 0) return joint_[i];
    return first_.normalized ? terms_[i] : data().relevance(f) / first_.unit;
  }

  void begin() override {
    if (size() == 0 && first_.normalized) data().normalized(-1, divisor_, terms_);
  }

  void update(int s) override {
    data().normalized(s, divisor_, terms_);
    const bool least = combine_ == Combine::least && size() > 0;
    for (std::size_t f = 0; f < joint_.size(); ++f)
      joint_[f] = least ? std::min(joint_[f], terms_[f]) : joint_[f] + terms_[f];
  }

 private:
  Informations::Divisor divisor_;
  Combine combine_;
  First first_;
  std::vector<double>& joint_ = keep("joint");
  std::vector<double> terms_;
};

}  // namespace mlsift

#endif
