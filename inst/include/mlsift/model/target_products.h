#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <vector>

#include "../core/parallel.h"
#include "../core/sum_rows.h"
#include "../core/vectors.h"
#include "centered_columns.h"

namespace mlsift {

/// Inner products of columns by target: sum_i c_it x_ij x_ik, where the weights c of cells differ by target, and each
/// target centers the columns for itself. Those that are requested are kept.
class TargetProducts {
 public:
  /// `cells`: rows x targets, by rows; it must outlive this object.
  TargetProducts(const Context& context, const CenteredColumns& x, std::size_t n_targets, const double* cells)
      : context_(context),
        x_(x),
        q_(n_targets),
        cells_(cells),
        total_(n_targets, 0.0),
        sums_(x.n_columns()),
        squares_(x.n_columns()),
        rows_(x.n_columns()) {
    for (std::size_t i = 0; i < x.n_rows(); ++i) add_scaled(total_.data(), cells + i * q_, 1, q_);
  }

  /// The sums of the weights of cells.
  const std::vector<double>& total() const { return total_; }
  /// The sums of the stored values of column j, times the weights of cells, and their mean for a target.
  const double* sums(std::size_t j) const { return sums_[j].data(); }
  double mean(std::size_t j, std::size_t target) const { return sums_[j][target] / total_[target]; }
  /// The squared lengths of column j.
  const double* squares(std::size_t j) const { return squares_[j].data(); }

  /// Makes sums and squared lengths of these columns.
  void need(const std::vector<std::size_t>& columns) {
    std::vector<std::size_t> missing;
    for (const std::size_t j : columns) {
      if (sums_[j].empty()) missing.push_back(j);
      sums_[j].resize(q_);
      squares_[j].resize(q_);
    }
    const auto make = [] { return std::vector<double>(); };
    parallel_each(context_, missing.size(), work(missing.size()), make,
                  [&](std::vector<double>& squares, std::size_t m) {
                    const std::size_t j = missing[m], size = x_.stored(j);
                    const double* const value = x_.values(j);
                    double* const sum = sums_[j].data();
                    double* const square = squares_[j].data();
                    x_.cross(j, cells_, q_, sum);
                    if (std::all_of(value, value + size, [&](double v) { return v == value[0]; })) {
                      add_scaled(square, sum, value[0], q_);
                    } else {
                      squares.clear();
                      std::transform(value, value + size, std::back_inserter(squares), [](double v) { return v * v; });
                      sum_rows(squares.data(), x_.rows(j), size, cells_, q_, square);
                    }
                    for (std::size_t t = 0; t < q_; ++t) square[t] -= sum[t] * mean(j, t);
                  });
  }

  /// Makes the products of each of `some`, of which only few may be requested, with each of `others`. Sums of all of
  /// these must be there.
  void need(const std::vector<std::size_t>& some, const std::vector<std::size_t>& others) {
    struct Missing {
      std::size_t j, k;
      double* to;
    };
    std::vector<Missing> missing;
    for (const std::size_t j : some) {
      if (rows_[j].empty()) rows_[j].resize(x_.n_columns(), nullptr);
      for (const std::size_t k : others) {
        if (k == j || of(j, k)) continue;
        kept_.emplace_back(q_, 0.0);
        missing.push_back({j, k, kept_.back().data()});
        rows_[j][k] = kept_.back().data();
      }
    }
    parallel_for(context_, missing.size(), work(missing.size()), [&](int, std::size_t begin, std::size_t end) {
      std::vector<double> scattered(x_.n_rows(), 0.0), value(x_.n_rows());
      std::vector<int> row(x_.n_rows());
      for (std::size_t m = begin; m < end; ++m) {
        const std::size_t j = missing[m].j, k = missing[m].k;
        if (m == begin || missing[m - 1].j != j) {
          std::fill(scattered.begin(), scattered.end(), 0.0);
          x_.each(j, [&](std::size_t i, double v) { scattered[i] = v; });
        }
        double* const to = missing[m].to;
        std::size_t size = 0;
        x_.each(k, [&](std::size_t i, double v) {
          value[size] = v * scattered[i];
          row[size] = static_cast<int>(i);
          size += value[size] != 0;
        });
        sum_rows(value.data(), row.data(), size, cells_, q_, to);
        for (std::size_t t = 0; t < q_; ++t) to[t] -= sums_[j][t] * sums_[k][t] / total_[t];
      }
    });
  }

  /// The products of columns j and k by target, or null where they were not requested.
  const double* of(std::size_t j, std::size_t k) const {
    if (j == k) return squares(j);
    if (!rows_[j].empty() && rows_[j][k]) return rows_[j][k];
    return rows_[k].empty() ? nullptr : rows_[k][j];
  }

 private:
  double work(std::size_t n) const {
    return x_.stored() / static_cast<double>(x_.n_columns() + 1) * static_cast<double>(n * q_);
  }

  const Context& context_;
  const CenteredColumns& x_;
  std::size_t q_;
  const double* cells_;
  std::vector<double> total_;
  std::vector<std::vector<double>> sums_, squares_;  // by column
  std::vector<std::vector<const double*>> rows_;     // of columns, by column
  std::deque<std::vector<double>> kept_;
};

}  // namespace mlsift
