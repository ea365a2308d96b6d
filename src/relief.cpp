#include "context.h"
#include "convert.h"
#include "row_distances.h"

#include <mlsift/criteria/mlrf.h>
#include <mlsift/criteria/relieff.h>
#include <mlsift/criteria/relieff_br.h>
#include <mlsift/criteria/relieff_ml.h>
#include <mlsift/criteria/rrelieff.h>
#include <mlsift/criteria/surf.h>
#include <mlsift/data/discretize.h>
#include <mlsift/distance/mean_distance.h>
#include <mlsift/search/relief.h>

// The Relief family. `data`: list(x, query, rows, nominal, factor, weights): features and those of the reference rows
// (double matrices or dgCMatrix), the numbers of the reference rows from 1, which columns hold codes, what a difference
// of each column is multiplied by, and the weights of the rows of x, or NULL. `labels`: integer 0/1 matrix or dgCMatrix
// of ones. Return one score for each feature.

namespace {

std::vector<std::size_t> reference_rows(const Rcpp::List& data) { return mlsift_glue::positions(data["rows"]); }

mlsift::ReferenceWeights reference_weights(const Rcpp::List& data, std::size_t n,
                                           const std::vector<std::size_t>& rows) {
  return {mlsift_glue::real_weights(data["weights"]), n, rows};
}

// Calls f(distances, differences).
template <class Terms, class F>
Rcpp::NumericVector with_terms(const Rcpp::List& data, const Terms& terms, const std::vector<double>& factor, F f) {
  SEXP x = data["x"], query = data["query"];
  std::vector<double> scores;
  if (Rf_isS4(x)) {
    const Rcpp::S4 rows(x), queries(query);
    const mlsift::SparseColumns columns = mlsift_glue::sparse_columns(rows);
    const mlsift::BasicSparseDistances<Terms> distances(columns, mlsift_glue::sparse_columns(queries), terms);
    scores = mlsift_glue::guarded([&] { return f(distances, mlsift::SparseDifferences(columns, factor)); });
  } else {
    const Rcpp::NumericMatrix rows(x), queries(query);
    const Rcpp::LogicalVector nominal = data["nominal"];
    const std::vector<char> codes(nominal.begin(), nominal.end());
    const mlsift::BasicDenseDistances<Terms> distances(
        mlsift_glue::columns_of(rows), static_cast<std::size_t>(rows.nrow()), mlsift_glue::columns_of(queries),
        static_cast<std::size_t>(queries.nrow()), codes, terms);
    scores = mlsift_glue::guarded(
        [&] { return f(distances, mlsift::DenseDifferences(mlsift_glue::columns_of(rows), codes, factor)); });
  }
  return Rcpp::wrap(scores);
}

// Relief's own distance, the sum of the differences.
template <class F>
Rcpp::NumericVector manhattan(const Rcpp::List& data, F f) {
  const std::vector<double> factor = Rcpp::as<std::vector<double>>(data["factor"]);
  return with_terms(data, mlsift::AbsoluteTerms{factor}, factor, f);
}

template <class F>
Rcpp::NumericVector euclidean(const Rcpp::List& data, F f) {
  return with_terms(data, mlsift::SquaredTerms(), Rcpp::as<std::vector<double>>(data["factor"]), f);
}

template <class Criterion>
auto scoring(const std::vector<std::size_t>& rows, const Criterion& criterion, int threads) {
  return [&rows, &criterion, threads](const auto& distances, const auto& differences) {
    return mlsift::relief_scores(mlsift_glue::context(threads), distances, differences, rows, criterion);
  };
}

}  // namespace

