#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../distance/differences.h"
#include "../distance/label_bits.h"
#include "reference_weights.h"

namespace mlsift {

/// RF-BR: ReliefF (relieff.h) for each label, averaged. With two classes every miss has weight 1:
///
///   W_f = 1 / (m q) sum_l sum_i [mean diff_f(i, M_l) - mean diff_f(i, H_l)]
///
/// q      labels that are neither on nor off in all rows; the others are skipped
/// Row weights as in relieff.h.
///
/// edge   means are over the neighbors there are; none: no term
/// cost   one scan of the neighbors for all labels; a pair of rows that several labels share is one difference
class RelieffBr {
 public:
  class Quotas;

  RelieffBr(const Targets& labels, std::size_t k, const ReferenceWeights& weights)
      : bits_(labels),
        on_(labels.count),
        n_(static_cast<int>(labels.n_rows())),
        k_(static_cast<int>(k)),
        weights_(weights) {
    double q = 0;
    for (std::size_t l = 0; l < on_.size(); ++l) q += varies(l);
    share_ = 1 / (weights_.references * q);
  }

  std::size_t expected() const { return 12 * static_cast<std::size_t>(k_); }

 private:
  bool varies(std::size_t l) const { return on_[l] > 0 && on_[l] < n_; }

  LabelBits bits_;
  std::vector<int> on_;
  int n_, k_;
  const ReferenceWeights& weights_;
  double share_;
};

class RelieffBr::Quotas {
 public:
  explicit Quotas(const RelieffBr& relieff) : r_(relieff) {}

  void start(std::size_t row, const double*, RowPairs&) {
    own_ = r_.bits_.row(row);
    row_ = row;
    if (r_.weights_.weights) {
      for (std::vector<double>& near : near_) near.assign(r_.on_.size(), 0);
    }
    hits_.reset(1, r_.on_.size());
    misses_.reset(1, r_.on_.size());
    for (std::size_t l = 0; l < r_.on_.size(); ++l) {
      if (!r_.varies(l)) continue;
      const int alike = r_.bits_.has(row, l) ? r_.on_[l] : r_.n_ - r_.on_[l];
      hits_.open(0, l, std::min(r_.k_, alike - 1), -r_.share_);
      misses_.open(0, l, std::min(r_.k_, r_.n_ - alike), r_.share_);
    }
  }

  bool full() const { return hits_.full() && misses_.full(); }

  bool wants(std::size_t row) const {
    const std::uint64_t* other = r_.bits_.row(row);
    for (std::size_t w = 0; w < r_.bits_.words(); ++w) {
      const std::uint64_t differ = own_[w] ^ other[w];
      if ((hits_.unfilled(0, w) & ~differ) | (misses_.unfilled(0, w) & differ)) return true;
    }
    return false;
  }

  void take(std::size_t row, RowPairs& pairs) {
    const bool weighted = r_.weights_.weights != nullptr;
    double weight = 0;
    const auto take = [&](LabelQuotas& quotas, std::size_t l, bool hit) {
      weight += quotas.take(0, l);
      if (!weighted) return;
      taken_.push_back({pairs.row.size(), l, hit});
      near_[hit ? 0 : 1][l] += r_.weights_[row];
    };
    const std::uint64_t* other = r_.bits_.row(row);
    for (std::size_t w = 0; w < r_.bits_.words(); ++w) {
      const std::uint64_t differ = own_[w] ^ other[w];
      visit_ones(hits_.unfilled(0, w) & ~differ, 64 * w, [&](std::size_t l) { take(hits_, l, true); });
      visit_ones(misses_.unfilled(0, w) & differ, 64 * w, [&](std::size_t l) { take(misses_, l, false); });
    }
    if (weighted || weight != 0) pairs.add(row, weighted ? 0 : weight);
  }

  /// For weighted means: all weights are known only now.
  void finish(RowPairs& pairs) {
    if (!r_.weights_.weights) return;
    const double own = r_.share_ * r_.weights_[row_];
    for (const Taken& t : taken_) {
      const double part = own * r_.weights_[pairs.row[t.pair]] / near_[t.hit ? 0 : 1][t.label];
      pairs.weight[t.pair] += t.hit ? -part : part;
    }
    taken_.clear();
  }

 private:
  struct Taken {
    std::size_t pair, label;
    bool hit;
  };

  const RelieffBr& r_;
  std::size_t row_ = 0;
  std::vector<Taken> taken_;     // of rows with weights
  std::vector<double> near_[2];  // weights of the hits and misses of each label
  const std::uint64_t* own_ = nullptr;
  LabelQuotas hits_, misses_;
};

}  // namespace mlsift
