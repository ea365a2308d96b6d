#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "../core/exact_sum.h"
#include "../data/classed_rows.h"
#include "../distance/near_rows.h"

namespace mlsift {

/// How the logarithm of a distance of 0 is handled: `floor` takes half the smallest positive distance, the others
/// count rows.
enum class ZeroRule { floor, ross, gao };

struct KnnMiOptions {
  std::size_t neighbors = 4;  ///< below the number of rows of any class
  ZeroRule zero = ZeroRule::floor;
  std::size_t max_rows = 5000;  ///< all distances are kept for up to this many rows
};

/// What one row adds to an estimate.
struct KnnMiTerm {
  ExactSum sum;  ///< see KnnMiSums
  int zero_all = 0, zero_class = 0;
};

/// Sums over rows that an estimate is made of. They do not depend on the order of rows.
struct KnnMiSums {
  ExactSum sum;  ///< floor: log of the squared distance to the K-th neighbor among all rows, less that in the class.
                 ///< ross: digamma of the rows within the radius of the class. gao: less that of those of the class
  std::int64_t zero_all = 0, zero_class = 0;                  ///< floor: how many of these distances are 0
  double smallest = std::numeric_limits<double>::infinity();  ///< squared distance above 0, where zeros were met

  void operator+=(const KnnMiSums& other) {
    sum += other.sum;
    zero_all += other.zero_all, zero_class += other.zero_class;
    smallest = std::min(smallest, other.smallest);
  }

  void add(const KnnMiTerm& term) {
    sum += term.sum;
    zero_all += term.zero_all, zero_class += term.zero_class;
  }
};

/// Scratch space of one thread: the other rows as seen from one row.
struct KnnMiScratch {
  NearRows all, same;  // all others, those of the same class
  std::vector<double> best;
};

/// Mutual information of numbers and a class by nearest neighbors. Gomez-Verdejo, Verleysen & Fleury (2009),
/// Neurocomputing 72:3580-3589, as used by Doquire & Verleysen (2011), IWANN, eq. 4, whose print lacks the sum over
/// classes:
///
///   I(X;Y) = psi(N) - 1/N sum_l n_l psi(n_l) + d/N [sum_i log e(i) - sum_i log e_l(i)]
///
/// e, e_l   distance of a row to its K-th nearest other row, among all rows and among those of its class
/// scores   in nats; estimates may be negative and are not clipped
/// zeros    floor: m / 2 in place of 0, m the smallest distance above 0 of any two rows.
///          ross: Ross (2014), PLoS ONE 9:e87357:  psi(N) - 1/N sum_l n_l psi(n_l) + psi(K) - 1/N sum_i psi(m_i), with
///          m_i rows at e_l(i) or nearer, 1e-10 of its square forgiven so that ties count whatever was rounded.
///          gao: the same with psi(k_i) in place of psi(K), k_i those of the m_i rows that are of the class, after Gao
///          et al. (2017), NIPS; without ties k_i = K
/// d        features that vary; a constant changes no distance and must not count
class KnnMi {
 public:
  KnnMi(const ClassedRows& rows, const KnnMiOptions& options)
      : rows_(rows), options_(options), digamma_(rows.n + 1, 0.0) {
    double sum = -0.57721566490153286;
    for (std::size_t n = 1; n <= rows.n; ++n) {
      digamma_[n] = sum;
      sum += 1 / static_cast<double>(n);
    }
    for (const double value : digamma_) digamma_terms_.push_back(ExactSum(value));
    for (const auto& members : rows.members) {
      classes_ += static_cast<double>(members.size()) / static_cast<double>(rows.n) *
                  (digamma_[rows.n] - digamma_[members.size()]);
    }
  }

  const ClassedRows& rows() const { return rows_; }
  const KnnMiOptions& options() const { return options_; }

  double estimate(const KnnMiSums& sums, std::size_t d) const {
    const double n = static_cast<double>(rows_.n);
    if (options_.zero == ZeroRule::ross) return classes_ + digamma_[options_.neighbors] - sums.sum.value() / n;
    if (options_.zero == ZeroRule::gao) return classes_ - sums.sum.value() / n;
    double bracket = sums.sum.value() / 2;
    if (needs_smallest(sums)) {
      bracket += static_cast<double>(sums.zero_all - sums.zero_class) * (std::log(sums.smallest) / 2 - std::log(2.0));
    }
    return classes_ + static_cast<double>(d) / n * bracket;
  }

  /// Zeros among all rows that are none within the class do not cancel.
  bool needs_smallest(const KnnMiSums& sums) const { return sums.zero_all != sums.zero_class; }

  /// The term of a row with `within` other rows, `in_class` of them of its class, within the radius of the class.
  KnnMiTerm counted(std::size_t within, std::size_t in_class) const {
    KnnMiTerm term;
    term.sum = digamma_terms_[within];
    if (options_.zero == ZeroRule::gao) term.sum -= digamma_terms_[in_class];
    return term;
  }

  /// The term of a row by its squared distances to the K-th neighbors.
  static KnnMiTerm measured(double in_all, double in_class) {
    KnnMiTerm term;
    if (in_all > 0) term.sum += ExactSum(std::log(in_all));
    if (in_class > 0) term.sum -= ExactSum(std::log(in_class));
    term.zero_all = !(in_all > 0), term.zero_class = !(in_class > 0);
    return term;
  }

  /// Up to where a row counts as within a radius, both squared.
  static double reach(double radius) { return radius * (1 + 1e-10); }

