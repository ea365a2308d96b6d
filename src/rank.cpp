#include "context.h"
#include "convert.h"

#include <mlsift/criteria/chi2.h>
#include <mlsift/criteria/correlation.h>
#include <mlsift/criteria/ebls.h>
#include <mlsift/criteria/mfs.h>
#include <mlsift/criteria/mim.h>
#include <mlsift/criteria/odds_ratio.h>
#include <mlsift/criteria/trans_mi.h>
#include <mlsift/data/transform.h>
#include <mlsift/search/rank.h>

// Criteria that give every feature a score of its own. `x`: data frame, matrix or dgCMatrix, `cuts` and `right` as in
// features_of(); `y`: the labels. Returns one score for each feature, in bits where they are informations.

namespace {

template <class Criterion>
auto scores(const mlsift::Features& features, const Criterion& criterion, int threads) {
  return mlsift_glue::guarded(
      [&] { return mlsift::score_features(features, criterion, mlsift_glue::context(threads)); });
}

mlsift::Targets occurring(const mlsift::LabelMatrix& labels) {
  return mlsift::targets_of(labels, mlsift::labels_that_occur(labels));
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_mim(SEXP x, SEXP cuts, bool right, SEXP y, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::Targets labels = occurring(mlsift_glue::labels_of(y));
  const mlsift::XLogX xlogx(features.n_rows, labels.n_classes);
  return Rcpp::wrap(scores(features, mlsift::Mim(labels, xlogx), threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_ebls(SEXP x, SEXP cuts, bool right, SEXP y, int n_labels, bool largest, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::LabelMatrix labels = mlsift_glue::labels_of(y);
  const std::vector<int> present = mlsift::labels_that_occur(labels);
  const mlsift::XLogX xlogx(features.n_rows, static_cast<double>(present.size()));
  const auto split = mlsift::split_labels(labels.counts(), present, static_cast<std::size_t>(n_labels), largest, xlogx);
  const mlsift::Targets chosen = mlsift::targets_of(labels, split.chosen);
  return Rcpp::wrap(scores(features, mlsift::Ebls(chosen, split.others, xlogx), threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_odds_ratio(SEXP x, SEXP cuts, bool right, SEXP y, double h, bool raw, bool by_prior,
                                         int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::Targets labels = occurring(mlsift_glue::labels_of(y));
  return Rcpp::wrap(scores(features, mlsift::OddsRatio(labels, {h, raw, by_prior}), threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_correlation(SEXP x, const std::vector<int>& n_levels, SEXP y, bool absolute,
                                          int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Targets labels = occurring(mlsift_glue::labels_of(y));
  return Rcpp::wrap(scores(features, mlsift::Correlation(features, labels, n_levels, absolute), threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_mfs(SEXP x, const std::vector<int>& n_levels, SEXP y, bool weighted, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Targets labels = occurring(mlsift_glue::labels_of(y));
  const auto result = scores(features, mlsift::Mfs(features, labels, n_levels, weighted), threads);
  Rcpp::NumericVector score(static_cast<R_xlen_t>(result.size())), between(static_cast<R_xlen_t>(result.size()));
  for (std::size_t f = 0; f < result.size(); ++f) {
    score[static_cast<R_xlen_t>(f)] = result[f].j;
    between[static_cast<R_xlen_t>(f)] = result[f].between;
  }
  return Rcpp::List::create(Rcpp::_["score"] = score, Rcpp::_["between"] = between);
}

// statistic: 0 chi-square, 1 mutual information, 2 gain ratio, 3 symmetrical uncertainty; transform: 0 ALA, 1 NLA,
// 2 LLA, 3 SLA, 4 ELA, 5 LP, 6 PPT; rare: 0 discard, 1 subsets, 2 A, 3 B; weights: of the rows, whole numbers, or NULL,
// worth `unit` rows each. Also returns how many classes and entries the
// transformation leaves.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_transformed(SEXP x, SEXP cuts, bool right, SEXP y, int statistic, int transform, int min_count,
                                 int rare, int b, bool increasing, SEXP weights, double unit, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const int* const of_rows = mlsift_glue::weights_of(weights);
  mlsift::Targets labels = occurring(mlsift_glue::labels_of(y));
  if (of_rows) labels.count = mlsift::weighted_count(labels, of_rows);
  const mlsift::PruneOptions options{min_count, static_cast<mlsift::Rare>(rare), b, increasing, of_rows, unit};
  const mlsift::Targets targets = mlsift::transform(labels, static_cast<mlsift::Transform>(transform), options);
  const mlsift::ClassTable::Margins margins(targets, of_rows);
  const int entries = static_cast<int>(targets.ids.size());
  Rcpp::NumericVector score(static_cast<R_xlen_t>(features.size()));
  if (entries > 0) {
    if (statistic == 0) {
      score = unit * Rcpp::NumericVector(Rcpp::wrap(scores(features, mlsift::Chi2(margins), threads)));
    } else {
      const auto divide = static_cast<mlsift::DivideInformation>(statistic - 1);
      const auto informations = [&](const auto& xlogx) {
        return Rcpp::wrap(
            scores(features, mlsift::TransMi<std::decay_t<decltype(xlogx)>>(margins, xlogx, divide), threads));
      };
      std::int64_t all = 0;
      for (const std::int64_t n : margins.entries_of_slot) all += n;
      const std::size_t n = static_cast<std::size_t>(all);
      score = of_rows ? informations(mlsift::XLogXOnDemand(n, 16)) : informations(mlsift::XLogX(n, 16));
    }
  }
  return Rcpp::List::create(Rcpp::_["score"] = score, Rcpp::_["classes"] = targets.n_occurring(),
                            Rcpp::_["entries"] = entries);
}
