#include "context.h"
#include "convert.h"

#include <mlsift/engine/discretize.h>

// Cuts of the columns marked in `continuous`; NULL for the others.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_cuts(SEXP x, const Rcpp::LogicalVector& continuous, const std::string& method, int bins, bool right, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const std::vector<int> wanted(continuous.begin(), continuous.end());
  std::vector<std::vector<double>> cuts(features.size());
  mlsift_glue::guarded([&] {
    const double work = 10.0 * static_cast<double>(features.size() * features.n_rows);
    mlsift::parallel_for(mlsift_glue::context(threads), features.size(), work, [&](int, std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        if (!wanted[f]) continue;
        cuts[f] = method == "equal_width" ? mlsift::equal_width_cuts(features.columns[f], features.n_rows, bins, right)
                                          : mlsift::equal_frequency_cuts(features.columns[f], features.n_rows, bins);
      }
    });
    return 0;
  });
  Rcpp::List result(static_cast<R_xlen_t>(features.size()));
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (wanted[f]) result[static_cast<R_xlen_t>(f)] = Rcpp::NumericVector(cuts[f].begin(), cuts[f].end());
  }
  return result;
}

// Level numbers from 1 of numbers; 0 where missing.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_levels(const Rcpp::NumericVector& values, const Rcpp::NumericVector& at, bool right) {
  const mlsift::Cuts cuts{at.begin(), static_cast<std::size_t>(at.size()), right};
  Rcpp::IntegerVector levels(values.size());
  for (R_xlen_t i = 0; i < values.size(); ++i) levels[i] = std::isnan(values[i]) ? 0 : cuts.level(values[i]) + 1;
  return levels;
}
