#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../data/targets.h"
#include "../distance/differences.h"
#include "../distance/neighbors.h"
#include "reference_weights.h"

namespace mlsift {

/// ReliefF with several classes. Kononenko (1994), ECML; Robnik-Sikonja & Kononenko (2003), Machine Learning 53, eq.
/// 5-6. For each of m reference rows i, with its k nearest hits H and its k nearest misses M_c of each other
/// class c:
///
///   W_f -= mean diff_f(i, H) / m,    W_f += sum_c P(c) / (1 - P(y_i)) mean diff_f(i, M_c) / m
///
/// RF-LP: the classes are the label sets; PPT+RF: those of the frequent label sets, without the other rows.
/// Row weights: P(c) are shares of weight, reference rows count by theirs, and the means over k neighbors are weighted;
/// what is nearest does not depend on weights.
///
/// edge   means are over the neighbors there are; none: no term. One class only: all scores 0.
class Relieff {
 public:
  class Quotas;

  /// `of_row`: the class of each row, from 0.
  Relieff(const std::vector<int>& of_row, std::size_t k, const ReferenceWeights& weights)
      : of_row_(of_row), k_(k), weights_(weights) {
    const int n_classes = of_row.empty() ? 0 : *std::max_element(of_row.begin(), of_row.end()) + 1;
    rows_ = targets_of(static_cast<std::size_t>(n_classes), of_row.size(),
                       [&](std::size_t i, auto take) { take(of_row[i]); });
    for (std::size_t c = 0; c < rows_.n_rows(); ++c) {
      double count = 0;
      for (const int* row = rows_.begin(c); row != rows_.end(c); ++row)
        count += weights_[static_cast<std::size_t>(*row)];
      share_.push_back(count / weights_.total);
      others_.push_back(1 - share_.back());
    }
    if (weights_.weights) sum_others();
  }

  std::size_t expected() const { return 1; }

 private:
  // One row may weigh so much that what is left of 1 has no digits.
  void sum_others() {
    std::fill(others_.begin(), others_.end(), 0);
    double before = 0, after = 0;
    for (std::size_t c = 0, last = rows_.n_rows() - 1; c < rows_.n_rows(); ++c, --last) {
      others_[c] += before;
      before += share_[c];
      others_[last] += after;
      after += share_[last];
    }
  }

  const std::vector<int>& of_row_;
  std::size_t k_;
  const ReferenceWeights& weights_;
  std::vector<double> share_;   // P(c)
  std::vector<double> others_;  // 1 - P(c)
  Targets rows_;                // of each class, as if they were classes of it
};

/// Classes share no rows, so each is searched separately and the scan has nothing left to do.
class Relieff::Quotas {
 public:
  explicit Quotas(const Relieff& relieff) : r_(relieff) {}

  void start(std::size_t row, const double* distance, RowPairs& pairs) {
    const std::size_t own = static_cast<std::size_t>(r_.of_row_[row]);
    for (std::size_t c = 0; c < r_.rows_.n_rows(); ++c) {
      const std::size_t there = std::min(r_.k_, count(c) - (c == own ? 1 : 0));
      if (there == 0) continue;
      find(distance, c, there, row);
      const double near = r_.weights_.sum(found_);
      const double weight =
          (c == own ? -1 : r_.share_[c] / r_.others_[own]) / (near * r_.weights_.references) * r_.weights_[row];
      for (const Neighbor& neighbor : found_) {
        const std::size_t other = static_cast<std::size_t>(neighbor.row);
        pairs.add(other, weight * r_.weights_[other]);
      }
    }
  }

  bool full() const { return true; }
  bool wants(std::size_t) const { return false; }
  void take(std::size_t, RowPairs&) {}
  void finish(RowPairs&) {}

 private:
  std::size_t count(std::size_t c) const { return static_cast<std::size_t>(r_.rows_.size(c)); }

  // The k nearest rows of a class, `self` left out; few of many by insertion.
  void find(const double* distance, std::size_t c, std::size_t k, std::size_t self) {
    const bool insert = k <= 32 && k + 1 < count(c);
    found_.clear();
    for (const int* row = r_.rows_.begin(c); row != r_.rows_.end(c); ++row) {
      if (static_cast<std::size_t>(*row) == self) continue;
      const Neighbor offered{distance[*row], *row};
      if (!insert || found_.size() < k) {
        found_.push_back(offered);
      } else if (offered < found_.back()) {
        found_.back() = offered;
      } else {
        continue;
      }
      if (insert) detail::settle(found_.data(), found_.size());
    }
    if (found_.size() == k) return;
    std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(k), found_.end());
    found_.resize(k);
  }

  const Relieff& r_;
  std::vector<Neighbor> found_;
};

}  // namespace mlsift
