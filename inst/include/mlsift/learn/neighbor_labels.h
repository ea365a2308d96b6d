#pragma once

#include "../data/targets.h"
#include "../distance/neighbors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mlsift {

/// The labels of each training row, as lists: the cost of counting depends on the labels present, not on rows x labels.
/// If there are few labels, they are also stored as rows of bytes, eight to a word.
struct LabelRows : Targets {
  std::size_t words = 0;
  std::vector<std::uint64_t> packed;

  explicit LabelRows(Targets labels) : Targets(std::move(labels)) {
    if (n_labels() > 64) return;
    words = (n_labels() + 7) / 8;
    packed.assign(n_rows() * words, 0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
      unsigned char* const bytes = reinterpret_cast<unsigned char*>(packed.data() + row * words);
      for (const int* l = begin(row); l != end(row); ++l) bytes[*l] = 1;
    }
  }

  std::size_t n_labels() const { return static_cast<std::size_t>(n_classes); }
};

/// C(l): how many of a row's neighbors have label l.
///
/// Few labels are counted eight at a time, a byte each. With many, only labels that some neighbor has are visited.
class LabelCounter {
 public:
  LabelCounter(const LabelRows& labels, std::size_t k)
      : labels_(&labels), k_(k), words_(k <= 255 ? labels.words : 0), count_(words_ > 0 ? 0 : labels.n_labels(), 0) {}

  /// Calls visit(label, count) for every label that some neighbor has, and perhaps for others with a count of 0.
  template <class Visit>
  void count(const Neighbor* neighbors, Visit visit) {
    words_ > 0 ? count_packed(neighbors, visit) : count_lists(neighbors, visit);
  }

 private:
  template <class Visit>
  void count_packed(const Neighbor* neighbors, Visit visit) const {
    std::uint64_t sum[8] = {};
    for (std::size_t j = 0; j < k_; ++j) {
      const std::uint64_t* row = labels_->packed.data() + static_cast<std::size_t>(neighbors[j].row) * words_;
      for (std::size_t w = 0; w < words_; ++w) sum[w] += row[w];
    }
    const unsigned char* count = reinterpret_cast<const unsigned char*>(sum);
    for (std::size_t label = 0; label < labels_->n_labels(); ++label) visit(label, std::size_t{count[label]});
  }

  template <class Visit>
  void count_lists(const Neighbor* neighbors, Visit visit) {
    touched_.clear();
    for (std::size_t j = 0; j < k_; ++j) {
      const std::size_t row = static_cast<std::size_t>(neighbors[j].row);
      for (std::size_t e = labels_->start[row]; e < labels_->start[row + 1]; ++e) {
        const std::size_t label = static_cast<std::size_t>(labels_->ids[e]);
        if (count_[label]++ == 0) touched_.push_back(label);
      }
    }
    for (const std::size_t label : touched_) visit(label, std::exchange(count_[label], 0));
  }

  const LabelRows* labels_;
  std::size_t k_, words_;
  std::vector<std::size_t> count_, touched_;
};

/// The labels of the training rows and, if some are unknown, the unknown cells.
struct KnownLabels {
  LabelRows on;
  std::optional<LabelRows> unknown;

  std::size_t n_labels() const { return on.n_labels(); }
  /// The number of rows in which label l is known, and of those that have it.
  int known(std::size_t l) const { return static_cast<int>(on.n_rows()) - (unknown ? unknown->count[l] : 0); }
  int with(std::size_t l) const { return on.count[l]; }
};

/// C(l) among the neighbors in which label l is known.
class KnownCounter {
 public:
  KnownCounter(const KnownLabels& labels, std::size_t k) : on_(labels.on, k) {
    if (!labels.unknown) return;
    unknown_.emplace(*labels.unknown, k);
    count_.assign(labels.n_labels(), 0);
  }

  /// visit(label, count) as in LabelCounter. Then partly(label, count, u) for every label that is unknown in u > 0 of
  /// the neighbors.
  template <class Visit, class Partly>
  void count(const Neighbor* neighbors, Visit visit, Partly partly) {
    if (!unknown_) return on_.count(neighbors, visit);
    visited_.clear();
    on_.count(neighbors, [&](std::size_t l, std::size_t c) {
      visit(l, c);
      count_[l] = c;
      visited_.push_back(l);
    });
    unknown_->count(neighbors, [&](std::size_t l, std::size_t u) {
      if (u > 0) partly(l, count_[l], u);
    });
    for (const std::size_t l : visited_) count_[l] = 0;
  }

 private:
  LabelCounter on_;
  std::optional<LabelCounter> unknown_;
  std::vector<std::size_t> count_, visited_;
};

/// Scores that depend on C(l), and on the number u of neighbors in which l is unknown. tables[prefix][l * (k + 1) + c]
/// is the score of label l with c neighbors if all know it, otherwise partly(prefix, l, c, u). The score of a query row
/// goes to scores[prefix], n_query x n_labels by column.
template <class Distances, class Partly>
void score_by_count(const Context& context, const Distances& distances, std::size_t k,
                    const std::vector<std::size_t>& prefixes, const KnownLabels& labels,
                    const std::vector<std::vector<double>>& tables, Partly partly, const std::vector<double*>& scores) {
  const std::size_t n = distances.n_query();
  for (std::size_t p = 0; p < prefixes.size(); ++p) {
    for (std::size_t l = 0; l < labels.n_labels(); ++l) {
      std::fill(scores[p] + l * n, scores[p] + (l + 1) * n, tables[p][l * (k + 1)]);
    }
  }
  nearest(context, distances, k, prefixes, false, KnownCounter(labels, k),
          [&](KnownCounter& counter, std::size_t p, std::size_t row, const Neighbor* neighbors) {
            counter.count(
                neighbors, [&](std::size_t l, std::size_t c) { scores[p][l * n + row] = tables[p][l * (k + 1) + c]; },
                [&](std::size_t l, std::size_t c, std::size_t u) { scores[p][l * n + row] = partly(p, l, c, u); });
          });
}

}  // namespace mlsift
