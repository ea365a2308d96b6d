#ifndef MLSIFT_CRITERIA_CHI2_H
#define MLSIFT_CRITERIA_CHI2_H

#include <vector>

#include "../count/class_table.h"

namespace mlsift {

/// Chi-square after a problem transformation. Chen, Yan, Zhang, Chen & Yang (2007), ICDM (ELA and its rivals); Trohidis
/// et al. (2008), ISMIR (LP):
///
///   J(f) = sum_{v, l} (O_vl - E_vl)^2 / E_vl,    E_vl = O_v. O_.l / O_..
///
/// over the cells with E > 0. No continuity correction, no division by degrees of freedom. An empty cell adds E_vl; all
/// the empty ones of a level together add O_v. times the share of their classes. A constant feature scores 0.
class Chi2 {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    ClassTable::Scratch table;
  };

  explicit Chi2(const ClassTable::Margins& margins) : table_(margins) {}

  double score(const Column& column, Scratch& scratch) const {
    const LevelRows& feature = scratch.coder.code(column);
    if (feature.n_levels() == 1) return 0;
    const ClassTable::Margins& m = table_.margins();
    double sum = 0;
    table_.visit(feature, scratch.table, [&](double level, const std::vector<int>& classes, auto value, bool is_rest) {
      double others = m.total;  // O_.l of the classes that are not listed
      for (const int c : classes) {
        const double in_class = m.class_total[static_cast<std::size_t>(c)];
        const double expected = level * in_class / m.total, difference = value(c) - expected;
        sum += difference * difference / expected;
        others -= in_class;
      }
      if (classes.size() == m.n_classes()) return;
      const double share = level / m.total;
      sum += is_rest ? others * (1 - share) * (1 - share) / share : others * share;
    });
    return sum;
  }

  double work(const Features& features) const { return table_.work(features, stored_values(features)); }

 private:
  ClassTable table_;
};

}  // namespace mlsift

#endif
