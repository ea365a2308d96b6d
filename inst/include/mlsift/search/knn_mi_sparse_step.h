#ifndef MLSIFT_SEARCH_KNN_MI_SPARSE_STEP_H
#define MLSIFT_SEARCH_KNN_MI_SPARSE_STEP_H

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../criteria/knn_mi.h"
#include "../data/row_groups.h"
#include "../data/sparse_candidates.h"
#include "../distance/near_groups.h"
#include "knn_mi_view.h"

namespace mlsift {

/// A step of the forward search over sparse features: those of SplitNumbers that are not in the table.
///
/// Rows that are the same on the selected features form a group, and see all rows at the same distances. A feature
/// moves only rows that have it. So a row without the feature keeps its K-th neighbor and its counts, but for what
/// leaves the ball around it: features of the rows in the ball are looked through once for all rows of a group and a
/// class. A row with the feature looks at the rows that have it too; the others all move away by the same.
class KnnMiSparseStep {
 public:
  // Of a candidate, as seen from rows of a group and a class.
  struct Hits {
    int own = 0;     // of these rows, those that have it
    int all = 0;     // rows that it moves out of the ball
    int same = 0;    // those of the class
    int radius = 0;  // those of the class that it moves beyond the radius
    bool met = false;
    bool looked = false;  // whether the term of a value is known
    double value = 0;
    KnnMiTerm term;
  };

  // Of one thread.
  struct Scratch {
    KnnMiView view;
    std::vector<Hits> hits;        // by candidate
    std::vector<std::size_t> met;  // candidates with hits
  };

  /// `columns`: features of `numbers`, in the order of their sums; those of the table are passed over. `groups`: rows
  /// that are the same.
  KnnMiSparseStep(const KnnMi& mi, const SplitNumbers& numbers, const std::vector<int>& columns,
                  const RowGroups& groups)
      : mi_(mi), candidates_(numbers, columns), groups_(groups), near_groups_(groups) {}

  /// Adds all rows of the group of `row` if it is the first of it. `distance`: to all rows. `base`: what all candidates
  /// have in common.
  void add_group(std::size_t row, const double* distance, Scratch& scratch, KnnMiSums* sums, KnnMiSums& base) {
    const std::size_t group = groups_.of(row);
    const int *begin = groups_.begin(group), *const end = groups_.end(group);
    if (*std::min_element(begin, end) != static_cast<int>(row)) return;
    scratch.view.move(mi_, candidates_, distance);
    scratch.hits.resize(candidates_.size());
    if (scratch.view.floor()) near_groups_.find(group, scratch.view.all);
    while (begin != end) {
      const int id = class_of(*begin);
      const int* const next = std::find_if(begin, end, [&](int i) { return class_of(i) != id; });
      scratch.view.set_class(id);
      add_rows(begin, next, scratch, sums, base);
      begin = next;
    }
  }

  /// Call once all groups are added, before smallest_without().
  void sort_near_groups() { near_groups_.sort(); }

  /// The smallest squared distance above 0 of two rows that do not have candidate c, if it is below `most`; else
  /// `most`. `distances(row)`: of all rows on the selected features.
  template <class Distances>
  double smallest_without(std::size_t c, double most, const Distances& distances) const {
    return near_groups_.smallest_without(candidates_, c, mi_.rows().n, most, distances);
  }

 private:
  // The rows near some others. Outside of `size` rows no candidate changes anything.
  struct Ball {
    double radius;  // to the K-th row of the class
    double reach;   // up to where rows of the class count
    double edge;    // up to where rows of any class count
    int in_radius, in_reach, in_edge;
    std::size_t size;
    KnnMiTerm term;  // without a candidate
  };

  int class_of(int row) const { return mi_.rows().class_of[static_cast<std::size_t>(row)]; }

