#ifndef MLSIFT_COUNT_COUNT_TABLES_H
#define MLSIFT_COUNT_COUNT_TABLES_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../core/parallel.h"
#include "../data/column.h"
#include "../data/target_bits.h"
#include "../data/targets.h"

namespace mlsift {

/// The levels of one feature, fixed before rows are counted: single values, or the intervals between cuts. Values that
/// are none of them, missing ones among them, share one more level, number size().
struct FixedLevels {
  std::vector<double> at;  ///< the values, or the cuts; increasing
  bool cut = false, right = false;
  int implied = 0;  ///< the level whose cells are not stored, because the margins give them

  int size() const { return static_cast<int>(at.size()) + cut; }
  std::size_t slots() const { return at.size() + cut + 1; }

  int level(double value) const {
    if (std::isnan(value)) return size();
    if (cut) return Cuts{at.data(), at.size(), right}.level(value);
    const auto found = std::lower_bound(at.begin(), at.end(), value);
    return found != at.end() && *found == value ? static_cast<int>(found - at.begin()) : size();
  }

  bool operator==(const FixedLevels& other) const {
    return at == other.at && cut == other.cut && right == other.right && implied == other.implied;
  }
};

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

  std::size_t size() const { return levels.size(); }

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
};

namespace detail {

/// The levels of both, or false where they cannot be joined: other cuts, or another value that is implied.
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

/// Adds tables whose levels may differ where they are single values. False, with nothing changed, where they cannot be
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

/// Where counts come from. What is written on this interface does not see whether the rows were in memory, in files, or
/// on other machines.
class CountSource {
 public:
  struct Margins {
    std::int64_t n;
    std::vector<std::int64_t> in_level, in_target;  ///< n_f by level, n_l
  };

  virtual ~CountSource() = default;
  virtual Margins margins() const = 0;
  virtual CountTables targets() const = 0;  ///< n_fl
};

/// Calls visit(row, level) for the rows of a column that are not at the implied level, in order; of a sparse column
/// whose zeros are at the implied level, only for what is stored.
template <class Visit>
void visit_levels(const Column& column, std::size_t n_rows, const FixedLevels& levels, Visit visit) {
  const auto meet = [&](std::size_t row, double value) {
    const int level = levels.level(value);
    if (level != levels.implied) visit(static_cast<int>(row), level);
  };
  if (!column.sparse()) {
    for (std::size_t i = 0; i < n_rows; ++i) meet(i, column.number(i));
  } else if (levels.level(0) == levels.implied) {
    for (std::size_t s = 0; s < column.stored; ++s) meet(static_cast<std::size_t>(column.rows[s]), column.reals[s]);
  } else {
    std::size_t s = 0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const bool here = s < column.stored && column.rows[s] == static_cast<int>(i);
      meet(i, here ? column.reals[s++] : 0.0);
    }
  }
}

