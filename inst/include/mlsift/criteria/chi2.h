#pragma once

#include <utility>
#include <vector>

#include "../count/class_table.h"

namespace mlsift {

/// Chi-square after a problem transformation. Chen, Yan, Zhang, Chen & Yang (2007), ICDM (ELA and its rivals); Trohidis
/// et al. (2008), ISMIR (LP):
///
///   J(f) = sum_{v, l} (O_vl - E_vl)^2 / E_vl,    E_vl = O_v. O_.l / O_..
///
/// over the cells with E > 0. No continuity correction, no division by degrees of freedom. An empty cell adds E_vl;
/// together the empty cells of a level add O_v. times the share of their classes. A constant feature scores 0.
class Chi2 {
 public:
  using Scratch = ClassTable::Scratch;

  explicit Chi2(ClassTable table) : table_(std::move(table)) {}

  double score(const FeatureTable& feature, Scratch& scratch) const {
    if (feature.n_levels() == 1) return 0;
    double sum = 0;
    table_.visit(feature, scratch, [&](double level, const std::vector<int>& classes, auto value, bool is_rest) {
      double others = table_.total();  // O_.l of the classes that are not listed
      for (const int c : classes) {
        const double in_class = table_.class_total()[static_cast<std::size_t>(c)];
        const double expected = level * in_class / table_.total(), difference = value(c) - expected;
        sum += difference * difference / expected;
        others -= in_class;
      }
      if (classes.size() == table_.n_classes()) return;
      const double share = level / table_.total();
      sum += is_rest ? others * (1 - share) * (1 - share) / share : others * share;
    });
    return sum;
  }

 private:
  ClassTable table_;
};

}  // namespace mlsift
