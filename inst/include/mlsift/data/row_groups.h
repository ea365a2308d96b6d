#ifndef MLSIFT_DATA_ROW_GROUPS_H
#define MLSIFT_DATA_ROW_GROUPS_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mlsift {

/// Rows by group, and by class within a group.
class RowGroups {
 public:
  /// Rows with the same number in `same` form a group.
  RowGroups(const std::vector<int>& same, const std::vector<int>& class_of) : order_(same.size()), group_(same.size()) {
    for (std::size_t i = 0; i < same.size(); ++i) order_[i] = static_cast<int>(i);
    const auto key = [&](const std::vector<int>& of, int row) { return of[static_cast<std::size_t>(row)]; };
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      if (key(same, a) != key(same, b)) return key(same, a) < key(same, b);
      return key(class_of, a) != key(class_of, b) ? key(class_of, a) < key(class_of, b) : a < b;
    });
    for (std::size_t p = 0; p < order_.size(); ++p) {
      if (p == 0 || key(same, order_[p]) != key(same, order_[p - 1])) start_.push_back(p);
      group_[static_cast<std::size_t>(order_[p])] = static_cast<int>(start_.size()) - 1;
    }
    start_.push_back(order_.size());
  }

  std::size_t size() const { return start_.size() - 1; }
  std::size_t of(std::size_t row) const { return static_cast<std::size_t>(group_[row]); }
  const int* begin(std::size_t group) const { return order_.data() + start_[group]; }
  const int* end(std::size_t group) const { return order_.data() + start_[group + 1]; }
  int rows(std::size_t group) const { return static_cast<int>(end(group) - begin(group)); }

 private:
  std::vector<int> order_, group_;
  std::vector<std::size_t> start_;
};

}  // namespace mlsift

#endif
