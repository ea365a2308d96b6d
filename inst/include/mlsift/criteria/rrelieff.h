#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../distance/label_bits.h"
#include "../distance/row_scan.h"
#include "reference_weights.h"

namespace mlsift {

/// RReliefF. Robnik-Sikonja & Kononenko (2003), Machine Learning 53, eq. 11-16. Neighbor j of rank r of each
/// of m reference rows i weighs d_ij, in proportion to exp(-(r / sigma)^2) and 1 in all over the k neighbors of i:
///
///   W_f = N_Cf / N_C - (N_f - N_Cf) / (m - N_C),   N_C = sum d_ij delta_ij,   N_f = sum d_ij diff_f,   N_Cf = sum d_ij
///   delta_ij diff_f
///
/// and J(f) is the mean over the targets, each with its own difference delta in [0, 1]. W is linear in diff_f, so the
/// pair (i, j) has one weight for all targets, d_ij mean_t [delta_t / N_C - (1 - delta_t) / (m - N_C)].
///
/// Row weights multiply d_ij, which sum to 1 over the k neighbors again; reference row i counts by its weight, and m is
/// the sum of these.
///
/// edge   a target with N_C = 0 is skipped; N_C = m: no second term. m - N_C is summed as such, so that it is 0 when it
/// is.
class NearestRows {
 public:
  explicit NearestRows(std::size_t k) : k_(k) {}

  class Quotas {
   public:
    explicit Quotas(const NearestRows& nearest) : k_(nearest.k_) {}
    void start(std::size_t, const double*, RowPairs&) { left_ = k_; }
    bool full() const { return left_ == 0; }
    bool wants(std::size_t) const { return true; }
    void take(std::size_t row, RowPairs& pairs) {
      pairs.add(row, 0);
      --left_;
    }
    void finish(RowPairs&) {}

   private:
    std::size_t k_, left_ = 0;
  };

  std::size_t expected() const { return 3 * k_; }

 private:
  std::size_t k_;
};

/// RReliefF: delta = |y_i - y_j| / range, target by target.
struct NumericTargets {
  std::vector<const double*> y;
  std::vector<double> factor;  // 1 / range

  std::size_t size() const { return y.size(); }
  double delta(std::size_t t, std::size_t i, std::size_t j) const {
    return std::min(1.0, std::fabs(y[t][i] - y[t][j]) * factor[t]);
  }
};

/// RReliefF-ML, Reyes, Morell & Ventura (2015): one target, delta = the share of labels in which rows
/// differ.
struct LabelSetTarget {
  LabelBits bits;
  double n_labels;

  std::size_t size() const { return 1; }
  double delta(std::size_t, std::size_t i, std::size_t j) const { return bits.difference(i, j) / n_labels; }
};

/// d_ij by rank; exponents are taken from that of the first rank, so that this one never vanishes.
inline std::vector<double> rank_weights(std::size_t k, double sigma) {
  std::vector<double> weight(k);
  double sum = 0;
  for (std::size_t r = 0; r < k; ++r) {
    const double more = static_cast<double>(r * (r + 2));  // (r + 1)^2 - 1
    sum += weight[r] = std::exp(-more / sigma / sigma);
  }
  for (double& w : weight) w /= sum;
  return weight;
}

namespace detail {

// The weights of all pairs, those of k neighbors for each reference row; returns how many targets are not skipped.
template <class Target>
int weigh_pairs(RowPairs& pairs, const std::vector<double>& by_rank, const ReferenceWeights& weights,
                const Target& target) {
  const std::size_t k = by_rank.size();
  std::vector<double> by_pair;  // d_ij of rows with weights
  for (std::size_t i = 0; weights.weights && i < pairs.size(); ++i) {
    double sum = 0;
    for (std::size_t r = 0; r < k; ++r) sum += by_rank[r] * weights[pairs.row[i * k + r]];
    for (std::size_t r = 0; r < k; ++r)
      by_pair.push_back(by_rank[r] * weights[pairs.row[i * k + r]] * (weights[pairs.reference[i]] / sum));
  }
  const auto each = [&](auto visit) {
    for (std::size_t p = 0; p < pairs.row.size(); ++p) {
      visit(p, pairs.reference[p / k], pairs.row[p], by_pair.empty() ? by_rank[p % k] : by_pair[p]);
    }
  };
  int used = 0;
  for (std::size_t t = 0; t < target.size(); ++t) {
    double differ = 0, agree = 0;  // N_C and m - N_C
    each([&](std::size_t, std::size_t i, std::size_t j, double w) {
      const double delta = target.delta(t, i, j);
      differ += w * delta;
      agree += w * (1 - delta);
    });
    if (differ == 0) continue;
    ++used;
    const double per_differ = 1 / differ, per_agree = agree > 0 ? 1 / agree : 0;
    each([&](std::size_t p, std::size_t i, std::size_t j, double w) {
      const double delta = target.delta(t, i, j);
      pairs.weight[p] += w * (delta * per_differ - (1 - delta) * per_agree);
    });
  }
  for (double& w : pairs.weight) w /= std::max(used, 1);
  return used;
}

}  // namespace detail

/// The scores of all features. `used`, unless null, gets the number of targets that are not skipped. Keeps the
/// neighbors of all reference rows: m k pairs.
template <class Distances, class Differences, class Target>
std::vector<double> rrelieff_scores(const Context& context, const Distances& distances, const Differences& differences,
                                    const std::vector<std::size_t>& rows, std::size_t k, double sigma,
                                    const ReferenceWeights& weights, const Target& target, int* used = nullptr) {
  const std::size_t d = differences.n_features(), m = rows.size(), slices = relief_slices(distances, d);
  RowPairs all;
  all.reference = rows;
  all.row.resize(m * k);
  all.weight.assign(m * k, 0.0);
  for (std::size_t i = 0; i < m; ++i) all.start.push_back((i + 1) * k);
  const double search = distances.work(d) + 4.0 * static_cast<double>(m * distances.n_train());
  scan_rows(context, distances, rows, d, NearestRows(k), search, slices,
            [&](int, std::size_t, std::size_t first, const RowPairs& pairs) {
              std::copy(pairs.row.begin(), pairs.row.end(), all.row.begin() + static_cast<std::ptrdiff_t>(first * k));
            });
  const int targets = detail::weigh_pairs(all, rank_weights(k, sigma), weights, target);
  if (used) *used = targets;
  const double work = static_cast<double>(m * k) * differences.work_per_pair();
  std::vector<double> partial(slices * d, 0.0);
  using Scratch = typename Differences::Scratch;
  parallel_each(
      context, slices, work, [] { return Scratch(); },
      [&](Scratch& scratch, std::size_t s) {
        differences.add(all, s * m / slices, (s + 1) * m / slices, partial.data() + s * d, scratch);
      });
  return add_slices(partial, d);
}

}  // namespace mlsift
