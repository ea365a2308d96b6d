#pragma once

#include <cstddef>
#include <vector>

// Distances from a block of query rows to all training rows: sums over features of a term that is 0 for equal values.
// Terms are added feature by feature, in column order, whatever the layout. Zeros add nothing, so dense and sparse
// columns give the same bits, and distances on the first features are partial sums of those on all.

namespace mlsift {

namespace detail {

// Rows of distances of one block of query rows.
class DistanceRows {
 public:
  void reset(std::size_t rows, std::size_t n) {
    n_ = n;
    distance_.assign(rows * n, 0.0);
  }
  double* row(std::size_t i) { return distance_.data() + i * n_; }
  double* before(std::size_t i) { return before_.data() + i * n_; }

  // Makes the current distances the previous ones; the new ones are undefined.
  void keep() {
    before_.resize(distance_.size());
    before_.swap(distance_);
  }

 private:
  std::size_t n_ = 0;
  std::vector<double> distance_, before_;
};

// Query rows in a block: enough to reuse a training column while it is in the cache, few enough to bound the memory.
inline std::size_t block_rows(std::size_t n_train) { return n_train <= 2048 ? 16 : n_train <= 8192 ? 8 : 4; }

// Adds a sparse column to the distances of n rows from a row that has the value `own` there. visit(f) calls f(row,
// value) for the stored values; `kept`: scratch space.
template <class Term, class Visit>
void add_sparse_column(double* distance, std::size_t n, double own, const Term& term, Visit visit,
                       std::vector<double>& kept) {
  if (own == 0) return visit([&](int row, double value) { distance[row] += term(value); });
  kept.clear();
  visit([&](int row, double value) { kept.push_back(distance[row] + term(value - own)); });
  const double alone = term(own);
  for (std::size_t row = 0; row < n; ++row) distance[row] += alone;
  const double* from = kept.data();
  visit([&](int row, double) { distance[row] = *from++; });
}

}  // namespace detail

}  // namespace mlsift
