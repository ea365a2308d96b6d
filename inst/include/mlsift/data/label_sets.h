#ifndef MLSIFT_DATA_LABEL_SETS_H
#define MLSIFT_DATA_LABEL_SETS_H

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "targets.h"

namespace mlsift {

/// The distinct label sets of the rows (the empty one included), sorted lexicographically by their label numbers, so
/// that their numbering depends neither on the order of rows nor on threads.
struct LabelSets {
  std::vector<std::vector<int>> sets;
  std::vector<int> count;  ///< rows of each set
  std::vector<int> of_row;

  std::size_t size() const { return sets.size(); }
};

inline LabelSets label_sets(const Targets& labels) {
  struct Hash {
    std::size_t operator()(const std::vector<int>& set) const {
      std::uint64_t h = 1469598103934665603ULL;
      for (const int l : set) h = (h ^ static_cast<std::uint64_t>(l + 1)) * std::uint64_t{1099511628211};
      return static_cast<std::size_t>(h ^ (h >> 29));
    }
  };
  const std::size_t n = labels.n_rows();
  std::unordered_map<std::vector<int>, int, Hash> seen;
  LabelSets result;
  result.of_row.resize(n);
  std::vector<int> set;
  for (std::size_t i = 0; i < n; ++i) {
    set.assign(labels.begin(i), labels.end(i));
    const auto found = seen.emplace(set, static_cast<int>(seen.size())).first;
    result.of_row[i] = found->second;
  }
  std::vector<int> order(seen.size()), rank(seen.size());
  result.sets.resize(seen.size());
  for (const auto& entry : seen) result.sets[static_cast<std::size_t>(entry.second)] = entry.first;
  for (std::size_t g = 0; g < order.size(); ++g) order[g] = static_cast<int>(g);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return result.sets[static_cast<std::size_t>(a)] < result.sets[static_cast<std::size_t>(b)];
  });
  std::vector<std::vector<int>> sorted(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) {
    rank[static_cast<std::size_t>(order[r])] = static_cast<int>(r);
    sorted[r] = std::move(result.sets[static_cast<std::size_t>(order[r])]);
  }
  result.sets = std::move(sorted);
  result.count.assign(order.size(), 0);
  for (int& g : result.of_row) {
    g = rank[static_cast<std::size_t>(g)];
    ++result.count[static_cast<std::size_t>(g)];
  }
  return result;
}

}  // namespace mlsift

#endif
