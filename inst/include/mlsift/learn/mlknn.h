#pragma once

#include "neighbor_labels.h"

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace mlsift {

/// ML-kNN. Zhang & Zhou (2007), Pattern Recognition 40:2038-2048. C = C(l), neighbors that have label l:
///
///   psi_l = P(H) P(C|H) / (P(H) P(C|H) + P(not H) P(C|not H)),   P(H) = (s + n_l) / (2 s + N)
///   P(j|H) = (s + c_l[j]) / (s (k + 1) + sum_p c_l[p]),  and alike with the rows that lack the label
///
/// c_l[j]   training rows with l that have exactly j rows with l among their k nearest other training rows
/// edge     a label in no training row gives 0, one in all training rows gives 1; 0 / 0 (s = 0) gives P(H)
/// unknown  neighbors are found among all rows; N, n_l, C and c_l refer to the rows in which l is known. A row for
///          which l is unknown in all neighbors gives P(H), and is not in c_l
struct MlknnCounts {
  std::vector<int> with, without;  // [l * (k + 1) + j]
};

/// Counts rows by how many of their neighbors have a label, on each prefix of the features. For one thread.
class MlknnCounter {
 public:
  MlknnCounter(const KnownLabels& labels, std::size_t k, std::size_t prefixes)
      : labels_(labels), k_(k), counter_(labels, k), own_(labels.n_labels(), off) {
    const std::vector<int> zeros(labels.n_labels() * (k + 1), 0);
    counts_.assign(prefixes, {zeros, zeros});
  }

  void add_row(std::size_t p, std::size_t row, const Neighbor* neighbors) {
    mark(row, on, unknown);
    const auto add = [&](std::size_t l, std::size_t j) {
      if (own_[l] != unknown) ++(own_[l] == on ? counts_[p].with : counts_[p].without)[l * (k_ + 1) + j];
    };
    // Count 0 is left to counts(). In its place are the rows for which l is unknown in all neighbors.
    counter_.count(
        neighbors,
        [&](std::size_t l, std::size_t j) {
          if (j > 0) add(l, j);
        },
        [&](std::size_t l, std::size_t, std::size_t u) {
          if (u == k_) add(l, 0);
        });
    mark(row, off, off);
  }

  void operator+=(const MlknnCounter& other) {
    for (std::size_t p = 0; p < counts_.size(); ++p) {
      for (std::size_t i = 0; i < counts_[p].with.size(); ++i) {
        counts_[p].with[i] += other.counts_[p].with[i];
        counts_[p].without[i] += other.counts_[p].without[i];
      }
    }
  }

  /// Of all rows, once they are added.
  std::vector<MlknnCounts> counts() const {
    std::vector<MlknnCounts> result = counts_;
    for (MlknnCounts& one : result) {
      for (std::size_t l = 0; l < labels_.n_labels(); ++l) {
        const auto rest_at_zero = [&](std::vector<int>& counts, int rows) {
          int* const c = counts.data() + l * (k_ + 1);
          c[0] = std::accumulate(c, c + k_ + 1, rows, std::minus<>());
        };
        rest_at_zero(one.with, labels_.with(l));
        rest_at_zero(one.without, labels_.known(l) - labels_.with(l));
      }
    }
    return result;
  }

 private:
  enum : char { off, on, unknown };

  void mark(std::size_t row, char as_on, char as_unknown) {
    const auto set = [&](const Targets& cells, char value) {
      for (const int* l = cells.begin(row); l != cells.end(row); ++l) own_[static_cast<std::size_t>(*l)] = value;
    };
    set(labels_.on, as_on);
    if (labels_.unknown) set(*labels_.unknown, as_unknown);
  }

  const KnownLabels& labels_;
  std::size_t k_;
  KnownCounter counter_;
  std::vector<MlknnCounts> counts_;  // by prefix
  std::vector<char> own_;            // the labels of a row
};

/// The leave-one-out counts on each prefix of the features.
template <class Distances>
std::vector<MlknnCounts> mlknn_counts(const Context& context, const Distances& distances, std::size_t k,
                                      const std::vector<std::size_t>& prefixes, const KnownLabels& labels) {
  std::vector<MlknnCounter> workers =
      nearest(context, distances, k, prefixes, true, MlknnCounter(labels, k, prefixes.size()),
              [](MlknnCounter& mine, std::size_t p, std::size_t row, const Neighbor* neighbors) {
                mine.add_row(p, row, neighbors);
              });
  for (std::size_t w = 1; w < workers.size(); ++w) workers[0] += workers[w];
  return workers[0].counts();
}

/// P(H) of a label with n_l of N rows.
inline double mlknn_prior(int with, int known, double s) {
  if (with == 0 || with == known) return with == 0 ? 0 : 1;
  return (s + with) / (2 * s + known);
}

/// psi_l for every label and count, [l * (k + 1) + C]. `with` and `without` hold the counts of training.
inline std::vector<double> mlknn_scores(const int* with, const int* without, const KnownLabels& labels, std::size_t k,
                                        double s) {
  const std::size_t q = labels.n_labels();
  std::vector<double> scores(q * (k + 1));
  for (std::size_t l = 0; l < q; ++l) {
    const int* c1 = with + l * (k + 1);
    const int* c0 = without + l * (k + 1);
    double rows_with = 0, rows_without = 0;
    for (std::size_t j = 0; j <= k; ++j) rows_with += c1[j], rows_without += c0[j];
    const double smoothing = s * static_cast<double>(k + 1);
    const double prior = mlknn_prior(labels.with(l), labels.known(l), s);
    for (std::size_t j = 0; j <= k; ++j) {
      double& psi = scores[l * (k + 1) + j];
      const double yes = prior * ((s + c1[j]) / (smoothing + rows_with));
      const double no = (1 - prior) * ((s + c0[j]) / (smoothing + rows_without));
      psi = prior > 0 && prior < 1 && yes + no > 0 ? yes / (yes + no) : prior;
    }
  }
  return scores;
}

}  // namespace mlsift
