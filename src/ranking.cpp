#include "path.h"

#include <mlsift/search/ranked_scores.h>

// Features from a ranking (numbers from 1, best first, with their scores), as a greedy run takes them.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_take_ranked(SEXP order, const std::vector<double>& score, const Rcpp::List& options) {
  const mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
  const std::size_t d = wanted.excluded.size();
  mlsift::RankedScores ranked(mlsift_glue::from_zero(order), score, d);
  return mlsift_glue::as_list(mlsift::greedy(ranked, d, wanted, mlsift::Context()));
}
