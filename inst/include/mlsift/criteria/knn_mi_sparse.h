#ifndef MLSIFT_CRITERIA_KNN_MI_SPARSE_H
#define MLSIFT_CRITERIA_KNN_MI_SPARSE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "knn_mi.h"

// A step of the forward search over sparse features: those of SplitNumbers that are not in the table.
//
// Rows that are the same on the selected features form a group, and see all rows at the same distances. A feature moves
// only rows that have it. So a row without the feature keeps its K-th neighbor and its counts, but for what leaves the
// ball around it: features of the rows in the ball are looked through once for all rows of a group and a class. A row
// with the feature looks at the rows that have it too; the others all move away by the same.
//
// Here a row is among its own neighbors: it stays at distance 0 whatever is added. So the K-th of the others is at
// index K, and counts include one too many.

namespace mlsift {

namespace detail {

// Rows by group, and by class within a group.
class RowGroups {
 public:
  RowGroups(const std::vector<int>& same, const std::vector<int>& class_of) : order_(same.size()), group_(same.size()) {
    for (std::size_t i = 0; i < same.size(); ++i) order_[i] = static_cast<int>(i);
    const auto key = [&](const std::vector<int>& of, int row) { return of[static_cast<std::size_t>(row)]; };
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      if (key(same, a) != key(same, b)) return key(same, a) < key(same, b);
      return key(class_of, a) != key(class_of, b) ? key(class_of, a) < key(class_of, b) : a < b;
    });
    for (std::size_t p = 0; p < order_.size(); ++p) {
      if (p == 0 || key(same, order_[p]) != key(same, order_[p - 1])) start_.push_back(p);
      group_[static_cast<std::size_t>(order_[p])] = static_cast<int>(start_.size()) - 1;
    }
    start_.push_back(order_.size());
  }

  std::size_t size() const { return start_.size() - 1; }
  std::size_t of(std::size_t row) const { return static_cast<std::size_t>(group_[row]); }
  const int* begin(std::size_t group) const { return order_.data() + start_[group]; }
  const int* end(std::size_t group) const { return order_.data() + start_[group + 1]; }
  int rows(std::size_t group) const { return static_cast<int>(end(group) - begin(group)); }

 private:
  std::vector<int> order_, group_;
  std::vector<std::size_t> start_;
};

}  // namespace detail

class KnnMiSparseStep {
 public:
  // Of a candidate, in the ball around rows of a group and a class.
  struct Hits {
    int own = 0;     // rows of the group and the class that have it
    int all = 0;     // rows that it moves out of the ball
    int same = 0;    // those of the class
    int radius = 0;  // those of the class that it moves beyond the radius
    bool known = false;
    double value = 0;  // the last one that was looked from, and its term
    KnnMiTerm term;
  };

  // Of one thread.
  struct Scratch {
    NearRows all, same;
    std::vector<double> best, best_all;
    // Rows that have a candidate: distances as if they had not, and as they are, and whether they are of the class.
    std::vector<double> before, after;
    std::vector<int> in_class;
    std::vector<unsigned> stamp;  // of these rows, where they have no bits
    unsigned token = 0;
    std::vector<Hits> hits;
    std::vector<int> touched;
  };

