#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlsift {

/// Classes of features with the same margins: rows off the reference level, and how many of these have each target
/// indicator. Found by a hash table that is at most half full.
class MarginClasses {
 public:
  std::vector<int> of;       ///< by feature
  std::vector<int> feature;  ///< by class: one of its features
  std::vector<int> with;     ///< [class][target indicator]

  MarginClasses() = default;

  /// For so many features and target indicators.
  MarginClasses(std::size_t d, std::size_t m) : of(d), m_(m), most_(std::max<std::size_t>(64, d / 8)) {
    std::size_t slots = 256;
    while (slots < 4 * most_) slots *= 2;
    slot_.assign(slots, -1);
  }

  /// Whether there was room for the class of feature f.
  bool add(std::size_t f, int rows, const int* in_target) {
    std::uint64_t hash = static_cast<std::uint64_t>(rows) * std::uint64_t{0x9e3779b97f4a7c15};
    for (std::size_t t = 0; t < m_; ++t)
      hash = ((hash ^ hash >> 29) + static_cast<std::uint64_t>(in_target[t])) * std::uint64_t{0xd6e8feb86659fd93};
    std::size_t at = (hash ^ hash >> 32) & (slot_.size() - 1);
    const auto same = [&](int c) {
      const std::size_t i = static_cast<std::size_t>(c);
      return rows_[i] == rows &&
             std::equal(in_target, in_target + m_, with.begin() + static_cast<std::ptrdiff_t>(i * m_));
    };
    while (slot_[at] >= 0 && !same(slot_[at])) at = (at + 1) & (slot_.size() - 1);
    if (slot_[at] < 0) {
      if (feature.size() == most_) return false;
      slot_[at] = static_cast<int>(feature.size());
      feature.push_back(static_cast<int>(f));
      rows_.push_back(rows);
      with.insert(with.end(), in_target, in_target + m_);
    }
    of[f] = slot_[at];
    return true;
  }

 private:
  std::size_t m_ = 0, most_ = 0;
  std::vector<int> slot_, rows_;
};

}  // namespace mlsift
