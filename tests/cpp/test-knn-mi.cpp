// Nearest-neighbor mutual information: sparse features give the bits of those in a table, whatever the threads.

#include <cmath>
#include <random>
#include <vector>

#include <mlsift/search/knn_mi_forward.h>

#include "check.h"

namespace {

// Columns with few nonzeros, some of them negative or the same, as sparse columns.
struct Data {
  std::size_t n = 120;
  std::vector<std::vector<int>> rows;
  std::vector<std::vector<double>> values;
  mlsift::Features features, dense;
  std::vector<std::vector<double>> dense_values;
  std::vector<int> used, class_of;

  explicit Data(bool ones) : rows(12), values(12) {
    std::mt19937_64 random(7);
    features.n_rows = dense.n_rows = n;
    dense_values.reserve(rows.size());
    for (std::size_t f = 0; f < rows.size(); ++f) {
      rows[f].reserve(n);  // an empty column is sparse too
      for (std::size_t i = 0; i < n; ++i) {
        if (random() % 20 >= f) continue;
        rows[f].push_back(static_cast<int>(i));
        values[f].push_back(ones ? 1.0 : static_cast<double>(random() % 9) - 3.0);
      }
      mlsift::Column column;
      column.rows = rows[f].data();
      column.reals = values[f].data();
      column.stored = rows[f].size();
      features.columns.push_back(column);
      dense_values.emplace_back(n, 0.0);
      for (std::size_t s = 0; s < column.stored; ++s)
        dense_values[f][static_cast<std::size_t>(rows[f][s])] = values[f][s];
      mlsift::Column whole;
      whole.reals = dense_values[f].data();
      dense.columns.push_back(whole);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 10 == 3) continue;
      used.push_back(static_cast<int>(i));
      class_of.push_back(static_cast<int>(random() % 3));
    }
  }

  mlsift::ClassedRows classed(const mlsift::Features& from, bool zscore) const {
    mlsift::ClassedRowsOptions options;
    options.zscore = zscore;
    return mlsift::classed_rows(from, used, class_of, 3, options);
  }
};

std::vector<double> forward(const mlsift::ClassedRows& rows, mlsift::KnnMiOptions options, int threads) {
  mlsift::Context context;
  context.threads = threads;
  const mlsift::KnnMi mi(rows, options);
  mlsift::KnnMiForward selected(mi, context);
  std::vector<int> candidates;
  for (int f = 0; f < static_cast<int>(rows.d); ++f) {
    if (rows.varies(f)) candidates.push_back(f);
  }
  std::vector<double> all, scores;
  while (!candidates.empty()) {
    selected.scores(candidates, scores);
    all.insert(all.end(), scores.begin(), scores.end());
    selected.add(candidates[candidates.size() / 2]);
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2));
  }
  return all;
}

}  // namespace

int main() {
  check::test("sparse features give the bits of a table", [] {
    for (const bool ones : {false, true}) {
      const Data data(ones);
      for (const bool zscore : {false, true}) {
        const mlsift::ClassedRows sparse = data.classed(data.features, zscore);
        const mlsift::ClassedRows table = data.classed(data.dense, zscore);
        CHECK(sparse.numbers.cells == table.numbers.cells);
        CHECK(sparse.deviation == table.deviation);
        for (const auto zero : {mlsift::ZeroRule::floor, mlsift::ZeroRule::ross, mlsift::ZeroRule::gao}) {
          mlsift::KnnMiOptions options;
          options.zero = zero;
          const std::vector<double> expected = forward(table, options, 1);
          CHECK(forward(sparse, options, 1) == expected);
          CHECK(forward(sparse, options, 3) == expected);
          options.max_rows = 0;
          CHECK(forward(sparse, options, 2) == expected);
        }
      }
    }
  });

  check::test("sums keep the digits of their terms in any order", [] {
    std::mt19937_64 random(3);
    std::vector<double> terms(1000);
    mlsift::ExactSum up, down;
    long double sum = 0;
    for (double& term : terms) {
      term = std::log(static_cast<double>(random() % 100000 + 1) / 300.0);
      up += mlsift::ExactSum(term);
      sum += term;
    }
    for (std::size_t i = terms.size(); i > 0; --i) down += mlsift::ExactSum(terms[i - 1]);
    CHECK(up.high == down.high && up.low == down.low);
    CHECK(std::fabs(up.value() - static_cast<double>(sum)) < 1e-11);
    down += mlsift::ExactSum(700.25);
    down -= mlsift::ExactSum(700.25);
    CHECK(up.value() == down.value());
    CHECK(mlsift::ExactSum(-0.1).value() == -0.1);
  });
  return check::failed_tests;
}
