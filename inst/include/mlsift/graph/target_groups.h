#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../core/bits.h"
#include "../core/parallel.h"
#include "../data/label_sets.h"
#include "../solve/kmedoids.h"

namespace mlsift {

/// Points for k_medoids(): bit vectors with Hamming distances.
template <class D>
struct BitPoints {
  using Distance = D;
  std::size_t words = 1;
  std::vector<std::uint64_t> bits;

  std::size_t size() const { return bits.size() / words; }
  void distances(int i, const int* others, std::size_t n, D* out) const {
    const std::uint64_t* a = bits.data() + static_cast<std::size_t>(i) * words;
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t* b = bits.data() + static_cast<std::size_t>(others[j]) * words;
      out[j] = static_cast<D>(bits_apart(a, b, words));
    }
  }
};

/// Points for k_medoids(): numeric vectors with Euclidean distances.
struct RealPoints {
  using Distance = double;
  std::size_t dimensions = 1;
  std::vector<double> values;

  std::size_t size() const { return values.size() / dimensions; }
  void distances(int i, const int* others, std::size_t n, double* out) const {
    const double* a = values.data() + static_cast<std::size_t>(i) * dimensions;
    for (std::size_t j = 0; j < n; ++j) {
      const double* b = values.data() + static_cast<std::size_t>(others[j]) * dimensions;
      double sum = 0;
      for (std::size_t t = 0; t < dimensions; ++t) sum += (a[t] - b[t]) * (a[t] - b[t]);
      out[j] = std::sqrt(sum);
    }
  }
};

/// Rows grouped by their distinct target vectors: `of_row` numbers the vectors, `count` has the rows of each.
struct DistinctTargets {
  std::vector<int> of_row, count;
  std::size_t size() const { return count.size(); }
};

/// Labels, or classes as indicators of their levels, the last level first (so that bits compare like level numbers).
/// Vectors differ in one bit per differing label, or two per differing class.
class BitTargets : public DistinctTargets {
 public:
  /// `rows`: the indicators that are on; target t has the indicators first[t] .. first[t + 1] - 1.
  BitTargets(const Targets& rows, std::vector<int> first)
      : first_(std::move(first)), on_(static_cast<std::size_t>(first_.back())) {
    LabelSets sets = label_sets(rows);
    of_row = std::move(sets.of_row);
    count = std::move(sets.count);
    for (std::size_t g = 0; g < sets.size(); ++g) {
      for (const int c : sets.sets[g]) on_[static_cast<std::size_t>(c)].push_back(static_cast<int>(g));
    }
  }

  std::size_t dimensions(const std::vector<int>& members) const {
    std::size_t bits = 0;
    for (const int t : members) bits += static_cast<std::size_t>(end(t) - begin(t));
    return bits;
  }

  /// The members of every distinct vector, a row of words for each.
  template <class D>
  void project(const std::vector<int>& members, BitPoints<D>& points) const {
    points.words = std::max<std::size_t>(1, (dimensions(members) + 63) / 64);
    points.bits.assign(size() * points.words, 0);
    std::size_t bit = 0;
    for (const int t : members) {
      for (int c = begin(t); c < end(t); ++c, ++bit) {
        const std::uint64_t mask = std::uint64_t{1} << (63 - bit % 64);
        for (const int g : on_[static_cast<std::size_t>(c)])
          points.bits[static_cast<std::size_t>(g) * points.words + bit / 64] |= mask;
      }
    }
  }

 private:
  int begin(int t) const { return first_[static_cast<std::size_t>(t)]; }
  int end(int t) const { return first_[static_cast<std::size_t>(t) + 1]; }

  std::vector<int> first_;
  std::vector<std::vector<int>> on_;  // by indicator: the vectors in which it is on
};

/// `labels`: the labels of each row.
inline BitTargets bits_of_labels(const Targets& labels) {
  std::vector<int> first(static_cast<std::size_t>(labels.n_classes) + 1);
  std::iota(first.begin(), first.end(), 0);
  return BitTargets(labels, first);
}

/// `codes`: level numbers from 1 of n rows, by columns; `n_levels`: by column.
inline BitTargets bits_of_classes(const int* codes, std::size_t n, const std::vector<int>& n_levels) {
  std::vector<int> first{0};
  for (const int levels : n_levels) first.push_back(first.back() + levels);
  TargetsBuilder on(first.back());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t t = 0; t < n_levels.size(); ++t) on.emit(first[t + 1] - codes[t * n + i]);
    on.end_row();
  }
  return BitTargets(on.finish(), first);
}

namespace detail {

// Sorts the rows of `cells` (`width` values each), removes duplicates and returns the new number of each old row.
template <class T>
std::vector<int> keep_distinct(std::vector<T>& cells, std::size_t width) {
  std::vector<int> order(cells.size() / width), result(order.size());
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](int i) { return cells.data() + static_cast<std::size_t>(i) * width; };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width); });
  std::vector<T> kept;
  int last = -1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const T* cell = row(order[i]);
    if (i == 0 || !std::equal(cell, cell + width, row(order[i - 1]))) {
      kept.insert(kept.end(), cell, cell + width);
      ++last;
    }
    result[static_cast<std::size_t>(order[i])] = last;
  }
  cells = std::move(kept);
  return result;
}

}  // namespace detail

