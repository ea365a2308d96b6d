#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../core/xlogx.h"
#include "column.h"
#include "discretize.h"

namespace mlsift {

/// A class for each row, from 0; -1 excludes the row.
struct RowClasses {
  const int* of_row = nullptr;
  int n_classes = 0;
};

/// Cuts by minimum description length. Fayyad & Irani (1993), IJCAI:1022-1027. Among the midpoints between neighboring
/// values of a set S, the one with the least class entropy is a cut. Both sides are then cut in turn, as long as
///
///   |S| Gain > log2(|S| - 1) + log2(3^k - 2) - [k H(S) - k1 H(S1) - k2 H(S2)],    k: classes present
///
/// entropies   in bits, as integers (see XLogX): among equally good cuts the smallest is taken, exactly
/// cost        one sort, then one pass over the rows for each level of cuts
template <class G = XLogX>
class Mdlp {
 public:
  /// `n_rows` of the features. `min_bins` 2 makes the best cut of a column that varies even if it is not worth its
  /// description. `weights`: how many rows each row counts for, null for 1; weights add up to `n_weighted`, and
  /// a weight of 1 is worth `count_weight` rows.
  Mdlp(std::size_t n_rows, int min_bins) : n_(n_rows), min_bins_(min_bins), xlogx_(n_rows, 1.0) {}
  Mdlp(std::size_t n_rows, int min_bins, const int* weights, std::size_t n_weighted, double count_weight)
      : n_(n_rows), min_bins_(min_bins), xlogx_(n_weighted, 1.0), weights_(weights), count_weight_(count_weight) {}

  /// Sorted without duplicates: the cuts for any of several assignments of classes. Missing values are left out.
  std::vector<double> cuts(const Column& column, const std::vector<RowClasses>& classes) const {
    std::vector<Value> values = sorted(column);
    std::vector<double> result;
    std::vector<Value> present;
    for (const RowClasses& c : classes) {
      present.clear();
      for (const Value& v : values) {
        if (c.of_row[v.row] >= 0) present.push_back(v);
      }
      split(present, c, result);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

 private:
  struct Value {
    double value;
    int row;
  };

  // The quantities of one side that the test of a cut needs; the entropy is multiplied by the number of rows.
  struct Part {
    double rows;
    int classes;
    std::uint64_t entropy;
  };

  // Rows, classes present and the sum of n log2 n over classes.
  struct Side {
    std::vector<int> count;
    std::int64_t rows = 0;
    int classes = 0;
    std::uint64_t sum = 0;

    void move(int c, int by, const G& xlogx) {
      int& n = count[static_cast<std::size_t>(c)];
      sum -= xlogx(n);
      classes -= n > 0;
      n += by;
      rows += by;
      sum += xlogx(n);
      classes += n > 0;
    }
    Part part(const G& xlogx) const { return {static_cast<double>(rows), classes, xlogx.or_zero(rows) - sum}; }
  };

  struct Cut {
    std::size_t at = 0;  // the first value on the right; 0: there is none
    bool worth = false;
  };

  std::vector<Value> sorted(const Column& column) const {
    std::vector<Value> values;
    std::size_t s = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double v = 0;
      if (!column.sparse()) {
        v = column.number(i);
      } else if (s < column.stored && column.rows[s] == static_cast<int>(i)) {
        v = column.reals[s++];
      }
      if (!std::isnan(v)) values.push_back({v, static_cast<int>(i)});
    }
    std::stable_sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return a.value < b.value; });
    return values;
  }

  void split(const std::vector<Value>& values, const RowClasses& classes, std::vector<double>& result) const {
    Side left, right;
    left.count.assign(static_cast<std::size_t>(classes.n_classes), 0);
    right.count = left.count;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, values.size()}};
    while (!open.empty()) {
      const auto range = open.back();
      open.pop_back();
      const Cut cut = best_cut(values, range.first, range.second, classes, left, right);
      const bool forced = min_bins_ > 1 && range.second - range.first == values.size();
      if (cut.at == 0 || !(cut.worth || forced)) continue;
      result.push_back(cut_between(values[cut.at - 1].value, values[cut.at].value));
      if (!cut.worth) continue;
      open.push_back({range.first, cut.at});
      open.push_back({cut.at, range.second});
    }
  }

  Cut best_cut(const std::vector<Value>& values, std::size_t begin, std::size_t end, const RowClasses& classes,
               Side& left, Side& right) const {
    const auto class_at = [&](std::size_t p) { return classes.of_row[values[p].row]; };
    for (std::size_t p = begin; p < end; ++p) right.move(class_at(p), weight(values[p]), xlogx_);
    const Part whole = right.part(xlogx_);
    Part best_left{}, best_right{};
    Cut cut;
    for (std::size_t p = begin; p + 1 < end; ++p) {
      left.move(class_at(p), weight(values[p]), xlogx_);
      right.move(class_at(p), -weight(values[p]), xlogx_);
      if (values[p].value == values[p + 1].value) continue;
      const Part l = left.part(xlogx_), r = right.part(xlogx_);
      if (cut.at > 0 && l.entropy + r.entropy >= best_left.entropy + best_right.entropy) continue;
      best_left = l;
      best_right = r;
      cut.at = p + 1;
    }
    cut.worth = cut.at > 0 && worth(whole, best_left, best_right);
    clear(values, begin, end, classes, left);
    clear(values, begin, end, classes, right);
    return cut;
  }

  bool worth(const Part& whole, const Part& left, const Part& right) const {
    const double n = whole.rows * count_weight_, k = whole.classes,
                 scale = static_cast<double>(xlogx_.n()) * count_weight_;
    const double h = xlogx_.bits(whole.entropy) * scale, h1 = xlogx_.bits(left.entropy) * scale,
                 h2 = xlogx_.bits(right.entropy) * scale;
    const double sides =
        left.classes * h1 / (left.rows * count_weight_) + right.classes * h2 / (right.rows * count_weight_);
    const double classes = k * std::log2(3.0) + std::log2(1 - 2 * std::pow(3.0, -k));
    return h - h1 - h2 > std::log2(n - 1) + classes - (k * h / n - sides);
  }

  static void clear(const std::vector<Value>& values, std::size_t begin, std::size_t end, const RowClasses& classes,
                    Side& side) {
    for (std::size_t p = begin; p < end; ++p) side.count[static_cast<std::size_t>(classes.of_row[values[p].row])] = 0;
    side.rows = 0;
    side.classes = 0;
    side.sum = 0;
  }

  int weight(const Value& v) const { return weights_ ? weights_[v.row] : 1; }

  std::size_t n_;
  int min_bins_;
  G xlogx_;
  const int* weights_ = nullptr;
  double count_weight_ = 1;
};

}  // namespace mlsift
