#ifndef MLSIFT_SRC_PATH_H
#define MLSIFT_SRC_PATH_H

#include "convert.h"

#include <mlsift/search/greedy.h>

// The options of greedy selectors, and the path they return.

namespace mlsift_glue {

inline mlsift::GreedyOptions greedy_options(const Rcpp::List& options) {
  mlsift::GreedyOptions result;
  result.k = Rcpp::as<int>(options["k"]);
  result.begin = from_zero(options["begin"]);
  const std::vector<int> excluded = Rcpp::as<std::vector<int>>(options["excluded"]);
  result.excluded.assign(excluded.begin(), excluded.end());
  result.unscored = from_zero(options["unscored"]);
  result.min_gain = Rcpp::as<double>(options["min_gain"]);
  result.max_seconds = Rcpp::as<double>(options["max_seconds"]);
  result.score_rest = Rcpp::as<bool>(options["score_rest"]);
  if (!Rf_isNull(options["units"])) {
    const Rcpp::List units = options["units"];
    result.units.unit = from_zero(units["unit"]);
    result.units.size = Rcpp::as<std::vector<int>>(units["size"]);
    result.units.cost = Rcpp::as<std::vector<double>>(units["cost"]);
    result.units.max_cost = Rcpp::as<double>(units["max_cost"]);
  }
  return result;
}

inline Rcpp::List as_list(const mlsift::GreedyPath& path) {
  const R_xlen_t n = static_cast<R_xlen_t>(path.steps.size());
  Rcpp::IntegerVector index(n), runner_up(n);
  Rcpp::NumericVector score(n), runner_up_score(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const mlsift::GreedyStep& step = path.steps[static_cast<std::size_t>(i)];
    index[i] = step.feature + 1;
    score[i] = step.scored ? step.score : NA_REAL;
    runner_up[i] = step.runner_up < 0 ? NA_INTEGER : step.runner_up + 1;
    runner_up_score[i] = step.runner_up < 0 ? NA_REAL : step.runner_up_score;
  }
  return Rcpp::List::create(Rcpp::_["index"] = index, Rcpp::_["score"] = score, Rcpp::_["runner_up"] = runner_up,
                            Rcpp::_["runner_up_score"] = runner_up_score, Rcpp::_["end"] = static_cast<int>(path.end),
                            Rcpp::_["rest"] = path.rest);
}

}  // namespace mlsift_glue

#endif
