#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../distance/neighbors.h"
#include "../distance/row_sums.h"
#include "../graph/label_graph.h"

namespace mlsift {

/// GMBA. Yan & Li (2016), ECML PKDD, LNAI 9851, eqs. 8 and 13 to 16: descent, row after row, on
///
///   Loss(i) = sum_{j in nb(i)} s_ij |x_i - x_j|^2_w
///             + lambda sum_{j in nb(i)} sum_{u in dissim(i)}
///                 (s_ij - s_iu) max(0, m(i) + |x_i - x_j|^2_w - |x_i - x_u|^2_w)
///
/// sim(i)   rows with s >= s_min, dissim(i) the others; nb(i) the k nearest of sim(i);
///          m(i) = ||x_i - nearest of sim|^2 - |x_i - nearest of dissim|^2|. Distances and the test of what is active
///          are unweighted. So the gradient is 2 w o c_i with coefficients c_i that do not depend on w. Several threads
///          compute these first, in any order.
/// active   |x_i - x_u|^2 < (m(i) + |x_i - x_j|^2) (1 - 1e-10): the nearest of dissim often lies exactly on the border,
///          where rounding must not decide
/// code     the published program (2016): s_ij of the pull term is read at the place of j within sim(i); the h-th
///          nearest neighbor counts k - h + 1 times; rows need k dissimilar ones
/// edge     rows with fewer than k similar rows or without a dissimilar one do not count; a gradient of 0 moves nothing
/// cost     for each row that counts all distances, then the active pairs: O(N d), sparse in the entries visited
struct GmbaOptions {
  std::size_t neighbors = 3;
  double s_min = 1, lambda = 1, step = 0.9;
  bool code2016 = false;
};

/// Which sets are similar to a set.
class SimilarSets {
 public:
  SimilarSets(const LabelGraph& graph, double s_min) : graph_(graph), s_(graph), s_min_(s_min) {}

  void load(std::size_t g) {
    s_.load(g);
    similar_.clear();
    if (s_min_ > 1 - tolerance) {
      if (!graph_.empty(g)) similar_.push_back(static_cast<int>(g));
      return;
    }
    for (const int other : s_.touched()) {
      if (s_[static_cast<std::size_t>(other)] >= s_min_ - tolerance) similar_.push_back(other);
    }
  }

  /// To a row of set g, of a row of set `other`.
  double operator[](std::size_t other) const { return s_[other]; }
  const std::vector<int>& similar() const { return similar_; }

 private:
  static constexpr double tolerance = 1e-12;
  const LabelGraph& graph_;
  SimilarityRow s_;
  double s_min_;
  std::vector<int> similar_;
};

/// For each set whether its rows have enough similar and dissimilar ones.
inline std::vector<char> gmba_qualified(const LabelGraph& graph, const GmbaOptions& options, const Context& context) {
  Poll poll(context);
  SimilarSets sets(graph, options.s_min);
  std::vector<char> result(graph.size(), 0);
  const double k = static_cast<double>(options.neighbors), n = static_cast<double>(graph.n_rows());
  for (std::size_t g = 0; g < graph.size(); ++g) {
    poll(g, graph.size());
    sets.load(g);
    double similar = 0;
    for (const int other : sets.similar()) similar += graph.count(static_cast<std::size_t>(other));
    result[g] = similar - 1 >= k && n - similar >= (options.code2016 ? k : 1);
  }
  return result;
}

/// c_i as weights of the other rows: c_i = sum_u B_iu (x_i - x_u)^2. Scratch space of one thread.
template <class Rows>
class GmbaWeights {
 public:
  GmbaWeights(const Rows& rows, const LabelGraph& graph, const GmbaOptions& options)
      : rows_(rows),
        graph_(graph),
        options_(options),
        sets_(graph, options.s_min),
        limit_(options.neighbors),
        begin_count_(options.neighbors),
        begin_sum_(options.neighbors) {}

  /// The neighbors, nearest first, and the active dissimilar rows, increasing, those that equal row i left out.
  /// `distance`: of all rows from row i; it is changed.
  void weigh(std::size_t i, double* distance, std::vector<WeightedRow>& near, std::vector<WeightedRow>& far) {
    if (graph_.group(i) != loaded_) sets_.load(loaded_ = graph_.group(i));
    find_hits(i, distance);
    const double margin = std::fabs(hits_[0].distance - nearest(i, distance));
    for (std::size_t h = 0; h < limit_.size(); ++h) limit_[h] = (margin + hits_[h].distance) * (1 - 1e-10);
    push(i, distance, far);
    pull(i, near);
  }

