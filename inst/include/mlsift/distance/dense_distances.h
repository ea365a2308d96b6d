#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/lane.h"
#include "distance_rows.h"
#include "distance_terms.h"

namespace mlsift {

namespace detail {

// 4 query rows (n distances each) x two lanes of training rows, for all features of [from, to) while their sums stay in
// registers. `query` holds the four values of each feature side by side.
template <class L, class Terms>
MLSIFT_IN_LANES void add_tile(const Terms& terms, const double* before, double* distance, std::size_t n,
                              const std::vector<const double*>& column, const double* query, std::size_t row,
                              std::size_t from, std::size_t to) {
  constexpr std::size_t width = sizeof(L) / sizeof(double);
  const double* const s = before + row;
  double* const r = distance + row;
  L a0, b0, a1, b1, a2, b2, a3, b3, xa, xb, value = {};
  load(a0, s), load(b0, s + width), load(a1, s + n), load(b1, s + n + width);
  load(a2, s + 2 * n), load(b2, s + 2 * n + width), load(a3, s + 3 * n), load(b3, s + 3 * n + width);
  for (std::size_t f = from; f < to; ++f) {
    const auto term = terms[f];
    const double* const q = query + 4 * f;
    load(xa, column[f] + row), load(xb, column[f] + row + width);
    fill(value, q[0]);
    term.add(a0, xa - value);
    term.add(b0, xb - value);
    fill(value, q[1]);
    term.add(a1, xa - value);
    term.add(b1, xb - value);
    fill(value, q[2]);
    term.add(a2, xa - value);
    term.add(b2, xb - value);
    fill(value, q[3]);
    term.add(a3, xa - value);
    term.add(b3, xb - value);
  }
  store(r, a0), store(r + width, b0), store(r + n, a1), store(r + n + width, b1);
  store(r + 2 * n, a2), store(r + 2 * n + width, b2), store(r + 3 * n, a3), store(r + 3 * n + width, b3);
}

}  // namespace detail

/// Dense columns of doubles. Nominal columns hold codes; different codes add 1.
template <class Terms>
class BasicDenseDistances {
 public:
  static constexpr bool has_update = true;

  struct Block : detail::DistanceRows {
    std::size_t size = 0;
    std::vector<double> query;  // [group of four rows][feature][row of the group]
  };

  BasicDenseDistances(std::vector<const double*> train, std::size_t n_train, std::vector<const double*> query,
                      std::size_t n_query, std::vector<char> nominal, Terms terms = {})
      : train_(std::move(train)),
        query_(std::move(query)),
        nominal_(std::move(nominal)),
        terms_(std::move(terms)),
        n_train_(n_train),
        n_query_(n_query) {}

  std::size_t n_train() const { return n_train_; }
  std::size_t n_query() const { return n_query_; }
  std::size_t block_rows() const { return detail::block_rows(n_train_); }
  double work(std::size_t features) const {
    return static_cast<double>(n_query_) * static_cast<double>(n_train_) * static_cast<double>(features) / 4;
  }

  void start(Block& block, std::size_t first, std::size_t size) const {
    const std::size_t groups = (size + 3) / 4, d = train_.size();
    block.size = size;
    block.reset(4 * groups, n_train_);
    block.query.assign(4 * groups * d, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      double* to = block.query.data() + (i / 4) * 4 * d + i % 4;
      for (std::size_t f = 0; f < d; ++f) to[4 * f] = query_[f][first + i];
    }
  }

  /// Adds feature f to the distances between row i of the block and some training rows.
  template <class Neighbor>
  void update(const Block& block, std::size_t i, std::size_t f, Neighbor* begin, Neighbor* end) const {
    const double* const x = train_[f];
    const double q = query_value(block, i, f);
    if (nominal_[f]) {
      for (; begin != end; ++begin) begin->distance += x[begin->row] != q ? 1.0 : 0.0;
    } else {
      const auto term = terms_[f];
      for (; begin != end; ++begin) begin->distance += term(x[begin->row] - q);
    }
  }

