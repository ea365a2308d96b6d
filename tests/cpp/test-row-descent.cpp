// Steps of Newton solve their equations, and bring descent over correlated columns to its minimum soon.

#include <mlsift/solve/row_descent.h>

#include <cmath>
#include <random>

#include "check.h"

namespace {

using mlsift::RowPenalty;
using mlsift::WorkingUnits;

struct Problem {
  WorkingUnits units;
  std::vector<double> gram;

  // X (rows x columns) and E (rows x targets), by rows. `start` as in WorkingUnits.
  Problem(const std::vector<double>& x, const std::vector<double>& e, std::size_t rows, std::size_t targets,
          const std::vector<std::size_t>& start) {
    const std::size_t columns = start.back();
    units.targets = targets;
    units.start = start;
    gram.assign(columns * columns, 0);
    units.goal.assign(columns * targets, 0);
    for (const double v : e) units.target_squares += v * v;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < columns; ++k) gram[j * columns + k] += x[i * columns + j] * x[i * columns + k];
        for (std::size_t t = 0; t < targets; ++t)
          units.goal[j * targets + t] += x[i * columns + j] * e[i * targets + t];
      }
    }
    for (std::size_t u = 0; u + 1 < start.size(); ++u) {
      units.square.push_back(gram[start[u] * columns + start[u]]);
      units.weight.push_back(std::sqrt(static_cast<double>(start[u + 1] - start[u])));
    }
  }

  // X'(E - X W)
  std::vector<double> products(const std::vector<double>& w) const {
    std::vector<double> p = units.goal;
    const std::size_t n = units.n_columns(), q = units.targets;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t t = 0; t < q; ++t) p[j * q + t] -= gram[j * n + k] * w[k * q + t];
      }
    }
    return p;
  }

  double norm(const std::vector<double>& rows, std::size_t u) const {
    double sum = 0;
    for (std::size_t e = units.start[u] * units.targets; e < units.start[u + 1] * units.targets; ++e)
      sum += rows[e] * rows[e];
    return std::sqrt(sum);
  }

  // By how much the conditions of a minimum are missed.
  double missed(const RowPenalty& penalty, const std::vector<double>& w) const {
    const std::vector<double> p = products(w);
    double most = 0;
    for (std::size_t u = 0; u < units.n_units(); ++u) {
      const double threshold = penalty.group * units.weight[u], length = norm(w, u);
      if (length == 0) most = std::max(most, norm(p, u) - threshold);
      for (std::size_t e = units.start[u] * units.targets; length > 0 && e < units.start[u + 1] * units.targets; ++e)
        most = std::max(most, std::fabs(p[e] - threshold * w[e] / length - penalty.ridge * w[e]));
    }
    return most;
  }
};

std::vector<double> normal(std::mt19937_64& random, std::size_t n) {
  std::normal_distribution<double> draw;
  std::vector<double> result(n);
  for (double& v : result) v = draw(random);
  return result;
}

}  // namespace

int main() {
  mlsift::Context context;
  mlsift::Poll poll(context);
  std::mt19937_64 random(1);

  check::test("a step of Newton solves the equations of the second derivatives", [&] {
    for (const std::size_t q : {1, 4}) {
      const std::vector<std::size_t> start = {0, 1, 3, 4, 6, 7};
      const Problem problem(normal(random, 20 * 7), normal(random, 20 * q), 20, q, start);
      std::vector<double> w = normal(random, 7 * q), step;
      std::fill_n(w.begin() + static_cast<std::ptrdiff_t>(3 * q), q, 0.0);
      for (const RowPenalty& penalty : {RowPenalty{3, 0}, RowPenalty{3, 0.7}}) {
        const std::vector<double> p = problem.products(w);
        mlsift::RowNewton().find(problem.units, penalty, problem.gram, w, p, step, poll);
        double most = 0;
        for (std::size_t u = 0; u < problem.units.n_units(); ++u) {
          const double length = problem.norm(w, u), threshold = penalty.group * problem.units.weight[u];
          const std::size_t begin = start[u] * q, end = start[u + 1] * q;
          double along = 0;
          for (std::size_t e = begin; e < end; ++e) along += w[e] * step[e];
          for (std::size_t e = begin; e < end; ++e) {
            if (length == 0) {
              most = std::max(most, std::fabs(step[e]));
              continue;
            }
            double curved = penalty.ridge * step[e] + threshold / length * (step[e] - w[e] * along / length / length);
            for (std::size_t k = 0; k < 7; ++k) curved += problem.gram[e / q * 7 + k] * step[k * q + e % q];
            const double gradient = p[e] - threshold * w[e] / length - penalty.ridge * w[e];
            most = std::max(most, std::fabs(curved - gradient));
          }
        }
        CHECK(most < 1e-7);
      }
    }
  });

  check::test("descent over correlated columns is at its minimum after few epochs", [&] {
    const std::size_t n = 80, d = 60;
    for (const std::size_t q : {1, 5}) {
      std::vector<double> x = normal(random, n * d), e = normal(random, n * q);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 1; j < d; ++j) x[i * d + j] = x[i * d + j - 1] + 0.1 * x[i * d + j];
        for (std::size_t t = 0; t < q; ++t) e[i * q + t] += x[i * d + 7 * t] - 3 * x[i * d + 50];
      }
      std::vector<std::size_t> start(d + 1);
      for (std::size_t j = 0; j <= d; ++j) start[j] = j;
      const Problem problem(x, e, n, q, start);
      mlsift::RowDescent<mlsift::GramState<mlsift::OneGram>> descent;
      descent.fit.gram = problem.gram;
      for (const RowPenalty& penalty : {RowPenalty{1, 0}, RowPenalty{1, 0.01}}) {
        std::vector<double> w(d * q, 0.0);
        const double enough = 1e-11 * problem.units.target_squares;
        descent.minimize(problem.units, penalty, enough, enough, 200, w, poll);
        CHECK(problem.missed(penalty, w) < 1e-3);
        std::size_t active = 0;
        for (std::size_t u = 0; u < d; ++u) active += problem.norm(w, u) > 0;
        CHECK(active > 5 && active < d);
      }
    }
  });

  return check::failed_tests;
}
