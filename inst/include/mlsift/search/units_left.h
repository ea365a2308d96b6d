#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// Features that are taken together, and a budget. Once one feature of a unit is selected, the others of it follow
/// before anything else. A unit whose cost no longer fits is passed over; the path ends before a unit for which `k` has
/// no room.
struct GreedyUnits {
  std::vector<int> unit;     ///< by feature; empty: every feature is on its own, and there is no budget
  std::vector<int> size;     ///< by unit: its features, also those that are excluded
  std::vector<double> cost;  ///< by unit
  double max_cost = std::numeric_limits<double>::infinity();
};

/// What the features selected so far leave of units and budget.
class UnitsLeft {
 public:
  /// `excluded`: by feature, whether it is never selected.
  UnitsLeft(const GreedyUnits& units, const std::vector<char>& excluded) : units_(units) {
    if (!grouped()) return;
    const std::size_t n = units.size.size();
    begun_.resize(n, 0);
    waiting_.resize(n);
    for (std::size_t f = excluded.size(); f-- > 0;) {
      if (!excluded[f]) waiting_[of(f)].push_back(static_cast<int>(f));
    }
    for (std::size_t u = 0; u < n; ++u) dearest_.push_back(u);
    std::sort(dearest_.begin(), dearest_.end(),
              [&](std::size_t a, std::size_t b) { return units.cost[a] > units.cost[b]; });
  }

  bool grouped() const { return !units_.unit.empty(); }
  /// Places that the selected units take, with `n` features selected.
  int places(int n) const { return grouped() ? places_ : n; }
  /// Whether a unit is begun and not complete.
  bool pending() const { return open_ >= 0; }
  /// The features that this unit waits for, the last column first.
  const std::vector<int>& waiting() const { return waiting_[static_cast<std::size_t>(open_)]; }
  bool has_room(int f, int k) const {
    return !grouped() || pending() || places_ + units_.size[of(static_cast<std::size_t>(f))] <= k;
  }
  void take(int f) {
    if (!grouped()) return;
    const std::size_t u = of(static_cast<std::size_t>(f));
    if (!begun_[u]) {
      begun_[u] = 1;
      places_ += units_.size[u];
      spent_ += units_.cost[u];
    }
    std::vector<int>& left = waiting_[u];
    left.erase(std::remove(left.begin(), left.end(), f), left.end());
    open_ = left.empty() ? -1 : static_cast<int>(u);
  }
  /// Units that an earlier run left incomplete.
  void reopen() {
    for (std::size_t u = 0; u < begun_.size(); ++u) {
      if (begun_[u] && !waiting_[u].empty()) open_ = static_cast<int>(u);
    }
  }
  /// Calls bar(f) for features of units that the budget does not pay for any more, once for each.
  template <class Bar>
  void bar_dear(Bar bar) {
    for (; n_dear_ < dearest_.size() && spent_ + units_.cost[dearest_[n_dear_]] > units_.max_cost; ++n_dear_) {
      const std::size_t u = dearest_[n_dear_];
      if (begun_[u]) continue;
      for (const int f : waiting_[u]) bar(f);
    }
  }

 private:
  std::size_t of(std::size_t f) const { return static_cast<std::size_t>(units_.unit[f]); }

  const GreedyUnits& units_;
  std::vector<char> begun_;
  std::vector<std::vector<int>> waiting_;  ///< by unit: its features that can still be selected
  std::vector<std::size_t> dearest_;       ///< units, the dearest first
  std::size_t n_dear_ = 0;                 ///< of them, which cost too much or are begun
  double spent_ = 0;
  int places_ = 0;
  int open_ = -1;
};

}  // namespace mlsift
