#ifndef MLSIFT_DISTANCE_DISTANCES_H
#define MLSIFT_DISTANCE_DISTANCES_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/lane.h"

// Distances from a block of query rows to all training rows: sums over features of a term of the difference, which
// vanishes with it. Terms are added one feature after the other, in column order, whatever the layout: zeros add
// nothing, hence dense and sparse columns give the same bits, and the distances on the first features are the partial
// sums of those on all.

namespace mlsift {

/// (a - b)^2: squared Euclidean distances.
struct SquaredTerms {
  struct Term {
    double operator()(double difference) const { return difference * difference; }
    template <class L>
    MLSIFT_IN_LANES void add(L& sum, const L& difference) const {
      sum += difference * difference;
    }
  };
  Term operator[](std::size_t) const { return {}; }
  bool keeps_whole() const { return true; }
};

/// |a - b| times the weight of the feature: Manhattan distances; with 1 / range (0 for a constant) those of Relief.
struct AbsoluteTerms {
  struct Term {
    double weight;
    double operator()(double difference) const { return std::fabs(difference) * weight; }
    template <class L>
    MLSIFT_IN_LANES void add(L& sum, const L& difference) const {
      L size = difference, weights = {};
      detail::drop_signs(size);
      detail::fill(weights, weight);
      sum += size * weights;
    }
  };
  std::vector<double> weight;

  Term operator[](std::size_t f) const { return {weight[f]}; }
  /// Whether terms of whole numbers are whole.
  bool keeps_whole() const {
    return std::all_of(weight.begin(), weight.end(), [](double w) { return w == 0 || w == 1; });
  }
};

namespace detail {

// 4 query rows (of n distances each) x two lanes of training rows, all features of [from, to) while their sums stay in
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

// Rows of distances of one block of query rows.
class DistanceRows {
 public:
  void reset(std::size_t rows, std::size_t n) {
    n_ = n;
    distance_.assign(rows * n, 0.0);
  }
  double* row(std::size_t i) { return distance_.data() + i * n_; }
  double* before(std::size_t i) { return before_.data() + i * n_; }

  // Makes the distances those before; the new ones are undefined.
  void keep() {
    before_.resize(distance_.size());
    before_.swap(distance_);
  }

 private:
  std::size_t n_ = 0;
  std::vector<double> distance_, before_;
};

// Query rows in a block: enough to use a training column while it is in the cache, few enough to bound the memory.
inline std::size_t block_rows(std::size_t n_train) { return n_train <= 2048 ? 16 : n_train <= 8192 ? 8 : 4; }

}  // namespace detail

/// Dense columns of doubles. A nominal column holds codes; a difference of codes adds 1.
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

  /// Adds feature f to the distances of some training rows from row i of the block.
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

  /// The same, and keeps the distances before in block.before(i).
  void add_keeping(Block& block, std::size_t from, std::size_t to) const {
    block.keep();
    add_to(block.before(0), block, from, to);
  }

 private:
  // A tile of training rows x features stays in the first-level cache while all query rows of the block pass.
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

  // Adds terms for whole tiles of the training rows from `first` on. The first row that is left.
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

/// Compressed sparse columns, rows increasing within a column.
struct SparseColumns {
  std::size_t n_rows = 0, n_columns = 0;
  const int* start = nullptr;  // n_columns + 1
  const int* row = nullptr;
  const double* value = nullptr;
};

/// The same by row, features increasing within a row.
struct SparseRows {
  struct Entry {
    std::size_t feature;
    double value;
  };

  explicit SparseRows(const SparseColumns& x)
      : start(x.n_rows + 1, 0), entries(static_cast<std::size_t>(x.start[x.n_columns])) {
    for (std::size_t e = 0; e < entries.size(); ++e) ++start[static_cast<std::size_t>(x.row[e]) + 1];
    for (std::size_t i = 0; i < x.n_rows; ++i) start[i + 1] += start[i];
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t f = 0; f < x.n_columns; ++f) {
      for (int e = x.start[f]; e < x.start[f + 1]; ++e)
        entries[next[static_cast<std::size_t>(x.row[e])]++] = {f, x.value[e]};
    }
  }

  const Entry* begin(std::size_t row) const { return entries.data() + start[row]; }
  const Entry* end(std::size_t row) const { return entries.data() + start[row + 1]; }
  std::size_t size(std::size_t row) const { return start[row + 1] - start[row]; }

  std::vector<std::size_t> start;
  std::vector<Entry> entries;
};

/// Sparse columns; nothing is made dense but the block of distances.
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
      q == 0 ? add_zero(distance, f) : add_value(distance, block.kept, f, q);
    }
  }

  void add_zero(double* distance, std::size_t f) const {
    const auto term = terms_[f];
    for (int e = train_.start[f]; e < train_.start[f + 1]; ++e) distance[train_.row[e]] += term(train_.value[e]);
  }

  void add_value(double* distance, std::vector<double>& kept, std::size_t f, double q) const {
    const auto term = terms_[f];
    kept.resize(static_cast<std::size_t>(train_.start[f + 1] - train_.start[f]));
    auto to = kept.begin();
    for (int e = train_.start[f]; e < train_.start[f + 1]; ++e) {
      *to++ = distance[train_.row[e]] + term(train_.value[e] - q);
    }
    const double alone = term(q);
    for (std::size_t row = 0; row < train_.n_rows; ++row) distance[row] += alone;
    auto from = kept.begin();
    for (int e = train_.start[f]; e < train_.start[f + 1]; ++e) distance[train_.row[e]] = *from++;
  }

  // Both rows alone, corrected at their common features. Sums of whole numbers are exact in any order, so this is the
  // same.
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

  // Whole numbers whose squares cannot add up to what a double no longer holds exactly.
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

#endif
