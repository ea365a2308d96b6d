#include "context.h"
#include "convert.h"
#include "row_distances.h"

#include <mlsift/learn/brknn.h>
#include <mlsift/learn/classifier_chain.h>
#include <mlsift/learn/knn_regression.h>
#include <mlsift/learn/label_powerset.h>
#include <mlsift/learn/mlknn.h>

namespace {

using mlsift_glue::guarded;
using mlsift_glue::with_distances;
using Sizes = std::vector<std::size_t>;

mlsift::LabelRows label_rows(SEXP y) { return mlsift::LabelRows(mlsift_glue::all_labels(y)); }

// `y`: labels, or list(values, unknown): labels and a pattern of the cells in which they are not known.
mlsift::KnownLabels known_labels(SEXP y) {
  if (TYPEOF(y) != VECSXP) return {label_rows(y), std::nullopt};
  const Rcpp::List both(y);
  return {label_rows(both["values"]), label_rows(both["unknown"])};
}

// One n x q matrix per prefix, filled by fill(distances, their beginnings).
template <class Fill>
Rcpp::List matrix_per_prefix(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, std::size_t q,
                             std::size_t n_prefixes, Fill fill) {
  return with_distances(train, query, nominal, [&](const auto& distances) {
    std::vector<double*> to;
    const Rcpp::List result = mlsift_glue::new_matrices<Rcpp::NumericMatrix>(n_prefixes, distances.n_query(), q, to);
    guarded([&] { fill(distances, to); });
    return result;
  });
}

// Scores that depend on the number of neighbors with the label, see mlsift::score_by_count().
template <class Partly>
Rcpp::List scores(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, const mlsift::KnownLabels& labels,
                  std::size_t neighbors, const Sizes& prefixes, const mlsift::Context& context,
                  const std::vector<std::vector<double>>& tables, Partly partly) {
  return matrix_per_prefix(train, query, nominal, labels.n_labels(), prefixes.size(),
                           [&](const auto& distances, const std::vector<double*>& to) {
                             mlsift::score_by_count(context, distances, neighbors, prefixes, labels, tables, partly,
                                                    to);
                           });
}

}  // namespace

