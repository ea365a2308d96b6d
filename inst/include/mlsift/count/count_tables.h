#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../data/fixed_levels.h"

namespace mlsift {

/// How many rows have each level of a feature together with each target: n_fl, with the margins n, n_f and n_l.
///
/// Tables of disjoint sets of rows add up to the table of all rows. Only cells with a row are stored, and none of a
/// feature's implied level.
struct CountTables {
  std::vector<FixedLevels> levels;     ///< one for each feature
  std::vector<std::size_t> slot;       ///< feature f: levels slot[f] .. slot[f + 1] - 1
  std::vector<std::size_t> cell;       ///< level s: cells cell[s] .. cell[s + 1] - 1
  std::vector<int> target;             ///< of a cell; ascending within a level
  std::vector<std::int64_t> count;     ///< n_fl of a cell
  std::vector<std::int64_t> in_level;  ///< n_f, one for each level
  std::vector<std::int64_t> in_target;
  std::int64_t n = 0;

  /// A table without rows.
  CountTables(std::vector<FixedLevels> fixed, std::size_t n_targets) : levels(std::move(fixed)), slot(1, 0) {
    for (const FixedLevels& one : levels) slot.push_back(slot.back() + one.slots());
    cell.assign(slot.back() + 1, 0);
    in_level.assign(slot.back(), 0);
    in_target.assign(n_targets, 0);
  }

  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(levels);
    for (std::vector<std::size_t>* one : {&slot, &cell}) bytes(*one);
    bytes(target);
    for (std::vector<std::int64_t>* one : {&count, &in_level, &in_target}) bytes(*one);
    bytes(n);
  }

  std::size_t size() const { return levels.size(); }

  /// Whether all rows have one level of a feature, by feature.
  std::vector<char> of_one_level() const {
    std::vector<char> result;
    for (std::size_t f = 0; f < size(); ++f) {
      const auto begin = in_level.begin() + static_cast<std::ptrdiff_t>(slot[f]);
      const auto end = in_level.begin() + static_cast<std::ptrdiff_t>(slot[f + 1]);
      result.push_back(std::count(begin, end, 0) + 1 >= end - begin);
    }
    return result;
  }

  CountTables& operator+=(const CountTables& other) {
    if (!(levels == other.levels) || in_target.size() != other.in_target.size()) {
      throw std::invalid_argument("Tables of counts must have the same levels and targets to be added.");
    }
    CountTables sum(std::move(levels), in_target.size());
    for (std::size_t s = 0; s + 1 < cell.size(); ++s) {
      std::size_t a = cell[s], b = other.cell[s];
      while (a < cell[s + 1] || b < other.cell[s + 1]) {
        const bool left = a < cell[s + 1] && (b == other.cell[s + 1] || target[a] <= other.target[b]);
        const bool right = b < other.cell[s + 1] && (a == cell[s + 1] || other.target[b] <= target[a]);
        sum.target.push_back(left ? target[a] : other.target[b]);
        sum.count.push_back((left ? count[a++] : 0) + (right ? other.count[b++] : 0));
      }
      sum.cell[s + 1] = sum.target.size();
      sum.in_level[s] = in_level[s] + other.in_level[s];
    }
    for (std::size_t l = 0; l < in_target.size(); ++l) sum.in_target[l] = in_target[l] + other.in_target[l];
    sum.n = n + other.n;
    return *this = std::move(sum);
  }

  /// Renumbers the targets. `to`: by target, all different; `n_targets`: above all of them.
  void renumber(const std::vector<int>& to, std::size_t n_targets) {
    std::vector<std::pair<int, std::int64_t>> cells;
    for (std::size_t s = 0; s + 1 < cell.size(); ++s) {
      cells.clear();
      for (std::size_t c = cell[s]; c < cell[s + 1]; ++c) {
        cells.emplace_back(to[static_cast<std::size_t>(target[c])], count[c]);
      }
      std::sort(cells.begin(), cells.end());
      for (std::size_t c = cell[s]; c < cell[s + 1]; ++c) {
        target[c] = cells[c - cell[s]].first;
        count[c] = cells[c - cell[s]].second;
      }
    }
    std::vector<std::int64_t> rows(n_targets, 0);
    for (std::size_t t = 0; t < in_target.size(); ++t) rows[static_cast<std::size_t>(to[t])] = in_target[t];
    in_target = std::move(rows);
  }
};

namespace detail {

/// The levels of both, or false if they cannot be joined because the cuts or the implied values differ.
inline bool join_levels(const FixedLevels& a, const FixedLevels& b, FixedLevels& joined) {
  joined = a;
  if (a == b) return true;
  if (a.cut || b.cut) return false;
  const auto implied = [](const FixedLevels& one) { return one.at[static_cast<std::size_t>(one.implied)]; };
  if (implied(a) != implied(b)) return false;
  joined.at.clear();
  std::set_union(a.at.begin(), a.at.end(), b.at.begin(), b.at.end(), std::back_inserter(joined.at));
  joined.implied = joined.level(implied(a));
  return true;
}

/// The same counts in a table of more levels.
inline CountTables at_levels(const CountTables& counts, std::vector<FixedLevels> levels) {
  CountTables result(std::move(levels), counts.in_target.size());
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const FixedLevels &from = counts.levels[f], &to = result.levels[f];
    std::vector<int> place(to.slots(), -1);  // of a new level: the old one
    for (std::size_t v = 0; v < from.slots(); ++v) {
      const bool other = !from.cut && v == from.at.size();
      place[from == to ? v : static_cast<std::size_t>(other ? to.size() : to.level(from.at[v]))] = static_cast<int>(v);
    }
    for (std::size_t v = 0; v < to.slots(); ++v) {
      const std::size_t slot = result.slot[f] + v;
      result.cell[slot + 1] = result.cell[slot];
      if (place[v] < 0) continue;
      const std::size_t old = counts.slot[f] + static_cast<std::size_t>(place[v]);
      result.in_level[slot] = counts.in_level[old];
      for (std::size_t c = counts.cell[old]; c < counts.cell[old + 1]; ++c) {
        result.target.push_back(counts.target[c]);
        result.count.push_back(counts.count[c]);
      }
      result.cell[slot + 1] = result.target.size();
    }
  }
  result.in_target = counts.in_target;
  result.n = counts.n;
  return result;
}

}  // namespace detail

/// Adds tables whose levels may differ if they are single values. Returns false and changes nothing if they cannot be
/// added.
inline bool add_aligned(CountTables& to, const CountTables& more) {
  if (to.size() != more.size() || to.in_target.size() != more.in_target.size()) return false;
  std::vector<FixedLevels> levels(to.size());
  for (std::size_t f = 0; f < levels.size(); ++f) {
    if (!detail::join_levels(to.levels[f], more.levels[f], levels[f])) return false;
  }
  if (!(levels == to.levels)) to = detail::at_levels(to, levels);
  if (levels == more.levels) {
    to += more;
  } else {
    to += detail::at_levels(more, levels);
  }
  return true;
}

}  // namespace mlsift