 private:
  // The k nearest similar rows, nearest first; similar rows and row i itself leave the distances.
  void find_hits(std::size_t i, double* distance) {
    const std::size_t k = options_.neighbors;
    hits_.clear();
    distance[i] = infinite;
    for (const int g : sets_.similar()) {
      const int* const end = graph_.rows_end(static_cast<std::size_t>(g));
      for (const int* row = graph_.rows_begin(static_cast<std::size_t>(g)); row != end; ++row) {
        double& d = distance[*row];
        if (static_cast<std::size_t>(*row) != i) hits_.push_back({d, *row});
        d = infinite;
      }
    }
    if (options_.code2016) similar_rows_ = hits_;
    const auto kth = hits_.begin() + static_cast<std::ptrdiff_t>(k - 1);
    if (!Rows::exact_distances) keep_candidates(i, k);
    std::nth_element(hits_.begin(), kth, hits_.end());
    std::sort(hits_.begin(), kth + 1);
    hits_.resize(k);
  }

  // Those that may be among the k nearest, with their exact distances.
  void keep_candidates(std::size_t i, std::size_t k) {
    upper_.clear();
    for (const Neighbor& hit : hits_)
      upper_.push_back(hit.distance + rows_.error(i, static_cast<std::size_t>(hit.row)));
    std::nth_element(upper_.begin(), upper_.begin() + static_cast<std::ptrdiff_t>(k - 1), upper_.end());
    const double limit = upper_[k - 1];
    std::size_t kept = 0;
    for (const Neighbor& hit : hits_) {
      const std::size_t row = static_cast<std::size_t>(hit.row);
      if (hit.distance - rows_.error(i, row) <= limit) hits_[kept++] = {rows_.exact(i, row), hit.row};
    }
    hits_.resize(kept);
  }

  double nearest(std::size_t i, const double* distance) const {
    const std::size_t n = graph_.n_rows();
    if (Rows::exact_distances) return *std::min_element(distance, distance + n);
    double limit = infinite, result = infinite;
    for (std::size_t u = 0; u < n; ++u) {
      if (distance[u] < limit) limit = std::min(limit, distance[u] + rows_.error(i, u));
    }
    for (std::size_t u = 0; u < n; ++u) {
      if (distance[u] - rows_.error(i, u) <= limit) result = std::min(result, rows_.exact(i, u));
    }
    return result;
  }

  double times(std::size_t h) const { return options_.code2016 ? static_cast<double>(options_.neighbors - h) : 1; }
  double similarity(const Neighbor& hit) const { return sets_[graph_.group(static_cast<std::size_t>(hit.row))]; }

  // Limits increase with the neighbor: a row active for one is active for all that follow.
  void push(std::size_t i, const double* distance, std::vector<WeightedRow>& result) {
    const std::size_t k = options_.neighbors;
    result.clear();
    std::fill(begin_count_.begin(), begin_count_.end(), 0.0);
    std::fill(begin_sum_.begin(), begin_sum_.end(), 0.0);
    const double top = limit_[k - 1];
    for (std::size_t u = 0; u < graph_.n_rows(); ++u) {
      const double error = Rows::exact_distances ? 0 : rows_.error(i, u);
      if (!(distance[u] - error < top)) continue;
      double d = distance[u];
      if (!Rows::exact_distances && (d <= error || on_border(d, error))) d = rows_.exact(i, u);
      if (!(d < top)) continue;
      std::size_t first = 0;
      while (!(d < limit_[first])) ++first;
      const double s = sets_[graph_.group(u)];
      ++begin_count_[first];
      begin_sum_[first] += s;
      double weight = 0;
      for (std::size_t h = first; h < k; ++h) weight -= options_.lambda * times(h) * (similarity(hits_[h]) - s);
      if (weight != 0 && d > 0) result.push_back({static_cast<int>(u), weight});
    }
  }

  bool on_border(double d, double error) const {
    return std::any_of(limit_.begin(), limit_.end(), [&](double limit) { return std::fabs(d - limit) <= error; });
  }

  void pull(std::size_t i, std::vector<WeightedRow>& result) const {
    double active = 0, sum = 0;
    result.clear();
    for (std::size_t h = 0; h < options_.neighbors; ++h) {
      active += begin_count_[h];
      sum += begin_sum_[h];
      const double s = similarity(hits_[h]), own = options_.code2016 ? misread(i, hits_[h].row) : s;
      result.push_back({hits_[h].row, times(h) * (own + options_.lambda * (s * active - sum))});
    }
  }

