#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "../data/targets.h"
#include "../distance/differences.h"
#include "reference_weights.h"

namespace mlsift {

// By how much distances that should equal a limit may differ from it by rounding, as a share of the mean distance. Such
// rows are not near, so that neither the order of the rows nor the last bit decides.
constexpr double limit_rounding = 1e-12;

/// SURF: rows nearer than the mean distance of all pairs.
struct MeanLimit {
  double mean;
  double operator()(const double*, std::size_t, std::size_t) const { return mean * (1 - limit_rounding); }
};

/// MultiSURF: rows nearer to row i than the mean of the distances from row i less half of their standard deviation
/// (that of these n - 1 numbers, divided by n - 1).
struct RowLimit {
  double operator()(const double* distance, std::size_t n, std::size_t row) const {
    const auto over_others = [=](double start, auto add) {
      return std::accumulate(distance + row + 1, distance + n, std::accumulate(distance, distance + row, start, add),
                             add);
    };
    const double others = static_cast<double>(n - 1);
    const double mean = over_others(0.0, [](double sum, double d) { return sum + d; }) / others;
    const double squares = over_others(0.0, [mean](double sum, double d) { return sum + (d - mean) * (d - mean); });
    return mean - std::sqrt(squares / others) / 2 - mean * limit_rounding;
  }
};

/// SURF: Greene, Penrod, Kiralis & Moore (2009), BioData Mining 2:5. MultiSURF: Urbanowicz, Olson, Schmitt, Meeker &
/// Moore (2018), Journal of Biomedical Informatics 85:168-188. With the rows nearer to row i than a limit, those of its
/// own class H and those of each other class c, M_c, over n rows:
///
///   W_f = 1/n sum_i [sum_c P(c) / (1 - P(y_i)) mean diff_f(i, M_c) - mean diff_f(i, H)]
///
/// J(f) is the mean of W_f over q targets. A label is a target with the classes on and off, and the first factor is 1.
///
/// Row weights as in relieff.h; limits do not depend on them.
///
/// edge   no near row of a class: no term
/// cost   near rows do not depend on targets, so a pair of near rows has one weight for all targets, summed over the
///        labels of one row alone: W is the sum of what "off" counts and of what each label of j adds to that
template <class Limit>
class Surf {
 public:
  class Quotas;

  /// `classes`: of each row, at most one of each target. Target t has those from first[t] to first[t + 1] - 1, and one
  /// more, that of the rows that have none of them. All targets must have two classes or more that occur.
  Surf(const Targets& classes, std::vector<std::size_t> first, Limit limit, const ReferenceWeights& weights)
      : classes_(classes),
        first_(std::move(first)),
        limit_(limit),
        weights_(weights),
        count_(classes.count.begin(), classes.count.end()),
        without_(first_.size() - 1) {
    if (weights.weights) count_ = weighted_count(classes, weights.weights);
    for (std::size_t row = 0; row < classes.n_rows(); ++row) add_without(row, without_);
  }

  std::size_t expected() const { return classes_.n_rows() / 2; }

 private:
  // Adds the weight of a row for each target of which it has no class listed. One row may weigh so much that a
  // difference of sums has no digits.
  void add_without(std::size_t row, std::vector<double>& to) const {
    const double w = weights_[row];
    const int* c = classes_.begin(row);
    for (std::size_t t = 0; t < to.size(); ++t) {
      if (c != classes_.end(row) && static_cast<std::size_t>(*c) < first_[t + 1]) {
        ++c;
      } else {
        to[t] += w;
      }
    }
  }

  const Targets& classes_;
  std::vector<std::size_t> first_;
  Limit limit_;
  const ReferenceWeights& weights_;
  std::vector<double> count_;    // rows of each class
  std::vector<double> without_;  // by target, rows without any of its classes
};

/// Everything is known from the start, so the scan has nothing left to do.
template <class Limit>
class Surf<Limit>::Quotas {
 public:
  explicit Quotas(const Surf& surf)
      : s_(surf),
        list_(surf.classes_.n_rows() + 1),
        own_(surf.classes_.count.size()),
        near_(own_.size()),
        more_(own_.size()),
        near_without_(surf.without_.size()) {}

  void start(std::size_t row, const double* distance, RowPairs& pairs) {
    find_near(row, distance);
    if (found_ == 0) return;
    const double none = weigh_classes(row);
    const double share = s_.weights_[row] / (s_.weights_.total * static_cast<double>(s_.first_.size() - 1));
    for (std::size_t at = 0; at < found_; ++at) {
      const std::size_t other = list_[at];
      double weight = none;
      for (const int* c = s_.classes_.begin(other); c != s_.classes_.end(other); ++c)
        weight += more_[static_cast<std::size_t>(*c)];
      if (weight != 0) pairs.add(other, weight * share * s_.weights_[other]);
    }
  }

  bool full() const { return true; }
  bool wants(std::size_t) const { return false; }
  void take(std::size_t, RowPairs&) {}
  void finish(RowPairs&) {}

 private:
  std::size_t n_rows() const { return s_.classes_.n_rows(); }

  // The near rows, ascending, and how many of them are of each class. The distance of the row itself is NaN.
  void find_near(std::size_t row, const double* distance) {
    const double limit = s_.limit_(distance, n_rows(), row);
    found_ = 0;
    for (std::size_t j = 0; j < n_rows(); ++j) {
      list_[found_] = j;
      found_ += distance[j] < limit;
    }
    std::fill(near_.begin(), near_.end(), 0);
    std::fill(near_without_.begin(), near_without_.end(), s_.weights_.weights ? 0 : static_cast<double>(found_));
    for (std::size_t at = 0; at < found_; ++at) {
      const double w = s_.weights_[list_[at]];
      for (const int* c = s_.classes_.begin(list_[at]); c != s_.classes_.end(list_[at]); ++c)
        near_[static_cast<std::size_t>(*c)] += w;
      if (s_.weights_.weights) s_.add_without(list_[at], near_without_);
    }
  }

  // What a near row without any of the classes counts; more_: what each class adds to that.
  double weigh_classes(std::size_t row) {
    std::fill(own_.begin(), own_.end(), 0);
    for (const int* c = s_.classes_.begin(row); c != s_.classes_.end(row); ++c) own_[static_cast<std::size_t>(*c)] = 1;
    double all = 0;
    for (std::size_t t = 0; t + 1 < s_.first_.size(); ++t) {
      double others = 0;
      bool has_none = true;
      for (std::size_t c = s_.first_[t]; c < s_.first_[t + 1]; ++c) {
        if (!s_.weights_.weights) near_without_[t] -= near_[c];
        if (own_[c])
          has_none = false;
        else
          others += s_.count_[c];
      }
      if (!has_none) others += s_.without_[t];
      const double none = weight_of(has_none, s_.without_[t] / others, near_without_[t]);
      for (std::size_t c = s_.first_[t]; c < s_.first_[t + 1]; ++c)
        more_[c] = weight_of(own_[c] != 0, s_.count_[c] / others, near_[c]) - none;
      all += none;
    }
    return all;
  }

  // Of a near row of a class: hits count against a feature, misses for it, each by the share of its class.
  static double weight_of(bool hit, double share, double near) { return near == 0 ? 0 : (hit ? -1 : share) / near; }

  const Surf& s_;
  std::size_t found_ = 0;
  std::vector<std::size_t> list_;  // near rows are the first found_
  std::vector<char> own_;
  std::vector<double> near_, more_;   // near rows of each class, and what more one of them counts
  std::vector<double> near_without_;  // near rows without any class of each target
};

}  // namespace mlsift
