#include "context.h"
#include "convert.h"
#include "path.h"

#include <mlsift/criteria/correlation.h>
#include <mlsift/criteria/ml_cfs.h>
#include <mlsift/search/rank.h>

namespace {

mlsift::MlCfsState state_of(SEXP state) {
  mlsift::MlCfsState result;
  if (Rf_isNull(state)) return result;
  const Rcpp::List list(state);
  result.correlation = Rcpp::as<std::vector<double>>(list["correlation"]);
  result.relevance = list["relevance"];
  result.pairs = list["pairs"];
  result.n_selected = list["n_selected"];
  return result;
}

Rcpp::List as_list(const mlsift::MlCfsState& state) {
  return Rcpp::List::create(Rcpp::_["correlation"] = state.correlation, Rcpp::_["relevance"] = state.relevance,
                            Rcpp::_["pairs"] = state.pairs, Rcpp::_["n_selected"] = state.n_selected);
}

}  // namespace

// ML-CFS. `n_levels` as in cpp_score_correlation(); `y`: labels (then `y_levels` is empty), or a double matrix of
// numbers (levels 0) and level numbers; `weights`: of the rows, or NULL; `rising`: stop when no feature raises the
// merit. The rest as in cpp_greedy().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_select_ml_cfs(SEXP x, const std::vector<int>& n_levels, SEXP y, const std::vector<int>& y_levels,
                             SEXP weights, bool rising, const Rcpp::List& options, SEXP state, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Context context = mlsift_glue::context(threads);
  return mlsift_glue::guarded([&] {
    const double* const of_rows = mlsift_glue::real_weights(weights);
    const mlsift::Correlations data(features, n_levels, context, of_rows);
    std::vector<double> relevance(features.size(), 0.0);
    int q = static_cast<int>(y_levels.size());
    if (y_levels.empty()) {
      const mlsift::LabelMatrix all = mlsift_glue::labels_of(y);
      const mlsift::Targets labels = mlsift::targets_of(all, mlsift::labels_that_occur(all));
      relevance =
          mlsift::score_features(features, mlsift::Correlation(features, labels, n_levels, true, of_rows), context);
      q = labels.n_classes;
    } else {
      const mlsift::Features targets = mlsift_glue::features_of(y);
      for (std::size_t t = 0; t < targets.size(); ++t) data.add(targets.columns[t], y_levels[t], relevance);
    }
    mlsift::MlCfs merit(data, relevance, q, state_of(state));
    mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
    if (rising) wanted.accepts = [&](const mlsift::GreedyStep& step) { return merit.raises(step.score); };
    Rcpp::List result =
        mlsift_glue::as_list(mlsift::greedy(merit, features.size(), wanted, context, !Rf_isNull(state)));
    result["state"] = as_list(merit.state());
    result["relevance"] = relevance;
    return result;
  });
}
