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

#include <numeric>

// Criteria that score each feature separately. `rows`: see counted.h; `x`: data frame, matrix or
// dgCMatrix; `y`: the labels. Returns one score for each feature, in bits where they are informations.

namespace {

using mlsift_glue::guarded;
using mlsift_glue::rows_to_count;
using mlsift_glue::with_xlogx;
using Numbers = std::vector<double>;

template <class Rows, class Criterion>
auto scores(const Rows& rows, const Criterion& criterion, const mlsift::Context& context) {
  return guarded([&] { return mlsift::score_features(rows, criterion, context); });
}

// Several scores of each feature, for example one for each target: of(table, scratch).
template <class S, class Of>
struct Several {
  using Scratch = S;
  Of of;
  Numbers score(const mlsift::FeatureTable& table, Scratch& scratch) const { return of(table, scratch); }
};

// A matrix features x scores.
template <class Scratch, class Of>
Rcpp::NumericMatrix scores_of(const mlsift::CountedRows& rows, std::size_t n, Of of, const mlsift::Context& context) {
  const auto found = scores(rows, Several<Scratch, Of>{of}, context);
  Rcpp::NumericMatrix result(static_cast<int>(rows.size()), static_cast<int>(n));
  for (std::size_t f = 0; f < found.size(); ++f) {
    for (std::size_t i = 0; i < n; ++i) result(static_cast<int>(f), static_cast<int>(i)) = found[f][i];
  }
  return result;
}

}  // namespace

// R(f).
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_score_mim(SEXP rows, const mlsift::Context& context) {
  const auto counted = rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  return with_xlogx(rows_to_count(rows), targets.n, targets.size(),
                    [&](const auto& g) { return scores(*counted, mlsift::Mim(targets, g), context); });
}

// A matrix features x 2 of H(f) and R(f), as it is: rounding may leave a last bit below 0. Or with `by_target` I(f; t),
// features x targets: labels that occur; of classes, and where labels are not known in all rows, the targets that vary.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_relevance(SEXP rows, bool by_target, const mlsift::Context& context) {
  const auto counted = rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  const std::size_t q = targets.size();
  return with_xlogx(rows_to_count(rows), targets.n, by_target ? 1 : q, [&](const auto& g) {
    const mlsift::Relevance relevance(targets, g);
    using Scratch = typename decltype(relevance)::Scratch;
    const auto of = [&](const mlsift::FeatureTable& table, Scratch& scratch) -> Numbers {
      if (!by_target) return {g.bits(relevance.entropy(table)), g.bits(relevance.sum(table, scratch))};
      std::vector<std::uint64_t> sums(q);
      relevance.by_target(table, scratch, sums.data());
      Numbers bits;
      for (const std::uint64_t sum : sums) bits.push_back(std::max(g.bits(sum), 0.0));
      return bits;
    };
    return scores_of<Scratch>(*counted, by_target ? q : 2, of, context);
  });
}

// The upward bias of R(f), by chance or after Miller and Madow.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_information_bias(SEXP rows, bool chance, const mlsift::Context& context) {
  const auto counted = rows_to_count(rows).counted();
  const mlsift::TargetColumns& targets = counted->targets();
  if (!chance) return scores(*counted, mlsift::MillerMadowBias(targets), context);
  return guarded([&] {
    const mlsift::ChanceBias bias(targets);
    return mlsift::score_features(*counted, bias, context, bias.work());
  });
}

// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_score_ebls(SEXP rows, std::size_t n_labels, bool largest, const mlsift::Context& context) {
  const mlsift_glue::RowsToCount& labeled = rows_to_count(rows);
  const mlsift::TargetMargins margins = labeled.margins();
  const mlsift::LabelSplit split(margins, n_labels, largest);
  const auto counted = labeled.with(split.targets(margins));
  const mlsift::TargetColumns chosen = split.chosen_columns();
  return with_xlogx(labeled, margins.n, margins.occurring().size(), [&](const auto& g) {
    return scores(*counted, mlsift::Ebls(split, chosen, counted->targets(), g), context);
  });
}

