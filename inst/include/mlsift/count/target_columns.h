#ifndef MLSIFT_COUNT_TARGET_COLUMNS_H
#define MLSIFT_COUNT_TARGET_COLUMNS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../core/xlogx.h"
#include "../data/indicators.h"
#include "../data/targets.h"

namespace mlsift {

/// The targets of counted rows, with their margins. A target has a column for each of its levels, one of which may be
/// left out, such as that of rows without a label. Another column holds the rows in which it is unknown, if any.
/// Where rows have weights, a count is the sum of them.
struct TargetColumns {
  std::int64_t n = 0;                   ///< rows
  std::vector<std::size_t> first{0};    ///< target t: columns first[t] .. first[t + 1] - 1
  std::vector<std::int64_t> count;      ///< rows of each column
  std::vector<std::int64_t> reference;  ///< by target: rows that have none of its columns
  std::vector<int> unknown;             ///< by target: the column of rows in which it is not known, or -1; empty: none

  explicit TargetColumns(std::int64_t rows) : n(rows) {}

  std::size_t size() const { return reference.size(); }
  std::size_t n_columns() const { return count.size(); }
  bool all_known() const { return unknown.empty(); }
  bool one_each() const { return n_columns() == size(); }  ///< whether each target has one column

  /// Whether targets are not all known; the column of target t must be its first one, those of unknown rows its last.
  std::int64_t known(std::size_t t) const {
    return all_known() || unknown[t] < 0 ? n : n - count[static_cast<std::size_t>(unknown[t])];
  }

  void add(const std::vector<std::int64_t>& columns) {
    std::int64_t rest = n;
    for (const std::int64_t rows : columns) {
      count.push_back(rows);
      rest -= rows;
    }
    first.push_back(count.size());
    reference.push_back(rest);
  }

  /// A label with a column, which is not known in `missing` rows.
  void add_label(std::int64_t rows, std::int64_t missing) {
    unknown.resize(size(), -1);
    if (missing == 0) {
      add({rows});
      unknown.push_back(-1);
    } else {
      add({rows, missing});
      unknown.push_back(static_cast<int>(count.size()) - 1);
    }
  }
};

/// Informations about labels that are known in N_t of N rows. With k rows of a cell of features in which label t is
/// known, n of them with the label, and g(n) = n log n as integers of XLogX, N I(f; t) is
///
///   N / N_t [sum over cells of g(n) + g(k - n) - g(k)  -  the same of all N_t rows]
///
/// rounded to a whole number once for each label. Until then sums are exact, so a feature that tells nothing more than
/// another one adds exactly 0 to it.
class KnownInformations {
 public:
  KnownInformations() = default;
  /// Of targets that are not all known. Columns: TargetColumns or Block.
  template <class Columns, class G>
  KnownInformations(const Columns& targets, std::int64_t n, const G& g) {
    for (std::size_t t = 0; t < targets.unknown.size(); ++t) {
      const int at = targets.unknown[t];
      const std::int64_t known = at < 0 ? n : n - targets.count[static_cast<std::size_t>(at)];
      share_.push_back(share(n, known));
      whole_.push_back(cell(g, targets.count[targets.first[t]], known));
    }
  }

  /// N / N_t; a label that is known in no row adds nothing.
  static double share(std::int64_t n, std::int64_t known) {
    return known == 0 ? 1 : static_cast<double>(n) / static_cast<double>(known);
  }

  /// The term of a cell.
  template <class G>
  static std::uint64_t cell(const G& g, std::int64_t ones, std::int64_t known) {
    return g(ones) + g(known - ones) - g(known);
  }

  /// N I(f; t) from the sum of the terms of all cells.
  std::uint64_t operator()(std::size_t t, std::uint64_t cells) const { return times(share_[t], cells - whole_[t]); }

  std::uint64_t whole(std::size_t t) const { return whole_[t]; }  ///< the term of all N_t rows
  double largest_share() const { return share_.empty() ? 1 : *std::max_element(share_.begin(), share_.end()); }

 private:
  std::vector<double> share_;         // N / N_t
  std::vector<std::uint64_t> whole_;  // by label
};

/// Targets as a block, for counts that are ints.
inline Block block_of(const TargetColumns& targets) {
  Block block;
  for (std::size_t t = 0; t < targets.size(); ++t) block.variables.push_back(static_cast<int>(t));
  block.first = targets.first;
  block.count.assign(targets.count.begin(), targets.count.end());
  block.reference.assign(targets.reference.begin(), targets.reference.end());
  block.unknown = targets.unknown;
  return block;
}

/// Labels, a column each.
inline TargetColumns label_columns(std::int64_t n, const std::vector<std::int64_t>& rows) {
  TargetColumns result(n);
  for (const std::int64_t with_label : rows) result.add({with_label});
  return result;
}

/// Targets as indicators, whose rows count as in `count`.
inline TargetColumns target_columns(std::int64_t n, const std::vector<int>& first, std::vector<int> unknown,
                                    const std::vector<std::int64_t>& count) {
  TargetColumns result(n);
  for (std::size_t t = 0; t + 1 < first.size(); ++t)
    result.add({count.begin() + first[t], count.begin() + first[t + 1]});
  result.unknown = std::move(unknown);
  return result;
}

}  // namespace mlsift

#endif