// `classes`: of each row, from 0.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_relieff(const Rcpp::List& data, const std::vector<int>& classes, int neighbors, int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const auto weights = reference_weights(data, classes.size(), rows);
  const mlsift::Relieff criterion(classes, static_cast<std::size_t>(neighbors), weights);
  return manhattan(data, scoring(rows, criterion, threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_relieff_br(const Rcpp::List& data, SEXP labels, int neighbors, int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const mlsift::Targets targets = mlsift_glue::all_labels(labels);
  const auto weights = reference_weights(data, targets.n_rows(), rows);
  const mlsift::RelieffBr criterion(targets, static_cast<std::size_t>(neighbors), weights);
  return manhattan(data, scoring(rows, criterion, threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_relieff_ml(const Rcpp::List& data, SEXP labels, int neighbors, bool disjoint, int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const mlsift::Targets targets = mlsift_glue::all_labels(labels);
  const auto weights = reference_weights(data, targets.n_rows(), rows);
  const mlsift::RelieffMl criterion(targets, static_cast<std::size_t>(neighbors), weights, disjoint);
  return manhattan(data, scoring(rows, criterion, threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_mlrf(const Rcpp::List& data, SEXP labels, int neighbors, bool program, int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const mlsift::Targets targets = mlsift_glue::all_labels(labels);
  if (program)
    return euclidean(data, scoring(rows, mlsift::Mlrf2016(targets, static_cast<std::size_t>(neighbors)), threads));
  const mlsift::Mlrf criterion = mlsift_glue::guarded(
      [&] { return mlsift::Mlrf(mlsift_glue::context(threads), targets, static_cast<std::size_t>(neighbors)); });
  return euclidean(data, scoring(rows, criterion, threads));
}

// `y`: a double matrix of targets and what their differences are multiplied by. The attribute "used" of the scores is
// the number of targets that are not skipped.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rrelieff(const Rcpp::List& data, const Rcpp::NumericMatrix& y,
                                 const std::vector<double>& y_factor, int neighbors, double sigma, int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const mlsift::NumericTargets target{mlsift_glue::columns_of(y), y_factor};
  const auto weights = reference_weights(data, static_cast<std::size_t>(y.nrow()), rows);
  int used = 0;
  Rcpp::NumericVector scores = manhattan(data, [&](const auto& distances, const auto& differences) {
    return mlsift::rrelieff_scores(mlsift_glue::context(threads), distances, differences, rows,
                                   static_cast<std::size_t>(neighbors), sigma, weights, target, &used);
  });
  scores.attr("used") = used;
  return scores;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rrelieff_ml(const Rcpp::List& data, SEXP labels, int neighbors, double sigma, int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const mlsift::Targets targets = mlsift_glue::all_labels(labels);
  const auto weights = reference_weights(data, targets.n_rows(), rows);
  const mlsift::LabelSetTarget target{mlsift::LabelBits(targets), static_cast<double>(targets.n_classes)};
  return manhattan(data, [&](const auto& distances, const auto& differences) {
    return mlsift::rrelieff_scores(mlsift_glue::context(threads), distances, differences, rows,
                                   static_cast<std::size_t>(neighbors), sigma, weights, target);
  });
}

// `classes`: 0/1, the columns first[t], ..., first[t + 1] - 1 (from 0) for target t, at most one of them on in a row.
// `by_row`: whether each row has its own limit.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_surf(const Rcpp::List& data, SEXP classes, const std::vector<int>& first, bool by_row,
                             int threads) {
  const std::vector<std::size_t> rows = reference_rows(data);
  const mlsift::Targets targets = mlsift_glue::all_labels(classes);
  const std::vector<std::size_t> starts(first.begin(), first.end());
  const auto weights = reference_weights(data, targets.n_rows(), rows);
  if (by_row) {
    const mlsift::Surf<mlsift::RowLimit> criterion(targets, starts, mlsift::RowLimit(), weights);
    return manhattan(data, scoring(rows, criterion, threads));
  }
  const Rcpp::LogicalVector nominal = data["nominal"];
  const double mean = mlsift_glue::guarded([&] {
    return mlsift::mean_distance(mlsift_glue::context(threads), mlsift_glue::features_of(data["x"]),
                                 std::vector<char>(nominal.begin(), nominal.end()),
                                 Rcpp::as<std::vector<double>>(data["factor"]));
  });
  const mlsift::Surf<mlsift::MeanLimit> criterion(targets, starts, mlsift::MeanLimit{mean}, weights);
  return manhattan(data, scoring(rows, criterion, threads));
}

// Lowest and highest value of each column.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_column_limits(SEXP x) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  Rcpp::NumericMatrix limits(2, static_cast<int>(features.size()));
  for (std::size_t f = 0; f < features.size(); ++f) {
    const mlsift::Spread values = mlsift::spread_of(features.columns[f], features.n_rows, 0);
    limits(0, f) = values.low;
    limits(1, f) = values.high;
  }
  return limits;
}
