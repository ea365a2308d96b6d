#ifndef MLSIFT_LEARN_MLKNN_H
#define MLSIFT_LEARN_MLKNN_H

#include "neighbor_labels.h"

#include <cstddef>
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

/// The leave-one-out counts on each prefix of the features.
template <class Distances>
std::vector<MlknnCounts> mlknn_counts(const Context& context, const Distances& distances, std::size_t k,
                                      const std::vector<std::size_t>& prefixes, const KnownLabels& labels) {
  const std::size_t q = labels.n_labels(), size = q * (k + 1);
  enum : char { off, on, unknown };
  struct Worker {
    KnownCounter counter;
    std::vector<MlknnCounts> counts;
    std::vector<MlknnCounts> lonely;  // rows for which l is unknown in all neighbors, [l]
    std::vector<char> own;
  };
  const auto zeros = [&](std::size_t length) {
    return std::vector<MlknnCounts>(prefixes.size(), {std::vector<int>(length, 0), std::vector<int>(length, 0)});
  };
  const Worker scratch{KnownCounter(labels, k), zeros(size), zeros(labels.unknown ? q : 0), std::vector<char>(q, off)};
  const std::vector<Worker> workers =
      nearest(context, distances, k, prefixes, true, scratch,
              [&](Worker& mine, std::size_t p, std::size_t row, const Neighbor* neighbors) {
                const auto mark = [&](const Targets& cells, char value) {
                  for (const int* l = cells.begin(row); l != cells.end(row); ++l)
                    mine.own[static_cast<std::size_t>(*l)] = value;
                };
                mark(labels.on, on);
                if (labels.unknown) mark(*labels.unknown, unknown);
                mine.counter.count(
                    neighbors,
                    [&](std::size_t l, std::size_t j) {
                      if (mine.own[l] == unknown) return;
                      ++(mine.own[l] ? mine.counts[p].with : mine.counts[p].without)[l * (k + 1) + j];
                    },
                    [&](std::size_t l, std::size_t, std::size_t u) {
                      if (u < k || mine.own[l] == unknown) return;
                      ++(mine.own[l] ? mine.lonely[p].with : mine.lonely[p].without)[l];
                    });
                mark(labels.on, off);
                if (labels.unknown) mark(*labels.unknown, off);
              });

  std::vector<MlknnCounts> total = zeros(size);
  for (std::size_t p = 0; p < prefixes.size(); ++p) {
    for (const Worker& worker : workers) {
      for (std::size_t i = 0; i < size; ++i) {
        total[p].with[i] += worker.counts[p].with[i];
        total[p].without[i] += worker.counts[p].without[i];
      }
    }
    for (std::size_t l = 0; l < q; ++l) {  // the rows not counted have no neighbor with the label
      int* with = total[p].with.data() + l * (k + 1);
      int* without = total[p].without.data() + l * (k + 1);
      with[0] = labels.with(l);
      without[0] = labels.known(l) - labels.with(l);
      for (std::size_t j = 1; j <= k; ++j) with[0] -= with[j], without[0] -= without[j];
      if (!labels.unknown) continue;
      for (const Worker& worker : workers) {
        with[0] -= worker.lonely[p].with[l], without[0] -= worker.lonely[p].without[l];
      }
    }
  }
  return total;
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

#endif
