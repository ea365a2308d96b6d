#pragma once

#include "neighbor_labels.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// Classifier chain of kNN models. Read, Pfahringer, Holmes & Frank (2011), Machine Learning 85:333-359. Link t uses
/// the features and the labels o_1 .. o_{t-1}, true in training row j and predicted in query row i:
///
///   D_t(i, j) = |x_i - x_j|^2 + sum_{s < t} [yhat_{i o_s} != y_{j o_s}],   psi_{o_t} = C(o_t) / k,   yhat = [psi >=
///   threshold]
///
/// Mismatches are added link by link, as if the labels were further columns.
struct ChainOptions {
  std::size_t neighbors = 3;
  std::vector<std::size_t> order;  ///< a permutation of the labels
  double threshold = 0.5;
};

/// For each label, the rows that have it or, if these are more than half, those that lack it.
struct MinorityRows {
  std::vector<std::size_t> start{0};  // n_labels + 1
  std::vector<std::size_t> row;
  std::vector<char> lack;

  explicit MinorityRows(const LabelRows& labels) {
    const std::size_t n = labels.n_rows();
    // The rows of each label, ascending.
    const Targets with = targets_of(
        labels.n_labels(), n, [&](std::size_t i, auto take) { std::for_each(labels.begin(i), labels.end(i), take); });
    for (std::size_t l = 0; l < labels.n_labels(); ++l) {
      const int *next = with.begin(l), *const end = with.end(l);
      lack.push_back(static_cast<std::size_t>(end - next) > n / 2);
      if (!lack[l]) row.insert(row.end(), next, end);
      for (std::size_t i = 0; lack[l] && i < n; ++i) {
        if (next != end && static_cast<std::size_t>(*next) == i) {
          ++next;
        } else {
          row.push_back(i);
        }
      }
      start.push_back(row.size());
    }
  }
};

/// Runs query rows through the chain, one after the other.
class Chain {
 public:
  Chain(const LabelRows& labels, const MinorityRows& minority, const ChainOptions& options)
      : labels_(&labels),
        minority_(&minority),
        options_(&options),
        n_(labels.n_rows()),
        nearest_(options.neighbors),
        count_(labels.n_labels(), 0) {
    for (std::size_t j = 0; j < nearest_.size(); ++j) nearest_[j].row = static_cast<int>(j);
  }

  /// `distance`: to the n training rows by the features alone; modified. Calls visit(label, score) along the chain.
  template <class Visit>
  void run(double* distance, Visit visit) {
    const std::size_t k = nearest_.size(), q = options_->order.size();
    search(distance);
    for (std::size_t t = 0; t < q; ++t) {
      const std::size_t label = options_->order[t];
      const double score = static_cast<double>(count_[label]) / static_cast<double>(k);
      visit(label, score);
      if (t + 1 == q) break;
      const bool on = score >= options_->threshold;
      add_mismatches(distance, label, on);
      // Neighbors that all agree stay the nearest: other rows have only moved away.
      if (count_[label] != (on ? k : 0)) search(distance);
    }
  }

 private:
  void add_mismatches(double* distance, std::size_t label, bool on) {
    const std::size_t* const begin = minority_->row.data() + minority_->start[label];
    const std::size_t* const end = minority_->row.data() + minority_->start[label + 1];
    const bool minority_agrees = (minority_->lack[label] != 0) != on;
    if (!minority_agrees) {
      for (const std::size_t* row = begin; row != end; ++row) distance[*row] += 1;
      return;
    }
    kept_.clear();
    for (const std::size_t* row = begin; row != end; ++row) kept_.push_back(distance[*row]);
    add_one(distance);
    const double* from = kept_.data();
    for (const std::size_t* row = begin; row != end; ++row) distance[*row] = *from++;
  }

  void add_one(double* distance) const {
    const detail::Lane one = {1, 1};
    std::size_t row = 0;
    for (; row + 4 <= n_; row += 4) {
      detail::Lane a = detail::load(distance + row), b = detail::load(distance + row + 2);
      a += one, b += one;
      detail::store(distance + row, a), detail::store(distance + row + 2, b);
    }
    for (; row < n_; ++row) distance[row] += 1;
  }

  // Any k rows bound the distance of the k-th nearest. Those of the previous search bound it well.
  void search(const double* distance) {
    count_labels(false);
    double limit = distance[nearest_[0].row];
    for (const Neighbor& neighbor : nearest_) limit = std::max(limit, distance[neighbor.row]);
    std::fill(nearest_.begin(), nearest_.end(), Neighbor{limit, std::numeric_limits<int>::max()});
    detail::keep_nearest(distance, n_, nearest_.data(), nearest_.size());
    count_labels(true);
  }

  void count_labels(bool add) {
    for (const Neighbor& neighbor : nearest_) {
      const std::size_t row = static_cast<std::size_t>(neighbor.row);
      for (std::size_t e = labels_->start[row]; e < labels_->start[row + 1]; ++e) {
        std::size_t& count = count_[static_cast<std::size_t>(labels_->ids[e])];
        count = add ? count + 1 : 0;
      }
    }
  }

  const LabelRows* labels_;
  const MinorityRows* minority_;
  const ChainOptions* options_;
  std::size_t n_;
  std::vector<Neighbor> nearest_;
  std::vector<double> kept_;
  std::vector<std::size_t> count_;  // of each label among the nearest
};

/// Scores on each prefix of the features, n_query x n_labels by column.
///
/// cost   the distances once for all prefixes; then for each prefix, row and link at most two passes over the training
///        rows, and none if no neighbor has the label and it is not predicted
template <class Distances>
void chain_scores(const Context& context, const Distances& distances, const std::vector<std::size_t>& prefixes,
                  const LabelRows& labels, const ChainOptions& options, const std::vector<double*>& scores) {
  struct Worker {
    Chain chain;
    typename Distances::Block block;
    std::vector<double> distance;
  };
  const std::size_t n = distances.n_query(), n_train = distances.n_train(), rows = distances.block_rows();
  const std::size_t blocks = (n + rows - 1) / rows;
  const double work = nearest_work(distances, prefixes) * (1 + static_cast<double>(labels.n_labels()) / 8);
  const MinorityRows minority(labels);
  const auto make = [&] { return Worker{Chain(labels, minority, options), {}, std::vector<double>(n_train)}; };
  parallel_each(context, blocks, work, make, [&](Worker& mine, std::size_t b) {
    const std::size_t first = b * rows, size = std::min(rows, n - first);
    distances.start(mine.block, first, size);
    for (std::size_t p = 0, done = 0; p < prefixes.size(); done = prefixes[p++]) {
      distances.add(mine.block, done, prefixes[p]);
      for (std::size_t i = 0; i < size; ++i) {
        std::copy(mine.block.row(i), mine.block.row(i) + n_train, mine.distance.begin());
        mine.chain.run(mine.distance.data(),
                       [&](std::size_t l, double score) { scores[p][l * n + first + i] = score; });
      }
    }
  });
}

}  // namespace mlsift