/// The values of a column, increasing, without missing ones.
inline std::vector<double> distinct_values(const Column& column, std::size_t n_rows) {
  std::vector<double> values;
  if (column.sparse() && column.stored < n_rows) values.push_back(0);
  const std::size_t m = column.sparse() ? column.stored : n_rows;
  std::size_t sorted = 0;
  for (std::size_t i = 0; i < m; ++i) {
    const double value = column.number(i);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(sorted);
    const auto at = std::lower_bound(values.begin(), end, value);
    if (std::isnan(value) || (at != end && *at == value)) continue;
    values.push_back(value);
    if (sorted < 64 || values.size() > 2 * sorted) {  // most columns have few values, which are found from now on
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      sorted = values.size();
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The levels that occur in a column, missing values aside; implied is the most frequent one, the lowest of several. A
/// column that is cut has the levels of its cuts.
inline FixedLevels levels_of(const Column& column, std::size_t n_rows) {
  FixedLevels result;
  if (column.cut) {
    result.cut = true;
    result.right = column.cuts.right;
    result.at.assign(column.cuts.at, column.cuts.at + column.cuts.size);
  } else {
    result.at = distinct_values(column, n_rows);
  }
  std::vector<std::int64_t> rows(result.slots(), 0);
  result.implied = -1;
  if (column.sparse()) {
    for (std::size_t s = 0; s < column.stored; ++s) ++rows[static_cast<std::size_t>(result.level(column.reals[s]))];
    rows[static_cast<std::size_t>(result.level(0))] += static_cast<std::int64_t>(n_rows - column.stored);
  } else {
    for (std::size_t i = 0; i < n_rows; ++i) ++rows[static_cast<std::size_t>(result.level(column.number(i)))];
  }
  result.implied = static_cast<int>(std::max_element(rows.begin(), rows.end()) - rows.begin());
  return result;
}

inline std::vector<FixedLevels> levels_of(const Features& features, const Context& context) {
  std::vector<FixedLevels> result(features.size());
  parallel_for(context, features.size(), 4 * stored_values(features), [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) result[f] = levels_of(features.columns[f], features.n_rows);
  });
  return result;
}

namespace detail {

/// Counts one feature. Scratch space of one thread.
class FeatureCounter {
 public:
  struct Counted {
    std::vector<std::size_t> cells;      // of each level
    std::vector<std::int64_t> in_level;  // rows of each level
    std::vector<int> target, count;
  };

  /// `weights`: of the rows, null for 1 each.
  Counted count(const Column& column, const Targets& targets, const TargetBits& bits, const FixedLevels& levels,
                const int* weights) {
    const bool pattern =
        column.sparse() && levels.slots() == 3 && levels.implied == 0 && !levels.cut && levels.at[0] == 0 &&
        std::all_of(column.reals, column.reals + column.stored, [&](double value) { return value == levels.at[1]; });
    Counted result;
    result.in_level.assign(levels.slots(), 0);
    result.cells.assign(levels.slots(), 0);
    const int* rows = column.rows;
    if (levels.slots() == 1) {  // no levels to count
    } else if (pattern) {
      result.in_level[1] = static_cast<std::int64_t>(column.stored);
    } else {
      group(column, targets.n_rows(), levels, result.in_level);
      rows = rows_.data();
    }
    std::int64_t rest = static_cast<std::int64_t>(targets.n_rows());
    if (weights) rest = std::accumulate(weights, weights + rest, std::int64_t{0});
    for (std::size_t v = 0; v < levels.slots(); ++v) {
      const std::size_t before = result.target.size();
      const int* const end = rows + result.in_level[v];
      if (weights) {
        result.in_level[v] = 0;
        for (const int* row = rows; row != end; ++row) result.in_level[v] += weights[*row];
        count_weighted(rows, end, targets, weights, result);
      } else {
        count_rows(rows, end, targets, bits, result);
      }
      rows = end;
      rest -= result.in_level[v];
      result.cells[v] = result.target.size() - before;
    }
    result.in_level[static_cast<std::size_t>(levels.implied)] = rest;
    return result;
  }

 private:
  // rows_: by level, all but the implied one; `sizes`: how many of each.
  void group(const Column& column, std::size_t n_rows, const FixedLevels& levels, std::vector<std::int64_t>& sizes) {
    met_.clear();
    met_level_.clear();
    visit_levels(column, n_rows, levels, [&](int row, int level) {
      met_.push_back(row);
      met_level_.push_back(level);
      ++sizes[static_cast<std::size_t>(level)];
    });
    next_.assign(sizes.size(), 0);
    for (std::size_t v = 1; v < sizes.size(); ++v) next_[v] = next_[v - 1] + static_cast<std::size_t>(sizes[v - 1]);
    rows_.resize(met_.size());
    for (std::size_t i = 0; i < met_.size(); ++i) rows_[next_[static_cast<std::size_t>(met_level_[i])]++] = met_[i];
  }

  void count_rows(const int* row, const int* end, const Targets& targets, const TargetBits& bits, Counted& result) {
    count_.resize(static_cast<std::size_t>(targets.n_classes), 0);
    if (8 * (end - row) < targets.n_classes) return count_few(row, end, targets, result);
    if (bits.empty() || end - row < targets.n_classes) {
      count_classes(row, end, targets, count_.data());
    } else {
      bits.count(row, end, targets.n_classes, count_.data());
    }
    for (std::size_t c = 0; c < count_.size(); ++c) take(static_cast<int>(c), result);
  }

  // Looks at the targets of the rows only.
  void count_few(const int* row, const int* end, const Targets& targets, Counted& result) {
    touched_.clear();
    for (; row != end; ++row) {
      const std::size_t i = static_cast<std::size_t>(*row);
      for (const int* c = targets.begin(i); c != targets.end(i); ++c) {
        if (count_[static_cast<std::size_t>(*c)]++ == 0) touched_.push_back(*c);
      }
    }
    std::sort(touched_.begin(), touched_.end());
    for (const int c : touched_) take(c, result);
  }

  void count_weighted(const int* row, const int* end, const Targets& targets, const int* weights, Counted& result) {
    count_.resize(static_cast<std::size_t>(targets.n_classes), 0);
    touched_.clear();
    for (; row != end; ++row) {
      const std::size_t i = static_cast<std::size_t>(*row);
      for (const int* c = targets.begin(i); c != targets.end(i); ++c) {
        int& sum = count_[static_cast<std::size_t>(*c)];
        if (sum == 0) touched_.push_back(*c);
        sum += weights[i];
      }
    }
    std::sort(touched_.begin(), touched_.end());
    for (const int c : touched_) take(c, result);
  }

  void take(int target, Counted& result) {
    int& count = count_[static_cast<std::size_t>(target)];
    if (count == 0) return;
    result.target.push_back(target);
    result.count.push_back(count);
    count = 0;
  }

  std::vector<int> rows_, met_, met_level_, count_, touched_;
  std::vector<std::size_t> next_;
};

}  // namespace detail

/// The counts of rows in memory. `weights`: positive, of the rows, whose sum is an int; null for 1 each.
inline CountTables count_joint(const Features& features, const Targets& targets, std::vector<FixedLevels> levels,
                               const Context& context, const int* weights = nullptr) {
  CountTables result(std::move(levels), static_cast<std::size_t>(targets.n_classes));
  const double per_row = static_cast<double>(targets.ids.size()) / static_cast<double>(features.n_rows);
  const double work = stored_values(features) * (1 + per_row) +
                      static_cast<double>(result.in_level.size()) * static_cast<double>(targets.n_classes);
  const TargetBits bits(targets, stored_values(features));
  std::vector<detail::FeatureCounter::Counted> counted(features.size());
  std::vector<detail::FeatureCounter> counter(worker_count(context, features.size(), work));
  parallel_for(context, features.size(), work, [&](int worker, std::size_t begin, std::size_t end) {
    detail::FeatureCounter& mine = counter[static_cast<std::size_t>(worker)];
    for (std::size_t f = begin; f < end; ++f) {
      counted[f] = mine.count(features.columns[f], targets, bits, result.levels[f], weights);
    }
  });
  std::size_t s = 0;
  for (const auto& feature : counted) {
    result.target.insert(result.target.end(), feature.target.begin(), feature.target.end());
    result.count.insert(result.count.end(), feature.count.begin(), feature.count.end());
    for (std::size_t v = 0; v < feature.cells.size(); ++v, ++s) {
      result.cell[s + 1] = result.cell[s] + feature.cells[v];
      result.in_level[s] = feature.in_level[v];
    }
  }
  if (weights) {
    const std::vector<int> count = weighted_count(targets, weights);
    result.in_target.assign(count.begin(), count.end());
    result.n = std::accumulate(weights, weights + features.n_rows, std::int64_t{0});
  } else {
    result.in_target.assign(targets.count.begin(), targets.count.end());
    result.n = static_cast<std::int64_t>(features.n_rows);
  }
  return result;
}

/// A table as the source of its own counts.
class CountedRows : public CountSource {
 public:
  explicit CountedRows(CountTables counts) : counts_(std::move(counts)) {}
  Margins margins() const override { return {counts_.n, counts_.in_level, counts_.in_target}; }
  CountTables targets() const override { return counts_; }

 private:
  CountTables counts_;
};

/// Rows in memory, which the caller keeps.
class MemorySource : public CountSource {
 public:
  MemorySource(const Features& features, const Targets& targets, std::vector<FixedLevels> levels,
               const Context& context)
      : features_(features), targets_(targets), levels_(std::move(levels)), context_(context) {}

  CountTables targets() const override { return count_joint(features_, targets_, levels_, context_); }

  Margins margins() const override {
    CountTables counts(levels_, targets_.count.size());
    for (std::size_t f = 0; f < features_.size(); ++f) {
      std::int64_t* rows = counts.in_level.data() + counts.slot[f];
      std::int64_t& implied = rows[levels_[f].implied];
      implied += static_cast<std::int64_t>(features_.n_rows);
      visit_levels(features_.columns[f], features_.n_rows, levels_[f], [&](int, int level) {
        ++rows[level];
        --implied;
      });
    }
    return {
        static_cast<std::int64_t>(features_.n_rows), counts.in_level, {targets_.count.begin(), targets_.count.end()}};
  }

 private:
  const Features& features_;
  const Targets& targets_;
  std::vector<FixedLevels> levels_;
  const Context& context_;
};

}  // namespace mlsift

#endif
