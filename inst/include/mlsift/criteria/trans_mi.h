#ifndef MLSIFT_CRITERIA_TRANS_MI_H
#define MLSIFT_CRITERIA_TRANS_MI_H

#include <cmath>
#include <vector>

#include "../core/xlogx.h"
#include "../count/class_table.h"

namespace mlsift {

/// Mutual information of a feature with the class after a problem transformation (PPT+MI: Doquire & Verleysen (2011),
/// IWANN), on the one table of the transformed rows:
///
///   J(f) = sum_{v, l} O_vl / O_.. log2(O_vl O_.. / (O_v. O_.l))
///
/// in bits. Entries of weight 1 are counted in integers (`xlogx` for O_.. entries); weighted ones (ELA) take
/// logarithms.
class TransMi {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    ClassTable::Scratch table;
  };

  TransMi(const ClassTable::Margins& margins, const XLogX& xlogx) : table_(margins), g_(xlogx) {}

  double score(const Column& column, Scratch& scratch) const {
    const LevelRows& feature = scratch.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    const double bits = table_.margins().divisors.size() == 1 && table_.margins().divisors[0] == 1
                            ? counted(feature, scratch)
                            : weighted(feature, scratch);
    return bits > 0 ? bits : 0;
  }

  double work(const Features& features) const { return table_.work(features, stored_values(features)); }

 private:
  // O_.. J = g(O_..) - sum_v g(O_v.) - sum_l g(O_.l) + sum_vl g(O_vl); classes only the reference level has cancel.
  double counted(const LevelRows& feature, Scratch& scratch) const {
    const ClassTable::Margins& m = table_.margins();
    std::uint64_t sum = g_(static_cast<std::int64_t>(g_.n()));
    table_.visit(feature, scratch.table, [&](double level, const std::vector<int>& classes, auto value, bool is_rest) {
      sum -= g_(static_cast<std::int64_t>(level));
      for (const int c : classes) {
        sum += g_(static_cast<std::int64_t>(value(c)));
        if (is_rest) sum -= g_(static_cast<std::int64_t>(m.class_total[static_cast<std::size_t>(c)]));
      }
    });
    // A reference level without entries is not visited, but its classes count all the same.
    return g_.bits(sum - missing_rest(scratch));
  }

  std::uint64_t missing_rest(const Scratch& scratch) const {
    const ClassTable::Margins& m = table_.margins();
    if (scratch.table.rest_entries[0] > 0) return 0;
    std::uint64_t sum = 0;
    for (const int c : scratch.table.met_classes)
      sum += g_(static_cast<std::int64_t>(m.class_total[static_cast<std::size_t>(c)]));
    return sum;
  }

  double weighted(const LevelRows& feature, Scratch& scratch) const {
    const ClassTable::Margins& m = table_.margins();
    double sum = 0;
    table_.visit(feature, scratch.table, [&](double level, const std::vector<int>& classes, auto value, bool is_rest) {
      double others = m.total;
      for (const int c : classes) {
        const double in_class = m.class_total[static_cast<std::size_t>(c)], cell = value(c);
        if (cell > 0) sum += cell * std::log2(cell * m.total / (level * in_class));
        others -= in_class;
      }
      if (is_rest && classes.size() < m.n_classes()) sum += others * std::log2(m.total / level);
    });
    return sum / m.total;
  }

  ClassTable table_;
  const XLogX& g_;
};

}  // namespace mlsift

#endif
