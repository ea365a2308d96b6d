#include "context.h"
#include "convert.h"
#include "path.h"

#include <mlsift/search/knn_mi_backward.h>
#include <mlsift/search/knn_mi_forward.h>

namespace {

// `data`: list(x, rows, classes, n_classes, zscore, noise): a double matrix or dgCMatrix, numbers of rows and of their
// classes.
mlsift::ClassedRows rows_of(const Rcpp::List& data) {
  const std::vector<int> rows = mlsift_glue::from_zero(data["rows"]), classes = mlsift_glue::from_zero(data["classes"]);
  const Rcpp::NumericVector noise(data["noise"]);
  const mlsift::ClassedRowsOptions options{data["zscore"], noise.size() > 0 ? noise.begin() : nullptr};
  return mlsift::classed_rows(mlsift_glue::features_of(data["x"]), rows, classes, data["n_classes"], options);
}

mlsift::KnnMiOptions options_of(const Rcpp::List& params) {
  const std::string zero = params["zero_distance"];
  const mlsift::ZeroRule rule = zero == "ross"  ? mlsift::ZeroRule::ross
                                : zero == "gao" ? mlsift::ZeroRule::gao
                                                : mlsift::ZeroRule::floor;
  return {Rcpp::as<std::size_t>(params["neighbors"]), rule, Rcpp::as<std::size_t>(params["max_rows"])};
}

}  // namespace

// Whether each feature varies, and most of its rows have a value that more than `neighbors` others have too.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_repeating(const Rcpp::List& data, std::size_t neighbors, const mlsift::Context& context) {
  const mlsift::Features features = mlsift_glue::features_of(data["x"]);
  const std::vector<int> rows = mlsift_glue::from_zero(data["rows"]);
  std::vector<int> found(features.size());
  double work = 0;
  for (const mlsift::Column& column : features.columns)
    work += 10.0 * static_cast<double>(column.sparse() ? column.stored : rows.size());
  const mlsift::detail::RowsReader reader(features.n_rows, rows);
  mlsift_glue::guarded([&] {
    mlsift::parallel_each(context, features.size(), work, [&](std::size_t f) {
      found[f] = mlsift::repeats(features.columns[f], reader, rows.size(), neighbors);
    });
  });
  return Rcpp::LogicalVector(found.begin(), found.end());
}

// Forward search. `stop`: NULL, or list(n, order, goes_on),
// functions that give a permutation and that decide from a score and the permuted ones. The rest as in cpp_greedy().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_knn_mi_forward(const Rcpp::List& data, const Rcpp::List& params, SEXP stop, const Rcpp::List& options,
                              const mlsift::Context& context) {
  const mlsift::ClassedRows rows = rows_of(data);
  mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
  wanted.unscored.clear();
  for (int f = 0; f < static_cast<int>(rows.d); ++f) {
    if (!rows.varies(f)) wanted.unscored.push_back(f);
  }
  return mlsift_glue::guarded([&] {
    const mlsift::KnnMi mi(rows, options_of(params));
    mlsift::KnnMiForward selected(mi, context);
    if (!Rf_isNull(stop)) {
      const Rcpp::List test(stop);
      const Rcpp::Function order(test["order"]), goes_on(test["goes_on"]);
      const int n = test["n"];
      wanted.accepts = [&selected, order, goes_on, n](const mlsift::GreedyStep& step) {
        std::vector<std::vector<int>> orders;
        for (int b = 0; b < n; ++b) orders.push_back(mlsift_glue::from_zero(order()));
        return Rcpp::as<bool>(goes_on(step.score, selected.score_permuted(step.feature, orders)));
      };
    }
    Rcpp::List result = mlsift_glue::as_list(mlsift::greedy(selected, rows.d, wanted, context));
    result["deviation"] = rows.deviation;
    return result;
  });
}

// Backward search over the features that vary, without those excluded; `begin` are never removed.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_knn_mi_backward(const Rcpp::List& data, const Rcpp::List& params, const std::vector<int>& begin,
                               const std::vector<int>& excluded, const mlsift::Context& context) {
  const mlsift::ClassedRows rows = rows_of(data);
  std::vector<char> stays(rows.d, 0);
  for (const int f : begin) stays[static_cast<std::size_t>(f - 1)] = 1;
  std::vector<int> selected;
  for (std::size_t f = 0; f < rows.d; ++f) {
    if (rows.varies(static_cast<int>(f)) && !excluded[f]) selected.push_back(static_cast<int>(f));
  }
  return mlsift_glue::guarded([&] {
    const mlsift::KnnMi mi(rows, options_of(params));
    const mlsift::KnnMiRemovals path = mlsift::remove_backward(mi, selected, stays, context);
    return Rcpp::List::create(Rcpp::_["feature"] = mlsift_glue::from_one(path.feature), Rcpp::_["score"] = path.score,
                              Rcpp::_["left"] = mlsift_glue::from_one(path.left),
                              Rcpp::_["left_score"] = path.left_score);
  });
}
