// Tridiagonal matrices beside the matrices they were made from: systems, eigenvalues and products with eigenvectors.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <mlsift/solve/tridiagonal.h>

#include "check.h"

namespace {

using Numbers = std::vector<double>;

Numbers numbers(std::size_t size) {
  static std::uint64_t state = 1;
  Numbers result(size);
  for (double& v : result) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    v = static_cast<double>(state >> 40) / 8388608.0 - 1;
  }
  return result;
}

// B B' for a random matrix B with n rows and `rank` columns. Between rows of B that are not 0 are so many that are.
Numbers matrix_of_rank(std::size_t n, std::size_t rank, std::size_t zeros) {
  Numbers b = numbers(n * rank), a(n * n);
  for (std::size_t i = 0; i < n * rank; ++i) b[i] = i / rank % (zeros + 1) == 0 ? b[i] : 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      a[i * n + j] = std::inner_product(b.begin() + static_cast<std::ptrdiff_t>(i * rank),
                                        b.begin() + static_cast<std::ptrdiff_t>((i + 1) * rank),
                                        b.begin() + static_cast<std::ptrdiff_t>(j * rank), 0.0);
    }
  }
  return a;
}

double inner(const Numbers& x, const Numbers& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); }

Numbers times(const Numbers& a, const Numbers& x) {
  Numbers result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) result[i] += a[i * x.size() + j] * x[j];
  }
  return result;
}

bool near(double x, double y, double size) { return std::fabs(x - y) <= 1e-11 * size; }

// The solution of (A + shift I) x = b.
Numbers solution(const mlsift::Tridiagonal& of, double shift, Numbers x) {
  of.forward(x.data());
  of.solve(shift, x.data());
  of.backward(x.data());
  return x;
}

}  // namespace

int main() {
  const std::vector<std::size_t> sizes = {1, 2, 3, 4, 5, 8, 15, 16, 17, 18, 21, 35, 67, 130, 149, 278};

  check::test("systems are solved, and eigenvalues with products give the same", [&] {
    for (const std::size_t n : sizes) {
      for (const std::size_t rank : {n, n / 2, std::size_t{0}}) {
        for (const std::size_t zeros : {0, 2}) {
          const Numbers a = matrix_of_rank(n, rank, zeros), b = numbers(n);
          Numbers overwritten = a;
          for (std::size_t i = 0; i < n; ++i) {  // the lower triangle is not read
            for (std::size_t j = 0; j < i; ++j) overwritten[i * n + j] = 1e6;
          }
          const mlsift::Tridiagonal of(overwritten, n, mlsift::Context());
          const Numbers x = solution(of, 0.5, b), product = times(a, x);
          for (std::size_t i = 0; i < n; ++i) CHECK(near(product[i] + 0.5 * x[i], b[i], 1 + std::fabs(product[i])));

          Numbers z = b, along = b;
          of.forward(z.data());
          const Numbers value = of.values(z, 1);
          double squares = 0, entry = 0, inverse = 0, sum = 0;
          for (std::size_t j = 0; j < n; ++j) {
            squares += z[j] * z[j];
            entry += value[j] * z[j] * z[j];
            inverse += z[j] * z[j] / (value[j] + 0.5);
            sum += value[j];
          }
          double trace = 0;
          for (std::size_t i = 0; i < n; ++i) trace += a[i * n + i];
          CHECK(near(squares, inner(b, b), inner(b, b)));
          CHECK(near(entry, inner(b, times(a, b)), 1 + trace * inner(b, b)));
          CHECK(near(inverse, inner(b, x), 1 + inverse));
          CHECK(near(sum, trace, 1 + trace));
        }
      }
    }
  });

  check::test("several vectors are turned as one is, and threads change no bit", [&] {
    for (const std::size_t n : sizes) {
      const Numbers a = matrix_of_rank(n, n, 0), b = numbers(3 * n);
      Numbers first = a, second = a, turned = b, back;
      mlsift::Context threads;
      threads.threads = 3;
      const mlsift::Tridiagonal of(first, n, mlsift::Context()), other(second, n, threads);
      of.forward(turned.data(), 3);
      back = turned;
      of.backward(back.data(), 3);
      for (std::size_t t = 0; t < 3; ++t) {
        Numbers x(b.begin() + static_cast<std::ptrdiff_t>(t * n), b.begin() + static_cast<std::ptrdiff_t>((t + 1) * n));
        CHECK(solution(of, 1, x) == solution(other, 1, x));
        other.forward(x.data());
        for (std::size_t i = 0; i < n; ++i) {
          CHECK(x[i] == turned[t * n + i]);
          CHECK(near(back[t * n + i], b[t * n + i], 1));
        }
      }
      CHECK(of.values() == other.values());
    }
  });
  return check::failed_tests;
}
