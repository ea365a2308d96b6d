#include "context.h"
#include "convert.h"

#include <mlsift/data/discretize.h>
#include <mlsift/data/laim.h>
#include <mlsift/data/mdlp.h>

#include <numeric>

namespace {

double work_of(const mlsift::Features& features) {
  return 10.0 * static_cast<double>(features.size() * features.n_rows);
}

// The cuts of the columns marked in `continuous`, each by `fit`; NULL for the others.
template <class Fit>
Rcpp::List each_continuous(const mlsift::Features& features, const Rcpp::LogicalVector& continuous, double work,
                           const mlsift::Context& context, Fit fit) {
  const std::vector<char> wanted = mlsift_glue::flags(continuous);
  std::vector<std::vector<double>> cuts(features.size());
  mlsift_glue::guarded([&] {
    mlsift::parallel_each(context, features.size(), work, [&](std::size_t f) {
      if (wanted[f]) cuts[f] = fit(features.columns[f]);
    });
  });
  Rcpp::List result(continuous.size());
  for (R_xlen_t f = 0; f < result.size(); ++f) {
    if (continuous[f]) result[f] = Rcpp::wrap(cuts[static_cast<std::size_t>(f)]);
  }
  return result;
}

}  // namespace

// Cuts of the columns marked in `continuous`, NULL for the others: by equal width, or between 0 and the rest, see
// auto_cuts(). `weights`: of the rows, whole numbers, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_auto_cuts(const mlsift::Features& x, const Rcpp::LogicalVector& continuous, int bins, bool right,
                         double zero_share, SEXP weights, const mlsift::Context& context) {
  const int* const of_rows = mlsift_glue::weights_of(weights);
  return each_continuous(x, continuous, work_of(x), context, [&](const mlsift::Column& column) {
    return mlsift::auto_cuts(mlsift::spread_of(column, x.n_rows, static_cast<std::size_t>(bins), of_rows), bins, right,
                             zero_share);
  });
}

// The same by equal frequency.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_equal_frequency_cuts(const mlsift::Features& x, const Rcpp::LogicalVector& continuous, int bins,
                                    SEXP weights, const mlsift::Context& context) {
  const int* const of_rows = mlsift_glue::weights_of(weights);
  return each_continuous(x, continuous, work_of(x), context, [&](const mlsift::Column& column) {
    return mlsift::equal_frequency_cuts(column, x.n_rows, bins, of_rows);
  });
}

// The same by minimum description length. `classes`: integer vectors with the class of each row from 1, 0 for rows to
// leave out; `weights`: of the rows, worth `count_weight` rows each, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mdlp_cuts(const mlsift::Features& x, const Rcpp::LogicalVector& continuous, const Rcpp::List& classes,
                         int min_bins, SEXP weights, double count_weight, const mlsift::Context& context) {
  const std::vector<std::vector<int>> ids = mlsift_glue::lists_from_zero(classes);
  std::vector<mlsift::RowClasses> rows;
  for (const auto& of_row : ids) rows.push_back({of_row.data(), *std::max_element(of_row.begin(), of_row.end()) + 1});
  const double work = 2.0 * work_of(x) * static_cast<double>(1 + rows.size());
  const auto cuts = [&](const auto& mdlp) {
    return each_continuous(x, continuous, work, context,
                           [&](const mlsift::Column& column) { return mdlp.cuts(column, rows); });
  };
  const int* const of_rows = mlsift_glue::weights_of(weights);
  if (!of_rows) return cuts(mlsift::Mdlp<>(x.n_rows, min_bins));
  const std::size_t all = std::accumulate(of_rows, of_rows + x.n_rows, std::size_t{0});
  return cuts(mlsift::Mdlp<mlsift::XLogXOnDemand>(x.n_rows, min_bins, of_rows, all, count_weight));
}

// The same by label-attribute interdependence. `y`: labels; `more`: what the divisor is above the number of intervals;
// `max_bins`: 0 for any number.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_laim_cuts(const mlsift::Features& x, const Rcpp::LogicalVector& continuous, const mlsift::Targets& y,
                         int more, int max_bins, SEXP weights, const mlsift::Context& context) {
  const mlsift::Laim laim(y, more, max_bins, mlsift_glue::weights_of(weights));
  const double work = 2.0 * work_of(x) + 8.0 * static_cast<double>(x.size() * y.ids.size());
  return each_continuous(x, continuous, work, context, [&](const mlsift::Column& column) { return laim.cuts(column); });
}

// Level numbers from 1 of numbers; 0 where missing.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_levels(const Rcpp::NumericVector& values, const Rcpp::NumericVector& at, bool right) {
  const mlsift::Cuts cuts{at.begin(), static_cast<std::size_t>(at.size()), right};
  Rcpp::IntegerVector levels(values.size());
  for (R_xlen_t i = 0; i < values.size(); ++i) levels[i] = std::isnan(values[i]) ? 0 : cuts.level(values[i]) + 1;
  return levels;
}
