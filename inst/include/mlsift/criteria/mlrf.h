#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/parallel.h"
#include "../distance/differences.h"
#include "../distance/label_bits.h"

namespace mlsift {

/// MLRF, pairwise multi-label ReliefF. Kong, Ding, Huang & Zhao (2012), CVPR. For each pair of labels the
/// rows with exactly one of them are two classes; row i of class c has k nearest hits H of class c and misses M of the
/// other class c':
///
///   J(f) = sum_{pairs} sum_i P(c') / (1 - P(c)) [mean |x_if - x_Mf| - mean |x_if - x_Hf|],    P(c) = n_c / sum_l n_l
///
/// edge   means are over the neighbors there are; a pair with an empty class is skipped
/// cost   one scan of the neighbors fills the quotas of all pairs; q^2 counts of label pairs in memory
class Mlrf {
 public:
  class Quotas;

  Mlrf(const Context& context, const Targets& labels, std::size_t k)
      : labels_(labels), bits_(labels), k_(static_cast<int>(k)), both_(q() * q(), 0) {
    Poll poll(context);
    for (std::size_t i = 0; i < labels.n_rows(); ++i) {
      poll(i, labels.n_rows());
      for (const int* a = labels.begin(i); a != labels.end(i); ++a) {
        for (const int* b = labels.begin(i); b != labels.end(i); ++b)
          ++both_[static_cast<std::size_t>(*a) * q() + static_cast<std::size_t>(*b)];
      }
    }
    for (const int count : labels.count) entries_ += count;
  }

  std::size_t expected() const { return 30 * static_cast<std::size_t>(k_); }

 private:
  std::size_t q() const { return labels_.count.size(); }
  // How many rows have both a and each of the labels.
  const int* both(std::size_t a) const { return both_.data() + a * q(); }

  const Targets& labels_;
  LabelBits bits_;
  int k_;
  std::vector<int> both_;
  double entries_ = 0;
};

class Mlrf::Quotas {
 public:
  explicit Quotas(const Mlrf& mlrf) : r_(mlrf) {}

  void start(std::size_t row, const double*, RowPairs&) {
    labels_ = r_.labels_.begin(row);
    n_labels_ = static_cast<std::size_t>(r_.labels_.size(row));
    hits_.reset(n_labels_, r_.q());
    misses_.reset(n_labels_, r_.q());
    for (std::size_t a = 0; a < n_labels_; ++a) {
      const std::size_t c = static_cast<std::size_t>(labels_[a]);
      const int* const both = r_.both(c);
      for (std::size_t other = 0; other < r_.q(); ++other) {
        const int there = r_.labels_.count[other] - both[other];
        if (there == 0 || r_.bits_.has(row, other)) continue;
        const double weight = r_.labels_.count[other] / (r_.entries_ - r_.labels_.count[c]);
        hits_.open(a, other, std::min(r_.k_, r_.labels_.count[c] - both[other] - 1), -weight);
        misses_.open(a, other, std::min(r_.k_, there), weight);
      }
    }
  }

  bool full() const { return hits_.full() && misses_.full(); }

  bool wants(std::size_t row) const {
    const std::uint64_t* other = r_.bits_.row(row);
    for (std::size_t a = 0; a < n_labels_; ++a) {
      const bool hit = r_.bits_.has(row, static_cast<std::size_t>(labels_[a]));
      const LabelQuotas& side = hit ? hits_ : misses_;
      for (std::size_t w = 0; w < side.words(); ++w) {
        if (side.unfilled(a, w) & (hit ? ~other[w] : other[w])) return true;
      }
    }
    return false;
  }