/// Numeric targets, n values of each (by columns; the memory belongs to the caller).
class RealTargets : public DistinctTargets {
 public:
  RealTargets(const double* values, std::size_t n, std::size_t q) : width_(q), values_(n * q) {
    for (std::size_t t = 0; t < q; ++t) {
      for (std::size_t i = 0; i < n; ++i) values_[i * q + t] = values[t * n + i] + 0.0;  // no negative zeros
    }
    of_row = detail::keep_distinct(values_, q);
    count.assign(values_.size() / q, 0);
    for (const int g : of_row) ++count[static_cast<std::size_t>(g)];
  }

  void project(const std::vector<int>& members, RealPoints& points) const {
    points.dimensions = members.size();
    points.values.resize(size() * points.dimensions);
    double* to = points.values.data();
    for (std::size_t g = 0; g < size(); ++g) {
      for (const int t : members) *to++ = values_[g * width_ + static_cast<std::size_t>(t)];
    }
  }

 private:
  std::size_t width_;
  std::vector<double> values_;  // of the distinct vectors, one after the other
};

/// Above this many distinct vectors, CLARA replaces PAM, with samples of max(`sample`, 40 + 2k) of them.
struct ClusterLimits {
  std::size_t most = 5000, sample = 1000;
};

namespace detail {

template <class D>
std::vector<int> keep_distinct(BitPoints<D>& points) {
  return keep_distinct(points.bits, points.words);
}
inline std::vector<int> keep_distinct(RealPoints& points) { return keep_distinct(points.values, points.dimensions); }

// The first points that the vectors meet in each order.
inline std::vector<std::vector<int>> draw_samples(const std::vector<std::vector<int>>& orders,
                                                  const std::vector<int>& point_of, std::size_t n_points,
                                                  std::size_t size) {
  std::vector<std::vector<int>> samples;
  for (const std::vector<int>& order : orders) {
    std::vector<char> taken(n_points, 0);
    std::vector<int> sample;
    for (std::size_t i = 0; i < order.size() && sample.size() < size; ++i) {
      const int p = point_of[static_cast<std::size_t>(order[i])];
      if (!taken[static_cast<std::size_t>(p)]) sample.push_back(p);
      taken[static_cast<std::size_t>(p)] = 1;
    }
    std::sort(sample.begin(), sample.end());
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace detail

/// The clustering of groups of targets, for one thread.
template <class Vectors, class Points>
class GroupClusterer {
 public:
  GroupClusterer(const Vectors& vectors, const std::vector<std::vector<int>>& orders, ClusterLimits limits)
      : vectors_(vectors), orders_(orders), limits_(limits) {}

  /// The cluster (from 0) of each distinct vector, restricted to these members (ascending).
  std::vector<int> cluster(const std::vector<int>& members, std::size_t k) {
    vectors_.project(members, points_);
    std::vector<int> result = detail::keep_distinct(points_);
    const std::size_t n = points_.size();
    weight_.assign(n, 0);
    for (std::size_t g = 0; g < result.size(); ++g) weight_[static_cast<std::size_t>(result[g])] += vectors_.count[g];
    if (k < n) {
      std::vector<std::vector<int>> samples;
      if (n > limits_.most) samples = detail::draw_samples(orders_, result, n, std::max(limits_.sample, 40 + 2 * k));
      const std::vector<int> id = k_medoids(points_, weight_, k, samples, matrix_);
      for (int& g : result) g = id[static_cast<std::size_t>(g)];
    }
    return result;
  }

 private:
  const Vectors& vectors_;
  const std::vector<std::vector<int>>& orders_;
  ClusterLimits limits_;
  Points points_;
  std::vector<int> weight_;
  std::vector<typename Points::Distance> matrix_;
};

/// The targets of Group-JMI. Sechidis, Spyromitros-Xioufis & Vlahavas (2019), Algorithm 1: for each group of targets
/// the cluster, from 0, of every distinct target vector. Clusters are in the lexicographic order of their medoids.
///
/// members  ascending, by group; each group has `clusters` medoids, or as many as its members have distinct vectors
/// orders   permutations of the distinct vectors, one for each sample of CLARA
template <class Points, class Vectors>
std::vector<std::vector<int>> cluster_groups(const Vectors& vectors, const std::vector<std::vector<int>>& members,
                                             const std::vector<int>& clusters,
                                             const std::vector<std::vector<int>>& orders, ClusterLimits limits,
                                             const Context& context) {
  const double n = static_cast<double>(std::min(vectors.size(), limits.most));
  const double work = static_cast<double>(members.size()) * n * (n + 20);
  // Each thread holds a full distance matrix: use no more threads than fit into half a gigabyte.
  Context bounded = context;
  const double matrices = std::max(1.0, 536870912.0 / (n * n * sizeof(typename Points::Distance) + 1));
  bounded.threads = std::max(1, std::min(choose_threads(context, work), static_cast<int>(std::min(matrices, 1e6))));
  using Clusterer = GroupClusterer<Vectors, Points>;
  std::vector<std::vector<int>> result(members.size());
  const auto make = [&] { return Clusterer(vectors, orders, limits); };
  parallel_each(bounded, members.size(), work, make, [&](Clusterer& clusterer, std::size_t i) {
    result[i] = clusterer.cluster(members[i], static_cast<std::size_t>(clusters[i]));
  });
  return result;
}

}  // namespace mlsift
