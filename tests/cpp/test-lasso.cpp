// With the squared loss, the lasso of any smooth loss finds what the one of the squared loss finds.

#include <mlsift/model/cell_lasso.h>
#include <mlsift/model/group_lasso.h>

#include <cmath>
#include <random>

#include "check.h"

namespace {

using mlsift::ActiveRows;
using mlsift::CenteredColumns;

struct SquaredLoss {
  static constexpr double most_curvature = 1;
  static double value(double y, double z) { return (z - y) * (z - y) / 2; }
  static double slope(double z) { return z; }
  static double curvature(double) { return 1; }
  static double link(double sum, double total) { return sum / total; }
  static double conjugate(double y, double u) { return (u * u - y * y) / 2; }
};

constexpr std::size_t n = 50, d = 8, q = 3;

struct Data {
  std::vector<std::vector<double>> x;  // by column
  std::vector<double> y, centered;     // rows x labels, by rows

  explicit Data(unsigned seed) : x(d, std::vector<double>(n)), y(n * q), centered(n * q) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (auto& column : x) {
      for (double& v : column) v = normal(random);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < q; ++l) y[i * q + l] = x[l][i] + normal(random) > 0 ? 1 : 0;
    }
    for (std::size_t l = 0; l < q; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += y[i * q + l];
      for (std::size_t i = 0; i < n; ++i) centered[i * q + l] = y[i * q + l] - sum / n;
    }
  }

  mlsift::Features features() const {
    mlsift::Features features;
    features.n_rows = n;
    for (const auto& column : x) {
      features.columns.emplace_back();
      features.columns.back().reals = column.data();
    }
    return features;
  }
};

double coefficient(const CenteredColumns& x, const ActiveRows& w, std::size_t column, std::size_t label) {
  double value = 0;
  w.each(x, q, [&](std::size_t j, const double* row) {
    if (j == column) value = row[label];
  });
  return value;
}

void expect_same(unsigned seed) {
  const Data data(seed);
  const mlsift::Context context;
  const CenteredColumns x(data.features(), mlsift::Centering::standardize, std::vector<int>(d, 1));
  mlsift::GroupLasso squared(context, x, q);
  squared.set_targets(data.centered.data());
  const std::vector<double> cells;
  mlsift::CellLasso<SquaredLoss> any(context, x, q, data.y.data(), cells, std::vector<char>(d, 0));
  const double largest = squared.largest_penalty();
  CHECK(std::fabs(any.largest_penalty() - largest) < 1e-9 * largest);
  for (const double share : {0.7, 0.3, 0.05}) {
    for (const double ridge : {0.0, 3.0}) {
      ActiveRows one, other;
      const mlsift::RowPenalty penalty{share * largest, ridge};
      const auto found = squared.solve(penalty, 1e-10, true, one);
      const auto same = any.solve(penalty, 1e-10, true, other);
      CHECK(std::fabs(found.objective - same.objective) < 1e-8);
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t l = 0; l < q; ++l)
          CHECK(std::fabs(coefficient(x, one, j, l) - coefficient(x, other, j, l)) < 1e-5);
      }
    }
  }
}

}  // namespace

int main() {
  check::test("the squared loss of all cells gives the group lasso", [] {
    for (unsigned seed = 1; seed <= 5; ++seed) expect_same(seed);
  });
  return check::failed_tests;
}
