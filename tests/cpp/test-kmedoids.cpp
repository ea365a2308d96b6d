// Every kind of arithmetic finds the same medoids: narrow and wide weights, whole distances as integers and as doubles.

#include <random>

#include <mlsift/graph/target_groups.h>
#include <mlsift/solve/kmedoids.h>

#include "check.h"

namespace {

template <class D>
std::vector<int> medoids(const mlsift::BitPoints<std::uint64_t>& points, const std::vector<int>& weight,
                         std::size_t k) {
  const mlsift::BitPoints<D> same{points.words, points.bits};
  std::vector<int> all(points.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  std::vector<D> matrix;
  return mlsift::pam(same, all, weight, k, matrix);
}

}  // namespace

int main() {
  check::test("popcount counts ones", [] {
    CHECK(mlsift::popcount(0) == 0);
    CHECK(mlsift::popcount(~std::uint64_t{0}) == 64);
    CHECK(mlsift::popcount(0x8000000000000001ULL) == 2);
    CHECK(mlsift::popcount(0x0123456789abcdefULL) == 32);
  });

  check::test("medoids do not depend on the type of distances", [] {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = 2 + random() % 60, k = 1 + random() % 8;
      mlsift::BitPoints<std::uint64_t> points;
      points.words = 1 + random() % 3;
      for (std::size_t i = 0; i < n * points.words; ++i) points.bits.push_back(random() & random());
      for (std::size_t i = 0; i < n; ++i)
        points.bits[i * points.words] = (points.bits[i * points.words] & ~std::uint64_t{63}) | i;
      for (const int most : {1, 5, 40000, 20000000}) {
        std::vector<int> weight;
        for (std::size_t i = 0; i < n; ++i)
          weight.push_back(1 + static_cast<int>(random() % static_cast<std::uint64_t>(most)));
        const std::vector<int> expected = medoids<double>(points, weight, k);
        CHECK(medoids<std::uint16_t>(points, weight, k) == expected);
        CHECK(medoids<int>(points, weight, k) == expected);
      }
    }
  });

  // 24 points, in two groups 19,000 apart: their sums do not fit into 32 bits.
  check::test("distances and weights that are narrow one by one may have wide sums", [] {
    mlsift::BitPoints<std::uint64_t> points;
    points.words = 301;
    std::vector<int> weight;
    for (std::size_t i = 0; i < 24; ++i) {
      points.bits.push_back(i);
      points.bits.insert(points.bits.end(), 300, i < 9 ? 0 : ~std::uint64_t{0});
      weight.push_back(32767 - static_cast<int>(i));
    }
    for (std::size_t k = 1; k <= 5; ++k) {
      CHECK(medoids<std::uint16_t>(points, weight, k) == medoids<double>(points, weight, k));
    }
  });

  check::test("as many clusters as points leave every point alone", [] {
    mlsift::RealPoints points{1, {0, 1, 5, 9}};
    std::vector<double> matrix;
    CHECK((mlsift::k_medoids(points, {1, 2, 1, 1}, 9, {}, matrix) == std::vector<int>{0, 1, 2, 3}));
    CHECK((mlsift::k_medoids(points, {1, 1, 1, 1}, 2, {}, matrix) == std::vector<int>{0, 0, 1, 1}));
  });

  check::test("equal vectors of numbers are one point with all their rows", [] {
    const std::vector<double> values = {2, 1, 1, 2, 1, 0, 5, 5, 0, 5};  // five rows of two targets
    const mlsift::RealTargets targets(values.data(), 5, 2);
    CHECK((targets.count == std::vector<int>{3, 2}));
    CHECK((targets.of_row == std::vector<int>{1, 0, 0, 1, 0}));
  });

  check::test("samples are the first points of an order, as many as asked for", [] {
    const std::vector<std::vector<int>> orders = {{4, 3, 2, 1, 0}, {0, 1, 2, 3, 4}, {2, 1, 0, 4, 3}};
    const std::vector<int> point_of = {0, 0, 1, 2, 2};
    using Samples = std::vector<std::vector<int>>;
    CHECK((mlsift::detail::draw_samples(orders, point_of, 3, 2) == Samples{{1, 2}, {0, 1}, {0, 1}}));
    CHECK((mlsift::detail::draw_samples(orders, point_of, 3, 1) == Samples{{2}, {0}, {1}}));
    CHECK((mlsift::detail::draw_samples(orders, point_of, 3, 5) == Samples{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}));
  });

  return check::failed_tests;
}