  double misread(std::size_t i, int row) const {
    std::size_t place = 0;
    for (const Neighbor& hit : similar_rows_) place += hit.row < row;
    return place == i ? 0 : sets_[graph_.group(place)];
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();

  const Rows& rows_;
  const LabelGraph& graph_;
  const GmbaOptions options_;
  SimilarSets sets_;
  std::size_t loaded_ = static_cast<std::size_t>(-1);
  std::vector<Neighbor> hits_, similar_rows_;
  std::vector<double> upper_, limit_;
  std::vector<double> begin_count_, begin_sum_;  // of the rows that become active with the h-th neighbor
};

/// The coefficients c of these rows, one after the other: rows.size() x d.
template <class Rows>
void gmba_coefficients(const Rows& rows, const LabelGraph& graph, const GmbaOptions& options,
                       const std::vector<int>& chosen, const Context& context, std::vector<double>& result) {
  const std::size_t d = rows.n_features(), most = Rows::block_rows;
  result.resize(chosen.size() * d);
  std::vector<std::size_t> order(chosen.size());  // rows of the same set together, which share similarities
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return graph.group(static_cast<std::size_t>(chosen[a])) < graph.group(static_cast<std::size_t>(chosen[b]));
  });

  struct Scratch {
    GmbaWeights<Rows> weights;
    typename Rows::Scratch rows;
    std::vector<std::vector<WeightedRow>> near, far;
  };
  const std::size_t blocks = (chosen.size() + most - 1) / most;
  const double work =
      static_cast<double>(chosen.size()) * (rows.work_per_row() * 1.5 + 4 * static_cast<double>(rows.n_rows()));
  const auto make = [&] {
    const std::vector<std::vector<WeightedRow>> none(most);
    return Scratch{GmbaWeights<Rows>(rows, graph, options), typename Rows::Scratch(), none, none};
  };
  parallel_each(context, blocks, work, make, [&](Scratch& s, std::size_t b) {
    int row[Rows::block_rows] = {};
    double* to[Rows::block_rows] = {};
    const std::size_t size = std::min(most, order.size() - b * most);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t p = order[b * most + i];
      row[i] = chosen[p];
      to[i] = result.data() + p * d;
    }
    rows.measure(s.rows, row, size);
    for (std::size_t i = 0; i < size; ++i) {
      s.weights.weigh(static_cast<std::size_t>(row[i]), rows.distance(s.rows, i), s.near[i], s.far[i]);
    }
    rows.sum_squares(s.rows, row, s.far, size, to);
    for (std::size_t i = 0; i < size; ++i) {
      for (const WeightedRow& neighbor : s.near[i])
        rows.add_difference(static_cast<std::size_t>(row[i]), neighbor, to[i]);
    }
  });
}

/// The descent on the feature weights w, which begin with 1.
class GmbaDescent {
 public:
  GmbaDescent(std::size_t d, const GmbaOptions& options) : weight_(d, 1.0), step_(options.step) {}

  void move(const double* c) {
    double squares = 0;
    for (std::size_t f = 0; f < weight_.size(); ++f) squares += (weight_[f] * c[f]) * (weight_[f] * c[f]);
    if (!(squares > 0)) return;
    const double by = step_ / std::sqrt(squares);
    for (std::size_t f = 0; f < weight_.size(); ++f) weight_[f] -= by * (weight_[f] * c[f]);
  }

  const std::vector<double>& weight() const { return weight_; }

 private:
  std::vector<double> weight_;
  double step_;
};

/// The feature weights after the rows of `orders` (an epoch each; rows that do not qualify left out). Coefficients are
/// kept from epoch to epoch if all fit into `most_values`, else recomputed, that many rows at a time.
template <class Rows>
std::vector<double> gmba(const Rows& rows, const LabelGraph& graph, const GmbaOptions& options,
                         const std::vector<std::vector<int>>& orders, std::size_t most_values, const Context& context) {
  const std::size_t d = rows.n_features(), most = std::max<std::size_t>(64, most_values / std::max<std::size_t>(d, 1));
  GmbaDescent descent(d, options);
  std::vector<double> c;
  std::vector<int> chosen;
  for (const std::vector<int>& order : orders) chosen.insert(chosen.end(), order.begin(), order.end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (chosen.size() <= most) {
    gmba_coefficients(rows, graph, options, chosen, context, c);
    std::vector<std::size_t> slot(rows.n_rows());
    for (std::size_t p = 0; p < chosen.size(); ++p) slot[static_cast<std::size_t>(chosen[p])] = p;
    for (const std::vector<int>& order : orders) {
      for (const int i : order) descent.move(c.data() + slot[static_cast<std::size_t>(i)] * d);
    }
    return descent.weight();
  }
  for (const std::vector<int>& order : orders) {
    for (std::size_t from = 0; from < order.size(); from += most) {
      const std::size_t to = std::min(order.size(), from + most);
      chosen.assign(order.begin() + static_cast<std::ptrdiff_t>(from), order.begin() + static_cast<std::ptrdiff_t>(to));
      gmba_coefficients(rows, graph, options, chosen, context, c);
      for (std::size_t p = 0; p < chosen.size(); ++p) descent.move(c.data() + p * d);
    }
  }
  return descent.weight();
}

}  // namespace mlsift
