#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "naive_bayes.h"

namespace mlsift {

/// What a feature with normal densities adds to the log odds of the labels first .. end - 1. It must vary in training.
class NormalOdds {
 public:
  /// Without `all_rows`, `base` gets what z = 0 adds, and add() corrects it for a row with another z.
  void prepare(const NaiveBayes& model, std::size_t f, bool all_rows, std::size_t first, std::size_t end,
               double* base) {
    offset_ = model.density_offset;
    // 1 / sqrt(2 pi), and the change of the density by the scale of z.
    height_ = 0.3989422804014326779 / (model.standardized ? 1 : model.sums.all[f].scale);
    const std::size_t width = end - first;
    for (auto* values : {&mean1_, &mean0_, &inverse1_, &inverse0_, &constant_}) values->assign(width, 0);
    for (std::size_t l = 0; l < width; ++l) {
      if (model.is_constant(first + l)) continue;
      // The other rows drop out of a joint probability: their density is 1 everywhere.
      const Normal with = model.normal(f, first + l, true);
      const Normal without = model.joint ? Normal() : model.normal(f, first + l, false);
      mean1_[l] = with.mean;
      mean0_[l] = without.mean;
      inverse1_[l] = 1 / with.deviation;
      inverse0_[l] = model.joint ? 0 : 1 / without.deviation;
      double shared = 0;
      if (offset_ > 0) {
        if (!all_rows) shared = odds_with_offset(l, 0);
        constant_[l] = -shared;
      } else {
        const double z1 = with.mean / with.deviation, z0 = without.mean / without.deviation;
        constant_[l] = std::log(without.deviation / with.deviation);
        if (!all_rows) {
          shared = constant_[l] + 0.5 * (z0 * z0 - z1 * z1);
          constant_[l] = 0.5 * (z1 * z1 - z0 * z0);
        }
      }
      base[l] += shared;
    }
  }

  void add(double z, double* to) const {
    const std::size_t width = constant_.size();
    if (offset_ > 0) {
      for (std::size_t l = 0; l < width; ++l) {
        if (inverse1_[l] > 0) to[l] += constant_[l] + odds_with_offset(l, z);
      }
      return;
    }
    const double *mean1 = mean1_.data(), *mean0 = mean0_.data(), *inverse1 = inverse1_.data(),
                 *inverse0 = inverse0_.data(), *constant = constant_.data();
    for (std::size_t l = 0; l < width; ++l) {
      const double z1 = (z - mean1[l]) * inverse1[l], z0 = (z - mean0[l]) * inverse0[l];
      to[l] += constant[l] + 0.5 * (z0 * z0 - z1 * z1);
    }
  }

  /// Whether 0 is so unlikely for some label that adding and subtracting its log density would lose digits.
  static bool zero_is_far(const NaiveBayes& model, std::size_t f) {
    if (model.density_offset > 0) return false;
    for (std::size_t l = 0; l < model.n_labels(); ++l) {
      if (model.is_constant(l)) continue;
      for (const bool with : {false, true}) {
        if (model.joint && !with) continue;
        const Normal normal = model.normal(f, l, with);
        if (std::fabs(normal.mean) > 1e4 * normal.deviation) return true;
      }
    }
    return false;
  }

 private:
  double odds_with_offset(std::size_t l, double z) const {
    const double z1 = (z - mean1_[l]) * inverse1_[l], z0 = (z - mean0_[l]) * inverse0_[l];
    const double p1 = inverse1_[l] * height_ * std::exp(-0.5 * z1 * z1);
    const double p0 = inverse0_[l] * height_ * std::exp(-0.5 * z0 * z0);
    return std::log(p1 + offset_) - std::log(p0 + offset_);
  }

  double offset_ = 0, height_ = 1;
  std::vector<double> mean1_, mean0_, inverse1_, inverse0_, constant_;  // by label
};

}  // namespace mlsift
