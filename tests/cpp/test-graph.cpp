// The label-space graph kept and made anew, and eigenpairs that are known.

#include <cmath>
#include <vector>

#include <mlsift/criteria/spec.h>
#include <mlsift/graph/label_graph.h>
#include <mlsift/solve/eigenpairs.h>

#include "check.h"

namespace {

// Rows without labels, with label 0, with 0 and 1, with 1 and 2, again with 0.
mlsift::Targets labels() {
  mlsift::Targets result;
  result.n_classes = 3;
  result.start = {0, 0, 1, 3, 5, 6};
  result.ids = {0, 0, 1, 1, 2, 0};
  result.count = {3, 2, 1};
  return result;
}

using Numbers = std::vector<std::vector<double>>;  // by feature

mlsift::Features features_of(const Numbers& numbers) {
  mlsift::Features features;
  features.n_rows = numbers[0].size();
  for (const auto& values : numbers) {
    features.columns.emplace_back();
    features.columns.back().reals = values.data();
  }
  return features;
}

}  // namespace

int main() {
  check::test("similarities known by hand", [] {
    const mlsift::LabelGraph graph(labels(), true);
    mlsift::SimilarityRow row(graph);
    CHECK(graph.size() == 4);
    row.load(1);
    CHECK(row[0] == 0);
    CHECK(row[1] == 1);
    CHECK(row[2] == 3.0 / 5);
    CHECK(row[3] == 0);
    row.load(2);
    CHECK(std::fabs(row[3] - 2.0 / 6) < 1e-15);
    const std::vector<double> degree = mlsift::degrees(graph, mlsift::Context());
    CHECK(degree[0] == 0);
    CHECK(degree[1] == 1 + 3.0 / 5);
  });

  check::test("a table that is kept and one that is not visit the same pairs", [] {
    const mlsift::LabelGraph graph(labels(), false);
    mlsift::SimilarityRow row(graph);
    const mlsift::SimilarityTable kept(graph, 1e9, mlsift::Context()), anew(graph, 0, mlsift::Context());
    for (std::size_t g = 0; g < graph.size(); ++g) {
      std::vector<double> a(4, 0.0), b(4, 0.0);
      kept.visit(g, row, [&](std::size_t other, double s) { a[other] += s; });
      anew.visit(g, row, [&](std::size_t other, double s) { b[other] += s; });
      CHECK(a == b);
      CHECK(a[g] == graph.own(g));
    }
    CHECK(mlsift::similarities(graph, {3, 2}, 2, mlsift::Context()).start.empty());
    CHECK(mlsift::similarities(graph, {3, 2}, 3, mlsift::Context()).set.size() == 3);
  });

  check::test("scores are the same whether similarities are kept or made anew", [] {
    const std::size_t n = 80, d = 12, q = 6;
    unsigned state = 1;
    const auto draw = [&](unsigned below) {
      state = state * 1664525u + 1013904223u;
      return static_cast<std::size_t>((state >> 16) % below);
    };
    mlsift::Targets y;
    y.n_classes = q;
    y.start = {0};
    y.count.assign(q, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < q; ++l) {
        if (draw(3) == 0) y.ids.push_back(static_cast<int>(l)), ++y.count[l];
      }
      y.start.push_back(y.ids.size());
    }
    // Few rows have a feature, so that its sums are 0 in most label sets; the last two features have many rows.
    Numbers x(d, std::vector<double>(n, 0.0));
    for (std::size_t f = 0; f < d; ++f) {
      for (std::size_t i = 0; i < (f < d - 2 ? 4 : 60); ++i) x[f][draw(n)] = static_cast<double>(1 + draw(3));
    }
    const mlsift::LabelGraph graph(y, true);
    CHECK(graph.size() > 30);
    for (const int phi : {1, 2}) {
      mlsift::SpecOptions options;
      options.phi = phi;
      const mlsift::Features all = features_of(x);
      const std::vector<double> expected = mlsift::Spec(all, graph, options, mlsift::Context()).scores({});
      options.most_bytes = 0;
      for (const std::size_t few : {d, d - 2}) {
        const Numbers part(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(few));
        const mlsift::Features features = features_of(part);
        const std::vector<double> found =
            mlsift::Spec(features, graph, options, mlsift::Context()).scores(mlsift::Context());
        for (std::size_t f = 0; f < few; ++f)
          CHECK(std::fabs(found[f] - expected[f]) <= 1e-12 * std::fabs(expected[f]));
      }
    }
  });

  check::test("eigenvalues come as often as they stand, beside known vectors", [] {
    const std::vector<double> diagonal = {0, 0, 0.5, 0.5, 0.5, 1, 2, 2};
    const auto multiply = [&](const std::vector<double>& x, std::vector<double>& y) {
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = diagonal[i] * x[i];
    };
    std::vector<double> first(8, 0.0);
    first[0] = 1;
    const auto values = [&](std::size_t wanted) {
      return mlsift::smallest_eigenpairs(8, wanted, {first}, multiply, mlsift::Context()).value;
    };
    CHECK(values(1).size() == 1);
    CHECK(std::fabs(values(1)[0]) < 1e-12);
    CHECK(values(2).size() == 4);  // and those that equal the second
    CHECK(values(5).size() == 5);
    CHECK(values(7).size() == 7);
    CHECK(values(50).size() == 7);
    CHECK(std::fabs(values(50)[6] - 2) < 1e-12);
  });

  check::test("the smallest eigenvalue is found alone, and where many crowd beside it", [] {
    // With a higher power, the smallest ones are closer to each other: with 3, the first two differ by 3e-9.
    for (const double power : {1.0, 3.0}) {
      std::vector<double> diagonal(700);
      for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = std::pow(static_cast<double>(i) / 699, power) - 1;
      int products = 0;
      const auto multiply = [&](const std::vector<double>& x, std::vector<double>& y) {
        ++products;
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = diagonal[i] * x[i];
      };
      CHECK(std::fabs(mlsift::smallest_eigenvalue(diagonal.size(), multiply) + 1) < 1e-10);
      CHECK(power > 1 || products < 200);
    }
  });
  return check::failed_tests;
}