  static Ball ball_around(KnnMiView& view) {
    const auto count = [](NearRows& near, double most) {
      return static_cast<int>(near.count([most](double d) { return d <= most; }));
    };
    Ball ball;
    ball.radius = view.same[view.index()].distance;
    ball.reach = view.floor() ? ball.radius : KnnMi::reach(ball.radius);
    ball.edge = view.floor() ? view.all[view.index()].distance : ball.reach;
    ball.in_radius = count(view.same, ball.radius);
    ball.in_reach = count(view.same, ball.reach);
    ball.in_edge = count(view.all, ball.edge);
    ball.size = static_cast<std::size_t>(view.floor() ? count(view.all, ball.radius) : ball.in_edge);
    ball.term = view.floor() ? KnnMi::measured(ball.edge, ball.radius) : view.counted(ball.in_edge, ball.in_reach);
    return ball;
  }

  // Rows [begin, end), of one group and class: first as if none had a candidate, then what candidates change.
  void add_rows(const int* begin, const int* end, Scratch& scratch, KnnMiSums* sums, KnnMiSums& base) const {
    const Ball ball = ball_around(scratch.view);
    const int n_rows = static_cast<int>(end - begin);
    base.add(ball.term, n_rows);
    find_hits(begin, end, ball, scratch);
    for (const std::size_t c : scratch.met) {
      scratch.hits[c].met = false;
      sums[c].add(ball.term, -n_rows);
      const int without = n_rows - scratch.hits[c].own;
      if (without > 0) sums[c].add(term_without(c, ball, scratch, sums[c]), without);
    }
    for (const int* row = begin; row != end; ++row) {
      candidates_.visit_row(*row, [&](std::size_t c, double value) {
        Hits& hits = scratch.hits[c];
        if (!hits.looked || hits.value != value) {
          hits.looked = true;
          hits.value = value;
          hits.term = scratch.view.with(c, value, sums[c]);
        }
        sums[c].add(hits.term);
      });
    }
  }

  // The candidates that some of the rows [begin, end), or of the ball around them, have.
  void find_hits(const int* begin, const int* end, const Ball& ball, Scratch& scratch) const {
    scratch.met.clear();
    const auto meet = [&](std::size_t c) -> Hits& {
      Hits& hits = scratch.hits[c];
      if (!hits.met) {
        hits = Hits();
        hits.met = true;
        scratch.met.push_back(c);
      }
      return hits;
    };
    for (const int* row = begin; row != end; ++row) {
      candidates_.visit_row(*row, [&](std::size_t c, double) { ++meet(c).own; });
    }
    for (std::size_t p = 0; p < ball.size; ++p) {
      const Neighbor near = scratch.view.all[p];
      const double before = near.distance;
      const bool in_class = scratch.view.in_class(near.row);
      candidates_.visit_row(near.row, [&](std::size_t c, double value) {
        const double after = before + value * value;
        Hits& hits = meet(c);
        hits.all += before <= ball.edge && after > ball.edge;
        hits.same += in_class && after > ball.reach;
        hits.radius += in_class && before <= ball.radius && after > ball.radius;
      });
    }
  }

  // The term of a row without candidate c: the ball only loses rows, unless too few are left in it.
  KnnMiTerm term_without(std::size_t c, const Ball& ball, Scratch& scratch, KnnMiSums& sums) const {
    const KnnMiView& view = scratch.view;
    const Hits& hits = scratch.hits[c];
    const int needed = static_cast<int>(view.index()) + 1;
    const bool radius_stays = ball.in_radius - hits.radius >= needed;
    const bool edge_stays = !view.floor() || ball.in_edge - hits.all >= needed;
    if (!radius_stays || !edge_stays) return scratch.view.without(c, sums);
    return view.floor() ? ball.term : view.counted(ball.in_edge - hits.all, ball.in_reach - hits.same);
  }

  const KnnMi& mi_;
  const SparseCandidates candidates_;
  const RowGroups& groups_;
  NearGroups near_groups_;
};

}  // namespace mlsift

#endif
