// What R cannot see: threads and interrupts, the scale of the integer logarithms, and how columns become levels.

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <mlsift/core/parallel.h>
#include <mlsift/core/xlogx.h>
#include <mlsift/data/column.h>
#include <mlsift/data/targets.h>

#include "check.h"

namespace {

mlsift::Context with_threads(int threads) {
  mlsift::Context context;
  context.threads = threads;
  return context;
}

// Rows by level, the reference level filled up again.
std::map<int, std::vector<int>> groups(const mlsift::LevelRows& levels, std::size_t n) {
  std::map<int, std::vector<int>> result;
  std::vector<char> seen(n, 0);
  for (int v = 0; v < levels.n_levels(); ++v) {
    if (v == levels.reference) continue;
    result[v].assign(levels.begin(v), levels.end(v));
    for (const int row : result[v]) seen[static_cast<std::size_t>(row)] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!seen[i]) result[levels.reference].push_back(static_cast<int>(i));
  }
  return result;
}

// The same, from the definition: levels are the distinct values in increasing order.
std::map<int, std::vector<int>> naive_groups(const std::vector<double>& values) {
  std::map<double, std::vector<int>> by_value;
  for (std::size_t i = 0; i < values.size(); ++i) by_value[values[i]].push_back(static_cast<int>(i));
  std::map<int, std::vector<int>> result;
  int level = 0;
  for (const auto& entry : by_value) result[level++] = entry.second;
  return result;
}

}  // namespace

