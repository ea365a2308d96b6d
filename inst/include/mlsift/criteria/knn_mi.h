#ifndef MLSIFT_CRITERIA_KNN_MI_H
#define MLSIFT_CRITERIA_KNN_MI_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../data/classed_rows.h"
#include "../distance/near_rows.h"

namespace mlsift {

/// What becomes of the logarithm of a distance of 0: `floor` takes half the smallest positive distance, the others
/// count rows.
enum class ZeroRule { floor, ross, gao };

struct KnnMiOptions {
  std::size_t neighbors = 4;  ///< below the number of rows of any class
  ZeroRule zero = ZeroRule::floor;
  std::size_t max_rows = 5000;  ///< up to so many rows all distances are kept
  bool prune = true;            ///< false looks at all rows for every feature, to see what pruning is worth
};

/// Sums over rows that an estimate is made of; those of parts of the rows add up.
struct KnnMiSums {
  double log_all = 0, log_class = 0;  ///< of squared distances to the K-th neighbor, among all rows and in the class
  std::size_t zero_all = 0, zero_class = 0;                   ///< how many of these distances are 0
  double smallest = std::numeric_limits<double>::infinity();  ///< squared distance above 0, where zeros were met
  double digamma = 0;  ///< of the rows within the radius of the class (ross; gao: less those of the class)
  double visited = 0;  ///< distances looked at

  void operator+=(const KnnMiSums& other) {
    log_all += other.log_all, log_class += other.log_class;
    zero_all += other.zero_all, zero_class += other.zero_class;
    smallest = std::min(smallest, other.smallest);
    digamma += other.digamma, visited += other.visited;
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
/// unit     nats; estimates may be negative and are not clipped
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
    for (const auto& members : rows.members) {
      classes_ += static_cast<double>(members.size()) / static_cast<double>(rows.n) *
                  (digamma_[rows.n] - digamma_[members.size()]);
    }
  }

  const ClassedRows& rows() const { return rows_; }
  const KnnMiOptions& options() const { return options_; }

  double estimate(const KnnMiSums& sums, std::size_t d) const {
    const double n = static_cast<double>(rows_.n);
    if (options_.zero == ZeroRule::ross) return classes_ + digamma_[options_.neighbors] - sums.digamma / n;
    if (options_.zero == ZeroRule::gao) return classes_ - sums.digamma / n;
    double bracket = (sums.log_all - sums.log_class) / 2;
    if (needs_smallest(sums)) {
      bracket += static_cast<double>(sums.zero_all - sums.zero_class) * (std::log(sums.smallest) / 2 - std::log(2.0));
    }
    return classes_ + static_cast<double>(d) / n * bracket;
  }

  /// Zeros among all rows that are none within the class do not cancel.
  bool needs_smallest(const KnnMiSums& sums) const { return sums.zero_all != sums.zero_class; }

  void look_from(std::size_t row, const double* distance, KnnMiScratch& scratch) const {
    scratch.all.reset(distance, rows_.n, row, options_.prune);
    scratch.same.reset(distance, rows_.members[static_cast<std::size_t>(rows_.class_of[row])], row, options_.prune);
    scratch.best.resize(options_.neighbors);
  }

  /// Adds the row that `scratch` looks from. A change of the feature set has `distance(near)`, the squared distance
  /// after it, and `lowest(distance)`: no row so far away, or farther, comes nearer than that.
  template <class Change>
  void add_row(KnnMiScratch& scratch, const Change& change, KnnMiSums& sums) const {
    const double in_class = nearest(scratch.same, change, scratch.best, sums.visited);
    if (options_.zero != ZeroRule::floor) {
      const double limit = in_class * (1 + 1e-10);
      sums.digamma += digamma_[count_within(scratch.all, change, limit, sums.visited)];
      if (options_.zero == ZeroRule::gao)
        sums.digamma -= digamma_[count_within(scratch.same, change, limit, sums.visited)];
      return;
    }
    const double in_all = nearest(scratch.all, change, scratch.best, sums.visited);
    add_distances(in_all, in_class, sums);
    if (in_all > 0) {
      sums.smallest = std::min(sums.smallest,
                               *std::find_if(scratch.best.begin(), scratch.best.end(), [](double v) { return v > 0; }));
    } else {
      find_smallest(scratch.all, change, sums);
    }
  }

