#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/bits.h"
#include "../data/targets.h"

namespace mlsift {

/// The label set of each row as words of bits.
class LabelBits {
 public:
  explicit LabelBits(const Targets& labels) {
    bits_.assign(labels.n_rows(), static_cast<std::size_t>(labels.n_classes));
    for (std::size_t i = 0; i < labels.n_rows(); ++i) {
      for (const int* l = labels.begin(i); l != labels.end(i); ++l) bits_.set(i, static_cast<std::size_t>(*l));
    }
  }

  std::size_t words() const { return bits_.words; }
  const std::uint64_t* row(std::size_t i) const { return bits_.column(i); }
  bool has(std::size_t i, std::size_t label) const { return (row(i)[label / 64] >> (label % 64)) & 1; }

  /// The number of labels in which two rows differ.
  int difference(std::size_t i, std::size_t j) const { return bits_apart(row(i), row(j), words()); }

 private:
  BitColumns bits_;  // a column for each row
};

/// How many rows each label still needs, in one or several lists, with a bit for each label that is not full.
class LabelQuotas {
 public:
  /// No quotas yet; up to `lists` x `labels` can be opened.
  void reset(std::size_t lists, std::size_t labels) {
    labels_ = labels;
    left_.resize(lists * labels);
    weight_.resize(lists * labels);
    unfilled_.assign(lists, labels);
    open_ = 0;
  }

  /// Opens a quota of `rows` rows, which together count `total`; with no rows it stays closed.
  void open(std::size_t list, std::size_t label, int rows, double total) {
    left_[list * labels_ + label] = rows;
    if (rows == 0) return;
    weight_[list * labels_ + label] = total / rows;
    unfilled_.set(list, label);
    ++open_;
  }

  bool full() const { return open_ == 0; }
  std::size_t words() const { return unfilled_.words; }
  std::uint64_t unfilled(std::size_t list, std::size_t word) const { return unfilled_.column(list)[word]; }
  int left(std::size_t list, std::size_t label) const { return left_[list * labels_ + label]; }

  /// Takes a row for a label that is not full; returns what it counts.
  double take(std::size_t list, std::size_t label) {
    const std::size_t cell = list * labels_ + label;
    if (--left_[cell] == 0) {
      unfilled_.column(list)[label / 64] &= ~(std::uint64_t{1} << (label % 64));
      --open_;
    }
    return weight_[cell];
  }

 private:
  std::size_t labels_ = 0, open_ = 0;
  std::vector<int> left_;
  std::vector<double> weight_;
  BitColumns unfilled_;  // a column for each list
};

}  // namespace mlsift