int main() {
  check::test("parallel_for visits every index once, whatever the number of threads", [&] {
    for (int threads : {1, 2, 3, 8, 0, -2}) {
      for (std::size_t n : {0u, 1u, 7u, 1000u}) {
        for (double work : {1.0, 1e9}) {
          std::vector<std::atomic<int>> visits(n);
          for (auto& v : visits) v = 0;
          mlsift::parallel_for(with_threads(threads), n, work, [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) ++visits[i];
          });
          for (auto& v : visits) CHECK(v == 1);
        }
      }
    }
  });

  check::test("workers stay below worker_count", [&] {
    for (int threads : {1, 2, 5, -3}) {
      const std::size_t most = mlsift::worker_count(with_threads(threads), 100, 1e9);
      mlsift::parallel_for(with_threads(threads), 100, 1e9, [&](int worker, std::size_t, std::size_t) {
        CHECK(worker >= 0 && static_cast<std::size_t>(worker) < most);
      });
    }
  });

  check::test("small work gets one thread, large work all that are allowed", [&] {
    CHECK(mlsift::choose_threads(with_threads(-4), 1e3) == 1);
    CHECK(mlsift::choose_threads(with_threads(-4), 1e12) == 4);
    CHECK(mlsift::choose_threads(with_threads(3), 1) == 3);
  });

  check::test("an exception in a worker reaches the caller", [&] {
    for (int threads : {1, 2, 4}) {
      bool caught = false;
      try {
        mlsift::parallel_for(with_threads(threads), 100, 1e9, [](int, std::size_t begin, std::size_t) {
          if (begin >= 40) throw std::runtime_error("boom");
        });
      } catch (const std::runtime_error& e) {
        caught = std::string(e.what()) == "boom";
      }
      CHECK(caught);
    }
  });

  check::test("an interrupt stops all threads within a second", [&] {
    for (int threads : {1, 2}) {
      mlsift::Context context = with_threads(threads);
      int polls = 0;
      context.poll = [&](double done) {
        CHECK(done >= 0 && done <= 1);
        return ++polls == 2;
      };
      const auto start = std::chrono::steady_clock::now();
      bool interrupted = false;
      try {
        mlsift::parallel_for(context, 100000, 1e12, [](int, std::size_t, std::size_t) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        });
      } catch (const mlsift::Interrupted&) {
        interrupted = true;
      }
      CHECK(interrupted);
      CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
    }
  });

  check::test("an interrupt stops many short loops as it stops a long one", [&] {
    mlsift::Context context = with_threads(1);
    context.poll = [](double) { return true; };
    bool interrupted = false;
    try {
      for (int i = 0; i < 100; ++i) {
        mlsift::parallel_for(context, 1, 1, [](int, std::size_t, std::size_t) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        });
      }
    } catch (const mlsift::Interrupted&) {
      interrupted = true;
    }
    CHECK(interrupted);
  });

  check::test("without rows there is a scale too", [] {
    const mlsift::XLogX none(0, 1), one(1, 1);
    CHECK(none.n() == 0);
    CHECK(none(0) == 0);
    CHECK(none.value(1000) == one.value(1000));
  });

  check::test("integer n log n is exact to the last bits and sums to informations", [&] {
    for (std::size_t n : {1u, 2u, 3u, 100u, 65536u, 1000000u}) {
      for (double terms : {1.0, 1000.0, 1e6}) {
        const mlsift::XLogX g(n, terms);
        CHECK(g(0) == 0);
        CHECK(g(1) == 0);
        CHECK(g.or_zero(-5) == 0);
        const double got = g.bits(g(static_cast<std::int64_t>(n)));
        CHECK(std::fabs(got - std::log2(static_cast<double>(n))) <=
              1e-12 * std::fmax(1, std::log2(static_cast<double>(n))));
        // An even split has one bit of entropy; `terms` times that still fits.
        if (n % 2 == 0) {
          const std::uint64_t bit = g(static_cast<std::int64_t>(n)) - 2 * g(static_cast<std::int64_t>(n / 2));
          const std::uint64_t many = bit * static_cast<std::uint64_t>(terms);
          CHECK(std::fabs(g.bits(many) / terms - 1) < 1e-12);
        }
      }
    }
  });

  check::test("n log n in whole numbers is correctly rounded", [] {
    // round(k log2(k) 2^scale) from 300 bits; six are the nearest to a midpoint up to 60,000, and the last six need
    // more than 64 bits.
    struct Value {
      std::uint64_t k;
      int scale;
      std::uint64_t rounded;
    };
    const std::vector<Value> values{
        {2U, 59, 1152921504606846976U},
        {3U, 58, 1370503013307649627U},
        {5U, 57, 1673125520466529720U},
        {7U, 56, 1416038689058039614U},
        {10U, 55, 1196850730422904540U},
        {299U, 49, 1384280706468557925U},
        {1000U, 47, 1402559449714341258U},
        {1023U, 47, 1439541563772024649U},
        {1025U, 47, 1442762396027620907U},
        {65535U, 41, 2305804652345864065U},
        {65537U, 40, 1152940683064966326U},
        {999999U, 36, 1369685493783500044U},
        {1048577U, 36, 1441153354289389014U},
        {123456789U, 29, 1781578329338972037U},
        {2147483647U, 25, 2233785414087169811U},
        {1099511627775U, 15, 1441151880757200726U},
        {35184372076487U, 10, 1621295865266283448U},
        {59373U, 41, 2070399084167512215U},
        {9591U, 44, 2231826030804073816U},
        {6741U, 44, 1508302537706021745U},
        {13482U, 43, 1626891463831430001U},
        {26964U, 42, 1745480389956838257U},
        {53928U, 41, 1864069316082246513U},
        {1594591986U, 25, 1635695961568497900U},
        {105626778770U, 19, 2027983809160956559U},
        {7872561460215U, 13, 2762836367593490837U},
        {419029860760628U, 7, 2605308914332387989U},
        {8691503205325086U, 3, 3681618346674493610U},
        {34605642827864070U, 1, 3802596546992521248U},
    };
    for (const Value& v : values) CHECK(mlsift::FixedLog::shared().nearest(v.k, v.scale) == v.rounded);
  });

  check::test("n log n in whole numbers is near that of floating-point numbers, one by one and in blocks", [] {
    std::mt19937_64 random(6);
    for (const std::size_t n : {5000u, 65535u, 65536u, 65537u, 100000u, 4000000u, 2147483647u}) {
      for (const double terms : {1.0, 30.0, 1000.0}) {
        const mlsift::XLogXOnDemand g(n, terms);
        const mlsift::XLogX table(std::min<std::size_t>(n, 4000000), terms);
        const auto unit = static_cast<long double>(g.ratio(1, 1));
        std::vector<std::uint64_t> counts{2, 3, n, n - 1};
        for (std::uint64_t power = 4; power < n; power *= 2) counts.insert(counts.end(), {power - 1, power, power + 1});
        if (n <= 100000) {
          for (std::uint64_t k = 4; k < n; ++k) counts.push_back(k);
        } else {
          for (int i = 0; i < 20000; ++i) counts.push_back(2 + random() % (n - 1));
        }
        for (const std::uint64_t count : counts) {
          const auto k = static_cast<std::int64_t>(std::min<std::uint64_t>(count, n));
          const long double real = static_cast<long double>(k) * std::log2(static_cast<long double>(k)) * unit;
          const long double error = 0.5 + 2 * real * std::numeric_limits<long double>::epsilon();
          CHECK(std::fabs(static_cast<long double>(g(k)) - real) <= error);
          if (table.n() == n) CHECK(table(k) == g(k));
        }
      }
    }
  });

  check::test("products and quotients of words are the same from halves and bits", [] {
    std::mt19937_64 random(8);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t a = random() >> random() % 64, b = (random() >> random() % 64) | 1;
      const mlsift::Wide found = mlsift::product(a, b), expected = mlsift::product_of_halves(a, b);
      CHECK(found.high == expected.high && found.low == expected.low);
      CHECK(mlsift::quotient(found, b) == a || found.high >= b);
      const mlsift::Wide any{random() % b, random()};
      CHECK(mlsift::quotient(any, b) == mlsift::quotient_of_bits(any, b));
    }
  });

  check::test("columns of every layout become the same levels", [&] {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
      const std::size_t n = 1 + random() % (round % 2 == 0 ? 40 : 200);
      std::vector<double> values(n);
      const int kind = static_cast<int>(random() % 5);
      for (double& v : values) {
        const int draw = static_cast<int>(random() % 4);
        v = kind == 0   ? draw == 0
            : kind == 1 ? draw - 1
            : kind == 2 ? draw * 0.25
            : kind == 3 ? (draw == 0 ? 0 : 1)
                        : draw * 1e7;
      }
      const auto expected = naive_groups(values);
      std::vector<int> whole(n), rows;
      std::vector<double> stored;
      bool integers = true;
      for (std::size_t i = 0; i < n; ++i) {
        integers = integers && values[i] == std::floor(values[i]);
        whole[i] = static_cast<int>(values[i]);
        if (values[i] != 0 || random() % 4 == 0) {  // now and then a stored zero
          rows.push_back(static_cast<int>(i));
          stored.push_back(values[i]);
        }
      }
      rows.push_back(-1);
      stored.push_back(-1);  // never looked at; keeps the pointers valid when nothing is stored
      mlsift::LevelCoder coder(n);
      mlsift::Column dense, sparse, ints;
      dense.reals = values.data();
      sparse.reals = stored.data();
      sparse.rows = rows.data();
      sparse.stored = rows.size() - 1;
      ints.ints = whole.data();
      CHECK(groups(coder.code(dense), n) == expected);
      CHECK(groups(coder.code(sparse), n) == expected);
      if (integers) CHECK(groups(coder.code(ints), n) == expected);
      const mlsift::LevelRows& levels = coder.code(dense);
      CHECK(std::max_element(levels.count.begin(), levels.count.end()) - levels.count.begin() == levels.reference);
    }
  });

  check::test("missing values are the last level, and cuts close on the side they should", [&] {
    const std::vector<double> values{1, std::nan(""), 2, 3, std::nan("")};
    const std::vector<double> at{2, 3};
    mlsift::LevelCoder coder(5);
    mlsift::Column column;
    column.reals = values.data();
    CHECK(
        (groups(coder.code(column), 5) == std::map<int, std::vector<int>>{{0, {0}}, {1, {2}}, {2, {3}}, {3, {1, 4}}}));
    column.cut = true;
    column.cuts = {at.data(), at.size(), false};
    CHECK(
        (groups(coder.code(column), 5) == std::map<int, std::vector<int>>{{0, {0}}, {1, {2}}, {2, {3}}, {3, {1, 4}}}));
    column.cuts.right = true;
    CHECK((groups(coder.code(column), 5) == std::map<int, std::vector<int>>{{0, {0, 2}}, {1, {3}}, {2, {1, 4}}}));
  });

  check::test("numbers that look like a missing integer are numbers", [&] {
    const std::vector<double> values{-2147483648.0, 0, std::nan(""), 0};
    mlsift::LevelCoder coder(4);
    mlsift::Column column;
    column.reals = values.data();
    CHECK((groups(coder.code(column), 4) == std::map<int, std::vector<int>>{{0, {0}}, {1, {1, 3}}, {2, {2}}}));
  });

  check::test("labels by row are the same from a dense and a sparse matrix", [&] {
    const std::vector<int> dense{1, 0, 1, 0, 0, 0, 0, 1, 1};
    const std::vector<int> rows{0, 2, 1, 2}, start{0, 2, 2, 4};
    mlsift::LabelMatrix a, b;
    a.n_rows = b.n_rows = 3;
    a.n_labels = b.n_labels = 3;
    a.dense = dense.data();
    b.rows = rows.data();
    b.col_start = start.data();
    CHECK((mlsift::labels_that_occur(a) == std::vector<int>{0, 2}));
    for (const auto& labels : {mlsift::targets_of(a, {0, 2}), mlsift::targets_of(b, {0, 2})}) {
      CHECK((labels.ids == std::vector<int>{0, 1, 0, 1}));
      CHECK((labels.start == std::vector<std::size_t>{0, 1, 2, 4}));
      CHECK((labels.count == std::vector<int>{2, 2}));
    }
  });

  return check::failed_tests;
}
