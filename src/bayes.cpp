#include "context.h"
#include "convert.h"
#include "counts.h"

#include <mlsift/learn/naive_bayes_odds.h>

#include <numeric>

// Naive Bayes.

namespace {

// `state`: list(counts, counted, normal, laplace, smoothing, offset, standardized), and perhaps joint and
// unit, the weight of a count.
mlsift::NaiveBayes model_from_r(const Rcpp::List& state) {
  const Rcpp::List normal = state["normal"];
  const Rcpp::LogicalVector constant = normal["constant"], from_zero = normal["from_zero"];
  const Rcpp::NumericVector shift = normal["shift"], scale = normal["scale"], sum = normal["sum"],
                            squares = normal["squares"];
  mlsift::LabelSums sums;
  for (R_xlen_t f = 0; f < constant.size(); ++f)
    sums.all.push_back({constant[f] != 0, from_zero[f] != 0, shift[f], scale[f], sum[f], squares[f]});
  sums.sum = Rcpp::as<std::vector<double>>(normal["label_sum"]);
  sums.squares = Rcpp::as<std::vector<double>>(normal["label_squares"]);
  mlsift::NaiveBayes model(mlsift_glue::counts_from_r(state["counts"]), mlsift_glue::flags(state["counted"]),
                           std::move(sums));
  model.laplace = state["laplace"];
  model.prior_smoothing = state["smoothing"];
  model.density_offset = state["offset"];
  model.standardized = state["standardized"];
  if (state.containsElementNamed("unit")) model.count_weight = Rcpp::as<double>(state["unit"]);
  model.joint = state.containsElementNamed("joint") && Rcpp::as<bool>(state["joint"]);
  return model;
}

Rcpp::List normal_to_r(const mlsift::LabelSums& sums) {
  using mlsift::NormalSums;
  using mlsift_glue::each;
  using Rcpp::LogicalVector;
  using Rcpp::NumericVector;
  return Rcpp::List::create(Rcpp::_["constant"] = each<LogicalVector>(sums.all, &NormalSums::constant),
                            Rcpp::_["from_zero"] = each<LogicalVector>(sums.all, &NormalSums::from_zero),
                            Rcpp::_["shift"] = each<NumericVector>(sums.all, &NormalSums::shift),
                            Rcpp::_["scale"] = each<NumericVector>(sums.all, &NormalSums::scale),
                            Rcpp::_["sum"] = each<NumericVector>(sums.all, &NormalSums::sum),
                            Rcpp::_["squares"] = each<NumericVector>(sums.all, &NormalSums::squares),
                            Rcpp::_["label_sum"] = sums.sum, Rcpp::_["label_squares"] = sums.squares);
}

}  // namespace

// `counted`: features whose levels are counted; the others are doubles. `weights`: of the rows, or NULL.
// Returns list(counts, counted, normal).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_naive_bayes(const mlsift::Features& x, const mlsift::Targets& y, const Rcpp::LogicalVector& counted,
                               SEXP weights, const mlsift::Context& context) {
  const mlsift::NaiveBayes model = mlsift_glue::guarded([&] {
    return mlsift::fit_naive_bayes(x, y, mlsift_glue::flags(counted), context, mlsift_glue::weights_of(weights));
  });
  return Rcpp::List::create(Rcpp::_["counts"] = mlsift_glue::counts_to_r(model.counts), Rcpp::_["counted"] = counted,
                            Rcpp::_["normal"] = normal_to_r(model.sums));
}

// One matrix of posteriors for each prefix; `prefixes` are ascending.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_naive_bayes_scores(const Rcpp::List& state, const mlsift::Features& x,
                                  const std::vector<std::size_t>& prefixes, const mlsift::Context& context) {
  const mlsift::NaiveBayes model = model_from_r(state);
  std::vector<double*> to;
  const Rcpp::List result =
      mlsift_glue::new_matrices<Rcpp::NumericMatrix>(prefixes.size(), x.n_rows, model.n_labels(), to);
  std::vector<int> all(x.size());
  std::iota(all.begin(), all.end(), 0);
  mlsift_glue::guarded([&] { mlsift::naive_bayes_scores(model, x, all, prefixes, to, context); });
  return result;
}

namespace {

// A model and the rows to predict. The columns of the rows belong to an R object, which the external pointer
// keeps.
struct BayesScorer {
  mlsift::NaiveBayes model;
  mlsift::Features query;
};

}  // namespace

// What cpp_score_subset() needs: a model of all features and the new rows.
// [[Rcpp::export(rng = false)]]
SEXP cpp_bayes_scorer(const Rcpp::List& state, SEXP x) {
  auto* scorer = new BayesScorer{model_from_r(state), mlsift_glue::features_of(x)};
  return Rcpp::XPtr<BayesScorer>(scorer, true, R_NilValue, x);
}

// Posteriors from some features (numbers from 1) alone, or responses where no scores are asked for.
// [[Rcpp::export(rng = false)]]
SEXP cpp_score_subset(SEXP scorer, SEXP features, bool scores, double threshold, const mlsift::Context& context) {
  const Rcpp::XPtr<BayesScorer> of(scorer);
  const mlsift::NaiveBayes& model = of->model;
  const std::vector<int> numbers = mlsift_glue::from_zero(features);
  const int n = static_cast<int>(of->query.n_rows), q = static_cast<int>(model.n_labels());
  if (!scores) {
    Rcpp::IntegerMatrix responses(Rcpp::no_init(n, q));
    int* const to = responses.begin();
    mlsift_glue::guarded([&] { mlsift::naive_bayes_responses(model, of->query, numbers, threshold, to, context); });
    return responses;
  }
  Rcpp::NumericMatrix posteriors(Rcpp::no_init(n, q));
  double* const to = posteriors.begin();
  mlsift_glue::guarded([&] { mlsift::naive_bayes_scores(model, of->query, numbers, {numbers.size()}, {to}, context); });
  return posteriors;
}
