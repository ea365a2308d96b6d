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

using mlsift_glue::columns_of;
using mlsift_glue::flags;
using mlsift_glue::guarded;
using Numbers = std::vector<double>;

// The reference rows, and the weights of all `n` rows.
struct References {
  References(const Rcpp::List& data, std::size_t n)
      : rows(mlsift_glue::positions(data["rows"])), weights(mlsift_glue::real_weights(data["weights"]), n, rows) {}
  std::vector<std::size_t> rows;
  mlsift::ReferenceWeights weights;
};

// Calls f(distances, differences).
template <class Terms, class F>
Numbers with_terms(const Rcpp::List& data, const Terms& terms, F f) {
  const auto factor = Rcpp::as<Numbers>(data["factor"]);
  SEXP x = data["x"], query = data["query"];
  if (Rf_isS4(x)) {
    const mlsift::SparseColumns columns = mlsift_glue::sparse_columns(x);
    const mlsift::BasicSparseDistances<Terms> distances(columns, mlsift_glue::sparse_columns(query), terms);
    return guarded([&] { return f(distances, mlsift::SparseDifferences(columns, factor)); });
  }
  const std::vector<char> codes = flags(data["nominal"]);
  const mlsift::BasicDenseDistances<Terms> distances(columns_of(x), static_cast<std::size_t>(Rf_nrows(x)),
                                                     columns_of(query), static_cast<std::size_t>(Rf_nrows(query)),
                                                     codes, terms);
  return guarded([&] { return f(distances, mlsift::DenseDifferences(columns_of(x), codes, factor)); });
}

// Relief's own distance, the sum of the differences.
template <class F>
Numbers manhattan(const Rcpp::List& data, F f) {
  return with_terms(data, mlsift::AbsoluteTerms{Rcpp::as<Numbers>(data["factor"])}, f);
}

template <class Criterion>
auto scoring(const References& references, const Criterion& criterion, const mlsift::Context& context) {
  return [&](const auto& distances, const auto& differences) {
    return mlsift::relief_scores(context, distances, differences, references.rows, criterion);
  };
}

}  // namespace

// `classes`: of each row, from 0.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_relieff(const Rcpp::List& data, const std::vector<int>& classes, std::size_t neighbors,
                                const mlsift::Context& context) {
  const References references(data, classes.size());
  const mlsift::Relieff criterion(classes, neighbors, references.weights);
  return manhattan(data, scoring(references, criterion, context));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_relieff_br(const Rcpp::List& data, const mlsift::Targets& labels, std::size_t neighbors,
                                   const mlsift::Context& context) {
  const References references(data, labels.n_rows());
  const mlsift::RelieffBr criterion(labels, neighbors, references.weights);
  return manhattan(data, scoring(references, criterion, context));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_relieff_ml(const Rcpp::List& data, const mlsift::Targets& labels, std::size_t neighbors,
                                   bool disjoint, const mlsift::Context& context) {
  const References references(data, labels.n_rows());
  const mlsift::RelieffMl criterion(labels, neighbors, references.weights, disjoint);
  return manhattan(data, scoring(references, criterion, context));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_mlrf(const Rcpp::List& data, const mlsift::Targets& labels, std::size_t neighbors, bool program,
                             const mlsift::Context& context) {
  const References references(data, labels.n_rows());
  const auto scores = [&](const auto& mlrf) {
    return with_terms(data, mlsift::SquaredTerms(), scoring(references, mlrf, context));
  };
  if (program) return scores(mlsift::Mlrf2016(labels, neighbors));
  return scores(guarded([&] { return mlsift::Mlrf(context, labels, neighbors); }));
}

// `y`: a double matrix of targets and what their differences are multiplied by. The attribute "used" of the scores is
// the number of targets that are not skipped.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rrelieff(const Rcpp::List& data, SEXP y, const std::vector<double>& y_factor,
                                 std::size_t neighbors, double sigma, const mlsift::Context& context) {
  const References references(data, static_cast<std::size_t>(Rf_nrows(y)));
  const mlsift::NumericTargets target{columns_of(y), y_factor};
  int used = 0;
  Rcpp::NumericVector scores = Rcpp::wrap(manhattan(data, [&](const auto& distances, const auto& differences) {
    return mlsift::rrelieff_scores(context, distances, differences, references.rows, neighbors, sigma,
                                   references.weights, target, &used);
  }));
  scores.attr("used") = used;
  return scores;
}

// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_rrelieff_ml(const Rcpp::List& data, const mlsift::Targets& labels, std::size_t neighbors,
                                    double sigma, const mlsift::Context& context) {
  const References references(data, labels.n_rows());
  const mlsift::LabelSetTarget target{mlsift::LabelBits(labels), static_cast<double>(labels.n_classes)};
  return manhattan(data, [&](const auto& distances, const auto& differences) {
    return mlsift::rrelieff_scores(context, distances, differences, references.rows, neighbors, sigma,
                                   references.weights, target);
  });
}

// `classes`: 0/1, the columns first[t], ..., first[t + 1] - 1 (from 0) for target t, at most one of them on in a row.
// `by_row`: whether each row has its own limit.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_surf(const Rcpp::List& data, const mlsift::Targets& classes,
                             const std::vector<std::size_t>& first, bool by_row, const mlsift::Context& context) {
  const References references(data, classes.n_rows());
  const auto scores = [&](auto limit) {
    const mlsift::Surf<decltype(limit)> criterion(classes, first, limit, references.weights);
    return manhattan(data, scoring(references, criterion, context));
  };
  if (by_row) return scores(mlsift::RowLimit());
  return scores(mlsift::MeanLimit{guarded([&] {
    return mlsift::mean_distance(context, mlsift_glue::features_of(data["x"]), flags(data["nominal"]),
                                 Rcpp::as<Numbers>(data["factor"]));
  })});
}

// Lowest and highest value of each column.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_column_limits(const mlsift::Features& x) {
  Rcpp::NumericMatrix limits(2, static_cast<int>(x.size()));
  for (std::size_t f = 0; f < x.size(); ++f) {
    const mlsift::Spread values = mlsift::spread_of(x.columns[f], x.n_rows, 0);
    limits(0, f) = values.low;
    limits(1, f) = values.high;
  }
  return limits;
}