  /// Adds the features from .. to - 1.
  void add(Block& block, std::size_t from, std::size_t to) const { add_to(block.row(0), block, from, to); }

  /// The same, and keeps the previous distances in block.before(i).
  void add_keeping(Block& block, std::size_t from, std::size_t to) const {
    block.keep();
    add_to(block.before(0), block, from, to);
  }

 private:
  // A tile of training rows x features stays in the L1 cache while all query rows of the block are processed.
  static constexpr std::size_t features_at_once = 96;
  static constexpr std::size_t rows_at_once = 32;

  void add_to(const double* before, Block& block, std::size_t from, std::size_t to) const {
    while (from < to) {
      std::size_t end = from + 1;
      while (end < to && nominal_[end] == nominal_[from] && end - from < features_at_once) ++end;
      nominal_[from] ? add_mismatches(before, block, from, end) : add_terms(before, block, from, end);
      before = block.row(0);
      from = end;
    }
  }

  void add_terms(const double* before, Block& block, std::size_t from, std::size_t to) const {
    std::size_t done = 0;
#if defined(MLSIFT_AVX_AT_RUN_TIME)
    if (detail::has_wide_lanes()) done = add_wide_tiles(before, block, from, to);
#endif
    done = add_tiles<detail::Lane>(before, block, from, to, done);
    each_row(before, block, from, to, done, [&](std::size_t f, double x, double q) { return terms_[f](x - q); });
  }

  // Adds terms for whole tiles of training rows, starting at `first`. Returns the first remaining row.
  template <class L>
  MLSIFT_IN_LANES std::size_t add_tiles(const double* before, Block& block, std::size_t from, std::size_t to,
                                        std::size_t first) const {
    constexpr std::size_t tile = 2 * sizeof(L) / sizeof(double);
    const std::size_t whole = n_train_ - (n_train_ - first) % tile;
    for (std::size_t begin = first; begin < whole; begin += rows_at_once) {
      const std::size_t end = std::min(whole, begin + rows_at_once);
      for (std::size_t i = 0; i < block.size; i += 4) {
        const double* query = block.query.data() + i * train_.size();
        for (std::size_t row = begin; row < end; row += tile) {
          detail::add_tile<L>(terms_, before + i * n_train_, block.row(i), n_train_, train_, query, row, from, to);
        }
      }
    }
    return whole;
  }

#if defined(MLSIFT_AVX_AT_RUN_TIME)
  __attribute__((target("avx"))) std::size_t add_wide_tiles(const double* before, Block& block, std::size_t from,
                                                            std::size_t to) const {
    return add_tiles<detail::WideLane>(before, block, from, to, 0);
  }
#endif

  void add_mismatches(const double* before, Block& block, std::size_t from, std::size_t to) const {
    each_row(before, block, from, to, 0, [](std::size_t, double x, double q) { return x != q ? 1.0 : 0.0; });
  }

  template <class Term>
  void each_row(const double* before, Block& block, std::size_t from, std::size_t to, std::size_t first_row,
                Term term) const {
    for (std::size_t i = 0; i < block.size; ++i, before += n_train_) {
      double* distance = block.row(i);
      if (before != distance) std::copy(before + first_row, before + n_train_, distance + first_row);
      for (std::size_t f = from; f < to; ++f) {
        const double q = query_value(block, i, f);
        for (std::size_t row = first_row; row < n_train_; ++row) distance[row] += term(f, train_[f][row], q);
      }
    }
  }

  double query_value(const Block& block, std::size_t i, std::size_t f) const {
    return block.query[(i / 4) * 4 * train_.size() + 4 * f + i % 4];
  }

  std::vector<const double*> train_, query_;
  std::vector<char> nominal_;
  Terms terms_;
  std::size_t n_train_, n_query_;
};

using DenseDistances = BasicDenseDistances<SquaredTerms>;

}  // namespace mlsift
