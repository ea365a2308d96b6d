#ifndef MLSIFT_CRITERIA_RELIEFF_BR_H
#define MLSIFT_CRITERIA_RELIEFF_BR_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../engine/label_bits.h"
#include "../engine/differences.h"

namespace mlsift {

/// RF-BR: ReliefF (relieff.h) for each label, averaged. With two classes every miss has weight 1:
///
///   W_f = 1 / (m q) sum_l sum_i [mean diff_f(i, M_l) - mean diff_f(i, H_l)]
///
/// q      labels that are neither on nor off in all rows; the others are skipped
/// edge   means are over the neighbors there are; none: no term
/// cost   one scan of the neighbors for all labels; a pair of rows that several labels share is one difference
class RelieffBr {
 public:
  class Quotas;

  RelieffBr(const Targets& labels, std::size_t k, std::size_t m) : bits_(labels), on_(labels.count), n_(static_cast<int>(labels.n_rows())), k_(static_cast<int>(k)) {
    double q = 0;
    for (std::size_t l = 0; l < on_.size(); ++l) q += varies(l);
    share_ = 1 / (static_cast<double>(m) * q);
  }

  std::size_t expected() const { return 12 * static_cast<std::size_t>(k_); }
  Quotas quotas() const;

 private:
  bool varies(std::size_t l) const { return on_[l] > 0 && on_[l] < n_; }

  LabelBits bits_;
  std::vector<int> on_;
  int n_, k_;
  double share_;
};

class RelieffBr::Quotas {
 public:
  explicit Quotas(const RelieffBr& relieff) : r_(relieff) {
    hits_.reset(r_.on_.size(), r_.bits_.words());
    misses_.reset(r_.on_.size(), r_.bits_.words());
  }

  void start(std::size_t row, const double*, RowPairs&) {
    own_ = r_.bits_.row(row);
    open_ = 0;
    for (std::size_t l = 0; l < r_.on_.size(); ++l) {
      if (!r_.varies(l)) continue;
      const int alike = r_.bits_.has(row, l) ? r_.on_[l] : r_.n_ - r_.on_[l];
      open_ += hits_.open(l, std::min(r_.k_, alike - 1), -r_.share_);
      open_ += misses_.open(l, std::min(r_.k_, r_.n_ - alike), r_.share_);
    }
  }

  bool full() const { return open_ == 0; }

  bool wants(std::size_t row) const {
    const std::uint64_t* other = r_.bits_.row(row);
    for (std::size_t w = 0; w < r_.bits_.words(); ++w) {
      const std::uint64_t differ = own_[w] ^ other[w];
      if ((hits_.unfilled[w] & ~differ) | (misses_.unfilled[w] & differ)) return true;
    }
    return false;
  }

  void take(std::size_t row, RowPairs& pairs) {
    const std::uint64_t* other = r_.bits_.row(row);
    double weight = 0;
    for (std::size_t w = 0; w < r_.bits_.words(); ++w) {
      const std::uint64_t differ = own_[w] ^ other[w];
      visit_ones(hits_.unfilled[w] & ~differ, 64 * w, [&](std::size_t l) { open_ -= hits_.take(l, weight); });
      visit_ones(misses_.unfilled[w] & differ, 64 * w, [&](std::size_t l) { open_ -= misses_.take(l, weight); });
    }
    if (weight != 0) pairs.add(row, weight);
  }

  void finish(RowPairs&) {}

 private:
  // For each label the rows still to be taken and what each weighs; a bit for each label that is not full.
  struct Side {
    std::vector<int> left;
    std::vector<double> weight;
    std::vector<std::uint64_t> unfilled;

    void reset(std::size_t labels, std::size_t words) {
      left.assign(labels, 0);
      weight.assign(labels, 0);
      unfilled.assign(words, 0);
    }
    bool open(std::size_t l, int rows, double share) {
      left[l] = rows;
      const std::uint64_t bit = std::uint64_t{1} << (l % 64);
      if (rows == 0) {
        unfilled[l / 64] &= ~bit;
        return false;
      }
      weight[l] = share / rows;
      unfilled[l / 64] |= bit;
      return true;
    }
    bool take(std::size_t l, double& sum) {
      sum += weight[l];
      if (--left[l] > 0) return false;
      unfilled[l / 64] &= ~(std::uint64_t{1} << (l % 64));
      return true;
    }
  };

  const RelieffBr& r_;
  const std::uint64_t* own_ = nullptr;
  std::size_t open_ = 0;
  Side hits_, misses_;
};

inline RelieffBr::Quotas RelieffBr::quotas() const { return Quotas(*this); }

}  // namespace mlsift

#endif
