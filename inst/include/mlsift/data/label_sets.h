#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "targets.h"

namespace mlsift {

/// The distinct label sets of the rows (including the empty one), sorted lexicographically by their label numbers, so
/// that their numbering depends neither on the order of rows nor on threads.
struct LabelSets {
  std::vector<std::vector<int>> sets;
  std::vector<int> count;  ///< rows of each set
  std::vector<int> of_row;

  std::size_t size() const { return sets.size(); }
};

/// Numbers label sets in order of appearance, from 0.
class LabelSetNumbers {
 public:
  int number(const int* begin, const int* end) {
    set_.assign(begin, end);
    return seen_.emplace(set_, static_cast<int>(seen_.size())).first->second;
  }

  std::size_t size() const { return seen_.size(); }

  /// The sorted sets, and the position of each number among them.
  std::vector<std::vector<int>> sorted(std::vector<int>& place) const {
    std::vector<std::pair<std::vector<int>, int>> sets(seen_.begin(), seen_.end());
    std::sort(sets.begin(), sets.end());
    place.resize(sets.size());
    std::vector<std::vector<int>> result;
    for (auto& set : sets) {
      place[static_cast<std::size_t>(set.second)] = static_cast<int>(result.size());
      result.push_back(std::move(set.first));
    }
    return result;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<int>& set) const {
      std::uint64_t h = 1469598103934665603ULL;
      for (const int l : set) h = (h ^ static_cast<std::uint64_t>(l + 1)) * std::uint64_t{1099511628211};
      return static_cast<std::size_t>(h ^ (h >> 29));
    }
  };
  std::unordered_map<std::vector<int>, int, Hash> seen_;
  std::vector<int> set_;
};

inline LabelSets label_sets(const Targets& labels) {
  LabelSets result;
  LabelSetNumbers numbers;
  for (std::size_t i = 0; i < labels.n_rows(); ++i) {
    result.of_row.push_back(numbers.number(labels.begin(i), labels.end(i)));
  }
  std::vector<int> place;
  result.sets = numbers.sorted(place);
  result.count.assign(result.size(), 0);
  for (int& g : result.of_row) {
    g = place[static_cast<std::size_t>(g)];
    ++result.count[static_cast<std::size_t>(g)];
  }
  return result;
}

/// Label sets as rows, of at least so many labels.
inline Targets targets_of_sets(const std::vector<std::vector<int>>& sets, int n_labels = 0) {
  for (const std::vector<int>& set : sets) {
    for (const int l : set) n_labels = std::max(n_labels, l + 1);
  }
  TargetsBuilder builder(n_labels);
  for (const std::vector<int>& set : sets) {
    for (const int l : set) builder.emit(l);
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace mlsift
