#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "../data/targets.h"
#include "feature_table.h"
#include "target_columns.h"

namespace mlsift {

/// The classes of transformed rows, where entries weigh 1 or 1 / divisor, as columns of counted rows: class c of rows
/// with divisor number s is column c * divisors + s. So entries are counted as whole numbers and weighed afterwards.
struct DividedClasses {
  std::size_t n_classes = 0;
  std::vector<int> divisors;  ///< different ones, increasing

  explicit DividedClasses(const Targets& targets) : n_classes(static_cast<std::size_t>(targets.n_classes)) {
    const std::set<int> all(targets.divisor.begin(), targets.divisor.end());
    divisors.assign(all.begin(), all.end());
    if (divisors.empty()) divisors = {1};
  }

  std::size_t n_columns() const { return divisors.size() * n_classes; }

  /// The columns of each row.
  Targets columns(Targets targets) const {
    if (divisors.size() > 1) {
      for (std::size_t i = 0; i < targets.n_rows(); ++i) {
        const auto slot = std::lower_bound(divisors.begin(), divisors.end(), targets.divisor[i]) - divisors.begin();
        for (std::size_t e = targets.start[i]; e < targets.start[i + 1]; ++e) {
          targets.ids[e] = targets.ids[e] * static_cast<int>(divisors.size()) + static_cast<int>(slot);
        }
      }
    }
    targets.n_classes = static_cast<int>(n_columns());
    targets.count.assign(n_columns(), 0);
    for (const int c : targets.ids) ++targets.count[static_cast<std::size_t>(c)];
    return targets;
  }
};

/// The contingency table of a feature's levels and the classes of transformed rows. A cell does not depend on the order
/// of rows, and an empty one is exactly 0. Only cells that are not empty are visited.
class ClassTable {
 public:
  /// Scratch space of one thread.
  struct Scratch {
    std::vector<std::int64_t> count, met, level_entries, rest_entries;
    std::vector<int> level_classes, met_classes;
    std::vector<char> in_met;
  };

  ClassTable(DividedClasses classes, const TargetColumns& columns)
      : of_(std::move(classes)), entries_(columns.count), entries_of_slot_(of_.divisors.size(), 0) {
    for (std::size_t j = 0; j < entries_.size(); ++j) entries_of_slot_[j % n_slots()] += entries_[j];
    total_ = weigh(entries_of_slot_);
    for (std::size_t c = 0; c < of_.n_classes; ++c) class_total_.push_back(weigh_class(entries_, c));
  }

  std::size_t n_classes() const { return of_.n_classes; }
  double total() const { return total_; }                                          ///< O_..
  const std::vector<double>& class_total() const { return class_total_; }          ///< O_.l
  bool whole() const { return of_.divisors.size() == 1 && of_.divisors[0] == 1; }  ///< whether all entries weigh 1

  /// For each level with entries calls cells(level_total, classes, value, is_rest): `classes` are the ascending classes
  /// with a cell that is not empty, `value(c)` what the cell holds. Last comes the reference level, is_rest = true,
  /// with the classes that some other level has, for it holds every other class whole.
  template <class Cells>
  void visit(const FeatureTable& feature, Scratch& s, Cells cells) const {
    s.count.resize(entries_.size(), 0);
    s.met.assign(entries_.size(), 0);
    s.in_met.assign(n_classes(), 0);
    s.met_classes.clear();
    s.rest_entries = entries_of_slot_;
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      take_level(feature, v, s);
      const double total = weigh(s.level_entries);
      if (total > 0)
        cells(
            total, s.level_classes, [&](int c) { return weigh_class(s.count, static_cast<std::size_t>(c)); }, false);
      keep_level(s);
    }
    std::sort(s.met_classes.begin(), s.met_classes.end());
    for (const int c : s.met_classes) {
      for (std::size_t j = static_cast<std::size_t>(c) * n_slots(), end = j + n_slots(); j < end; ++j)
        s.met[j] = entries_[j] - s.met[j];
    }
    const double total = weigh(s.rest_entries);
    if (total > 0)
      cells(
          total, s.met_classes, [&](int c) { return weigh_class(s.met, static_cast<std::size_t>(c)); }, true);
  }

 private:
  std::size_t n_slots() const { return of_.divisors.size(); }

  double weigh(const std::vector<std::int64_t>& by_slot) const {
    double sum = 0;
    for (std::size_t s = 0; s < by_slot.size(); ++s) sum += static_cast<double>(by_slot[s]) / of_.divisors[s];
    return sum;
  }

  double weigh_class(const std::vector<std::int64_t>& counts, std::size_t c) const {
    double sum = 0;
    for (std::size_t s = 0; s < n_slots(); ++s) sum += static_cast<double>(counts[c * n_slots() + s]) / of_.divisors[s];
    return sum;
  }

  void take_level(const FeatureTable& f, int v, Scratch& s) const {
    s.level_classes.clear();
    s.level_entries.assign(of_.divisors.size(), 0);
    for (std::size_t i = f.begin(v); i < f.end(v); ++i) {
      const std::size_t j = static_cast<std::size_t>(f.column[i]), c = j / n_slots();
      s.count[j] = f.count[i];
      s.level_entries[j % n_slots()] += f.count[i];
      if (s.level_classes.empty() || s.level_classes.back() != static_cast<int>(c)) {
        s.level_classes.push_back(static_cast<int>(c));
      }
    }
  }

  // Adds the level to what the reference level lacks, and clears it.
  void keep_level(Scratch& s) const {
    for (std::size_t slot = 0; slot < n_slots(); ++slot) s.rest_entries[slot] -= s.level_entries[slot];
    for (const int c : s.level_classes) {
      const std::size_t cls = static_cast<std::size_t>(c);
      if (!s.in_met[cls]) {
        s.in_met[cls] = 1;
        s.met_classes.push_back(c);
      }
      for (std::size_t j = cls * n_slots(), end = j + n_slots(); j < end; ++j) {
        s.met[j] += s.count[j];
        s.count[j] = 0;
      }
    }
  }

  DividedClasses of_;
  std::vector<std::int64_t> entries_;  // by column
  std::vector<std::int64_t> entries_of_slot_;
  std::vector<double> class_total_;
  double total_ = 0;
};

}  // namespace mlsift
