#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mlsift {

/// The sum of w_u max(0, limit_u - d_u).
template <class D, class Sum>
Sum weighted_excess(const D* d, const D* limit, const int* weight, std::size_t n) {
  Sum sum = 0;
  for (std::size_t u = 0; u < n; ++u) {
    const Sum excess = static_cast<Sum>(limit[u]) - static_cast<Sum>(d[u]);
    sum += excess > 0 ? weight[u] * excess : Sum(0);
  }
  return sum;
}

/// The same for distances and weights below 2^15 whose sum is below 2^31.
inline std::int64_t weighted_excess(const std::uint16_t* d, const std::uint16_t* limit, const std::int16_t* weight,
                                    std::size_t n) {
  std::int64_t sum = 0;
  std::size_t u = 0;
#if defined(__SSE2__)
  const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
  __m128i lanes = _mm_setzero_si128();
  for (; u + 8 <= n; u += 8) {
    lanes = _mm_add_epi32(lanes, _mm_madd_epi16(_mm_subs_epu16(load(limit + u), load(d + u)), load(weight + u)));
  }
  std::int32_t part[4];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(part), lanes);
  for (const std::int32_t p : part) sum += p;
#endif
  for (; u < n; ++u) {
    if (limit[u] > d[u]) sum += weight[u] * (limit[u] - d[u]);
  }
  return sum;
}

/// Partitioning around medoids (Kaufman & Rousseeuw 1990) of n points with integer weights, where a point of weight w
/// represents w equal ones: medoids m_1 .. m_k at a local optimum of
///
///   cost = sum_u w_u min_j d(u, m_j)
///
/// BUILD adds, one at a time, the point that lowers the cost most. SWAP exchanges the medoid and the other point whose
/// exchange lowers the cost most, as long as the cost falls. Ties: the point of lowest index, then the medoid of lowest
/// index. Distances are integers, and then all comparisons are exact, or doubles, summed in a fixed order.
///
/// cost     BUILD about 2 n^2 steps, since the gain of a point only falls as medoids are added, and few points are
///          evaluated again; a sweep of SWAP n^2, for all medoids at once (Schubert & Rousseeuw 2021)
template <class D>
class Pam {
 public:
  using Sum = std::conditional_t<std::is_integral_v<D>, std::int64_t, double>;

  /// `distance`: n x n, symmetric, 0 only on the diagonal.
  Pam(const D* distance, const std::vector<int>& weight, std::size_t k)
      : d_(distance), weight_(weight), n_(weight.size()), k_(std::min(k, n_)) {
    if constexpr (std::is_same_v<D, std::uint16_t>) narrow_weights();
  }

  /// The medoids, ascending.
  std::vector<int> medoids() {
    build();
    if (k_ > 1 && k_ < n_) {
      assign();
      while (swap()) assign();
    }
    std::sort(medoids_.begin(), medoids_.end());
    return medoids_;
  }

 private:
  const D* row(std::size_t x) const { return d_ + x * n_; }

  void narrow_weights() {
    const D farthest = *std::max_element(d_, d_ + n_ * n_);
    double total = 0;
    int most = 0;
    for (const int w : weight_) total += w, most = std::max(most, w);
    if (most < 32768 && farthest < 32768 && total * farthest < 2147483648.0)
      narrow_.assign(weight_.begin(), weight_.end());
  }

  Sum excess(std::size_t x, const std::vector<D>& limit) const {
    if constexpr (std::is_same_v<D, std::uint16_t>) {
      if (!narrow_.empty()) return weighted_excess(row(x), limit.data(), narrow_.data(), n_);
    }
    return weighted_excess<D, Sum>(row(x), limit.data(), weight_.data(), n_);
  }

  // With all points initially at the maximum distance from a medoid, the first step is like the others.
  void build() {
    near_.assign(n_, *std::max_element(d_, d_ + n_ * n_));
    struct Candidate {
      Sum gain;
      std::size_t point, step;
      bool operator<(const Candidate& other) const {
        return gain < other.gain || (!(other.gain < gain) && point > other.point);
      }
    };
    std::vector<Candidate> all;
    for (std::size_t x = 0; x < n_; ++x) all.push_back({excess(x, near_), x, 0});
    std::priority_queue<Candidate> queue(std::less<Candidate>(), std::move(all));
    medoids_.clear();
    while (medoids_.size() < k_) {
      Candidate best = queue.top();
      queue.pop();
      if (best.step < medoids_.size()) {
        best.gain = excess(best.point, near_);
        best.step = medoids_.size();
        queue.push(best);
        continue;
      }
      medoids_.push_back(static_cast<int>(best.point));
      for (std::size_t u = 0; u < n_; ++u) near_[u] = std::min(near_[u], row(best.point)[u]);
    }
  }

  // Distances to the nearest and second nearest medoid, and the cost of removing each medoid.
  void assign() {
    near_.assign(n_, 0);
    second_.assign(n_, 0);
    cluster_.assign(n_, 0);
    removal_.assign(k_, 0);
    cost_ = 0;
    for (std::size_t u = 0; u < n_; ++u) {
      D near = std::numeric_limits<D>::max(), second = near;
      for (std::size_t m = 0; m < k_; ++m) {
        const D d = row(u)[medoids_[m]];
        if (d < near) {
          second = near;
          near = d;
          cluster_[u] = static_cast<int>(m);
        } else if (d < second) {
          second = d;
        }
      }
      near_[u] = near;
      second_[u] = second;
      removal_[static_cast<std::size_t>(cluster_[u])] += weight_[u] * (static_cast<Sum>(second) - near);
      cost_ += weight_[u] * static_cast<Sum>(near);
    }
  }

