#ifndef MLSIFT_SEARCH_RANK_H
#define MLSIFT_SEARCH_RANK_H

#include <vector>

#include "../core/parallel.h"
#include "../data/column.h"

namespace mlsift {

/// The ranking driver: one score for each feature, features independent of each other.
///
/// A criterion has a type Scratch (made from the number of rows, one for each thread), `score(column, scratch)`, and
/// `work(features)`, the elementary steps that scoring all features takes.
template <class Criterion>
auto score_features(const Features& features, const Criterion& criterion, const Context& context) {
  using Score = decltype(criterion.score(features.columns[0], std::declval<typename Criterion::Scratch&>()));
  const double work = criterion.work(features);
  std::vector<Score> scores(features.size());
  std::vector<typename Criterion::Scratch> scratch;
  for (std::size_t w = 0; w < worker_count(context, features.size(), work); ++w) scratch.emplace_back(features.n_rows);
  parallel_for(context, features.size(), work, [&](int worker, std::size_t begin, std::size_t end) {
    typename Criterion::Scratch& mine = scratch[static_cast<std::size_t>(worker)];
    for (std::size_t f = begin; f < end; ++f) scores[f] = criterion.score(features.columns[f], mine);
  });
  return scores;
}

}  // namespace mlsift

#endif
