#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../core/xlogx.h"
#include "../count/class_table.h"

namespace mlsift {

/// How an information may be normalized.
enum class DivideInformation { nothing, gain_ratio, symmetric };

/// Mutual information of a feature with the class after a problem transformation (PPT+MI: Doquire & Verleysen (2011),
/// IWANN), on the one table of the transformed rows:
///
///   J(f) = sum_{v, l} O_vl / O_.. log2(O_vl O_.. / (O_v. O_.l))
///
/// in bits. Entries of weight 1 are counted in integers (`xlogx` for O_.. entries); weighted ones (ELA) take
/// logarithms. With H(f) and H(l) of the same rows, J(f) may be divided: gain ratio J(f) / H(f), Quinlan (1993);
/// symmetrical uncertainty 2 J(f) / (H(f) + H(l)), Press et al. (1988). Both are 0 where J(f) is.
template <class G>
class TransMi {
 public:
  using Divide = DivideInformation;

  using Scratch = ClassTable::Scratch;

  TransMi(ClassTable table, const G& xlogx, Divide divide = Divide::nothing)
      : table_(std::move(table)), g_(xlogx), divide_(divide) {
    double sum = 0;
    for (const double in_class : table_.class_total()) {
      if (in_class > 0) sum += in_class * std::log2(in_class);
    }
    class_entropy_ = std::log2(table_.total()) - sum / table_.total();
  }

  double score(const FeatureTable& feature, Scratch& scratch) const {
    if (feature.n_levels() == 1) return 0;
    const double bits = table_.whole() ? counted(feature, scratch) : weighted(feature, scratch);
    if (!(bits > 0)) return 0;
    if (divide_ == Divide::nothing) return bits;
    const double entropy = feature_entropy(feature, scratch);
    const double by = divide_ == Divide::gain_ratio ? entropy : (entropy + class_entropy_) / 2;
    return by > 0 ? bits / by : 0;
  }

 private:
  // H(f) of the transformed rows.
  double feature_entropy(const FeatureTable& feature, Scratch& scratch) const {
    double sum = 0;
    table_.visit(feature, scratch, [&](double level, const std::vector<int>&, auto, bool) {
      if (level > 0) sum += level * std::log2(level);
    });
    return std::log2(table_.total()) - sum / table_.total();
  }

  // O_.. J = g(O_..) - sum_v g(O_v.) - sum_l g(O_.l) + sum_vl g(O_vl); classes only the reference level has cancel.
  double counted(const FeatureTable& feature, Scratch& scratch) const {
    std::uint64_t sum = g_(static_cast<std::int64_t>(g_.n()));
    table_.visit(feature, scratch, [&](double level, const std::vector<int>& classes, auto value, bool is_rest) {
      sum -= g_(static_cast<std::int64_t>(level));
      for (const int c : classes) {
        sum += g_(static_cast<std::int64_t>(value(c)));
        if (is_rest) sum -= g_(static_cast<std::int64_t>(table_.class_total()[static_cast<std::size_t>(c)]));
      }
    });
    // A reference level without entries is not visited, but its classes count all the same.
    return g_.bits(sum - missing_rest(scratch));
  }

  std::uint64_t missing_rest(const Scratch& scratch) const {
    if (scratch.rest_entries[0] > 0) return 0;
    std::uint64_t sum = 0;
    for (const int c : scratch.met_classes)
      sum += g_(static_cast<std::int64_t>(table_.class_total()[static_cast<std::size_t>(c)]));
    return sum;
  }

  double weighted(const FeatureTable& feature, Scratch& scratch) const {
    double sum = 0;
    table_.visit(feature, scratch, [&](double level, const std::vector<int>& classes, auto value, bool is_rest) {
      double others = table_.total();
      for (const int c : classes) {
        const double in_class = table_.class_total()[static_cast<std::size_t>(c)], cell = value(c);
        if (cell > 0) sum += cell * std::log2(cell * table_.total() / (level * in_class));
        others -= in_class;
      }
      if (is_rest && classes.size() < table_.n_classes()) sum += others * std::log2(table_.total() / level);
    });
    return sum / table_.total();
  }

  ClassTable table_;
  const G& g_;
  Divide divide_;
  double class_entropy_ = 0;
};

}  // namespace mlsift
