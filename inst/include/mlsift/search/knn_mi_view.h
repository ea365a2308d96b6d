#ifndef MLSIFT_SEARCH_KNN_MI_VIEW_H
#define MLSIFT_SEARCH_KNN_MI_VIEW_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "../criteria/knn_mi.h"
#include "../data/sparse_candidates.h"

namespace mlsift {

/// All rows as seen from rows of one class that are the same on the selected features, and how one more sparse
/// candidate changes the view. Each thread has one view, which moves from rows to rows.
///
/// Here a row is among its own neighbors: it stays at distance 0 whatever is added. So the K-th of the others is at
/// index K, and counts include one too many.
class KnnMiView {
 public:
  NearRows all, same;  ///< all rows, and those of the class

  /// Looks from rows at these distances of all rows.
  void move(const KnnMi& mi, const SparseCandidates& candidates, const double* distance) {
    mi_ = &mi;
    candidates_ = &candidates;
    distance_ = distance;
    index_ = mi.options().neighbors;
    floor_ = mi.options().zero == ZeroRule::floor;
    all.reset(distance, mi.rows().n);
    stamp_.resize(mi.rows().n, 0);
  }

  void set_class(int id) {
    id_ = id;
    same.reset(distance_, mi_->rows().members[static_cast<std::size_t>(id)]);
  }

  bool in_class(int row) const { return mi_->rows().class_of[static_cast<std::size_t>(row)] == id_; }
  std::size_t index() const { return index_; }  ///< of the K-th other row in a list with the row itself
  bool floor() const { return floor_; }

  /// Counts include the row itself.
  KnnMiTerm counted(int in_all, int in_same) const {
    return mi_->counted(static_cast<std::size_t>(in_all - 1), static_cast<std::size_t>(in_same - 1));
  }

  /// The term of a row without candidate c. Where many rows have it, few of them are looked at.
  KnnMiTerm without(std::size_t c, KnnMiSums& sums) {
    if (!candidates_->has_bits(c)) return with(c, 0, sums);
    const double radius = nearest_without(same, c, best_);
    if (floor_) return KnnMi::measured(nearest_without(all, c, best_all_), radius);
    const double most = KnnMi::reach(radius);
    const auto within = [&](double d) { return d <= most; };
    const std::size_t ball = all.count(within);
    int in_all = static_cast<int>(ball), in_same = static_cast<int>(same.count(within));
    const auto leave = [&](int row) {
      --in_all;
      in_same -= in_class(row);
    };
    if (ball > candidates_->entries(c)) {
      for (const Entry* e = candidates_->begin(c); e != candidates_->end(c); ++e) {
        if (distance(e) <= most && distance(e) + e->value * e->value > most) leave(e->at);
      }
    } else {
      for (std::size_t p = 0; p < ball; ++p) {
        if (moved(c, all[p]) > most) leave(all[p].row);
      }
    }
    return counted(in_all, in_same);
  }

  /// The term of a row with this value of candidate c.
  KnnMiTerm with(std::size_t c, double value, KnnMiSums& sums) {
    if (candidates_->has_bits(c)) {
      return with(c, value, sums, [&](int row) { return candidates_->has(c, row); });
    }
    if (++token_ == 0) {
      std::fill(stamp_.begin(), stamp_.end(), 0u);
      token_ = 1;
    }
    for (const Entry* e = candidates_->begin(c); e != candidates_->end(c); ++e)
      stamp_[static_cast<std::size_t>(e->at)] = token_;
    return with(c, value, sums, [&](int row) { return stamp_[static_cast<std::size_t>(row)] == token_; });
  }

 private:
  using Entry = SparseCandidates::Entry;

  double distance(const Entry* e) const { return distance_[static_cast<std::size_t>(e->at)]; }

  // The squared distance to `near` with candidate c, which has bits, from a row without it.
  double moved(std::size_t c, const Neighbor& near) const {
    if (!candidates_->has(c, near.row)) return near.distance;
    const double value = candidates_->value(c, near.row);
    return near.distance + value * value;
  }