  void take(std::size_t row, RowPairs& pairs) {
    const std::uint64_t* other = r_.bits_.row(row);
    double weight = 0;
    for (std::size_t a = 0; a < n_labels_; ++a) {
      const bool hit = r_.bits_.has(row, static_cast<std::size_t>(labels_[a]));
      LabelQuotas& side = hit ? hits_ : misses_;
      for (std::size_t w = 0; w < side.words(); ++w) {
        visit_ones(side.unfilled(a, w) & (hit ? ~other[w] : other[w]), 64 * w,
                   [&](std::size_t l) { weight += side.take(a, l); });
      }
    }
    if (weight != 0) pairs.add(row, weight);
  }

  void finish(RowPairs&) {}

 private:
  const Mlrf& r_;
  const int* labels_ = nullptr;
  std::size_t n_labels_ = 0;
  LabelQuotas hits_, misses_;  // lists: the labels of the row; labels: the others of the pairs
};

/// What the program of Yan and Li (2016), ECML PKDD, computes under the name of MLRF: for labels a < b in column
/// order, each row without a takes its k nearest rows among those without a, itself the first, and each of these that
/// has b adds p_b / (1 - p_a) |x_r - x_c| / k; rows with a do the same among those with a, and subtract. p_l = n_l / N.
///
/// edge   labels a that are on or off in all rows are skipped
class Mlrf2016 {
 public:
  class Quotas;

  Mlrf2016(const Targets& labels, std::size_t k) : labels_(labels), bits_(labels), k_(static_cast<int>(k)) {}

  std::size_t expected() const { return 12 * static_cast<std::size_t>(k_); }

 private:
  int n() const { return static_cast<int>(labels_.n_rows()); }
  // As the first label of a pair.
  bool used(std::size_t a) const {
    return a + 1 < labels_.count.size() && labels_.count[a] > 0 && labels_.count[a] < n();
  }

  const Targets& labels_;
  LabelBits bits_;
  int k_;
};

class Mlrf2016::Quotas {
 public:
  explicit Quotas(const Mlrf2016& mlrf) : r_(mlrf) {}

  void start(std::size_t row, const double*, RowPairs&) {
    own_ = r_.bits_.row(row);
    quotas_.reset(1, r_.labels_.count.size());
    for (std::size_t a = 0; a < r_.labels_.count.size(); ++a) {
      if (!r_.used(a)) continue;
      const int alike = r_.bits_.has(row, a) ? r_.labels_.count[a] : r_.n() - r_.labels_.count[a];
      const int rows = std::min(r_.k_, alike) - 1;
      const double share = static_cast<double>(rows) / r_.k_ / (r_.n() - r_.labels_.count[a]);
      quotas_.open(0, a, rows, r_.bits_.has(row, a) ? -share : share);
    }
  }

  bool full() const { return quotas_.full(); }

  bool wants(std::size_t row) const {
    const std::uint64_t* other = r_.bits_.row(row);
    for (std::size_t w = 0; w < quotas_.words(); ++w) {
      if (quotas_.unfilled(0, w) & ~(own_[w] ^ other[w])) return true;
    }
    return false;
  }

  void take(std::size_t row, RowPairs& pairs) {
    const std::uint64_t* other = r_.bits_.row(row);
    double weight = 0;
    for (std::size_t w = 0; w < quotas_.words(); ++w) {
      visit_ones(quotas_.unfilled(0, w) & ~(own_[w] ^ other[w]), 64 * w,
                 [&](std::size_t a) { weight += quotas_.take(0, a) * later(row, static_cast<int>(a)); });
    }
    if (weight != 0) pairs.add(row, weight);
  }

  void finish(RowPairs&) {}

 private:
  // Rows of the labels after a that the row has.
  double later(std::size_t row, int a) const {
    double sum = 0;
    for (const int* b = r_.labels_.end(row); b != r_.labels_.begin(row) && b[-1] > a; --b)
      sum += r_.labels_.count[static_cast<std::size_t>(b[-1])];
    return sum;
  }

  const Mlrf2016& r_;
  const std::uint64_t* own_ = nullptr;
  LabelQuotas quotas_;
};

}  // namespace mlsift
