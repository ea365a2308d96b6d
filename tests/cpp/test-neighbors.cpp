// Distances of both kinds, dense and sparse, and the scan by distance, beside sorting everything.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include <mlsift/criteria/mlrf.h>
#include <mlsift/distance/label_bits.h>
#include <mlsift/distance/neighbors.h>
#include <mlsift/distance/ordered_scan.h>
#include <mlsift/distance/row_scan.h>

#include "check.h"

namespace {

// n rows of d columns, dense and sparse.
struct Data {
  std::size_t n, d;
  std::vector<std::vector<double>> column;
  std::vector<int> start{0}, row;
  std::vector<double> value;

  Data(std::size_t n_rows, std::size_t n_columns, double unit, std::mt19937_64& random)
      : n(n_rows), d(n_columns), column(d, std::vector<double>(n)) {
    for (auto& c : column) {
      for (std::size_t i = 0; i < n; ++i) {
        c[i] = random() % 3 == 0 ? unit * static_cast<double>(random() % 5) : 0;
        if (c[i] == 0) continue;
        row.push_back(static_cast<int>(i));
        value.push_back(c[i]);
      }
      start.push_back(static_cast<int>(row.size()));
    }
  }
  std::vector<const double*> columns() const {
    std::vector<const double*> result;
    for (const auto& c : column) result.push_back(c.data());
    return result;
  }
  mlsift::SparseColumns sparse() const {
    mlsift::SparseColumns result;
    result.n_rows = n;
    result.n_columns = d;
    result.start = start.data();
    result.row = row.data();
    result.value = value.data();
    return result;
  }
};

template <class Distances>
std::vector<std::vector<double>> all_distances(const Distances& distances, std::size_t d) {
  std::vector<std::vector<double>> result(distances.n_query());
  typename Distances::Block block;
  for (std::size_t i = 0; i < distances.n_query(); ++i) {
    distances.start(block, i, 1);
    distances.add(block, 0, d);
    result[i].assign(block.row(0), block.row(0) + distances.n_train());
  }
  return result;
}

// The k first rows that `keep` wants, in the order of a scan.
template <class Keep>
struct FirstRows {
  std::size_t k;
  Keep keep;
  std::vector<std::size_t> rows;
  bool full() const { return rows.size() == k; }
  bool wants(std::size_t row) const { return keep(row); }
};

template <class Keep>
std::vector<std::size_t> scanned(mlsift::OrderedScan& scan, const std::vector<double>& distance, std::size_t k,
                                 Keep keep) {
  FirstRows<Keep> first{k, keep, {}};
  scan.scan(distance.data(), k, first, [&](std::size_t row) { first.rows.push_back(row); });
  return first.rows;
}

template <class Keep>
std::vector<std::size_t> sorted(const std::vector<double>& distance, std::size_t k, Keep keep) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    if (keep(i) && !std::isnan(distance[i])) rows.push_back(i);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
  rows.resize(std::min(k, rows.size()));
  return rows;
}

// A criterion whose rows take longer than the time between two polls.
struct SlowRows {
  struct Quotas {
    explicit Quotas(const SlowRows& criterion) : started(criterion.started) {}
    void start(std::size_t, const double*, mlsift::RowPairs&) {
      ++*started;
      std::this_thread::sleep_for(std::chrono::milliseconds(110));
    }
    bool full() const { return true; }
    bool wants(std::size_t) const { return false; }
    void take(std::size_t, mlsift::RowPairs&) {}
    void finish(mlsift::RowPairs&) {}
    std::atomic<int>* started;
  };
  std::atomic<int>* started;
  std::size_t expected() const { return 1; }
};

// The k nearest training rows of each query row, nearest first, on all d features.
template <class Distances>
std::vector<std::vector<int>> nearest_rows(const Distances& distances, std::size_t k, std::size_t d, bool self) {
  std::vector<std::vector<int>> result(distances.n_query());
  mlsift::nearest(mlsift::Context(), distances, k, {d}, self, 0,
                  [&](int, std::size_t, std::size_t i, const mlsift::Neighbor* any_order) {
                    std::vector<mlsift::Neighbor> found(any_order, any_order + k);
                    std::sort(found.begin(), found.end());
                    for (const mlsift::Neighbor& one : found) result[i].push_back(one.row);
                  });
  return result;
}

