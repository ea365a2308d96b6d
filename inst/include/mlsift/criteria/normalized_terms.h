#pragma once

#include <vector>

#include "least.h"

namespace mlsift {

/// Informations divided by entropies:
///
///   N(f, s) = sum over t of I((f, s); t) / divisor(f, s, t)
///
/// edge   a term with divisor 0 is 0
///
/// and the scores with S empty: N(f) = sum over t of I(f; t) / divisor(f, t), or R(f) = sum over t of I(f; t).
struct Normalized {
  Informations::Divisor divisor;
  bool normalized_first = true;  ///< whether N(f) is the score with S empty
  double log2_base = 1;          ///< what R(f) in bits is divided by

  void first(Informations& data, std::vector<double>& first) const {
    if (normalized_first) return data.normalized(-1, divisor, first);
    first.clear();
    for (std::size_t f = 0; f < data.size(); ++f) first.push_back(data.relevance(static_cast<int>(f)) / log2_base);
  }
};

/// J(f|S) = sum over s in S of N(f, s):
///
/// normalized JMI  divisor sqrt(H(f, s) H(t)): the JMI family as its published program computes it (Group_JMI_Rand.m)
/// DISR            divisor H(f, s, t). Meyer & Bontempi (2006), EvoWorkshops, LNCS 3907:91-102, summed over targets
class SumNormalized : public GreedyCriterion {
 public:
  explicit SumNormalized(const Normalized& normalized) : normalized_(normalized) {}

  WithTargets needs_targets() const override { return WithTargets::all; }

 protected:
  double score(int f) const override { return (size() == 0 ? terms_ : joint_)[static_cast<std::size_t>(f)]; }

  void begin() override {
    if (size() == 0) normalized_.first(data(), terms_);
  }

  void update(int s) override {
    data().normalized(s, normalized_.divisor, terms_);
    for (std::size_t f = 0; f < joint_.size(); ++f) joint_[f] += terms_[f];
  }

 private:
  Normalized normalized_;
  std::vector<double>& joint_ = keep("joint");
  std::vector<double> terms_;
};

/// J(f|S) = min over s in S of N(f, s):
///
/// NJMIM  divisor H(f, s, t). Bennasar, Hicks & Setchi (2015), Expert Systems with Applications 42:8520-8532, summed
///        over targets
class LeastNormalized : public Least {
 public:
  explicit LeastNormalized(const Normalized& normalized) : Least(false), normalized_(normalized) {}

 protected:
  void first(std::vector<double>& first) override { normalized_.first(data(), first); }

  void terms(int s, std::vector<double>& terms, int only) override {
    data().normalized(s, normalized_.divisor, terms, only);
  }

 private:
  Normalized normalized_;
};

}  // namespace mlsift
