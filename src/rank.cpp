#include "context.h"
#include "convert.h"
#include "counted.h"

#include <mlsift/criteria/chi2.h>
#include <mlsift/criteria/correlation.h>
#include <mlsift/criteria/ebls.h>
#include <mlsift/criteria/information_bias.h>
#include <mlsift/criteria/mfs.h>
#include <mlsift/criteria/mim.h>
#include <mlsift/criteria/odds_ratio.h>
#include <mlsift/criteria/trans_mi.h>
#include <mlsift/data/transform.h>
#include <mlsift/search/rank.h>

// Criteria that score each feature separately. `rows`: see counted.h; `x`: data frame, matrix or
// dgCMatrix; `y`: the labels. Returns one score for each feature, in bits where they are informations.

namespace {

template <class Rows, class Criterion>
auto scores(const Rows& rows, const Criterion& criterion, int threads) {
  return mlsift_glue::guarded([&] { return mlsift::score_features(rows, criterion, mlsift_glue::context(threads)); });
}

// Several scores of each feature, for example one for each target: of(table, scratch, scores).
template <class S, class Of>
struct Several {
  using Scratch = S;
  std::size_t n;
  Of of;
  std::vector<double> score(const mlsift::FeatureTable& table, Scratch& scratch) const {
    std::vector<double> scores(n);
    of(table, scratch, scores);
    return scores;
  }
};

// A matrix features x scores.
template <class Scratch, class Of>
Rcpp::NumericMatrix scores_of(const mlsift::CountedRows& rows, std::size_t n, Of of, int threads) {
  const auto found = scores(rows, Several<Scratch, Of>{n, of}, threads);
  Rcpp::NumericMatrix result(static_cast<int>(rows.size()), static_cast<int>(n));
  for (std::size_t f = 0; f < found.size(); ++f) {
    for (std::size_t i = 0; i < n; ++i) result(static_cast<int>(f), static_cast<int>(i)) = found[f][i];
  }
  return result;
}

}  // namespace

// R(f).
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_mim(SEXP rows, int threads) {
  const auto counted = mlsift_glue::rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  return mlsift_glue::with_xlogx(mlsift_glue::rows_to_count(rows), targets.n, targets.size(), [&](const auto& g) {
    return Rcpp::NumericVector(
        Rcpp::wrap(scores(*counted, mlsift::Mim<std::decay_t<decltype(g)>>(targets, g), threads)));
  });
}

// H(f) and R(f), as it is: rounding may leave a last bit below 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_relevance(SEXP rows, int threads) {
  const auto counted = mlsift_glue::rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  return mlsift_glue::with_xlogx(mlsift_glue::rows_to_count(rows), targets.n, targets.size(), [&](const auto& g) {
    const mlsift::Relevance<std::decay_t<decltype(g)>> relevance(targets, g);
    using Scratch = typename mlsift::Relevance<std::decay_t<decltype(g)>>::Scratch;
    const auto of = [&](const mlsift::FeatureTable& table, Scratch& scratch, std::vector<double>& to) {
      to = {g.bits(relevance.entropy(table)), g.bits(relevance.sum(table, scratch))};
    };
    const Rcpp::NumericMatrix both = scores_of<Scratch>(*counted, 2, of, threads);
    return Rcpp::List::create(Rcpp::_["entropy"] = Rcpp::NumericVector(both(Rcpp::_, 0)),
                              Rcpp::_["relevance"] = Rcpp::NumericVector(both(Rcpp::_, 1)));
  });
}

// I(f; t), a matrix features x targets: labels that occur; of classes, and where labels are not known in all rows, the
// targets that vary.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_information_by_target(SEXP rows, int threads) {
  const auto counted = mlsift_glue::rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  return mlsift_glue::with_xlogx(mlsift_glue::rows_to_count(rows), targets.n, 1, [&](const auto& g) {
    const mlsift::Relevance<std::decay_t<decltype(g)>> relevance(targets, g);
    using Scratch = typename mlsift::Relevance<std::decay_t<decltype(g)>>::Scratch;
    const auto of = [&](const mlsift::FeatureTable& table, Scratch& scratch, std::vector<double>& to) {
      std::vector<std::uint64_t> sums(to.size());
      relevance.by_target(table, scratch, sums.data());
      for (std::size_t t = 0; t < to.size(); ++t) to[t] = std::max(g.bits(sums[t]), 0.0);
    };
    return scores_of<Scratch>(*counted, counted->targets().size(), of, threads);
  });
}