// A score for each feature, or with `by_target` a matrix features x labels as in cpp_relevance().
// [[Rcpp::export(rng = false)]]
SEXP cpp_score_odds_ratio(SEXP rows, double h, bool raw, bool by_prior, bool by_target,
                          const mlsift::Context& context) {
  const auto counted = rows_to_count(rows).counted();
  const mlsift::OddsRatio odds(counted->targets(), {h, raw, by_prior});
  if (!by_target) return Rcpp::wrap(scores(*counted, odds, context));
  using Scratch = mlsift::OddsRatio::Scratch;
  const auto of = [&](const mlsift::FeatureTable& table, Scratch& scratch) {
    odds.by_target(table, scratch);
    return scratch.best;
  };
  return scores_of<Scratch>(*counted, counted->targets().size(), of, context);
}

// `y`: the labels, or list(values, unknown); `weights`: of the rows, or NULL, here and below.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_score_correlation(const mlsift::Features& x, const std::vector<int>& n_levels,
                                          const mlsift_glue::LabelCells& y, SEXP weights, bool absolute,
                                          const mlsift::Context& context) {
  const std::vector<int> names = mlsift::labels_that_occur(y.values);
  const mlsift::Targets labels = mlsift::targets_of(y.values, names);
  const mlsift::Targets unknown = y.some_unknown() ? mlsift::targets_of(y.unknown, names)
                                                   : mlsift::targets_of(x.n_rows, 0, [](std::size_t, auto) {});
  const double* const weight = mlsift_glue::real_weights(weights);
  return scores(x, mlsift::Correlation(x, labels, unknown, n_levels, absolute, weight), context);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_mfs(const mlsift::Features& x, const std::vector<int>& n_levels, SEXP y, SEXP weights,
                         bool weighted, const mlsift::Context& context) {
  using mlsift_glue::each;
  using Score = mlsift::Mfs::Score;
  const mlsift::Targets labels = mlsift_glue::occurring_labels(y);
  const mlsift::Mfs criterion(x, labels, n_levels, weighted, mlsift_glue::real_weights(weights));
  const std::vector<Score> found = scores(x, criterion, context);
  return Rcpp::List::create(Rcpp::_["score"] = each<Rcpp::NumericVector>(found, &Score::j),
                            Rcpp::_["between"] = each<Rcpp::NumericVector>(found, &Score::between));
}

// statistic: 0 chi-square, 1 mutual information, 2 gain ratio, 3 symmetrical uncertainty; transform: 0 ALA, 1 NLA,
// 2 LLA, 3 SLA, 4 ELA, 5 LP, 6 PPT; rare: 0 discard, 1 subsets, 2 A, 3 B; worth: how many rows a weight of 1 stands
// for. `rows`: of a task with labels that are known in all rows, or tables with label sets. Also returns how many
// classes and entries the transformation leaves.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_transformed(SEXP rows, int statistic, int transform, int min_count, int rare, int b,
                                 bool increasing, double worth, const mlsift::Context& context) {
  const mlsift_glue::RowsToCount& labeled = rows_to_count(rows);
  const mlsift::PruneOptions options{min_count, static_cast<mlsift::Rare>(rare), b, increasing, labeled.weights(),
                                     worth};
  const mlsift::Targets targets =
      mlsift::transform(labeled.labels(), static_cast<mlsift::Transform>(transform), options);
  Numbers score(labeled.n_features(), 0.0);
  if (!targets.ids.empty()) {
    const mlsift::DividedClasses classes(targets);
    const auto counted = labeled.with_classes(classes.columns(targets));
    const mlsift::ClassTable table(classes, counted->targets());
    if (statistic == 0) {
      score = scores(*counted, mlsift::Chi2(table), context);
      for (double& one : score) one *= worth;
    } else {
      const auto divide = static_cast<mlsift::DivideInformation>(statistic - 1);
      const std::vector<std::int64_t>& count = counted->targets().count;
      score = with_xlogx(labeled, std::accumulate(count.begin(), count.end(), std::int64_t{0}), 16,
                         [&](const auto& g) { return scores(*counted, mlsift::TransMi(table, g, divide), context); });
    }
  }
  return Rcpp::List::create(Rcpp::_["score"] = score, Rcpp::_["classes"] = targets.n_occurring(),
                            Rcpp::_["entries"] = static_cast<double>(targets.ids.size()));
}