  void look_from(std::size_t row, const double* distance, KnnMiScratch& scratch) const {
    scratch.all.reset(distance, rows_.n, row);
    scratch.same.reset(distance, rows_.members[static_cast<std::size_t>(rows_.class_of[row])], row);
    scratch.best.resize(options_.neighbors);
  }

  /// Adds the row that `scratch` looks from. A change of the feature set has `distance(near)`, the squared distance
  /// after it, and `lowest(distance)`: no row so far away, or farther, comes nearer than that.
  template <class Change>
  void add_row(KnnMiScratch& scratch, const Change& change, KnnMiSums& sums) const {
    const double in_class = nearest(scratch.same, change, scratch.best);
    if (options_.zero != ZeroRule::floor) {
      const double most = reach(in_class);
      const std::size_t within = count_within(scratch.all, change, most);
      sums.add(
          counted(within, options_.zero == ZeroRule::gao ? count_within(scratch.same, change, most) : std::size_t(0)));
      return;
    }
    const double in_all = nearest(scratch.all, change, scratch.best);
    sums.add(measured(in_all, in_class));
    if (in_all > 0) {
      sums.smallest = std::min(sums.smallest,
                               *std::find_if(scratch.best.begin(), scratch.best.end(), [](double v) { return v > 0; }));
    } else {
      find_smallest(scratch.all, change, sums);
    }
  }

  /// The sums of one feature alone.
  KnnMiSums line(std::vector<double> values) const {
    std::vector<std::size_t> order(values.size()), place(rows_.members.size(), 0);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<std::vector<double>> same(rows_.members.size());  // ascending
    for (const std::size_t i : order) same[class_of(i)].push_back(values[i]);
    std::sort(values.begin(), values.end());
    KnnMiSums sums;
    for (std::size_t p = 0; p < order.size(); ++p) {
      const std::size_t id = class_of(order[p]);
      sums.add(on_line(values, p, same[id], place[id]++));
      if (p > 0 && values[p] > values[p - 1])
        sums.smallest = std::min(sums.smallest, square(values[p] - values[p - 1]));
    }
    return sums;
  }

 private:
  static double square(double v) { return v * v; }

  std::size_t class_of(std::size_t row) const { return static_cast<std::size_t>(rows_.class_of[row]); }

  // Of position p among all values and `at` among those of its class, both ascending.
  KnnMiTerm on_line(const std::vector<double>& all, std::size_t p, const std::vector<double>& same,
                    std::size_t at) const {
    const double in_class = nearest_on_line(same, at);
    if (options_.zero == ZeroRule::floor) return measured(nearest_on_line(all, p), in_class);
    const double most = reach(in_class);
    return counted(count_on_line(all, p, most),
                   options_.zero == ZeroRule::gao ? count_on_line(same, at, most) : std::size_t(0));
  }

  // The K-th smallest squared distance after a change; the K smallest are left in `best`.
  template <class Change>
  double nearest(NearRows& near, const Change& change, std::vector<double>& best) const {
    std::fill(best.begin(), best.end(), std::numeric_limits<double>::infinity());
    double* const last = &best.back();
    for (std::size_t p = 0; p < near.size(); ++p) {
      const Neighbor& row = near[p];
      if (change.lowest(row.distance) >= *last) break;
      const double distance = change.distance(row);
      if (distance >= *last) continue;
      double* slot = last;
      for (; slot != best.data() && distance < slot[-1]; --slot) *slot = slot[-1];
      *slot = distance;
    }
    return *last;
  }

  template <class Change>
  std::size_t count_within(NearRows& near, const Change& change, double limit) const {
    std::size_t count = 0;
    for (std::size_t p = 0; p < near.size(); ++p) {
      const Neighbor& row = near[p];
      if (change.lowest(row.distance) > limit) break;
      if (change.distance(row) <= limit) ++count;
    }
    return count;
  }

  // Only rows at a positive distance before the change: KnnMiForward finds those that a feature separates.
  template <class Change>
  void find_smallest(NearRows& near, const Change& change, KnnMiSums& sums) const {
    for (std::size_t p = near.first_apart(); p < near.size(); ++p) {
      if (change.lowest(near[p].distance) >= sums.smallest) break;
      const double distance = change.distance(near[p]);
      if (distance > 0) sums.smallest = std::min(sums.smallest, distance);
    }
  }

  double nearest_on_line(const std::vector<double>& sorted, std::size_t p) const {
    const double infinity = std::numeric_limits<double>::infinity(), own = sorted[p];
    std::size_t low = p, high = p;
    double distance = 0;
    for (std::size_t k = 0; k < options_.neighbors; ++k) {
      const double below = low > 0 ? own - sorted[low - 1] : infinity;
      const double above = high + 1 < sorted.size() ? sorted[high + 1] - own : infinity;
      distance = std::min(below, above);
      below <= above ? --low : ++high;
    }
    return square(distance);
  }

  static std::size_t count_on_line(const std::vector<double>& sorted, std::size_t p, double limit) {
    const double own = sorted[p];
    std::size_t low = 0, high = p;  // the first that is near enough
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      square(own - sorted[middle]) > limit ? low = middle + 1 : high = middle;
    }
    const std::size_t first = low;
    low = p, high = sorted.size();  // the first after it that is too far
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      square(sorted[middle] - own) <= limit ? low = middle + 1 : high = middle;
    }
    return low - first - 1;
  }

  const ClassedRows& rows_;
  KnnMiOptions options_;
  std::vector<double> digamma_;  // by whole number
  std::vector<ExactSum> digamma_terms_;
  double classes_ = 0;  // psi(N) - 1/N sum_l n_l psi(n_l)
};

}  // namespace mlsift