  /// The sums of one feature alone, from its sorted values.
  KnnMiSums line(const std::vector<double>& values) const {
    const std::size_t n = rows_.n;
    std::vector<int> order(n), place(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<int>(i);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)]; });
    std::vector<double> all(n);
    std::vector<std::vector<double>> same(rows_.members.size());
    for (std::size_t p = 0; p < n; ++p) {
      const std::size_t i = static_cast<std::size_t>(order[p]);
      auto& mine = same[static_cast<std::size_t>(rows_.class_of[i])];
      all[p] = values[i];
      place[p] = static_cast<int>(mine.size());
      mine.push_back(values[i]);
    }
    KnnMiSums sums;
    for (std::size_t p = 0; p < n; ++p) {
      const auto& mine = same[static_cast<std::size_t>(rows_.class_of[static_cast<std::size_t>(order[p])])];
      const std::size_t at = static_cast<std::size_t>(place[p]);
      const double in_class = nearest_on_line(mine, at), limit = in_class * (1 + 1e-10);
      if (options_.zero != ZeroRule::floor) {
        sums.digamma += digamma_[count_on_line(all, p, limit)];
        if (options_.zero == ZeroRule::gao) sums.digamma -= digamma_[count_on_line(mine, at, limit)];
      } else {
        add_distances(nearest_on_line(all, p), in_class, sums);
      }
    }
    for (std::size_t p = 1; p < n; ++p) {
      if (all[p] > all[p - 1]) sums.smallest = std::min(sums.smallest, square(all[p] - all[p - 1]));
    }
    return sums;
  }

 private:
  static double square(double v) { return v * v; }

  static void add_distances(double in_all, double in_class, KnnMiSums& sums) {
    in_all > 0 ? sums.log_all += std::log(in_all) : static_cast<double>(++sums.zero_all);
    in_class > 0 ? sums.log_class += std::log(in_class) : static_cast<double>(++sums.zero_class);
  }

  // The K-th smallest squared distance after a change; the K smallest are left in `best`.
  template <class Change>
  double nearest(NearRows& near, const Change& change, std::vector<double>& best, double& visited) const {
    std::fill(best.begin(), best.end(), std::numeric_limits<double>::infinity());
    double* const last = &best.back();
    std::size_t p = 0;
    for (; p < near.size(); ++p) {
      const Neighbor& row = near[p];
      if (options_.prune && change.lowest(row.distance) >= *last) break;
      const double distance = change.distance(row);
      if (distance >= *last) continue;
      double* slot = last;
      for (; slot != best.data() && distance < slot[-1]; --slot) *slot = slot[-1];
      *slot = distance;
    }
    visited += static_cast<double>(p);
    return *last;
  }

  template <class Change>
  std::size_t count_within(NearRows& near, const Change& change, double limit, double& visited) const {
    std::size_t count = 0, p = 0;
    for (; p < near.size(); ++p) {
      const Neighbor& row = near[p];
      if (options_.prune && change.lowest(row.distance) > limit) break;
      if (change.distance(row) <= limit) ++count;
    }
    visited += static_cast<double>(p);
    return count;
  }

  // Only rows that are apart before the change: those that a feature sets apart are KnnMiForward's to find.
  template <class Change>
  void find_smallest(NearRows& near, const Change& change, KnnMiSums& sums) const {
    for (std::size_t p = options_.prune ? near.first_apart() : 0; p < near.size(); ++p) {
      if (options_.prune && change.lowest(near[p].distance) >= sums.smallest) break;
      if (!(near[p].distance > 0)) continue;
      const double distance = change.distance(near[p]);
      if (distance > 0) sums.smallest = std::min(sums.smallest, distance);
    }
  }

  double nearest_on_line(const std::vector<double>& sorted, std::size_t p) const {
    const double infinity = std::numeric_limits<double>::infinity();
    std::size_t low = p, high = p;
    double distance = 0;
    for (std::size_t k = 0; k < options_.neighbors; ++k) {
      const double below = low > 0 ? sorted[p] - sorted[low - 1] : infinity;
      const double above = high + 1 < sorted.size() ? sorted[high + 1] - sorted[p] : infinity;
      distance = std::min(below, above);
      below <= above ? --low : ++high;
    }
    return square(distance);
  }

  static std::size_t count_on_line(const std::vector<double>& sorted, std::size_t p, double limit) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(p);
    const auto low = std::partition_point(sorted.begin(), at, [&](double v) { return square(*at - v) > limit; });
    const auto high = std::partition_point(at, sorted.end(), [&](double v) { return square(v - *at) <= limit; });
    return static_cast<std::size_t>(high - low) - 1;
  }

  const ClassedRows& rows_;
  KnnMiOptions options_;
  std::vector<double> digamma_;  // by whole number
  double classes_ = 0;           // psi(N) - 1/N sum_l n_l psi(n_l)
};

}  // namespace mlsift

#endif
