#ifndef MLSIFT_CRITERIA_RELIEFF_H
#define MLSIFT_CRITERIA_RELIEFF_H

#include <algorithm>
#include <cstddef>
#include <vector>

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
      : of_row_(of_row), k_(k), weights_(weights), start_(1, 0), by_class_(of_row.size()) {
    for (const int c : of_row) {
      if (static_cast<std::size_t>(c) + 1 >= start_.size()) start_.resize(static_cast<std::size_t>(c) + 2, 0);
      ++start_[static_cast<std::size_t>(c) + 1];
    }
    for (std::size_t c = 0; c < n_classes(); ++c) start_[c + 1] += start_[c];
    std::vector<std::size_t> next = start_;
    for (std::size_t i = 0; i < of_row.size(); ++i) by_class_[next[static_cast<std::size_t>(of_row[i])]++] = i;
    for (std::size_t c = 0; c < n_classes(); ++c) {
      double count = 0;
      for (std::size_t at = start_[c]; at < start_[c + 1]; ++at) count += weights_[by_class_[at]];
      share_.push_back(count / weights_.total);
      others_.push_back(1 - share_.back());
    }
    if (weights_.weights) sum_others();
  }

  std::size_t expected() const { return 1; }
  Quotas quotas() const;

 private:
  std::size_t n_classes() const { return start_.size() - 1; }
  std::size_t count(std::size_t c) const { return start_[c + 1] - start_[c]; }

  // One row may weigh so much that what is left of 1 has no digits.
  void sum_others() {
    std::fill(others_.begin(), others_.end(), 0);
    double before = 0, after = 0;
    for (std::size_t c = 0, last = n_classes() - 1; c < n_classes(); ++c, --last) {
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
  std::vector<std::size_t> start_,
      by_class_;  // class c: the rows by_class_[start_[c]] .. by_class_[start_[c + 1] - 1], ascending
};

/// Classes share no rows, so each is searched separately and the scan has nothing left to do.
class Relieff::Quotas {
 public:
  explicit Quotas(const Relieff& relieff) : r_(relieff) {}

  void start(std::size_t row, const double* distance, RowPairs& pairs) {
    const std::size_t own = static_cast<std::size_t>(r_.of_row_[row]);
    for (std::size_t c = 0; c < r_.n_classes(); ++c) {
      const std::size_t there = std::min(r_.k_, r_.count(c) - (c == own ? 1 : 0));
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
  // The k nearest rows of a class, `self` left out; few of many by insertion.
  void find(const double* distance, std::size_t c, std::size_t k, std::size_t self) {
    const bool insert = k <= 32 && k + 1 < r_.count(c);
    found_.clear();
    for (std::size_t at = r_.start_[c]; at < r_.start_[c + 1]; ++at) {
      const std::size_t row = r_.by_class_[at];
      if (row == self) continue;
      const Neighbor offered{distance[row], static_cast<int>(row)};
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

inline Relieff::Quotas Relieff::quotas() const { return Quotas(*this); }

}  // namespace mlsift

#endif