// The upward bias of R(f), by chance or after Miller and Madow.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_information_bias(SEXP rows, bool chance, int threads) {
  const auto counted = mlsift_glue::rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  if (!chance) return Rcpp::wrap(scores(*counted, mlsift::MillerMadowBias(targets), threads));
  return Rcpp::wrap(mlsift_glue::guarded([&] {
    const mlsift::ChanceBias bias(targets);
    return mlsift::score_features(*counted, bias, mlsift_glue::context(threads), bias.work());
  }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_ebls(SEXP rows, int n_labels, bool largest, int threads) {
  const mlsift_glue::RowsToCount& labeled = mlsift_glue::rows_to_count(rows);
  const mlsift::TargetMargins margins = labeled.margins();
  const mlsift::LabelSplit split(margins, static_cast<std::size_t>(n_labels), largest);
  const auto counted = labeled.with(split.targets(margins));
  const mlsift::TargetColumns chosen = split.chosen_columns();
  return mlsift_glue::with_xlogx(labeled, margins.n, margins.occurring().size(), [&](const auto& g) {
    const mlsift::Ebls<std::decay_t<decltype(g)>> ebls(split, chosen, counted->targets(), g);
    return Rcpp::NumericVector(Rcpp::wrap(scores(*counted, ebls, threads)));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_odds_ratio(SEXP rows, double h, bool raw, bool by_prior, int threads) {
  const auto counted = mlsift_glue::rows_to_count(rows).counted();
  return Rcpp::wrap(scores(*counted, mlsift::OddsRatio(counted->targets(), {h, raw, by_prior}), threads));
}

// The same for each label alone, as in cpp_information_by_target().
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_odds_ratio_by_target(SEXP rows, double h, bool raw, bool by_prior, int threads) {
  const auto counted = mlsift_glue::rows_to_count(rows).counted();
  const mlsift::OddsRatio odds(counted->targets(), {h, raw, by_prior});
  using Scratch = mlsift::OddsRatio::Scratch;
  const auto of = [&](const mlsift::FeatureTable& table, Scratch& scratch, std::vector<double>& to) {
    odds.by_target(table, scratch);
    to = scratch.best;
  };
  return scores_of<Scratch>(*counted, counted->targets().size(), of, threads);
}

// `y`: the labels, or list(values, unknown); `weights`: of the rows, or NULL, here and below.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_score_correlation(SEXP x, const std::vector<int>& n_levels, SEXP y, SEXP weights, bool absolute,
                                          int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift_glue::LabelCells cells(y);
  const std::vector<int> names = mlsift::labels_that_occur(cells.values);
  const mlsift::Targets labels = mlsift::targets_of(cells.values, names);
  const mlsift::Targets unknown = cells.some_unknown()
                                      ? mlsift::targets_of(cells.unknown, names)
                                      : mlsift::targets_of(features.n_rows, 0, [](std::size_t, auto) {});
  const mlsift::Correlation criterion(features, labels, unknown, n_levels, absolute,
                                      mlsift_glue::real_weights(weights));
  return Rcpp::wrap(scores(features, criterion, threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_mfs(SEXP x, const std::vector<int>& n_levels, SEXP y, SEXP weights, bool weighted, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Targets labels = mlsift_glue::occurring_labels(y);
  const auto result =
      scores(features, mlsift::Mfs(features, labels, n_levels, weighted, mlsift_glue::real_weights(weights)), threads);
  using mlsift_glue::each;
  return Rcpp::List::create(
      Rcpp::_["score"] = each<Rcpp::NumericVector>(result, [](const auto& of_feature) { return of_feature.j; }),
      Rcpp::_["between"] =
          each<Rcpp::NumericVector>(result, [](const auto& of_feature) { return of_feature.between; }));
}

// statistic: 0 chi-square, 1 mutual information, 2 gain ratio, 3 symmetrical uncertainty; transform: 0 ALA, 1 NLA,
// 2 LLA, 3 SLA, 4 ELA, 5 LP, 6 PPT; rare: 0 discard, 1 subsets, 2 A, 3 B; worth: how many rows a weight of 1 stands
// for. `rows`: of a task with labels that are known in all rows, or tables with label sets. Also returns how many
// classes and entries the transformation leaves.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_transformed(SEXP rows, int statistic, int transform, int min_count, int rare, int b,
                                 bool increasing, double worth, int threads) {
  const mlsift_glue::RowsToCount& labeled = mlsift_glue::rows_to_count(rows);
  const mlsift::PruneOptions options{min_count, static_cast<mlsift::Rare>(rare), b, increasing, labeled.weights(),
                                     worth};
  const mlsift::Targets targets =
      mlsift::transform(labeled.labels(), static_cast<mlsift::Transform>(transform), options);
  const double entries = static_cast<double>(targets.ids.size());
  Rcpp::NumericVector score(Rcpp::no_init(static_cast<R_xlen_t>(labeled.n_features())));
  score.fill(0);
  if (entries > 0) {
    const mlsift::DividedClasses classes(targets);
    const auto counted = labeled.with_classes(classes.columns(targets));
    const mlsift::ClassTable table(classes, counted->targets());
    if (statistic == 0) {
      score = Rcpp::wrap(scores(*counted, mlsift::Chi2(table), threads));
      for (double& one : score) one *= worth;
    } else {
      const auto divide = static_cast<mlsift::DivideInformation>(statistic - 1);
      std::int64_t all = 0;
      for (const std::int64_t n : counted->targets().count) all += n;
      score = mlsift_glue::with_xlogx(labeled, all, 16, [&](const auto& g) {
        using Score = mlsift::TransMi<std::decay_t<decltype(g)>>;
        return Rcpp::NumericVector(Rcpp::wrap(scores(*counted, Score(table, g, divide), threads)));
      });
    }
  }
  return Rcpp::List::create(Rcpp::_["score"] = score, Rcpp::_["classes"] = targets.n_occurring(),
                            Rcpp::_["entries"] = entries);
}
