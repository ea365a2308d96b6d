#ifndef MLSIFT_COUNT_CLASS_TABLE_H
#define MLSIFT_COUNT_CLASS_TABLE_H

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "../data/targets.h"

namespace mlsift {

/// The contingency table of a feature's levels and the classes of transformed rows, where entries weigh 1 or 1 /
/// divisor.
///
/// Entries are counted as integers, apart for each divisor, and weighed afterwards, so a cell does not depend on the
/// order of rows and an empty one is exactly 0. Only cells that are not empty are visited.
class ClassTable {
 public:
  /// Totals of the classes over all rows: the same for every feature.
  struct Margins {
    /// `of_rows`: how many rows each counts for; null for 1.
    explicit Margins(const Targets& all_targets, const int* of_rows = nullptr)
        : targets(all_targets), weights(of_rows) {
      if (targets.divisor.empty()) {
        divisors = {1};
      } else {
        const std::set<int> all(targets.divisor.begin(), targets.divisor.end());
        divisors.assign(all.begin(), all.end());
        slot.resize(targets.divisor.size());
        for (std::size_t i = 0; i < slot.size(); ++i) {
          slot[i] = static_cast<int>(std::lower_bound(divisors.begin(), divisors.end(), targets.divisor[i]) -
                                     divisors.begin());
        }
      }
      entries.assign(divisors.size() * n_classes(), 0);
      entries_of_slot.assign(divisors.size(), 0);
      for (std::size_t i = 0; i < targets.n_rows(); ++i) {
        const std::size_t s = slot_of(i);
        entries_of_slot[s] += weight(i) * std::int64_t{targets.size(i)};
        for (const int* c = targets.begin(i); c != targets.end(i); ++c)
          entries[s * n_classes() + static_cast<std::size_t>(*c)] += weight(i);
      }
      total = weigh(entries_of_slot);
      for (std::size_t c = 0; c < n_classes(); ++c) class_total.push_back(weigh_class(entries, c));
    }

    std::size_t n_classes() const { return static_cast<std::size_t>(targets.n_classes); }
    std::size_t slot_of(std::size_t row) const { return slot.empty() ? 0 : static_cast<std::size_t>(slot[row]); }

    double weigh(const std::vector<std::int64_t>& by_slot) const {
      double sum = 0;
      for (std::size_t s = 0; s < divisors.size(); ++s) sum += static_cast<double>(by_slot[s]) / divisors[s];
      return sum;
    }
    double weigh_class(const std::vector<int>& counts, std::size_t c) const {
      double sum = 0;
      for (std::size_t s = 0; s < divisors.size(); ++s)
        sum += static_cast<double>(counts[s * n_classes() + c]) / divisors[s];
      return sum;
    }

    int weight(std::size_t row) const { return weights ? weights[row] : 1; }

    const Targets& targets;
    const int* weights;
    std::vector<int> divisors;  // different ones, increasing
    std::vector<int> slot;      // of each row: position of its divisor
    std::vector<int> entries;   // by slot, then class
    std::vector<std::int64_t> entries_of_slot;
    std::vector<double> class_total;  // O_.l
    double total = 0;                 // O_..
  };

  /// Scratch space of one thread.
  struct Scratch {
    std::vector<int> count, met, level_classes, met_classes;
    std::vector<char> in_level, in_met;
    std::vector<std::int64_t> level_entries, rest_entries;
  };

  explicit ClassTable(const Margins& margins) : m_(margins) {}

  /// For each level with entries calls cells(level_total, classes, value, is_rest): `classes` are the ascending classes
  /// with a cell that is not empty, `value(c)` what the cell holds. Last comes the reference level, is_rest = true,
  /// with the classes that some other level has, for it holds every other class whole.
  template <class Cells>
  void visit(const LevelRows& feature, Scratch& s, Cells cells) const {
    const std::size_t size = m_.entries.size();
    s.count.resize(size, 0);
    s.met.assign(size, 0);
    s.in_level.resize(m_.n_classes(), 0);
    s.in_met.assign(m_.n_classes(), 0);
    s.met_classes.clear();
    s.rest_entries = m_.entries_of_slot;
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      count_level(feature.begin(v), feature.end(v), s);
      const double total = m_.weigh(s.level_entries);
      if (total > 0)
        cells(
            total, s.level_classes, [&](int c) { return m_.weigh_class(s.count, static_cast<std::size_t>(c)); }, false);
      keep_level(s);
    }
    std::sort(s.met_classes.begin(), s.met_classes.end());
    for (const int c : s.met_classes) {
      for (std::size_t i = static_cast<std::size_t>(c); i < size; i += m_.n_classes())
        s.met[i] = m_.entries[i] - s.met[i];
    }
    const double total = m_.weigh(s.rest_entries);
    if (total > 0)
      cells(
          total, s.met_classes, [&](int c) { return m_.weigh_class(s.met, static_cast<std::size_t>(c)); }, true);
  }

  double work(const Features& features, double stored) const {
    const double per_row = static_cast<double>(m_.targets.ids.size()) / static_cast<double>(features.n_rows);
    return 4 * stored * (1 + per_row) + static_cast<double>(features.size() * m_.entries.size());
  }

  const Margins& margins() const { return m_; }

 private:
  void count_level(const int* row, const int* end, Scratch& s) const {
    s.level_classes.clear();
    s.level_entries.assign(m_.divisors.size(), 0);
    for (; row != end; ++row) {
      const std::size_t i = static_cast<std::size_t>(*row), slot = m_.slot_of(i);
      const int weight = m_.weight(i);
      s.level_entries[slot] += weight * std::int64_t{m_.targets.size(i)};
      for (const int* c = m_.targets.begin(i); c != m_.targets.end(i); ++c) {
        const std::size_t cls = static_cast<std::size_t>(*c);
        s.count[slot * m_.n_classes() + cls] += weight;
        if (!s.in_level[cls]) {
          s.in_level[cls] = 1;
          s.level_classes.push_back(*c);
        }
      }
    }
    std::sort(s.level_classes.begin(), s.level_classes.end());
  }

  // Adds the level to what the reference level lacks, and clears it.
  void keep_level(Scratch& s) const {
    for (std::size_t slot = 0; slot < m_.divisors.size(); ++slot) s.rest_entries[slot] -= s.level_entries[slot];
    for (const int c : s.level_classes) {
      const std::size_t cls = static_cast<std::size_t>(c);
      s.in_level[cls] = 0;
      if (!s.in_met[cls]) {
        s.in_met[cls] = 1;
        s.met_classes.push_back(c);
      }
      for (std::size_t i = cls; i < m_.entries.size(); i += m_.n_classes()) {
        s.met[i] += s.count[i];
        s.count[i] = 0;
      }
    }
  }

  const Margins& m_;
};

}  // namespace mlsift

#endif
