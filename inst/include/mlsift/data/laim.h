#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "column.h"
#include "discretize.h"
#include "targets.h"

namespace mlsift {

/// LAIM. Cano, Luna, Gibaja & Ventura (2016), Information Sciences 330:370-384. Starting from one interval, it adds the
/// midpoint between neighboring values that makes
///
///   LAIM(D) = 1 / (n M) sum_r max_r^2 / M_r
///
/// largest, as long as it exceeds its previous value; the first cut is always made.
///
/// n        intervals, or intervals + 1 (`divisor_more` = 1)
/// max_r    the largest number of rows in interval r with the same label; M_r: labels of its rows; M: labels of all
///          rows
/// edge     a cut that leaves an interval without labels is not made. Among tied cuts the smallest is made; differences
///          below rounding (`slack`) count as ties.
/// cost     one sort of the stored values. A cut changes only its own interval, so each interval keeps its best cut. A
///          step scans the labels of the rows in the two new intervals, once from each end. Rows that a sparse column
///          omits count as one value, by subtraction: n_labels.
class Laim {
 public:
  /// `max_bins`: maximum number of intervals; 0 for any number. `weights`: how many rows each row counts for; null for
  /// 1.
  Laim(const Targets& labels, int divisor_more, int max_bins, const int* weights = nullptr)
      : labels_(labels),
        more_(divisor_more),
        max_bins_(max_bins),
        weights_(weights),
        count_(weights ? weighted_count(labels, weights) : labels.count),
        slack_(16 * std::numeric_limits<double>::epsilon() *
               static_cast<double>(std::accumulate(count_.begin(), count_.end(), std::int64_t{0}))) {}

  /// Cuts in increasing order, for intervals closed on the right. Missing values are left out.
  std::vector<double> cuts(const Column& column) const {
    const Values values = read(column);
    std::vector<double> result;
    if (values.size() < 2) return result;
    Scratch scratch(static_cast<std::size_t>(labels_.n_classes), values.size());
    std::vector<Interval> intervals{scan(values, 0, values.size(), 0.0, scratch)};
    double sum = 0;  // of max_r^2 / M_r over intervals; 0 before the first cut
    while (max_bins_ == 0 || static_cast<int>(intervals.size()) < max_bins_) {
      std::size_t at = 0;
      for (std::size_t r = 1; r < intervals.size(); ++r) {
        if (intervals[r].gain() > intervals[at].gain() + slack_) at = r;
      }
      const Interval chosen = intervals[at];
      if (chosen.cut == 0) break;
      const double n = static_cast<double>(intervals.size()) + more_, after = sum + chosen.gain();
      if (intervals.size() > 1 && !(after * n > sum * (n + 1) + slack_ * n)) break;
      sum = after;
      intervals[at] = scan(values, chosen.begin, chosen.cut, chosen.left, scratch);
      intervals.insert(intervals.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                       scan(values, chosen.cut, chosen.end, chosen.right, scratch));
    }
    for (std::size_t r = 1; r < intervals.size(); ++r) {
      const std::size_t first = intervals[r].begin;
      result.push_back(cut_between(values.value[first - 1], values.value[first]));
    }
    return result;
  }

 private:
  struct Hit {
    int label;
    int count;
  };

  // The distinct values in increasing order. The labels of their rows: hits[start[v]] .. hits[start[v + 1] - 1].
  struct Values {
    std::vector<double> value;
    std::vector<std::size_t> start;
    std::vector<Hit> hits;

    std::size_t size() const { return value.size(); }
  };

  // Values begin .. end - 1 with max_r^2 / M_r, and the best cut: the first value on its right (0: no cut), and max_r^2
  // / M_r on both sides.
  struct Interval {
    std::size_t begin, end;
    double whole;
    std::size_t cut = 0;
    double left = 0, right = 0;

    double gain() const { return cut > 0 ? left + right - whole : -std::numeric_limits<double>::infinity(); }
  };

  // Label counts of values that are added one after the other.
  struct Side {
    std::vector<int> count;
    double largest = 0, total = 0;

    void add(const Values& values, std::size_t v) {
      for (std::size_t h = values.start[v]; h < values.start[v + 1]; ++h) {
        int& n = count[static_cast<std::size_t>(values.hits[h].label)];
        n += values.hits[h].count;
        total += values.hits[h].count;
        largest = std::max(largest, static_cast<double>(n));
      }
    }
    void clear(const Values& values, std::size_t begin, std::size_t end) {
      for (std::size_t h = values.start[begin]; h < values.start[end]; ++h) {
        count[static_cast<std::size_t>(values.hits[h].label)] = 0;
      }
      largest = total = 0;
    }
    // -1: no labels.
    double term() const { return total > 0 ? largest * largest / total : -1.0; }
  };

  struct Scratch {
    Scratch(std::size_t n_labels, std::size_t n_values) : right_of(n_values) { side.count.assign(n_labels, 0); }
    Side side;
    std::vector<double> right_of;  // by value: the term of the values from here to the end of the interval
  };

  Values read(const Column& column) const {
    constexpr int left_out = -1;
    std::vector<std::pair<double, int>> rows;
    const std::size_t n = labels_.n_rows(), m = column.sparse() ? column.stored : n;
    for (std::size_t i = 0; i < m; ++i) {
      const double v = column.number(i);
      if (!std::isnan(v)) rows.push_back({v, column.sparse() ? column.rows[i] : static_cast<int>(i)});
    }
    if (m < n) rows.push_back({0.0, left_out});
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Values values;
    for (const auto& row : rows) {
      if (values.value.empty() || values.value.back() != row.first) {
        values.value.push_back(row.first);
        values.start.push_back(values.hits.size());
      }
      if (row.second == left_out) {
        add_left_out(column, values);
      } else {
        const std::size_t i = static_cast<std::size_t>(row.second);
        for (const int* l = labels_.begin(i); l != labels_.end(i); ++l) values.hits.push_back({*l, weight(i)});
      }
    }
    values.start.push_back(values.hits.size());
    return values;
  }

  // The labels of the rows that a sparse column does not store.
  void add_left_out(const Column& column, Values& values) const {
    std::vector<int> count = count_;
    for (std::size_t s = 0; s < column.stored; ++s) {
      const std::size_t i = static_cast<std::size_t>(column.rows[s]);
      for (const int* l = labels_.begin(i); l != labels_.end(i); ++l) count[static_cast<std::size_t>(*l)] -= weight(i);
    }
    for (std::size_t l = 0; l < count.size(); ++l) {
      if (count[l] > 0) values.hits.push_back({static_cast<int>(l), count[l]});
    }
  }

  Interval scan(const Values& values, std::size_t begin, std::size_t end, double whole, Scratch& scratch) const {
    Interval result{begin, end, whole};
    Side& side = scratch.side;
    for (std::size_t v = end - 1; v > begin; --v) {
      side.add(values, v);
      scratch.right_of[v] = side.term();
    }
    side.clear(values, begin, end);
    double best = -1;
    for (std::size_t v = begin; v + 1 < end; ++v) {
      side.add(values, v);
      const double left = side.term(), right = scratch.right_of[v + 1];
      if (left < 0 || right < 0 || (result.cut > 0 && left + right <= best + slack_)) continue;
      best = left + right;
      result.cut = v + 1;
      result.left = left;
      result.right = right;
    }
    side.clear(values, begin, end);
    return result;
  }

  int weight(std::size_t row) const { return weights_ ? weights_[row] : 1; }

  const Targets& labels_;
  int more_, max_bins_;
  const int* weights_;
  std::vector<int> count_;  // of each label
  double slack_;
};

}  // namespace mlsift
