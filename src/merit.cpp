#include "context.h"
#include "convert.h"

#include <mlsift/criteria/correlation.h>
#include <mlsift/criteria/ml_cfs.h>

// ML-CFS: features added one at a time by the merit of the set. `n_levels` as in cpp_score_correlation(); `decrease`: stop
// when no feature raises the merit by more than rounding. Returns columns from 1 and the merits.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_select_ml_cfs(SEXP x, const std::vector<int>& n_levels, SEXP y, int k, bool decrease, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::LabelMatrix all = mlsift_glue::labels_of(y);
  const mlsift::Targets labels = mlsift::targets_of(all, mlsift::labels_that_occur(all));
  const mlsift::Context context = mlsift_glue::context(threads);
  std::vector<int> index;
  std::vector<double> score;
  mlsift_glue::guarded([&] {
    const std::vector<double> relevance = mlsift::score_features(features, mlsift::Correlation(features, labels, n_levels, true), context);
    mlsift::MlCfs merit(features, n_levels, relevance, labels.n_classes, context);
    std::vector<char> taken(features.size(), 0);
    while (static_cast<int>(index.size()) < k) {
      int best = -1;
      double highest = 0;
      for (std::size_t f = 0; f < features.size(); ++f) {
        if (taken[f]) continue;
        const double candidate = merit.score(static_cast<int>(f));
        if (best < 0 || candidate > highest) {
          best = static_cast<int>(f);
          highest = candidate;
        }
      }
      if (decrease && !score.empty() && highest <= score.back() * (1 + 1e-12)) break;
      taken[static_cast<std::size_t>(best)] = 1;
      index.push_back(best + 1);
      score.push_back(highest);
      if (context.poll(0)) throw mlsift::Interrupted();
      if (static_cast<int>(index.size()) < k) merit.add(best);
    }
    return 0;
  });
  return Rcpp::List::create(Rcpp::_["index"] = index, Rcpp::_["score"] = score);
}
