#ifndef MLSIFT_CRITERIA_RELIEFF_H
#define MLSIFT_CRITERIA_RELIEFF_H

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../engine/differences.h"

namespace mlsift {

/// ReliefF with several classes. Kononenko (1994), ECML; Robnik-Sikonja & Kononenko (2003), Machine Learning 53, eq. 5-6;
/// spec 2.8. For each of m reference rows i, with its k nearest hits H and its k nearest misses M_c of each other class c:
///
///   W_f -= mean diff_f(i, H) / m,    W_f += sum_c P(c) / (1 - P(y_i)) mean diff_f(i, M_c) / m
///
/// RF-LP: the classes are the label sets; PPT+RF: those of the frequent label sets, without the other rows.
/// edge   means are over the neighbors there are; none: no term. One class only: all scores 0.
class Relieff {
 public:
  class Quotas;

  /// `of_row`: the class of each row, from 0.
  Relieff(const std::vector<int>& of_row, std::size_t k, std::size_t m) : of_row_(of_row), k_(static_cast<int>(k)), m_(static_cast<double>(m)) {
    for (const int c : of_row) {
      if (static_cast<std::size_t>(c) >= count_.size()) count_.resize(static_cast<std::size_t>(c) + 1, 0);
      ++count_[static_cast<std::size_t>(c)];
    }
    for (std::size_t i = 0; i < of_row.size(); ++i) {
      if (whole(static_cast<std::size_t>(of_row[i]))) whole_rows_.push_back(i);
    }
    for (std::size_t c = 0; c < count_.size(); ++c) {
      if (!whole(c)) quota_classes_.push_back(c);
      miss_weight_.push_back(count_[c] / static_cast<double>(of_row.size()) / (std::min(k_, count_[c]) * m_));
    }
  }

  std::size_t expected() const { return 2 * static_cast<std::size_t>(k_) * std::max<std::size_t>(2, quota_classes_.size()); }
  Quotas quotas() const;

 private:
  // Classes of no more than k rows are neighbors as a whole, wherever their rows lie.
  bool whole(std::size_t c) const { return count_[c] <= k_; }

  const std::vector<int>& of_row_;
  int k_;
  double m_;
  std::vector<int> count_;
  std::vector<std::size_t> whole_rows_, quota_classes_;
  std::vector<double> miss_weight_;  // of each class, still to be divided by 1 - P(y_i)
};

class Relieff::Quotas {
 public:
  explicit Quotas(const Relieff& relieff) : r_(relieff), left_(r_.count_.size(), 0) {}

  void start(std::size_t row, RowPairs& pairs) {
    own_ = class_of(row);
    others_ = 1 - r_.count_[own_] / static_cast<double>(r_.of_row_.size());
    hit_weight_ = -1 / (std::min(r_.k_, r_.count_[own_] - 1) * r_.m_);
    for (const std::size_t c : r_.quota_classes_) left_[c] = r_.k_;
    open_ = r_.quota_classes_.size();
    for (const std::size_t i : r_.whole_rows_) {
      if (i != row) pairs.add(i, weight(class_of(i)));
    }
  }

  bool full() const { return open_ == 0; }
  bool wants(std::size_t row) const { return left_[class_of(row)] > 0; }
  void take(std::size_t row, RowPairs& pairs) {
    const std::size_t c = class_of(row);
    pairs.add(row, weight(c));
    open_ -= --left_[c] == 0;
  }
  void finish(RowPairs&) {}

 private:
  std::size_t class_of(std::size_t row) const { return static_cast<std::size_t>(r_.of_row_[row]); }
  double weight(std::size_t c) const { return c == own_ ? hit_weight_ : r_.miss_weight_[c] / others_; }

  const Relieff& r_;
  std::size_t own_ = 0, open_ = 0;
  double others_ = 1, hit_weight_ = 0;
  std::vector<int> left_;  // of each class that is not taken whole
};

inline Relieff::Quotas Relieff::quotas() const { return Quotas(*this); }

}  // namespace mlsift

#endif
