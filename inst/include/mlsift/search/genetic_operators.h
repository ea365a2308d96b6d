#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "subset_search.h"

namespace mlsift {

/// Operators of genetic searches that never select more than `bound` of `d` features (restrictive operators; Lee, Seo &
/// Kim 2018, after Zhu, Ong & Dash 2007).
class GeneticOperators {
 public:
  /// A free place of a mutated set is filled with this probability.
  static constexpr double fill_probability = 0.1;

  GeneticOperators(std::size_t d, std::size_t bound) : d_(d), bound_(std::min(d, bound)) {}

  std::size_t n_features() const { return d_; }
  std::size_t bound() const { return bound_; }

  /// A random set: its size first, uniform on 1 .. bound, then its features.
  Subset random(const Uniform& uniform) const {
    const std::size_t size = 1 + draw_below(uniform, bound_);
    Subset all = complement({}, d_), set;
    for (std::size_t i = 0; i < size; ++i) set.push_back(draw_from(all, uniform));
    std::sort(set.begin(), set.end());
    return set;
  }

  /// Single-point crossover: the two sets swap their features from a random column on.
  std::pair<Subset, Subset> crossover(const Subset& a, const Subset& b, const Uniform& uniform) const {
    const int point = d_ > 1 ? static_cast<int>(1 + draw_below(uniform, d_ - 1)) : 1;
    const auto join = [point](const Subset& head, const Subset& tail) {
      Subset child(head.begin(), std::lower_bound(head.begin(), head.end(), point));
      child.insert(child.end(), std::lower_bound(tail.begin(), tail.end(), point), tail.end());
      return child;
    };
    Subset first = join(a, b), second = join(b, a);
    repair(first, uniform);
    repair(second, uniform);
    return {std::move(first), std::move(second)};
  }

  /// Each feature is replaced by a random one that was not in the set, as long as there are any. Then each free place
  /// is filled, with a small probability, by a random feature not yet in the set.
  Subset mutate(const Subset& parent, const Uniform& uniform) const {
    Subset pool = complement(parent, d_), child;
    for (const int f : parent) child.push_back(pool.empty() ? f : draw_from(pool, uniform));
    std::sort(child.begin(), child.end());
    pool = complement(child, d_);
    for (std::size_t place = child.size(); place < bound_; ++place) {
      if (uniform() < fill_probability && !pool.empty()) child.push_back(draw_from(pool, uniform));
    }
    std::sort(child.begin(), child.end());
    return child;
  }

 private:
  // Switches random features off until the bound holds, or one on where there is none.
  void repair(Subset& set, const Uniform& uniform) const {
    while (set.size() > bound_) set.erase(set.begin() + static_cast<std::ptrdiff_t>(draw_below(uniform, set.size())));
    if (set.empty()) set.push_back(static_cast<int>(draw_below(uniform, d_)));
  }

  std::size_t d_, bound_;
};

}  // namespace mlsift
