#include "context.h"
#include "convert.h"
#include "path.h"

#include <mlsift/criteria/ml_cfs.h>

namespace {

mlsift::MlCfsState state_of(SEXP state) {
  if (Rf_isNull(state)) return {};
  const Rcpp::List list(state);
  return {Rcpp::as<std::vector<double>>(list["correlation"]), list["relevance"], list["pairs"], list["n_selected"]};
}

Rcpp::List as_list(const mlsift::MlCfsState& state) {
  return Rcpp::List::create(Rcpp::_["correlation"] = state.correlation, Rcpp::_["relevance"] = state.relevance,
                            Rcpp::_["pairs"] = state.pairs, Rcpp::_["n_selected"] = state.n_selected);
}

}  // namespace

// The sums of |r| with the targets. `n_levels` and `weights` as in cpp_score_correlation(); `y`: a double matrix of
// numbers (levels 0) and level numbers.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_correlation_sums(const mlsift::Features& x, const std::vector<int>& n_levels,
                                         const mlsift::Features& y, const std::vector<int>& y_levels, SEXP weights,
                                         const mlsift::Context& context) {
  return mlsift_glue::guarded([&] {
    const mlsift::Correlations data(x, n_levels, context, mlsift_glue::real_weights(weights));
    std::vector<double> sums(x.size(), 0.0);
    for (std::size_t t = 0; t < y.size(); ++t) data.add(y.columns[t], y_levels[t], sums);
    return sums;
  });
}

// ML-CFS. `relevance`: the sum of |r| with the `q` targets, by feature; `rising`: stop when no feature raises the
// merit. The rest as in cpp_correlation_sums() and cpp_greedy().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_select_ml_cfs(const mlsift::Features& x, const std::vector<int>& n_levels,
                             const std::vector<double>& relevance, int q, SEXP weights, bool rising,
                             const Rcpp::List& options, SEXP state, const mlsift::Context& context) {
  return mlsift_glue::guarded([&] {
    const mlsift::Correlations data(x, n_levels, context, mlsift_glue::real_weights(weights));
    mlsift::MlCfs merit(data, relevance, q, state_of(state));
    mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
    if (rising) wanted.accepts = [&](const mlsift::GreedyStep& step) { return merit.raises(step.score); };
    Rcpp::List result = mlsift_glue::as_list(mlsift::greedy(merit, x.size(), wanted, context, !Rf_isNull(state)));
    result["state"] = as_list(merit.state());
    result["relevance"] = relevance;
    return result;
  });
}