  // The change in cost of exchanging each medoid for x.
  void exchange(std::size_t x) {
    const D* d = row(x);
    change_ = removal_;
    Sum shared = 0;
    for (std::size_t u = 0; u < n_; ++u) {
      if (d[u] >= second_[u]) continue;
      const Sum w = weight_[u], near = near_[u], at = d[u], second = second_[u];
      if (at < near) shared += w * (near - at);
      change_[static_cast<std::size_t>(cluster_[u])] -= w * (second - std::max(at, near));
    }
    for (Sum& c : change_) c -= shared;
  }

  // The exchange that lowers the cost most, if there is one.
  bool swap() {
    const std::vector<std::size_t> order = medoid_order();
    std::vector<char> is_medoid(n_, 0);
    for (const int m : medoids_) is_medoid[static_cast<std::size_t>(m)] = 1;
    const Sum cheapest = *std::min_element(removal_.begin(), removal_.end());
    Sum best = std::is_integral_v<D> ? Sum(0) : static_cast<Sum>(-1e-12 * static_cast<double>(cost_));
    std::size_t out = k_, in = 0;
    for (std::size_t x = 0; x < n_; ++x) {
      if (is_medoid[x] || (std::is_integral_v<D> && -std::min(excess(x, near_), excess(x, second_) - cheapest) >= best))
        continue;
      exchange(x);
      for (const std::size_t m : order) {
        if (change_[m] < best) {
          best = change_[m];
          out = m;
          in = x;
        }
      }
    }
    if (out == k_) return false;
    medoids_[out] = static_cast<int>(in);
    return true;
  }

  std::vector<std::size_t> medoid_order() const {
    std::vector<std::size_t> order(k_);
    for (std::size_t m = 0; m < k_; ++m) order[m] = m;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return medoids_[a] < medoids_[b]; });
    return order;
  }

  const D* d_;
  const std::vector<int>& weight_;
  std::size_t n_, k_;
  std::vector<std::int16_t> narrow_;
  std::vector<int> medoids_, cluster_;
  std::vector<D> near_, second_;
  std::vector<Sum> removal_, change_;
  Sum cost_ = 0;
};

/// A point set has `size()` and `distances(i, others, out)`, the distances of point i to others[0], others[1], ... .
/// Returns the medoid number of each point, with medoids in order of their index; the first of equally near ones.
template <class Points>
std::vector<int> nearest_medoid(const Points& points, const std::vector<int>& medoids, const std::vector<int>& weight,
                                typename Pam<typename Points::Distance>::Sum& cost) {
  std::vector<int> result(points.size());
  std::vector<typename Points::Distance> d(medoids.size());
  cost = 0;
  for (std::size_t u = 0; u < points.size(); ++u) {
    points.distances(static_cast<int>(u), medoids.data(), medoids.size(), d.data());
    const auto nearest = std::min_element(d.begin(), d.end());
    result[u] = static_cast<int>(nearest - d.begin());
    cost += weight[u] * static_cast<typename Pam<typename Points::Distance>::Sum>(*nearest);
  }
  return result;
}

/// PAM of some of the points (ascending). Returns medoids as numbers of points.
template <class Points>
std::vector<int> pam(const Points& points, const std::vector<int>& which, const std::vector<int>& weight, std::size_t k,
                     std::vector<typename Points::Distance>& matrix) {
  const std::size_t n = which.size();
  std::vector<int> own_weight;
  for (const int i : which) own_weight.push_back(weight[static_cast<std::size_t>(i)]);
  matrix.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    points.distances(which[i], which.data() + i, n - i, matrix.data() + i * n + i);
    for (std::size_t j = i + 1; j < n; ++j) matrix[j * n + i] = matrix[i * n + j];
  }
  std::vector<int> medoids = Pam<typename Points::Distance>(matrix.data(), own_weight, k).medoids();
  for (int& m : medoids) m = which[static_cast<std::size_t>(m)];
  return medoids;
}

/// Clusters of weighted points around medoids: PAM of all points, or with `samples` (lists of points, ascending) CLARA:
/// PAM of each sample, then the medoids of lowest cost over all points, the first in case of ties. `matrix`: scratch
/// space.
template <class Points>
std::vector<int> k_medoids(const Points& points, const std::vector<int>& weight, std::size_t k,
                           const std::vector<std::vector<int>>& samples,
                           std::vector<typename Points::Distance>& matrix) {
  typename Pam<typename Points::Distance>::Sum cost = 0, lowest = 0;
  if (samples.empty()) {
    std::vector<int> all(points.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return nearest_medoid(points, pam(points, all, weight, k, matrix), weight, cost);
  }
  std::vector<int> best;
  for (const std::vector<int>& sample : samples) {
    std::vector<int> found = nearest_medoid(points, pam(points, sample, weight, k, matrix), weight, cost);
    if (best.empty() || cost < lowest) {
      best = std::move(found);
      lowest = cost;
    }
  }
  return best;
}

}  // namespace mlsift
