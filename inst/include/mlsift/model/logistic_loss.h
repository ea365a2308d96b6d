#pragma once

#include <cmath>

namespace mlsift {

/// 1 / (1 + exp(-z))
inline double logistic(double z) {
  const double e = std::exp(-std::fabs(z));
  return (z >= 0 ? 1 : e) / (1 + e);
}

/// The loss f(y, z) = phi(z) - y z + g(y) of a cell, as CellLasso takes it: the slope p of phi at z, the curvature in
/// terms of p, the largest possible curvature, the z at which the slope is sum / total, and `conjugate(y, u)`, which is
/// max_z [u z - phi(z)] - g(y).
struct LogisticLoss {
  static constexpr double most_curvature = 0.25;
  /// log(1 + exp(z)) - y z
  static double value(double y, double z) { return std::log1p(std::exp(-std::fabs(z))) + (z > 0 ? z : 0) - y * z; }
  static double slope(double z) { return logistic(z); }
  static double curvature(double p) { return p * (1 - p); }
  static double link(double sum, double total) { return std::log(sum / (total - sum)); }
  /// u log u + (1 - u) log(1 - u)
  static double conjugate(double, double u) {
    return (u > 0 ? u * std::log(u) : 0) + (u < 1 ? (1 - u) * std::log1p(-u) : 0);
  }
};

}  // namespace mlsift
