#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../data/standardized.h"
#include "dense_distances.h"
#include "sparse_distances.h"

// Rows of numbers, dense or sparse, that give the distances of all rows from some rows, and weighted sums of squared
// differences, feature by feature,
//
//   sum_u w_u (x_i - x_u)^2 = x_i^2 sum_u w_u + sum_u w_u x_u (x_u - 2 x_i),
//
// to which zeros add nothing. A row that is very near is better added separately, from the differences. Such sums, and
// `exact()`, which adds in column order, give the same bits for both layouts.

namespace mlsift {

struct WeightedRow {
  int row;
  double weight;
};

inline double sum_weights(const std::vector<WeightedRow>& list) {
  double total = 0;
  for (const WeightedRow& w : list) total += w.weight;
  return total;
}

class DenseRowSums {
 public:
  static constexpr bool exact_distances = true;
  static constexpr std::size_t block_rows = 16;

  struct Scratch {
    DenseDistances::Block block;
    std::vector<double> query;
  };

  DenseRowSums(const Features& features, const std::vector<Standardized>& to)
      : n_(features.n_rows), d_(features.size()), by_column_(n_ * d_), by_row_(n_ * d_) {
    for (std::size_t f = 0; f < d_; ++f) {
      double* column = by_column_.data() + f * n_;
      column_.push_back(column);
      if (to[f].constant) continue;
      for (std::size_t i = 0; i < n_; ++i) by_row_[i * d_ + f] = column[i] = to[f].value(features.columns[f].reals[i]);
    }
  }

  std::size_t n_rows() const { return n_; }
  std::size_t n_features() const { return d_; }
  double work_per_row() const { return static_cast<double>(n_) * static_cast<double>(d_) / 3; }

  /// Squared distances of all rows from `size` of them (at most block_rows).
  void measure(Scratch& s, const int* rows, std::size_t size) const {
    s.query.resize(size * d_);
    std::vector<const double*> query(d_);
    for (std::size_t f = 0; f < d_; ++f) {
      query[f] = s.query.data() + f * size;
      for (std::size_t i = 0; i < size; ++i) s.query[f * size + i] = column_[f][rows[i]];
    }
    const DenseDistances distances(column_, n_, query, size, std::vector<char>(d_, 0));
    distances.start(s.block, 0, size);
    distances.add(s.block, 0, d_);
  }

  double* distance(Scratch& s, std::size_t i) const { return s.block.row(i); }
  double error(std::size_t, std::size_t) const { return 0; }
  double exact(std::size_t i, std::size_t u) const {
    double sum = 0;
    for (std::size_t f = 0; f < d_; ++f) sum += (column_[f][i] - column_[f][u]) * (column_[f][i] - column_[f][u]);
    return sum;
  }

  /// result[i][f] is the sum for row i over its list (increasing). All rows of the block are processed while a few
  /// hundred others stay in the cache.
  void sum_squares(Scratch&, const int* rows, const std::vector<std::vector<WeightedRow>>& lists, std::size_t size,
                   double* const* result) const {
    const std::size_t tile = std::max<std::size_t>(8, 12000 / std::max<std::size_t>(d_, 1));
    std::vector<const WeightedRow*> at(size);
    for (std::size_t i = 0; i < size; ++i) {
      at[i] = lists[i].data();
      std::fill(result[i], result[i] + d_, 0.0);
    }
    for (std::size_t end = tile; end < n_ + tile; end += tile) {
      for (std::size_t i = 0; i < size; ++i) {
        const WeightedRow* const last = lists[i].data() + lists[i].size();
        const WeightedRow*& w = at[i];
        while (w != last && static_cast<std::size_t>(w->row) < end) {
          const bool pair = w + 1 != last && static_cast<std::size_t>(w[1].row) < end;
          add(w, pair ? w + 1 : nullptr, row(rows[i]), result[i]);
          w += pair ? 2 : 1;
        }
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double total = sum_weights(lists[i]);
      const double* const q = row(rows[i]);
      for (std::size_t f = 0; f < d_; ++f) result[i][f] += total * (q[f] * q[f]);
    }
  }

  /// result[f] += weight * (x_if - x_uf)^2.
  void add_difference(std::size_t i, const WeightedRow& u, double* result) const {
    const double *const q = row(static_cast<int>(i)), *const x = row(u.row);
    for (std::size_t f = 0; f < d_; ++f) result[f] += u.weight * ((q[f] - x[f]) * (q[f] - x[f]));
  }

 private:
  const double* row(int i) const { return by_row_.data() + static_cast<std::size_t>(i) * d_; }

  // One row, or two at a time (each sum takes the first before the second).
  void add(const WeightedRow* v, const WeightedRow* w, const double* q, double* result) const {
    const double *const x = row(v->row), *const z = w ? row(w->row) : nullptr;
    std::size_t f = 0;
    if (w) {
      const detail::Lane a = {v->weight, v->weight}, b = {w->weight, w->weight}, two = {2, 2};
      for (; f + 2 <= d_; f += 2) {
        const detail::Lane twice = two * detail::load(q + f), s = detail::load(x + f), t = detail::load(z + f);
        detail::Lane sum = detail::load(result + f);
        sum += a * (s * (s - twice));
        sum += b * (t * (t - twice));
        detail::store(result + f, sum);
      }
    }
    for (; f < d_; ++f) {
      result[f] += v->weight * (x[f] * (x[f] - 2 * q[f]));
      if (w) result[f] += w->weight * (z[f] * (z[f] - 2 * q[f]));
    }
  }

  std::size_t n_, d_;
  std::vector<double> by_column_, by_row_;
  std::vector<const double*> column_;
};

class SparseRowSums {
 public:
  static constexpr bool exact_distances = false;
  static constexpr std::size_t block_rows = 1;

