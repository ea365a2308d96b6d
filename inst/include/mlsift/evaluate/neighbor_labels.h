#ifndef MLSIFT_EVALUATE_NEIGHBOR_LABELS_H
#define MLSIFT_EVALUATE_NEIGHBOR_LABELS_H

#include <mlsift/engine/neighbors.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// The labels of each training row, as lists: counting costs what is on, not rows x labels.
struct LabelRows {
  std::size_t n_rows = 0, n_labels = 0;
  std::vector<std::size_t> start;  // n_rows + 1
  std::vector<int> label;
  std::vector<int> rows_with;  // per label
};

/// C(l): how many of a row's neighbors have label l. Only labels with a count are touched.
class LabelCounter {
 public:
  LabelCounter(const LabelRows& labels, std::size_t k) : labels_(&labels), k_(k), count_(labels.n_labels, 0) {}

  /// Calls visit(label, count) for every label that some neighbor has.
  template <class Visit>
  void count(const Neighbor* neighbors, Visit visit) {
    touched_.clear();
    for (std::size_t j = 0; j < k_; ++j) {
      const std::size_t row = static_cast<std::size_t>(neighbors[j].row);
      for (std::size_t e = labels_->start[row]; e < labels_->start[row + 1]; ++e) {
        const std::size_t label = static_cast<std::size_t>(labels_->label[e]);
        if (count_[label]++ == 0) touched_.push_back(label);
      }
    }
    for (const std::size_t label : touched_) {
      visit(label, static_cast<std::size_t>(count_[label]));
      count_[label] = 0;
    }
  }

 private:
  const LabelRows* labels_;
  std::size_t k_;
  std::vector<int> count_;
  std::vector<std::size_t> touched_;
};

/// Scores that depend on C(l) alone. tables[prefix][l * (k + 1) + c] is the score of label l with c neighbors; the
/// score of a query row goes to scores[prefix], n_query x n_labels by column.
template <class Distances>
void score_by_count(const Context& context, const Distances& distances, std::size_t k,
                    const std::vector<std::size_t>& prefixes, const LabelRows& labels,
                    const std::vector<std::vector<double>>& tables, const std::vector<double*>& scores) {
  const std::size_t n = distances.n_query();
  for (std::size_t p = 0; p < prefixes.size(); ++p) {
    for (std::size_t l = 0; l < labels.n_labels; ++l) {
      std::fill(scores[p] + l * n, scores[p] + (l + 1) * n, tables[p][l * (k + 1)]);
    }
  }
  std::vector<LabelCounter> counters(nearest_workers(context, distances, prefixes), LabelCounter(labels, k));
  nearest(context, distances, k, prefixes, false,
          [&](int worker, std::size_t p, std::size_t row, const Neighbor* neighbors) {
            counters[static_cast<std::size_t>(worker)].count(neighbors, [&](std::size_t l, std::size_t c) {
              scores[p][l * n + row] = tables[p][l * (k + 1) + c];
            });
          });
}

}  // namespace mlsift

#endif
