#ifndef MLSIFT_LEARN_BRKNN_H
#define MLSIFT_LEARN_BRKNN_H

#include <cstddef>
#include <vector>

namespace mlsift {

/// BR-kNN. Spyromitros, Tsoumakas & Vlahavas (2008), SETN, 401-406: psi_l = C(l) / k, the share of the
/// neighbors that have the label. The same for all labels, [l * (k + 1) + C].
inline std::vector<double> brknn_scores(std::size_t q, std::size_t k) {
  std::vector<double> scores(q * (k + 1));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = static_cast<double>(i % (k + 1)) / static_cast<double>(k);
  }
  return scores;
}

}  // namespace mlsift

#endif
