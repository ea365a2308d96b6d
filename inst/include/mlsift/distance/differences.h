#pragma once

#include "dense_distances.h"
#include "sparse_distances.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace mlsift {

/// Pairs of rows and their weights: for each reference row, a list of other rows.
struct RowPairs {
  std::vector<std::size_t> reference, start{0}, row;
  std::vector<double> weight;

  std::size_t size() const { return reference.size(); }
  void clear() {
    reference.clear();
    start.assign(1, 0);
    row.clear();
    weight.clear();
  }
  void add(std::size_t other, double w) {
    row.push_back(other);
    weight.push_back(w);
  }
  void end_list(std::size_t of) {
    reference.push_back(of);
    start.push_back(row.size());
  }
};

/// Adds to sum[f], for each feature, its factor times the weighted differences of pairs, sum_ij w_ij |x_if - x_jf|; a
/// mismatch in a nominal column counts 1. `begin` .. `end` - 1: the lists to use. Terms are added list by list, in the
/// order of the pairs, whatever the layout.
class DenseDifferences {
 public:
  struct Scratch {};

  DenseDifferences(std::vector<const double*> columns, std::vector<char> nominal, std::vector<double> factor)
      : columns_(std::move(columns)), nominal_(std::move(nominal)), factor_(std::move(factor)) {}

  std::size_t n_features() const { return columns_.size(); }
  double work_per_pair() const { return static_cast<double>(columns_.size()); }

  void add(const RowPairs& pairs, std::size_t begin, std::size_t end, double* sum, Scratch&) const {
    const std::size_t d = columns_.size();
    for (std::size_t f = 0; f < d;) {
      const bool four = f + 4 <= d && !nominal_[f] && !nominal_[f + 1] && !nominal_[f + 2] && !nominal_[f + 3];
      if (four) {
        add_four(pairs, begin, end, f, sum);
      } else if (nominal_[f]) {
        add_one(pairs, begin, end, f, sum, [](double a, double b) { return a != b ? 1.0 : 0.0; });
      } else {
        add_one(pairs, begin, end, f, sum, [](double a, double b) { return std::fabs(a - b); });
      }
      f += four ? 4 : 1;
    }
  }

 private:
  // Four sums that do not wait for each other.
  void add_four(const RowPairs& pairs, std::size_t begin, std::size_t end, std::size_t f, double* sum) const {
    const double *const c0 = columns_[f], *const c1 = columns_[f + 1], *const c2 = columns_[f + 2],
                        *const c3 = columns_[f + 3];
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t of = pairs.reference[i];
      const double x0 = c0[of], x1 = c1[of], x2 = c2[of], x3 = c3[of];
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      for (std::size_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
        const std::size_t row = pairs.row[p];
        const double w = pairs.weight[p];
        s0 += std::fabs(x0 - c0[row]) * w;
        s1 += std::fabs(x1 - c1[row]) * w;
        s2 += std::fabs(x2 - c2[row]) * w;
        s3 += std::fabs(x3 - c3[row]) * w;
      }
      sum[f] += s0 * factor_[f];
      sum[f + 1] += s1 * factor_[f + 1];
      sum[f + 2] += s2 * factor_[f + 2];
      sum[f + 3] += s3 * factor_[f + 3];
    }
  }

  template <class Difference>
  void add_one(const RowPairs& pairs, std::size_t begin, std::size_t end, std::size_t f, double* sum,
               Difference difference) const {
    const double* const column = columns_[f];
    for (std::size_t i = begin; i < end; ++i) {
      const double x = column[pairs.reference[i]];
      double s = 0;
      for (std::size_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p)
        s += difference(x, column[pairs.row[p]]) * pairs.weight[p];
      sum[f] += s * factor_[f];
    }
  }

  std::vector<const double*> columns_;
  std::vector<char> nominal_;
  std::vector<double> factor_;
};

/// The same from sparse rows: only features stored in one of the two rows are visited.
class SparseDifferences {
 public:
  struct Scratch {
    std::vector<double> sum, reference;     // by feature
    std::vector<std::size_t> met, touched;  // met[f]: the last pair whose other row holds f
    std::size_t pair = 0;
  };

  SparseDifferences(const SparseColumns& x, std::vector<double> factor)
      : rows_(x),
        factor_(std::move(factor)),
        per_row_(static_cast<double>(rows_.entries.size()) / static_cast<double>(x.n_rows)) {}

  std::size_t n_features() const { return factor_.size(); }
  double work_per_pair() const { return 4 * per_row_; }

  void add(const RowPairs& pairs, std::size_t begin, std::size_t end, double* sum, Scratch& s) const {
    s.sum.resize(factor_.size(), 0.0);
    s.reference.resize(factor_.size(), 0.0);
    s.met.resize(factor_.size(), 0);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t of = pairs.reference[i];
      for (const Entry* e = rows_.begin(of); e != rows_.end(of); ++e) s.reference[e->feature] = e->value;
      for (std::size_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) add_pair(of, pairs.row[p], pairs.weight[p], s);
      for (const std::size_t f : s.touched) sum[f] += std::exchange(s.sum[f], 0.0) * factor_[f];
      s.touched.clear();
      for (const Entry* e = rows_.begin(of); e != rows_.end(of); ++e) s.reference[e->feature] = 0;
    }
  }

 private:
  using Entry = SparseRows::Entry;

  void add_pair(std::size_t of, std::size_t row, double weight, Scratch& s) const {
    const auto put = [&](std::size_t f, double difference) {
      if (difference == 0) return;
      if (s.sum[f] == 0) s.touched.push_back(f);
      s.sum[f] += std::fabs(difference) * weight;
    };
    ++s.pair;
    for (const Entry* e = rows_.begin(row); e != rows_.end(row); ++e) {
      s.met[e->feature] = s.pair;
      put(e->feature, s.reference[e->feature] - e->value);
    }
    for (const Entry* e = rows_.begin(of); e != rows_.end(of); ++e) {
      if (s.met[e->feature] != s.pair) put(e->feature, e->value);
    }
  }

  SparseRows rows_;
  std::vector<double> factor_;
  double per_row_;
};

}  // namespace mlsift