// Leave-one-out counts of ML-kNN: for each prefix a list of two (neighbors + 1) x labels matrices.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mlknn_counts(SEXP train, const Rcpp::LogicalVector& nominal, SEXP y, std::size_t neighbors,
                            const std::vector<std::size_t>& prefixes, const mlsift::Context& context) {
  const mlsift::KnownLabels labels = known_labels(y);
  const auto counts = with_distances(train, train, nominal, [&](const auto& distances) {
    return guarded([&] { return mlsift::mlknn_counts(context, distances, neighbors, prefixes, labels); });
  });
  const auto matrix = [&](const std::vector<int>& x) {
    return Rcpp::IntegerMatrix(static_cast<int>(neighbors) + 1, static_cast<int>(labels.n_labels()), x.begin());
  };
  return mlsift_glue::each<Rcpp::List>(counts, [&](const auto& of_prefix) {
    return Rcpp::List::create(Rcpp::_["with"] = matrix(of_prefix.with), Rcpp::_["without"] = matrix(of_prefix.without));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mlknn_scores(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, SEXP y, std::size_t neighbors,
                            double s, Rcpp::List counts, const std::vector<std::size_t>& prefixes,
                            const mlsift::Context& context) {
  const mlsift::KnownLabels labels = known_labels(y);
  std::vector<std::vector<double>> tables;
  for (R_xlen_t p = 0; p < counts.size(); ++p) {
    const Rcpp::List one(static_cast<SEXP>(counts[p]));
    const Rcpp::IntegerMatrix with = one["with"], without = one["without"];
    tables.push_back(mlsift::mlknn_scores(with.begin(), without.begin(), labels, neighbors, s));
  }
  const auto partly = [&](std::size_t p, std::size_t l, std::size_t c, std::size_t u) {
    return u < neighbors ? tables[p][l * (neighbors + 1) + c] : mlsift::mlknn_prior(labels.with(l), labels.known(l), s);
  };
  return scores(train, query, nominal, labels, neighbors, prefixes, context, tables, partly);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_brknn_scores(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, SEXP y, std::size_t neighbors,
                            const std::vector<std::size_t>& prefixes, const mlsift::Context& context) {
  const mlsift::KnownLabels labels = known_labels(y);
  const std::vector<std::vector<double>> tables(prefixes.size(), mlsift::brknn_scores(labels.n_labels(), neighbors));
  const auto partly = [&](std::size_t, std::size_t l, std::size_t c, std::size_t u) {
    return mlsift::brknn_score(c, neighbors - u, labels.with(l), labels.known(l));
  };
  return scores(train, query, nominal, labels, neighbors, prefixes, context, tables, partly);
}

// Label sets by variant a (1) or b (2). `neighbors`: 0 where labels are unknown in some rows.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_brknn_response(const Rcpp::NumericMatrix& score, std::size_t neighbors, int variant,
                                       double threshold) {
  Rcpp::IntegerMatrix response(Rcpp::no_init(score.nrow(), score.ncol()));
  mlsift::brknn_response(score.begin(), static_cast<std::size_t>(score.nrow()), static_cast<std::size_t>(score.ncol()),
                         neighbors, static_cast<mlsift::BrknnVariant>(variant), threshold, response.begin());
  return response;
}

// `order`: label numbers from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_chain_scores(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, mlsift::Targets y,
                            std::size_t neighbors, SEXP order, double threshold,
                            const std::vector<std::size_t>& prefixes, const mlsift::Context& context) {
  const mlsift::LabelRows labels(std::move(y));
  const mlsift::ChainOptions options{neighbors, mlsift_glue::positions(order), threshold};
  return matrix_per_prefix(train, query, nominal, labels.n_labels(), prefixes.size(),
                           [&](const auto& distances, const std::vector<double*>& to) {
                             mlsift::chain_scores(context, distances, prefixes, labels, options, to);
                           });
}

// Rows and classes of the label powerset, from 1, and a row that shows the label set of each class; rare: 0 discard,
// 1 subsets, 2 A, 3 B.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_single_label_rows(const mlsift::Targets& y, int min_count, int rare, int b, bool increasing) {
  const mlsift::PruneOptions options{min_count, static_cast<mlsift::Rare>(rare), b, increasing};
  const mlsift::SingleLabelRows found = mlsift::single_label_rows(y, options);
  using mlsift_glue::from_one;
  return Rcpp::List::create(Rcpp::_["row"] = from_one(found.row), Rcpp::_["class"] = from_one(found.cls),
                            Rcpp::_["example"] = from_one(found.example));
}

// `y`: the label set of each row's class; `classes` from 1. For each prefix list(score, response).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_label_set_votes(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, mlsift::Targets y,
                               SEXP classes, int n_classes, std::size_t neighbors,
                               const std::vector<std::size_t>& prefixes, const mlsift::Context& context) {
  const mlsift::LabelRows labels(std::move(y));
  const std::vector<int> cls = mlsift_glue::from_zero(classes);
  Rcpp::List responses;
  const Rcpp::List scores = matrix_per_prefix(
      train, query, nominal, labels.n_labels(), prefixes.size(),
      [&](const auto& distances, const std::vector<double*>& to) {
        std::vector<int*> response;
        responses =
            mlsift_glue::new_matrices<Rcpp::IntegerMatrix>(to.size(), distances.n_query(), labels.n_labels(), response);
        mlsift::vote_for_label_sets(context, distances, neighbors, prefixes, labels, cls, n_classes, to, response);
      });
  Rcpp::List result(prefixes.size());
  for (R_xlen_t p = 0; p < result.size(); ++p) {
    result[p] = Rcpp::List::create(Rcpp::_["score"] = scores[p], Rcpp::_["response"] = responses[p]);
  }
  return result;
}

// 1 where the score reaches the threshold, one for all columns or one for each, with the names of the scores.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_response(Rcpp::NumericMatrix score, Rcpp::NumericVector threshold) {
  Rcpp::IntegerMatrix response(Rcpp::no_init(score.nrow(), score.ncol()));
  const R_xlen_t n = score.nrow();
  for (R_xlen_t l = 0; l < score.ncol(); ++l) {
    const double least = threshold[threshold.size() > 1 ? l : 0];
    std::transform(score.begin() + l * n, score.begin() + (l + 1) * n, response.begin() + l * n,
                   [=](double s) { return s >= least ? 1 : 0; });
  }
  Rf_setAttrib(response, R_DimNamesSymbol, Rf_getAttrib(score, R_DimNamesSymbol));
  return response;
}

// `y`: a double matrix.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_knn_regression(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, Rcpp::NumericMatrix y,
                              std::size_t neighbors, const std::vector<std::size_t>& prefixes,
                              const mlsift::Context& context) {
  const std::size_t q = static_cast<std::size_t>(y.ncol());
  const std::vector<double> by_row = mlsift_glue::by_rows(y);
  return matrix_per_prefix(train, query, nominal, q, prefixes.size(),
                           [&](const auto& distances, const std::vector<double*>& to) {
                             mlsift::mean_of_neighbors(context, distances, neighbors, prefixes, by_row, q, to);
                           });
}