void check_nearest(const Data& train, const Data& query, bool self) {
  const mlsift::DenseDistances dense(train.columns(), train.n, query.columns(), query.n, std::vector<char>(train.d));
  const mlsift::SparseDistances sparse(train.sparse(), query.sparse());
  for (const std::size_t k : {std::size_t{1}, std::min<std::size_t>(7, train.n - 1), train.n - 1}) {
    const std::vector<std::vector<int>> found = nearest_rows(dense, k, train.d, self);
    CHECK(nearest_rows(sparse, k, train.d, self) == found);
    for (std::size_t i = 0; i < query.n; ++i) {
      std::vector<double> distance(train.n, 0.0);
      for (std::size_t f = 0; f < train.d; ++f) {
        for (std::size_t j = 0; j < train.n; ++j) {
          const double difference = train.column[f][j] - query.column[f][i];
          distance[j] += difference * difference;
        }
      }
      const auto expected = sorted(distance, k, [&](std::size_t row) { return !self || row != i; });
      CHECK(std::equal(expected.begin(), expected.end(), found[i].begin(), found[i].end(),
                       [](std::size_t a, int b) { return static_cast<int>(a) == b; }));
    }
  }
}

// Rows that all have all labels.
mlsift::Targets all_on(std::size_t n, int q) {
  mlsift::Targets labels;
  labels.n_classes = q;
  labels.start.push_back(0);
  for (std::size_t i = 0; i < n; ++i) {
    for (int l = 0; l < q; ++l) labels.ids.push_back(l);
    labels.start.push_back(labels.ids.size());
  }
  labels.count.assign(static_cast<std::size_t>(q), static_cast<int>(n));
  return labels;
}

}  // namespace

