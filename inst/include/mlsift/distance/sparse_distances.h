#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../data/sparse_columns.h"
#include "distance_rows.h"
#include "distance_terms.h"

namespace mlsift {

/// Sparse columns; only the block of distances is dense.
template <class Terms>
class BasicSparseDistances {
 public:
  static constexpr bool has_update = false;

  struct Block : detail::DistanceRows {
    std::size_t first = 0, size = 0;
    std::vector<double> kept;
  };

  BasicSparseDistances(const SparseColumns& train, const SparseColumns& query, Terms terms = {})
      : train_(train), query_(query), terms_(std::move(terms)), n_query_(query.n_rows) {
    if (terms_.keeps_whole() && whole_numbers(train) && whole_numbers(query)) sum_alone();
  }

  std::size_t n_train() const { return train_.n_rows; }
  std::size_t n_query() const { return n_query_; }
  std::size_t block_rows() const { return detail::block_rows(train_.n_rows); }
  double work(std::size_t) const {
    return static_cast<double>(n_query_) * static_cast<double>(train_.start[train_.n_columns]);
  }

  void start(Block& block, std::size_t first, std::size_t size) const {
    block.first = first;
    block.size = size;
    block.reset(size, train_.n_rows);
  }

  void add(Block& block, std::size_t from, std::size_t to) const {
    const bool common = !alone_.empty() && from == 0 && to == train_.n_columns;
    for (std::size_t i = 0; i < block.size; ++i) {
      common ? add_by_common(block.row(i), block.first + i) : add_by_feature(block, i, from, to);
    }
  }

 private:
  using Entry = SparseRows::Entry;

  void add_by_feature(Block& block, std::size_t i, std::size_t from, std::size_t to) const {
    double* const distance = block.row(i);
    const Entry* entry = query_.begin(block.first + i);
    const Entry* const last = query_.end(block.first + i);
    entry = std::lower_bound(entry, last, from, [](const Entry& e, std::size_t f) { return e.feature < f; });
    for (std::size_t f = from; f < to; ++f) {
      const bool present = entry != last && entry->feature == f;
      const double q = present ? entry->value : 0.0;
      if (present) ++entry;
      const auto each_stored = [&](auto visit) {
        for (int e = train_.start[f]; e < train_.start[f + 1]; ++e) visit(train_.row[e], train_.value[e]);
      };
      detail::add_sparse_column(distance, train_.n_rows, q, terms_[f], each_stored, block.kept);
    }
  }

  // Distances to 0 of both rows, corrected at their common features. Sums of integers are exact in any order, so the
  // result is the same.
  void add_by_common(double* distance, std::size_t i) const {
    const Entry *const begin = query_.begin(i), *const end = query_.end(i);
    double alone = 0;
    for (const Entry* e = begin; e != end; ++e) alone += terms_[e->feature](e->value);
    for (std::size_t row = 0; row < train_.n_rows; ++row) distance[row] += alone_[row] + alone;
    for (const Entry* e = begin; e != end; ++e) {
      const auto term = terms_[e->feature];
      const double q = e->value, of_q = term(q);
      for (int t = train_.start[e->feature]; t < train_.start[e->feature + 1]; ++t) {
        const double x = train_.value[t];
        distance[train_.row[t]] += term(x - q) - (term(x) + of_q);
      }
    }
  }

  // Integers whose squares cannot add up to more than a double holds exactly.
  static bool whole_numbers(const SparseColumns& x) {
    const double limit = std::sqrt(9007199254740992.0 / 8 / static_cast<double>(std::max<std::size_t>(x.n_columns, 1)));
    for (int e = 0; e < x.start[x.n_columns]; ++e) {
      if (std::fabs(x.value[e]) > limit || x.value[e] != std::floor(x.value[e])) return false;
    }
    return true;
  }

  void sum_alone() {
    alone_.assign(train_.n_rows, 0.0);
    for (std::size_t f = 0; f < train_.n_columns; ++f) {
      const auto term = terms_[f];
      for (int e = train_.start[f]; e < train_.start[f + 1]; ++e)
        alone_[static_cast<std::size_t>(train_.row[e])] += term(train_.value[e]);
    }
  }

  SparseColumns train_;
  SparseRows query_;
  Terms terms_;
  std::size_t n_query_;
  std::vector<double> alone_;  // distances of the training rows to 0; empty unless all terms are whole
};

using SparseDistances = BasicSparseDistances<SquaredTerms>;

}  // namespace mlsift