  /// `columns`: features of `numbers`, in the order of their sums; those of the table are passed over. `groups`: rows
  /// that are the same.
  KnnMiSparseStep(const KnnMi& mi, const SplitNumbers& numbers, const std::vector<int>& columns,
                  const detail::RowGroups& groups)
      : mi_(mi),
        rows_(mi.rows()),
        numbers_(numbers),
        columns_(columns),
        groups_(groups),
        slot_(numbers.d, -1),
        index_(mi.options().neighbors),
        floor_(mi.options().zero == ZeroRule::floor),
        bits_start_(columns.size(), no_bits) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t f = static_cast<std::size_t>(columns[c]);
      if (numbers.in_table(f)) continue;
      slot_[f] = static_cast<int>(c);
      if (64 * entries(f) < rows_.n) continue;
      bits_start_[c] = bits_.size();
      bits_.resize(bits_.size() + (rows_.n + 63) / 64, 0);
      for (const Entry* e = numbers.begin(f); e != numbers.end(f); ++e)
        bits_[bits_start_[c] + at(e) / 64] |= std::uint64_t(1) << (at(e) % 64);
    }
    if (floor_) near_.resize(groups.size());
  }

  /// Adds all rows of the group of `row` if it is the first of it. `distance`: to all rows. `base`: what all candidates
  /// have in common.
  void add_group(std::size_t row, const double* distance, Scratch& scratch, KnnMiSums* sums, KnnMiSums& base) {
    const std::size_t group = groups_.of(row);
    const int *begin = groups_.begin(group), *const end = groups_.end(group);
    if (*std::min_element(begin, end) != static_cast<int>(row)) return;
    scratch.all.reset(distance, rows_.n, NearRows::nobody, true);
    scratch.stamp.resize(rows_.n, 0);
    scratch.hits.resize(columns_.size());
    if (floor_) find_near_groups(group, scratch.all);
    while (begin != end) {
      const int id = class_of(*begin);
      const int* const next = std::find_if(begin, end, [&](int i) { return class_of(i) != id; });
      scratch.same.reset(distance, rows_.members[static_cast<std::size_t>(id)], NearRows::nobody, true);
      add_rows(begin, next, id, distance, scratch, sums, base);
      begin = next;
    }
  }

  /// The smallest squared distance above 0 of two rows that do not have feature f, if it is below `most`; else `most`.
  /// `distances(row)`: of all rows on the selected features.
  template <class Distances>
  double smallest_without(std::size_t f, double most, const Distances& distances) const {
    std::vector<int> having(groups_.size(), 0);
    std::vector<char> has(rows_.n, 0);
    for (const Entry* e = numbers_.begin(f); e != numbers_.end(f); ++e) {
      ++having[groups_.of(at(e))];
      has[at(e)] = 1;
    }
    const auto all_have = [&](std::size_t group) { return having[group] == groups_.rows(group); };
    for (const std::size_t group : by_nearest_) {
      const NearGroups& near = near_[group];
      if (near.size == 0 ? near.beyond >= most : near.distance[0] >= most) break;
      if (all_have(group)) continue;
      bool found = false;
      for (int p = 0; p < near.size && !found; ++p) {
        if (all_have(static_cast<std::size_t>(near.group[p]))) continue;
        most = std::min(most, near.distance[p]);
        found = true;
      }
      if (found || near.beyond >= most) continue;
      const std::vector<double> distance = distances(static_cast<std::size_t>(*groups_.begin(group)));
      for (std::size_t j = 0; j < rows_.n; ++j) {
        if (!has[j] && distance[j] > 0) most = std::min(most, distance[j]);
      }
    }
    return most;
  }

  /// To be called before smallest_without(), once all groups are added.
  void sort_near_groups() {
    const auto first = [&](std::size_t g) { return near_[g].size > 0 ? near_[g].distance[0] : near_[g].beyond; };
    for (std::size_t g = 0; g < groups_.size(); ++g) by_nearest_.push_back(g);
    std::sort(by_nearest_.begin(), by_nearest_.end(),
              [&](std::size_t a, std::size_t b) { return first(a) != first(b) ? first(a) < first(b) : a < b; });
  }

 private:
  using Entry = SplitNumbers::Entry;

  // The nearest groups of one that are apart from it; all others are at `beyond` or farther.
  struct NearGroups {
    int size = 0;
    int group[4] = {};
    double distance[4] = {};
    double beyond = std::numeric_limits<double>::infinity();
  };

  static constexpr std::size_t no_bits = static_cast<std::size_t>(-1);

  std::size_t feature(std::size_t c) const { return static_cast<std::size_t>(columns_[c]); }
  std::size_t entries(std::size_t f) const { return static_cast<std::size_t>(numbers_.end(f) - numbers_.begin(f)); }
  static std::size_t at(const Entry* e) { return static_cast<std::size_t>(e->at); }
  int class_of(int row) const { return rows_.class_of[static_cast<std::size_t>(row)]; }

  void find_near_groups(std::size_t group, NearRows& all) {
    NearGroups& near = near_[group];
    std::size_t p = all.first_apart();
    for (std::size_t looked = 0; p < all.size(); ++p, ++looked) {
      const int other = static_cast<int>(groups_.of(static_cast<std::size_t>(all[p].row)));
      if (std::find(near.group, near.group + near.size, other) != near.group + near.size) continue;
      if (near.size == 4 || looked >= 64) {
        near.beyond = all[p].distance;
        return;
      }
      near.group[near.size] = other;
      near.distance[near.size++] = all[p].distance;
    }
  }

  // Rows [begin, end), of one group and class.
  void add_rows(const int* begin, const int* end, int id, const double* distance, Scratch& scratch, KnnMiSums* sums,
                KnnMiSums& base) {
    NearRows &all = scratch.all, &same = scratch.same;
    const auto up_to = [](double most) { return [most](double d) { return d <= most; }; };
    const double radius = same[index_].distance, most = floor_ ? radius : KnnMi::reach(radius);
    const double edge = floor_ ? all[index_].distance : most;  // what leaves it is counted in Hits::all
    const int in_radius = static_cast<int>(same.count(up_to(radius)));
    const int in_edge = static_cast<int>(all.count(up_to(edge)));
    const int in_reach = static_cast<int>(same.count(up_to(most)));
    const std::size_t ball = floor_ ? all.count(up_to(radius)) : static_cast<std::size_t>(in_edge);
    const KnnMiTerm plain = floor_ ? KnnMi::measured(edge, radius) : counted(in_edge, in_reach);
    const int n_rows = static_cast<int>(end - begin);
    base.add(plain, n_rows);

    std::vector<int>& touched = scratch.touched;
    touched.clear();
    const auto touch = [&](int c) -> Hits& {
      Hits& hits = scratch.hits[static_cast<std::size_t>(c)];
      if (!hits.known) {
        hits = Hits();
        hits.known = true;
        touched.push_back(c);
      }
      return hits;
    };
    for (const int* row = begin; row != end; ++row) {
      each_candidate(static_cast<std::size_t>(*row), [&](int c, double) { ++touch(c).own; });
    }
    for (std::size_t p = 0; p < ball; ++p) {
      const double before = all[p].distance;
      const int in_class = class_of(all[p].row) == id;
      base.visited += 1;
      each_candidate(static_cast<std::size_t>(all[p].row), [&](int c, double value) {
        const double after = before + value * value;
        Hits& hits = touch(c);
        hits.all += before <= edge && after > edge;
        hits.same += in_class && after > most;
        hits.radius += in_class && before <= radius && after > radius;
      });
    }

    const int needed = static_cast<int>(index_) + 1;
    for (const int c : touched) {
      Hits& hits = scratch.hits[static_cast<std::size_t>(c)];
      KnnMiSums& sum = sums[c];
      sum.add(plain, -n_rows);
      hits.known = false;
      if (hits.own == n_rows) continue;
      if (in_radius - hits.radius < needed || (floor_ && in_edge - hits.all < needed)) {
        sum.add(look_without(static_cast<std::size_t>(c), id, distance, scratch, sum), n_rows - hits.own);
      } else {
        sum.add(floor_ ? plain : counted(in_edge - hits.all, in_reach - hits.same), n_rows - hits.own);
      }
    }
    for (const int* row = begin; row != end; ++row) {
      each_candidate(static_cast<std::size_t>(*row), [&](int c, double value) {
        Hits& hits = scratch.hits[static_cast<std::size_t>(c)];
        if (!hits.known || hits.value != value) {
          hits.known = true;
          hits.value = value;
          hits.term = look(static_cast<std::size_t>(c), value, id, distance, scratch, sums[c]);
        }
        sums[c].add(hits.term);
      });
    }
    for (const int* row = begin; row != end; ++row) {
      each_candidate(static_cast<std::size_t>(*row),
                     [&](int c, double) { scratch.hits[static_cast<std::size_t>(c)].known = false; });
    }
  }

  // Counts include the row itself.
  KnnMiTerm counted(int all, int same) const {
    return mi_.counted(static_cast<std::size_t>(all - 1), static_cast<std::size_t>(same - 1));
  }

  template <class Visit>
  void each_candidate(std::size_t row, Visit visit) const {
    for (const Entry* e = numbers_.row_begin(row); e != numbers_.row_end(row); ++e) {
      const int c = slot_[at(e)];
      if (c >= 0) visit(c, e->value);
    }
  }

  static void insert(double distance, std::vector<double>& best) {
    double* slot = &best.back();
    if (distance >= *slot) return;
    for (; slot != best.data() && distance < slot[-1]; --slot) *slot = slot[-1];
    *slot = distance;
  }

  // Whether a row has the candidate c, which has bits.
  bool has(std::size_t c, int row) const {
    const std::size_t i = static_cast<std::size_t>(row);
    return bits_[bits_start_[c] + i / 64] >> (i % 64) & 1;
  }

  // The squared distance to `near` with the candidate c, feature f, from a row without it.
  double moved(std::size_t c, std::size_t f, const Neighbor& near) const {
    if (!has(c, near.row)) return near.distance;
    const double value = numbers_.at(static_cast<std::size_t>(near.row), f);
    return near.distance + value * value;
  }

  double nearest_without(NearRows& near, std::size_t c, std::size_t f, std::vector<double>& best) const {
    best.assign(index_ + 1, std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < near.size() && near[p].distance < best.back(); ++p) insert(moved(c, f, near[p]), best);
    return best.back();
  }

  // The term of a row without the candidate c. Where many rows have it, few of them are looked at.
  KnnMiTerm look_without(std::size_t c, int id, const double* distance, Scratch& scratch, KnnMiSums& sums) const {
    const std::size_t f = feature(c);
    if (bits_start_[c] == no_bits) return look(c, 0, id, distance, scratch, sums);
    const double radius = nearest_without(scratch.same, c, f, scratch.best);
    if (floor_) return KnnMi::measured(nearest_without(scratch.all, c, f, scratch.best_all), radius);
    const double most = KnnMi::reach(radius);
    const auto within = [&](double d) { return d <= most; };
    const std::size_t ball = scratch.all.count(within);
    int all = static_cast<int>(ball), same = static_cast<int>(scratch.same.count(within));
    const auto leave = [&](int row) {
      --all;
      same -= class_of(row) == id;
    };
    if (ball > entries(f)) {
      for (const Entry* e = numbers_.begin(f); e != numbers_.end(f); ++e) {
        if (distance[at(e)] <= most && distance[at(e)] + e->value * e->value > most) leave(e->at);
      }
      sums.visited += static_cast<double>(entries(f));
    } else {
      for (std::size_t p = 0; p < ball; ++p) {
        if (moved(c, f, scratch.all[p]) > most) leave(scratch.all[p].row);
      }
      sums.visited += static_cast<double>(ball);
    }
    return counted(all, same);
  }

  // Puts distances below the largest of `best` into it, for which `wanted`.
  template <class Wanted>
  static void insert_all(const std::vector<double>& distance, Wanted wanted, std::vector<double>& best) {
    double last = best.back();
    for (std::size_t t = 0; t < distance.size(); ++t) {
      const int less = distance[t] < last, may_enter = wanted(t);  // numbers, so that there is one branch
      if (less & may_enter) {
        insert(distance[t], best);
        last = best.back();
      }
    }
  }

  // The rows without the candidate, by increasing distance, among the nearest.
  template <class Has>
  static void insert_others(NearRows& near, double square, const Has& has, std::vector<double>& best) {
    for (std::size_t p = 0; p < near.size(); ++p) {
      const double distance = near[p].distance + square;
      if (distance >= best.back()) return;
      if (!has(near[p].row)) insert(distance, best);
    }
  }

  // The term of a row with this value of the candidate c.
  KnnMiTerm look(std::size_t c, double value, int id, const double* distance, Scratch& scratch, KnnMiSums& sums) const {
    if (bits_start_[c] != no_bits) {
      return look(c, value, id, distance, scratch, sums, [&](int row) { return has(c, row); });
    }
    if (++scratch.token == 0) {
      std::fill(scratch.stamp.begin(), scratch.stamp.end(), 0u);
      scratch.token = 1;
    }
    const std::size_t f = feature(c);
    for (const Entry* e = numbers_.begin(f); e != numbers_.end(f); ++e) scratch.stamp[at(e)] = scratch.token;
    return look(c, value, id, distance, scratch, sums,
                [&](int row) { return scratch.stamp[static_cast<std::size_t>(row)] == scratch.token; });
  }

  template <class Has>
  KnnMiTerm look(std::size_t c, double value, int id, const double* distance, Scratch& scratch, KnnMiSums& sums,
                 const Has& has) const {
    const double infinity = std::numeric_limits<double>::infinity(), square = value * value;
    const std::size_t f = feature(c), size = entries(f);
    const Entry* const entry = numbers_.begin(f);
    std::vector<double>&before = scratch.before, &after = scratch.after;
    std::vector<int>& in_class = scratch.in_class;
    before.resize(size), after.resize(size), in_class.resize(size);
    for (std::size_t t = 0; t < size; ++t) {
      const double near = distance[at(entry + t)], difference = entry[t].value - value;
      before[t] = near + square;
      after[t] = near + difference * difference;
      in_class[t] = class_of(entry[t].at) == id;
    }
    sums.visited += static_cast<double>(size);
    scratch.best.assign(index_ + 1, infinity);
    insert_all(
        after, [&](std::size_t t) { return in_class[t] != 0; }, scratch.best);
    insert_others(scratch.same, square, has, scratch.best);
    const double radius = scratch.best.back();
    if (floor_) {
      scratch.best_all.assign(index_ + 1, infinity);
      insert_all(
          after, [](std::size_t) { return true; }, scratch.best_all);
      insert_others(scratch.all, square, has, scratch.best_all);
      if (value != 0) sums.smallest = std::min(sums.smallest, smallest_apart(square, has, scratch));
      return KnnMi::measured(scratch.best_all.back(), radius);
    }
    const double most = KnnMi::reach(radius);
    const auto within = [&](double d) { return d + square <= most; };
    int all = 0, same = 0;
    if (square <= most) {
      all = static_cast<int>(scratch.all.count(within));
      same = static_cast<int>(scratch.same.count(within));
    }
    for (std::size_t t = 0; t < size; ++t) {
      const int more = (after[t] <= most) - (before[t] <= most);
      all += more;
      same += more * in_class[t];
    }
    return counted(all, same);
  }

  template <class Has>
  static double smallest_apart(double square, const Has& has, Scratch& scratch) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double after : scratch.after) {
      if (after > 0) smallest = std::min(smallest, after);
    }
    for (std::size_t p = 0; p < scratch.all.size(); ++p) {
      const double distance = scratch.all[p].distance + square;
      if (distance >= smallest) break;
      if (distance > 0 && !has(scratch.all[p].row)) return distance;
    }
    return smallest;
  }

  const KnnMi& mi_;
  const ClassedRows& rows_;
  const SplitNumbers& numbers_;
  const std::vector<int>& columns_;
  const detail::RowGroups& groups_;
  std::vector<int> slot_;    // by feature: the place of its sums, or -1
  const std::size_t index_;  // of the K-th other row in a list with the row itself
  const bool floor_;
  std::vector<std::uint64_t> bits_;  // which rows have a candidate that some do
  std::vector<std::size_t> bits_start_;
  std::vector<NearGroups> near_;
  std::vector<std::size_t> by_nearest_;
};

}  // namespace mlsift

#endif
