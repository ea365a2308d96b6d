#pragma once

#include "../data/transform.h"
#include "neighbor_labels.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// The rows that remain of a task when each carries one label set. A row appears as often as PPT emits it.
struct SingleLabelRows {
  std::vector<int> row, cls;
  std::vector<int> example;  ///< of each class, the first row with exactly its label set
};

inline SingleLabelRows single_label_rows(const Targets& labels, const PruneOptions& options) {
  const Targets classes = transform_label_sets(labels, options);
  const LabelSets sets = label_sets(labels);
  SingleLabelRows result;
  for (std::size_t i = 0; i < classes.n_rows(); ++i) {
    for (const int* c = classes.begin(i); c != classes.end(i); ++c) {
      result.row.push_back(static_cast<int>(i));
      result.cls.push_back(*c);
    }
  }
  // Classes are numbered like the sets that are frequent enough.
  std::vector<int> class_of(sets.size(), -1);
  int next = 0;
  for (std::size_t g = 0; g < sets.size(); ++g)
    if (sets.count[g] >= options.min_count) class_of[g] = next++;
  result.example.assign(static_cast<std::size_t>(next), -1);
  for (std::size_t i = labels.n_rows(); i-- > 0;) {
    const int c = class_of[static_cast<std::size_t>(sets.of_row[i])];
    if (c >= 0) result.example[static_cast<std::size_t>(c)] = static_cast<int>(i);
  }
  return result;
}

/// Label powerset with kNN. Tsoumakas & Katakis (2007), IJDWM 3(3):1-13; pruned sets: Read, Pfahringer & Holmes (2008),
/// ICDM, 995-1000. Each training row votes for its class, a label set:
///
///   psi_l = sum_{g with l} votes(g) / k,   prediction: the set with most votes, of equal ones that of the nearest row
///
/// labels     of each training row, the label set of its class
/// scores, response   for each prefix n_query x n_labels by column
template <class Distances>
void vote_for_label_sets(const Context& context, const Distances& distances, std::size_t k,
                         const std::vector<std::size_t>& prefixes, const LabelRows& labels, const std::vector<int>& cls,
                         int n_classes, const std::vector<double*>& scores, const std::vector<int*>& response) {
  struct Worker {
    LabelCounter counter;
    std::vector<Neighbor> nearest;
    std::vector<int> votes;
  };
  const std::size_t n = distances.n_query(), size = n * labels.n_labels();
  for (double* to : scores) std::fill(to, to + size, 0.0);
  for (int* to : response) std::fill(to, to + size, 0);
  const Worker scratch{LabelCounter(labels, k), std::vector<Neighbor>(k),
                       std::vector<int>(static_cast<std::size_t>(n_classes), 0)};

  nearest(context, distances, k, prefixes, false, scratch,
          [&](Worker& mine, std::size_t p, std::size_t row, const Neighbor* neighbors) {
            mine.counter.count(neighbors, [&](std::size_t l, std::size_t count) {
              scores[p][l * n + row] = static_cast<double>(count) / static_cast<double>(k);
            });
            const auto votes = [&](const Neighbor& of) -> int& {
              return mine.votes[static_cast<std::size_t>(cls[static_cast<std::size_t>(of.row)])];
            };
            std::copy(neighbors, neighbors + k, mine.nearest.begin());
            std::sort(mine.nearest.begin(), mine.nearest.end());
            for (const Neighbor& neighbor : mine.nearest) ++votes(neighbor);
            const auto best =
                std::max_element(mine.nearest.begin(), mine.nearest.end(),
                                 [&](const Neighbor& a, const Neighbor& b) { return votes(a) < votes(b); });
            const std::size_t winner = static_cast<std::size_t>(best->row);
            for (std::size_t e = labels.start[winner]; e < labels.start[winner + 1]; ++e) {
              response[p][static_cast<std::size_t>(labels.ids[e]) * n + row] = 1;
            }
            for (const Neighbor& neighbor : mine.nearest) votes(neighbor) = 0;
          });
}

}  // namespace mlsift