  double nearest_without(NearRows& near, std::size_t c, std::vector<double>& best) const {
    best.assign(index_ + 1, std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < near.size() && near[p].distance < best.back(); ++p) insert(moved(c, near[p]), best);
    return best.back();
  }

  template <class Has>
  KnnMiTerm with(std::size_t c, double value, KnnMiSums& sums, const Has& has) {
    const double square = value * value;
    read_entries(c, value);
    const double radius = nearest(
        same, square, has, [&](std::size_t t) { return in_class_[t] != 0; }, best_);
    if (floor_) {
      const double of_all = nearest(
          all, square, has, [](std::size_t) { return true; }, best_all_);
      if (value != 0) sums.smallest = std::min(sums.smallest, smallest_apart(square, has));
      return KnnMi::measured(of_all, radius);
    }
    const double most = KnnMi::reach(radius);
    int in_all = 0, in_same = 0;
    if (square <= most) {
      const auto within = [&](double d) { return d + square <= most; };
      in_all = static_cast<int>(all.count(within));
      in_same = static_cast<int>(same.count(within));
    }
    for (std::size_t t = 0; t < after_.size(); ++t) {
      const int more = (after_[t] <= most) - (before_[t] <= most);
      in_all += more;
      in_same += more * in_class_[t];
    }
    return counted(in_all, in_same);
  }

  // Of the rows that have candidate c, seen from a row with this value.
  void read_entries(std::size_t c, double value) {
    const std::size_t size = candidates_->entries(c);
    const Entry* const entry = candidates_->begin(c);
    before_.resize(size), after_.resize(size), in_class_.resize(size);
    for (std::size_t t = 0; t < size; ++t) {
      const double near = distance(entry + t), difference = entry[t].value - value;
      before_[t] = near + value * value;
      after_[t] = near + difference * difference;
      in_class_[t] = in_class(entry[t].at);
    }
  }

  // The K-th distance among the rows `near`: those of them that have the candidate are the entries `wanted`.
  template <class Has, class Wanted>
  double nearest(NearRows& near, double square, const Has& has, Wanted wanted, std::vector<double>& best) const {
    best.assign(index_ + 1, std::numeric_limits<double>::infinity());
    double last = best.back();
    for (std::size_t t = 0; t < after_.size(); ++t) {
      const int less = after_[t] < last, may_enter = wanted(t);  // as numbers, so that there is only one branch
      if (less & may_enter) {
        insert(after_[t], best);
        last = best.back();
      }
    }
    for (std::size_t p = 0; p < near.size(); ++p) {
      const double others = near[p].distance + square;
      if (others >= best.back()) break;
      if (!has(near[p].row)) insert(others, best);
    }
    return best.back();
  }

  static void insert(double distance, std::vector<double>& best) {
    double* slot = &best.back();
    if (distance >= *slot) return;
    for (; slot != best.data() && distance < slot[-1]; --slot) *slot = slot[-1];
    *slot = distance;
  }

  template <class Has>
  double smallest_apart(double square, const Has& has) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double after : after_) {
      if (after > 0) smallest = std::min(smallest, after);
    }
    for (std::size_t p = 0; p < all.size(); ++p) {
      const double others = all[p].distance + square;
      if (others >= smallest) break;
      if (others > 0 && !has(all[p].row)) return others;
    }
    return smallest;
  }

  const KnnMi* mi_ = nullptr;
  const SparseCandidates* candidates_ = nullptr;
  const double* distance_ = nullptr;  // of all rows
  std::size_t index_ = 0;
  bool floor_ = false;
  int id_ = 0;
  std::vector<double> best_, best_all_;
  // Rows that have a candidate: distances as if they had not, and as they are, and whether they are of the class.
  std::vector<double> before_, after_;
  std::vector<int> in_class_;
  std::vector<unsigned> stamp_;  // of these rows, where they have no bits
  unsigned token_ = 0;
};

}  // namespace mlsift

#endif
