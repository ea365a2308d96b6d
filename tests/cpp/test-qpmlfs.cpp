// The quadratic program of QPMLFS, for any symmetric matrix and vector.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <mlsift/criteria/qpmlfs.h>

#include "check.h"

namespace {

// A symmetric matrix with these eigenvalues: Householder reflections of a diagonal.
std::vector<double> with_eigenvalues(std::vector<double> values, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const std::size_t d = values.size();
  std::vector<double> v(d), q(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) q[i * d + i] = values[i];
  for (int round = 0; round < 2; ++round) {
    double length = 0;
    for (double& one : v) {
      one = normal(random);
      length += one * one;
    }
    const auto reflect = [&](std::size_t step, std::size_t stride) {
      for (std::size_t i = 0; i < d; ++i) {
        double* const line = q.data() + i * stride;
        double along = 0;
        for (std::size_t j = 0; j < d; ++j) along += line[j * step] * v[j];
        for (std::size_t j = 0; j < d; ++j) line[j * step] -= 2 * along / length * v[j];
      }
    };
    reflect(1, d);
    reflect(d, 1);
  }
  return q;
}

// At the minimum of a convex function over the simplex the gradient is the same wherever there is weight, and nowhere
// smaller.
void check_minimum(const std::vector<double>& q, const std::vector<double>& c, double alpha, double lowest) {
  const std::size_t d = c.size();
  const mlsift::Context context;
  const mlsift::Qpmlfs problem(q, c, alpha, context);
  const mlsift::SimplexMinimum found = problem.minimum(context);
  CHECK(std::fabs(problem.shift() - std::max(0.0, -lowest)) < 1e-7 * std::max(1.0, std::fabs(lowest)));
  CHECK(std::fabs(std::accumulate(found.x.begin(), found.x.end(), 0.0) - 1) < 1e-12);
  double objective = 0, least = 1e300, most = -1e300;
  for (std::size_t i = 0; i < d; ++i) {
    double product = problem.shift() * found.x[i];
    for (std::size_t j = 0; j < d; ++j) product += q[i * d + j] * found.x[j];
    const double gradient = (1 - alpha) * product - alpha * c[i];
    objective += found.x[i] * ((1 - alpha) / 2 * product - alpha * c[i]);
    CHECK(std::fabs(gradient - found.gradient[i]) < 1e-9);
    CHECK(found.x[i] >= 0);
    least = std::min(least, gradient);
    if (found.x[i] > 1e-6) most = std::max(most, gradient);
  }
  CHECK(std::fabs(objective - found.objective) < 1e-9);
  CHECK(most - least < 1e-5);
  CHECK(found.gap <= 1e-12 * std::max(1.0, std::fabs(found.objective)));
}

}  // namespace

int main() {
  check::test("weights minimize the quadratic over the simplex", [] {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (const std::size_t d : {1, 2, 3, 7, 30}) {
      for (const double alpha : {0.0, 0.3, 0.5, 0.9}) {
        std::vector<double> values(d), c(d);
        for (double& value : values) value = 0.1 + std::fabs(normal(random));
        for (double& value : c) value = normal(random);
        check_minimum(with_eigenvalues(values, random), c, alpha, 0);
      }
    }
  });

  check::test("the diagonal is raised by the size of a negative eigenvalue", [] {
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal;
    for (const std::size_t d : {2, 5, 8, 60, 350}) {
      std::vector<double> values(d), c(d);
      for (double& value : values) value = normal(random);
      values[0] = -0.5 - std::fabs(values[0]);
      for (double& value : c) value = std::fabs(normal(random));
      check_minimum(with_eigenvalues(values, random), c, 0.5, *std::min_element(values.begin(), values.end()));
    }
  });
  return check::failed_tests;
}
