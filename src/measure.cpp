// [[Rcpp::depends(RcppArmadillo)]]
#include "mlsift_types.h"

#include <mlsift/measure/auc.h>
#include <mlsift/measure/class_based.h>
#include <mlsift/measure/cliff_delta.h>
#include <mlsift/measure/example_based.h>
#include <mlsift/measure/label_based.h>
#include <mlsift/measure/ranking.h>
#include <mlsift/measure/regression.h>
#include <mlsift/measure/thresholds.h>

#include <utility>

// Matrices of labels (0/1 integers, NA where the truth is unknown) and scores are wrapped in Armadillo objects without
// copying.

namespace {

using mlsift_glue::guarded;

double or_na(double x) { return std::isnan(x) ? NA_REAL : x; }

// One weight for each row, or none.
mlsift::Weights weights_of(const Rcpp::NumericVector& weights) {
  if (weights.size() == 0) return {};
  return {weights.begin(), static_cast<std::size_t>(weights.size())};
}

mlsift::RankingRules ranking_rules(const Rcpp::List& rules) {
  mlsift::RankingRules result;
  result.order = static_cast<mlsift::TieOrder>(Rcpp::as<int>(rules["order"]));
  result.tied_pair = rules["tied_pair"];
  result.average_rank = rules["average_rank"];
  result.any_top = rules["any_top"];
  result.loss_undefined = rules["loss_undefined"];
  result.error_empty = rules["error_empty"];
  result.error_full = rules["error_full"];
  result.precision_empty = rules["precision_empty"];
  result.precision_full = rules["precision_full"];
  result.coverage_minus = rules["coverage_minus"];
  result.coverage_empty = rules["coverage_empty"];
  result.divisor_minus = rules["divisor_minus"];
  return result;
}

template <class Vector, class Good>
double first_bad(const Vector& x, Good good) {
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    if (!good(x[i])) return static_cast<double>(i + 1);
  }
  return 0;
}

}  // namespace

// All measures of two 0/1 matrices. `smooth`: of the ratios of rows.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_overlap_measures(const arma::Mat<int>& truth, const arma::Mat<int>& response, double empty,
                                         double smooth, double undefined, double beta,
                                         const Rcpp::NumericVector& weights) {
  const mlsift::Weights rows = weights_of(weights);
  const mlsift::OverlapRules of_rows{empty, smooth, smooth > 0, undefined, beta};
  const mlsift::OverlapRules of_labels{empty, 0, false, undefined, beta};
  const mlsift::Overlaps counts =
      mlsift::count_overlaps(truth.memptr(), response.memptr(), truth.n_rows, truth.n_cols, rows);
  const mlsift::ExampleBased example = mlsift::example_based(counts, of_rows, rows);
  const mlsift::LabelBased macro = mlsift::macro_average(counts, of_labels);
  const mlsift::LabelBased micro = mlsift::micro_average(counts, of_labels);
  const mlsift::LabelBased weighted = mlsift::weighted_average(counts, of_labels);
  const std::pair<const char*, double> values[] = {
      {"hamming_loss", example.hamming_loss},
      {"subset_accuracy", example.subset_accuracy},
      {"jaccard", example.jaccard},
      {"example_precision", example.precision},
      {"example_recall", example.recall},
      {"example_f1", example.f1},
      {"example_fbeta", example.fbeta},
      {"micro_precision", micro.precision},
      {"micro_recall", micro.recall},
      {"micro_f1", micro.f1},
      {"micro_fbeta", micro.fbeta},
      {"micro_specificity", micro.specificity},
      {"macro_precision", macro.precision},
      {"macro_recall", macro.recall},
      {"macro_f1", macro.f1},
      {"macro_fbeta", macro.fbeta},
      {"macro_specificity", macro.specificity},
      {"weighted_precision", weighted.precision},
      {"weighted_recall", weighted.recall},
      {"weighted_f1", weighted.f1},
      {"weighted_fbeta", weighted.fbeta},
  };
  const R_xlen_t n = static_cast<R_xlen_t>(std::size(values));
  Rcpp::NumericVector result(n);
  Rcpp::CharacterVector names(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    names[i] = values[i].first;
    result[i] = or_na(values[i].second);
  }
  result.names() = names;
  return result;
}

