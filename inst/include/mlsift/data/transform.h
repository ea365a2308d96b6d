#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "label_sets.h"
#include "targets.h"

namespace mlsift {

/// Problem transformations: many labels become the classes of single-label rows. A row may be emitted several times, or
/// not at all. Here it carries the classes of all its copies.

enum class Transform { ala, nla, lla, sla, ela, lp, ppt };

/// What PPT does with rows whose label set is rare.
enum class Rare { discard, subsets, a, b };

struct PruneOptions {
  int min_count = 1;  ///< label sets that occur in at least this many rows are kept
  Rare rare = Rare::discard;
  int b = 2;
  bool increasing = false;       ///< order in which `subsets` visits the candidates by size
  const int* weights = nullptr;  ///< how many rows each row counts for; null for 1
  double count_weight = 1;       ///< how many rows a weight of 1 is worth for `min_count`
};

/// One class per label. A row goes to all of its labels (ALA), to its only one (NLA), to its most (LLA) or least (SLA)
/// frequent one (the first in case of ties), or to all with weight 1 / |labels| (ELA).
inline Targets transform_labels(const Targets& labels, Transform how) {
  if (how == Transform::ala) return labels;
  if (how == Transform::ela) {
    Targets result = labels;
    for (std::size_t i = 0; i < labels.n_rows(); ++i) result.divisor.push_back(std::max(1, labels.size(i)));
    return result;
  }
  TargetsBuilder builder(labels.n_classes);
  const auto rarer = [&](int a, int b) {
    return labels.count[static_cast<std::size_t>(a)] < labels.count[static_cast<std::size_t>(b)];
  };
  const auto more_common = [&](int a, int b) { return rarer(b, a); };
  for (std::size_t i = 0; i < labels.n_rows(); ++i) {
    const int* begin = labels.begin(i);
    const int* end = labels.end(i);
    if (how == Transform::nla ? end - begin == 1 : begin != end) {
      builder.emit(how == Transform::lla ? *std::min_element(begin, end, more_common)
                                         : *std::min_element(begin, end, rarer));
    }
    builder.end_row();
  }
  return builder.finish();
}

namespace detail {

// Which kept sets (positions in `kept`, best first) the rows of a rare set go to.
inline std::vector<int> replacements(const std::vector<int>& rare, const std::vector<std::vector<int>>& kept,
                                     const std::vector<int>& order, const PruneOptions& options) {
  std::vector<int> result, left = rare, rest;
  for (const int k : order) {
    const std::vector<int>& set = kept[static_cast<std::size_t>(k)];
    if (set.empty() || set.size() >= rare.size()) continue;
    if (options.rare == Rare::b && static_cast<int>(set.size()) <= options.b) continue;
    const std::vector<int>& within = options.rare == Rare::subsets ? left : rare;
    if (!std::includes(within.begin(), within.end(), set.begin(), set.end())) continue;
    result.push_back(k);
    if (options.rare == Rare::a && static_cast<int>(result.size()) == options.b) break;
    if (options.rare == Rare::subsets) {
      rest.clear();
      std::set_difference(left.begin(), left.end(), set.begin(), set.end(), std::back_inserter(rest));
      left.swap(rest);
    }
  }
  return result;
}

}  // namespace detail

/// One class per label set that occurs in at least `min_count` rows (PPT; with 1, label powerset, LP). Rows of rarer
/// sets are discarded, or go to frequent proper subsets of their sets: to a family of disjoint ones taken by size,
/// count and label numbers, or with `increasing` by size and label numbers backwards (`subsets`), to the `b` largest
/// (A), or to all with more than `b` labels (B). Only frequent sets are candidates.
inline Targets transform_label_sets(const Targets& labels, const PruneOptions& options) {
  LabelSets all = label_sets(labels);
  if (options.weights) {
    std::fill(all.count.begin(), all.count.end(), 0);
    for (std::size_t i = 0; i < all.of_row.size(); ++i)
      all.count[static_cast<std::size_t>(all.of_row[i])] += options.weights[i];
  }
  std::vector<std::vector<int>> kept;
  std::vector<int> class_of(all.size(), -1), count;
  for (std::size_t g = 0; g < all.size(); ++g) {
    if (all.count[g] * options.count_weight < options.min_count) continue;
    class_of[g] = static_cast<int>(kept.size());
    kept.push_back(all.sets[g]);
    count.push_back(all.count[g]);
  }
  std::vector<int> order(kept.size());
  std::iota(order.begin(), order.end(), 0);
  const bool increasing = options.rare == Rare::subsets && options.increasing;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const std::size_t i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (kept[i].size() != kept[j].size())
      return increasing ? kept[i].size() < kept[j].size() : kept[i].size() > kept[j].size();
    // Ties stay in lexicographic order; Mulan takes equal sizes in reverse order.
    return increasing ? kept[j] < kept[i] : count[i] > count[j];
  });

  std::vector<std::vector<int>> classes(all.size());
  for (std::size_t g = 0; g < all.size(); ++g) {
    if (class_of[g] >= 0) {
      classes[g] = {class_of[g]};
    } else if (options.rare != Rare::discard) {
      classes[g] = detail::replacements(all.sets[g], kept, order, options);
    }
  }
  TargetsBuilder builder(static_cast<int>(kept.size()));
  for (const int g : all.of_row) {
    for (const int c : classes[static_cast<std::size_t>(g)]) builder.emit(c);
    builder.end_row();
  }
  return builder.finish();
}

inline Targets transform(const Targets& labels, Transform how, PruneOptions options) {
  if (how == Transform::lp) options = PruneOptions();
  return how == Transform::lp || how == Transform::ppt ? transform_label_sets(labels, options)
                                                       : transform_labels(labels, how);
}

}  // namespace mlsift