int main() {
  check::test("Manhattan distances are sums of weighted differences, dense and sparse to the bit", [] {
    std::mt19937_64 random(1);
    for (const double unit : {1.0, 0.3}) {
      for (const double weight : {1.0, 1.0 / 3}) {
        const Data x(70, 9, unit, random);
        mlsift::AbsoluteTerms terms;
        for (std::size_t f = 0; f < x.d; ++f) terms.weight.push_back(f == 4 ? 0 : weight);
        std::vector<std::vector<double>> expected(x.n, std::vector<double>(x.n, 0.0));
        for (std::size_t i = 0; i < x.n; ++i) {
          for (std::size_t j = 0; j < x.n; ++j) {
            for (std::size_t f = 0; f < x.d; ++f)
              expected[i][j] += std::fabs(x.column[f][i] - x.column[f][j]) * terms.weight[f];
          }
        }
        using Dense = mlsift::BasicDenseDistances<mlsift::AbsoluteTerms>;
        using Sparse = mlsift::BasicSparseDistances<mlsift::AbsoluteTerms>;
        CHECK(all_distances(Dense(x.columns(), x.n, x.columns(), x.n, std::vector<char>(x.d), terms), x.d) == expected);
        CHECK(all_distances(Sparse(x.sparse(), x.sparse(), terms), x.d) == expected);
      }
    }
  });

  check::test("squared distances to the bit, of rows in wide lanes, in narrow ones and left over", [] {
    std::mt19937_64 random(5);
    for (const std::size_t n : {3, 4, 7, 8, 12, 15, 16, 45}) {
      Data x(n, 5, 0.3, random);
      for (auto& c : x.column) {
        for (double& v : c) v = static_cast<double>(random()) * 1e-19;
      }
      std::vector<std::vector<double>> expected(n, std::vector<double>(n, 0.0));
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t f = 0; f < x.d; ++f) {
            const double difference = x.column[f][j] - x.column[f][i];
            expected[i][j] += difference * difference;
          }
        }
      }
      const mlsift::DenseDistances dense(x.columns(), n, x.columns(), n, std::vector<char>(x.d));
      CHECK(all_distances(dense, x.d) == expected);
    }
  });

  check::test("the nearest rows by Manhattan distance, on nested sets of features", [] {
    std::mt19937_64 random(2);
    const Data x(150, 12, 1, random);
    const mlsift::AbsoluteTerms terms{std::vector<double>(x.d, 0.25)};
    const std::vector<std::size_t> prefixes{1, 2, 3, 7, 12};
    const mlsift::BasicDenseDistances<mlsift::AbsoluteTerms> distances(x.columns(), x.n, x.columns(), x.n,
                                                                       std::vector<char>(x.d), terms);
    std::vector<std::vector<std::vector<double>>> partial;
    for (const std::size_t p : prefixes) partial.push_back(all_distances(distances, p));
    bool same = true;
    mlsift::nearest(mlsift::Context(), distances, 7, prefixes, true, 0,
                    [&](int, std::size_t p, std::size_t i, const mlsift::Neighbor* any_order) {
                      std::vector<mlsift::Neighbor> found(any_order, any_order + 7);
                      std::sort(found.begin(), found.end());
                      const auto expected = sorted(partial[p][i], 7, [&](std::size_t row) { return row != i; });
                      for (std::size_t j = 0; j < 7; ++j)
                        same = same && static_cast<std::size_t>(found[j].row) == expected[j];
                    });
    CHECK(same);
  });

  check::test("the nearest rows are those of the definition, ties to the lowest row, dense and sparse", [] {
    std::mt19937_64 random(6);
    for (const double unit : {1.0, 0.1, 3.14159265358979}) {
      for (const std::size_t n : {2, 3, 9, 33, 150}) {
        const Data x(n, 7, unit, random), query(11, 7, unit, random);
        check_nearest(x, x, true);
        check_nearest(x, query, false);
      }
    }
    check_nearest(Data(150, 210, 1, random), Data(20, 210, 1, random), false);
  });

  check::test("squares too large for a double leave different neighbors", [] {
    const std::vector<double> values{0, 1e300, -1e300, 2e300, 1};
    const mlsift::DenseDistances distances({values.data()}, 5, {values.data()}, 5, {0});
    CHECK(nearest_rows(distances, 4, 1, true)[0] == (std::vector<int>{4, 1, 2, 3}));
  });

  check::test("a scan visits the rows that are wanted by distance, equal ones by row", [] {
    std::mt19937_64 random(3);
    for (const std::size_t n : {1u, 2u, 130u, 257u, 3000u}) {
      mlsift::OrderedScan scan(n);
      std::vector<double> distance(n);
      std::vector<int> label(n), set(n);
      for (int round = 0; round < 30; ++round) {
        for (std::size_t i = 0; i < n; ++i) {
          distance[i] = static_cast<double>(random() % (round % 3 == 0 ? 4 : 100000));
          label[i] = random() % 50 == 0;
          set[i] = static_cast<int>(random() % 20);
        }
        const std::size_t self = random() % n;
        distance[self] = std::numeric_limits<double>::quiet_NaN();
        if (n > 2) distance[(self + 1) % n] = std::numeric_limits<double>::infinity();
        for (const std::size_t k : {std::size_t{1}, std::size_t{10}, n}) {
          const auto same = [&](auto keep) { return scanned(scan, distance, k, keep) == sorted(distance, k, keep); };
          CHECK(same([](std::size_t) { return true; }));
          CHECK(same([&](std::size_t i) { return label[i] == label[self]; }));
          CHECK(same([&](std::size_t i) { return label[i] != label[self]; }));
          CHECK(same([&](std::size_t i) { return set[i] == set[self]; }));
        }
      }
    }
  });

  check::test("ones of a word are visited in order", [] {
    std::vector<std::size_t> ones;
    mlsift::visit_ones(0x8000000000000015ULL, 64, [&](std::size_t i) { ones.push_back(i); });
    CHECK((ones == std::vector<std::size_t>{64, 66, 68, 127}));
  });

  check::test("a scan of rows polls after each row, not only after each slice", [&] {
    std::mt19937_64 random(5);
    const Data data(64, 3, 1, random);
    const mlsift::DenseDistances distances(data.columns(), data.n, data.columns(), data.n, std::vector<char>(data.d));
    std::vector<std::size_t> rows(data.n);
    for (std::size_t i = 0; i < data.n; ++i) rows[i] = i;
    for (int threads : {1, 2}) {
      int polls = 0;
      std::atomic<int> started{0};
      mlsift::Context context;
      context.threads = threads;
      context.poll = [&](double) { return ++polls == 3; };
      bool interrupted = false;
      try {
        mlsift::scan_rows(context, distances, rows, data.d, SlowRows{&started}, 1, 2,
                          [](int, std::size_t, std::size_t, const mlsift::RowPairs&) {});
      } catch (const mlsift::Interrupted&) {
        interrupted = true;
      }
      CHECK(interrupted && polls == 3 && started >= 3);
      // The other worker, if it got a slice, stops as well, after some of its 32 rows.
      CHECK(started <= 3 + (threads - 1) * 16);
    }
  });

  check::test("counting pairs of labels can be interrupted", [&] {
    const mlsift::Targets labels = all_on(60, 3000);
    mlsift::Context context;
    context.poll = [](double) { return true; };
    bool interrupted = false;
    try {
      const mlsift::Mlrf criterion(context, labels, 3);
    } catch (const mlsift::Interrupted&) {
      interrupted = true;
    }
    CHECK(interrupted);
  });

  return check::failed_tests;
}