// The best threshold of all labels or, with `by_label`, of each; see best_threshold(). `unit`, `value`: numbers of
// UnitMean from 0. Negative truths, such as NA, are unknown.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_best_thresholds(const arma::Mat<int>& truth, const arma::mat& score, int unit, int value,
                                        double empty, double undefined, double beta, bool by_label,
                                        const mlsift::Context& context, const Rcpp::NumericVector& weights) {
  return guarded([&] {
    const mlsift::UnitMean mean{static_cast<mlsift::UnitMean::Unit>(unit), static_cast<mlsift::UnitMean::Value>(value),
                                mlsift::OverlapRules{empty, 0, false, undefined, beta}};
    return mlsift::best_thresholds(truth.memptr(), score.memptr(), truth.n_rows, truth.n_cols, mean, by_label,
                                   weights_of(weights), context);
  });
}

// All measures of the ranking within rows.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_ranking_measures(const arma::Mat<int>& truth, const arma::mat& score, const Rcpp::List& rules,
                                         const mlsift::Context& context, const Rcpp::NumericVector& weights) {
  return guarded([&] {
    const mlsift::Ranking result = mlsift::ranking_measures(truth.memptr(), score.memptr(), truth.n_rows, truth.n_cols,
                                                            ranking_rules(rules), weights_of(weights), context);
    return Rcpp::NumericVector::create(
        Rcpp::_["ranking_loss"] = or_na(result.ranking_loss), Rcpp::_["one_error"] = or_na(result.one_error),
        Rcpp::_["coverage"] = or_na(result.coverage), Rcpp::_["average_precision"] = or_na(result.average_precision),
        Rcpp::_["norm_coverage"] = or_na(result.norm_coverage));
  });
}

// A row for each label, with the columns of CliffDeltas.
// [[Rcpp::export(rng = false)]]
arma::mat cpp_cliff_deltas(const Rcpp::IntegerVector& level, const Rcpp::List& cells, int n_labels,
                           const Rcpp::NumericVector& weights) {
  const Rcpp::IntegerVector start = cells["start"], label = cells["label"], on = cells["on"];
  const mlsift::CliffDeltas found = mlsift::cliff_deltas(level.begin(), static_cast<std::size_t>(level.size()),
                                                         mlsift::LabelCells{start.begin(), label.begin(), on.begin()},
                                                         static_cast<std::size_t>(n_labels), weights.begin());
  arma::mat result(static_cast<arma::uword>(n_labels), 3);
  std::transform(found.value.begin(), found.value.end(), result.begin_col(0), or_na);
  std::transform(found.variance.begin(), found.variance.end(), result.begin_col(1), or_na);
  std::transform(found.fewer.begin(), found.fewer.end(), result.begin_col(2), or_na);
  return result;
}

// By label, or with `micro` of all cells as if they were one label; here and below.
// [[Rcpp::export(rng = false)]]
double cpp_auc(const arma::Mat<int>& truth, const arma::mat& score, bool micro, bool keep_undefined,
               const mlsift::Context& context, const Rcpp::NumericVector& weights) {
  const std::size_t q = micro ? 1 : truth.n_cols, n = micro ? truth.n_elem : truth.n_rows;
  return guarded([&] {
    return or_na(mlsift::macro_auc(truth.memptr(), score.memptr(), n, q, keep_undefined, weights_of(weights), context));
  });
}

// [[Rcpp::export(rng = false)]]
double cpp_auprc(const arma::Mat<int>& truth, const arma::mat& score, bool micro, double empty,
                 const mlsift::Context& context, const Rcpp::NumericVector& weights) {
  const std::size_t q = micro ? 1 : truth.n_cols, n = micro ? truth.n_elem : truth.n_rows;
  return guarded([&] {
    return or_na(mlsift::macro_auprc(truth.memptr(), score.memptr(), n, q, empty, weights_of(weights), context));
  });
}

