#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "target_columns.h"

namespace mlsift {

/// Some of the columns of TargetMargins as targets.
struct ChosenTargets {
  std::vector<int> target;  ///< their numbers
  std::vector<int> column;  ///< by column of `columns`: its number in TargetMargins
  TargetColumns columns;
};

/// How many rows have each column of which targets are made, before it is decided which targets are used. Columns are
/// labels, followed, unless all are known, by the rows in which each is not known; or the classes of each target.
struct TargetMargins {
  std::int64_t n = 0;
  std::vector<std::int64_t> count;
  bool some_unknown = false;
  std::vector<int> classes{};  ///< how many columns each target has; empty for labels

  int n_labels() const { return static_cast<int>(count.size()) / (some_unknown ? 2 : 1); }
  int unknown_column(int l) const { return n_labels() + l; }
  std::int64_t missing(int l) const { return some_unknown ? count[static_cast<std::size_t>(unknown_column(l))] : 0; }

  bool any_missing() const {
    for (int l = 0; l < n_labels(); ++l) {
      if (missing(l) > 0) return true;
    }
    return false;
  }

  /// Labels that some row has.
  std::vector<int> occurring() const {
    std::vector<int> labels;
    for (int l = 0; l < n_labels(); ++l) {
      if (count[static_cast<std::size_t>(l)] > 0) labels.push_back(l);
    }
    return labels;
  }

  /// The targets that vary in the rows in which they are known; with `constants` also labels that all rows have.
  ChosenTargets choose(bool constants = false) const {
    ChosenTargets result{{}, {}, TargetColumns(n)};
    if (!classes.empty()) {
      add_classes(result);
      return result;
    }
    for (const int l : occurring()) {
      const std::int64_t ones = count[static_cast<std::size_t>(l)], unknown = missing(l);
      if (!constants && ones == n - unknown) continue;
      result.target.push_back(l);
      result.column.push_back(l);
      if (unknown > 0) result.column.push_back(unknown_column(l));
      if (some_unknown) {
        result.columns.add_label(ones, unknown);
      } else {
        result.columns.add({ones});
      }
    }
    return result;
  }

 private:
  void add_classes(ChosenTargets& to) const {
    int first = 0;
    for (std::size_t t = 0; t < classes.size(); first += classes[t++]) {
      const std::vector<std::int64_t> rows(count.begin() + first, count.begin() + first + classes[t]);
      if (*std::max_element(rows.begin(), rows.end()) == n) continue;
      to.target.push_back(static_cast<int>(t));
      for (int c = 0; c < classes[t]; ++c) to.column.push_back(first + c);
      to.columns.add(rows);
    }
  }
};

}  // namespace mlsift
