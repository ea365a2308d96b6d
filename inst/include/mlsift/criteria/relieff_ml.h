#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../distance/differences.h"
#include "../distance/label_bits.h"
#include "reference_weights.h"

namespace mlsift {

/// ReliefF-ML. Reyes, Morell & Ventura (2015), Neurocomputing 161:168-182. For each of m reference rows i,
/// with the k nearest rows H_l that have a label l of i, and the k nearest M_l that have a label l that i lacks:
///
///   W_f -= 1/m sum_{l on i} P(l) / P(on i) mean diff_f(i, H_l),    W_f += 1/m sum_{l not on i} P(l) / P(not on i) mean
///   diff_f(i, M_l)
///
/// P(l)       share of the rows that have l; P(on i), P(not on i): their sums over the labels that i has, and has not
/// weights    of rows, as in relieff.h
/// disjoint   a miss must share no label with i
/// edge       means are over the neighbors there are; none: no term. A row without labels has misses only, one with all
///            labels hits only.
class RelieffMl {
 public:
  class Quotas;

  RelieffMl(const Targets& labels, std::size_t k, const ReferenceWeights& weights, bool disjoint)
      : labels_(labels),
        bits_(labels),
        k_(static_cast<int>(k)),
        weights_(weights),
        count_(labels.count.begin(), labels.count.end()),
        disjoint_(disjoint) {
    if (weights.weights) count_ = weighted_count(labels, weights.weights);
  }

  std::size_t expected() const { return 12 * static_cast<std::size_t>(k_); }

 private:
  const Targets& labels_;
  LabelBits bits_;
  int k_;
  const ReferenceWeights& weights_;
  std::vector<double> count_;  // rows of each label
  bool disjoint_;
};

class RelieffMl::Quotas {
 public:
  explicit Quotas(const RelieffMl& relieff) : r_(relieff) {}

  void start(std::size_t row, const double*, RowPairs&) {
    own_ = r_.bits_.row(row);
    on_ = off_ = 0;
    quotas_.reset(1, r_.labels_.count.size());
    for (std::size_t l = 0; l < r_.labels_.count.size(); ++l) {
      const bool has = r_.bits_.has(row, l);
      (has ? on_ : off_) += r_.count_[l];
      if (r_.labels_.count[l] > (has ? 1 : 0)) quotas_.open(0, l, r_.k_, 0);
    }
    taken_.clear();
    row_ = row;
    near_.assign(r_.weights_.weights ? r_.count_.size() : 0, 0);
  }

  bool full() const { return quotas_.full(); }

  bool wants(std::size_t row) const {
    const std::uint64_t* other = r_.bits_.row(row);
    const bool hits_only = only_hits(other);
    for (std::size_t w = 0; w < quotas_.words(); ++w) {
      if (quotas_.unfilled(0, w) & other[w] & (hits_only ? own_[w] : ~std::uint64_t{0})) return true;
    }
    return false;
  }

  void take(std::size_t row, RowPairs& pairs) {
    const std::uint64_t* other = r_.bits_.row(row);
    const bool hits_only = only_hits(other);
    for (std::size_t w = 0; w < quotas_.words(); ++w) {
      visit_ones(quotas_.unfilled(0, w) & other[w] & (hits_only ? own_[w] : ~std::uint64_t{0}), 64 * w,
                 [&](std::size_t l) {
                   taken_.push_back({pairs.row.size(), l});
                   quotas_.take(0, l);
                   if (r_.weights_.weights) near_[l] += r_.weights_[row];
                 });
    }
    pairs.add(row, 0);
  }

  /// The number of neighbors of each label is known only now.
  void finish(RowPairs& pairs) {
    for (const Taken& t : taken_) {
      const bool hit = (own_[t.label / 64] >> (t.label % 64)) & 1;
      const double share = r_.count_[t.label] / (hit ? -on_ : off_);
      if (near_.empty()) {
        pairs.weight[t.pair] += share / ((r_.k_ - quotas_.left(0, t.label)) * r_.weights_.references);
        continue;
      }
      const double both = r_.weights_[row_] * r_.weights_[pairs.row[t.pair]];
      pairs.weight[t.pair] += share * both / (near_[t.label] * r_.weights_.references);
    }
  }

 private:
  struct Taken {
    std::size_t pair, label;
  };

  bool only_hits(const std::uint64_t* other) const {
    if (!r_.disjoint_) return false;
    for (std::size_t w = 0; w < quotas_.words(); ++w) {
      if (own_[w] & other[w]) return true;
    }
    return false;
  }

  const RelieffMl& r_;
  const std::uint64_t* own_ = nullptr;
  double on_ = 0, off_ = 0;  // P(on i) and P(not on i), times the number of rows
  LabelQuotas quotas_;       // each wants k rows, or as many as there are
  std::vector<Taken> taken_;
  std::size_t row_ = 0;
  std::vector<double> near_;  // where rows have weights, those of the neighbors of each label
};

}  // namespace mlsift
