#include "path.h"

#include "convert.h"

#include <mlsift/search/ranked_scores.h>

namespace mlsift_glue {

mlsift::GreedyOptions greedy_options(const Rcpp::List& options) {
  mlsift::GreedyOptions result;
  result.k = options["k"];
  result.begin = from_zero(options["begin"]);
  result.excluded = flags(options["excluded"]);
  result.unscored = from_zero(options["unscored"]);
  result.min_gain = options["min_gain"];
  result.max_seconds = options["max_seconds"];
  result.score_rest = options["score_rest"];
  if (!Rf_isNull(options["units"])) {
    const Rcpp::List units = options["units"];
    result.units.unit = from_zero(units["unit"]);
    result.units.size = Rcpp::as<std::vector<int>>(units["size"]);
    result.units.cost = Rcpp::as<std::vector<double>>(units["cost"]);
    result.units.max_cost = units["max_cost"];
  }
  return result;
}

Rcpp::List as_list(const mlsift::GreedyPath& path) {
  using mlsift::GreedyStep;
  const auto integers = [&](auto get) { return each<Rcpp::IntegerVector>(path.steps, get); };
  const auto numbers = [&](auto get) { return each<Rcpp::NumericVector>(path.steps, get); };
  return Rcpp::List::create(
      Rcpp::_["index"] = integers([](const GreedyStep& s) { return s.feature + 1; }),
      Rcpp::_["score"] = numbers([](const GreedyStep& s) { return s.scored ? s.score : NA_REAL; }),
      Rcpp::_["runner_up"] =
          integers([](const GreedyStep& s) { return s.runner_up < 0 ? NA_INTEGER : s.runner_up + 1; }),
      Rcpp::_["runner_up_score"] =
          numbers([](const GreedyStep& s) { return s.runner_up < 0 ? NA_REAL : s.runner_up_score; }),
      Rcpp::_["end"] = static_cast<int>(path.end), Rcpp::_["rest"] = path.rest);
}

}  // namespace mlsift_glue

// Features from a ranking (numbers from 1, best first, with their scores), as a greedy run takes them.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_take_ranked(SEXP order, const std::vector<double>& score, const Rcpp::List& options) {
  const mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
  const std::size_t d = wanted.excluded.size();
  mlsift::RankedScores ranked(mlsift_glue::from_zero(order), score, d);
  return mlsift_glue::as_list(mlsift::greedy(ranked, d, wanted, mlsift::Context()));
}