  struct Scratch {
    std::vector<double> distance, own;
  };

  SparseRowSums(const Features& features, const std::vector<Standardized>& to)
      : n_(features.n_rows), d_(features.size()), columns_(features, to), rows_(columns_.view(n_)), square_(n_, 0.0) {
    for (std::size_t i = 0; i < n_; ++i) {
      most_ = std::max(most_, rows_.size(i));
      for (const Entry* e = rows_.begin(i); e != rows_.end(i); ++e) square_[i] += e->value * e->value;
    }
  }

  std::size_t n_rows() const { return n_; }
  std::size_t n_features() const { return d_; }
  double work_per_row() const { return 4 * static_cast<double>(n_) + static_cast<double>(columns_.value.size()) / 4; }

  // |a|^2 + |b|^2 - 2ab, with products only from common features.
  void measure(Scratch& s, const int* rows, std::size_t) const {
    const std::size_t i = static_cast<std::size_t>(*rows);
    s.distance.assign(n_, 0.0);
    for (const Entry* e = rows_.begin(i); e != rows_.end(i); ++e) {
      for (int c = columns_.start[e->feature]; c < columns_.start[e->feature + 1]; ++c) {
        const std::size_t at = static_cast<std::size_t>(c);
        s.distance[static_cast<std::size_t>(columns_.row[at])] += e->value * columns_.value[at];
      }
    }
    for (std::size_t u = 0; u < n_; ++u) s.distance[u] = std::max(0.0, square_[i] + square_[u] - 2 * s.distance[u]);
  }

  double* distance(Scratch& s, std::size_t) const { return s.distance.data(); }

  /// How far distance() may deviate from exact().
  double error(std::size_t i, std::size_t u) const {
    return 5e-16 * static_cast<double>(rows_.size(i) + most_ + 4) * (square_[i] + square_[u]);
  }

  double exact(std::size_t i, std::size_t u) const {
    double sum = 0;
    visit_differences(i, u, [&](std::size_t, double difference) { sum += difference * difference; });
    return sum;
  }

  void add_difference(std::size_t i, const WeightedRow& u, double* result) const {
    visit_differences(i, static_cast<std::size_t>(u.row),
                      [&](std::size_t f, double difference) { result[f] += u.weight * (difference * difference); });
  }

  void sum_squares(Scratch& s, const int* rows, const std::vector<std::vector<WeightedRow>>& lists, std::size_t,
                   double* const* result) const {
    const std::size_t i = static_cast<std::size_t>(*rows);
    double* const sum = result[0];
    std::fill(sum, sum + d_, 0.0);
    s.own.resize(d_, 0.0);
    for (const Entry* e = rows_.begin(i); e != rows_.end(i); ++e) s.own[e->feature] = 2 * e->value;
    for (const WeightedRow& w : lists[0]) {
      const std::size_t u = static_cast<std::size_t>(w.row);
      for (const Entry* e = rows_.begin(u); e != rows_.end(u); ++e) {
        sum[e->feature] += w.weight * (e->value * (e->value - s.own[e->feature]));
      }
    }
    const double total = sum_weights(lists[0]);
    for (const Entry* e = rows_.begin(i); e != rows_.end(i); ++e) {
      sum[e->feature] += total * (e->value * e->value);
      s.own[e->feature] = 0;
    }
  }

 private:
  using Entry = SparseRows::Entry;

  struct Columns {
    std::vector<int> start{0}, row;
    std::vector<double> value;

    Columns(const Features& features, const std::vector<Standardized>& to) {
      NumberReader reader(features.n_rows);
      for (std::size_t f = 0; f < features.size(); ++f) {
        const Nonzeros x = to[f].constant ? Nonzeros() : reader.read(features.columns[f]);
        row.insert(row.end(), x.rows, x.rows + x.size);
        for (std::size_t e = 0; e < x.size; ++e) value.push_back(to[f].value(x.values[e]));
        start.push_back(static_cast<int>(row.size()));
      }
    }
    SparseColumns view(std::size_t n_rows) const {
      return {n_rows, start.size() - 1, start.data(), row.data(), value.data()};
    }
  };

  template <class Visit>
  void visit_differences(std::size_t i, std::size_t u, Visit visit) const {
    const Entry *a = rows_.begin(i), *b = rows_.begin(u);
    const Entry *const a_end = rows_.end(i), *const b_end = rows_.end(u);
    while (a != a_end || b != b_end) {
      const bool left = b == b_end || (a != a_end && a->feature <= b->feature),
                 right = a == a_end || (b != b_end && b->feature <= a->feature);
      visit(left ? a->feature : b->feature, (left ? a->value : 0) - (right ? b->value : 0));
      a += left;
      b += right;
    }
  }

  std::size_t n_, d_, most_ = 0;  // most_: entries of the fullest row
  Columns columns_;
  SparseRows rows_;
  std::vector<double> square_;
};

}  // namespace mlsift