// [[Rcpp::export(rng = false)]]
double cpp_log_loss(const arma::Mat<int>& truth, const arma::mat& score, const Rcpp::NumericVector& weights) {
  return mlsift::log_loss(truth.memptr(), score.memptr(), truth.n_elem, weights_of(weights));
}

// What the measures of numeric targets average: one row for each target, NA where it is not defined.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_target_fits(const arma::mat& truth, const arma::mat& response, const arma::vec& train_mean,
                                    const Rcpp::NumericVector& weights) {
  Rcpp::NumericMatrix result(static_cast<int>(truth.n_cols), 5);
  Rcpp::colnames(result) = Rcpp::CharacterVector::create("arrmse", "armse", "mean_correlation", "amae", "mean_r2");
  for (arma::uword t = 0; t < truth.n_cols; ++t) {
    const mlsift::TargetFit fit =
        mlsift::target_fit(truth.colptr(t), response.colptr(t), truth.n_rows, train_mean[t], weights_of(weights));
    const std::size_t row = t;
    result(row, 0) = or_na(fit.rrmse), result(row, 1) = or_na(fit.rmse), result(row, 2) = or_na(fit.cor);
    result(row, 3) = or_na(fit.mae), result(row, 4) = or_na(fit.r2);
  }
  return result;
}

// Measures of the response of one target. `truth`, `response`: category numbers from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_class_fit(Rcpp::IntegerVector truth, Rcpp::IntegerVector response, int n_categories,
                                  const Rcpp::NumericVector& weights) {
  const std::vector<int> is = mlsift_glue::from_zero(truth), said = mlsift_glue::from_zero(response);
  const mlsift::ClassFit fit =
      mlsift::class_fit(is.data(), said.data(), is.size(), static_cast<std::size_t>(n_categories), weights_of(weights));
  return Rcpp::NumericVector::create(Rcpp::_["accuracy"] = fit.accuracy,
                                     Rcpp::_["balanced_accuracy"] = fit.balanced_accuracy, Rcpp::_["class_f1"] = fit.f1,
                                     Rcpp::_["kappa"] = or_na(fit.kappa));
}

// Measures of the scores of one target, rows x categories. `truth`: the columns of the true categories, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_class_scores_fit(Rcpp::IntegerVector truth, const arma::mat& score,
                                         const Rcpp::NumericVector& weights) {
  const std::vector<int> is = mlsift_glue::from_zero(truth);
  return Rcpp::NumericVector::create(
      Rcpp::_["class_auc"] =
          or_na(mlsift::class_auc(is.data(), score.memptr(), score.n_rows, score.n_cols, weights_of(weights))),
      Rcpp::_["class_log_loss"] = mlsift::class_log_loss(is.data(), score.memptr(), score.n_rows, weights_of(weights)));
}

// Position (from 1) of the first element that is not 0 or 1, nor `missing` and missing, or 0 when there is none.
// [[Rcpp::export(rng = false)]]
double cpp_first_not_label(SEXP x, bool missing = false) {
  const auto known = [](auto value) { return value == 0 || value == 1; };
  const auto good = [&](int value) { return known(value) || (missing && value == NA_INTEGER); };
  switch (TYPEOF(x)) {
    case LGLSXP:
      return first_bad(Rcpp::LogicalVector(x), good);
    case INTSXP:
      return first_bad(Rcpp::IntegerVector(x), good);
    default:
      return first_bad(Rcpp::NumericVector(x),
                       [&](double value) { return known(value) || (missing && std::isnan(value)); });
  }
}

// Position (from 1) of the first element that is not finite, or 0 when all are.
// [[Rcpp::export(rng = false)]]
double cpp_first_not_finite(const Rcpp::NumericVector& x) {
  return first_bad(x, [](double value) { return std::isfinite(value); });
}
