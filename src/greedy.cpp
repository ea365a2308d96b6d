#include "context.h"
#include "convert.h"
#include "path.h"

#include <mlsift/criteria/d2f2015.h>
#include <mlsift/criteria/jmi.h>
#include <mlsift/criteria/label_interaction.h>
#include <mlsift/criteria/linear.h>
#include <mlsift/criteria/mdmr.h>
#include <mlsift/criteria/scls.h>
#include <mlsift/search/rank.h>

namespace {

mlsift::GreedyState state_of(SEXP state, std::size_t d) {
  mlsift::GreedyState result(d);
  if (Rf_isNull(state)) return result;
  const Rcpp::List list(state);
  result.redundancy = Rcpp::as<std::vector<double>>(list["redundancy"]);
  result.conditional = Rcpp::as<std::vector<double>>(list["conditional"]);
  result.joint = Rcpp::as<std::vector<double>>(list["joint"]);
  result.repeated = Rcpp::as<std::vector<double>>(list["repeated"]);
  result.n_selected = Rcpp::as<int>(list["n_selected"]);
  return result;
}

Rcpp::List as_list(const mlsift::GreedyState& state) {
  return Rcpp::List::create(Rcpp::_["redundancy"] = state.redundancy, Rcpp::_["conditional"] = state.conditional,
                            Rcpp::_["joint"] = state.joint, Rcpp::_["repeated"] = state.repeated,
                            Rcpp::_["n_selected"] = state.n_selected);
}

}  // namespace

// Greedy selection by pairs and triples of discrete variables. `y`: labels (integer matrix or dgCMatrix) or an integer
// matrix of classes; `criterion`: list(name, weights), `interaction`: ld(f) or empty; `state`: of an earlier run, or
// NULL. end: 0 complete, 1 min_gain, 2 max_seconds, 3 interrupted.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_greedy(SEXP x, SEXP cuts, bool right, SEXP y, const Rcpp::List& criterion,
                      const std::vector<double>& interaction, const Rcpp::List& options, SEXP state, int threads) {
  const mlsift::Context context = mlsift_glue::context(threads);
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
  const std::string name = Rcpp::as<std::string>(criterion["name"]);
  const mlsift::LinearWeights weights = [&] {
    const Rcpp::List w = criterion["weights"];
    mlsift::LinearWeights result;
    result.relevance = w["relevance"];
    result.label_interaction = w["label_interaction"];
    result.redundancy = w["redundancy"];
    result.conditional = w["conditional"];
    result.average = w["average"];
    return result;
  }();
  const bool joint = name == "jmi" || name == "normalized_jmi" || name == "mdmr" || name == "d2f2015" ||
                     (name == "linear" && weights.conditional != 0);
  const bool resumed = !Rf_isNull(state);
  return mlsift_glue::guarded([&] {
    mlsift::Informations data(mlsift::indicators_of(features),
                              mlsift::varying_indicators_of(mlsift_glue::features_of(y)), joint, context);
    mlsift::GreedyState begin = state_of(state, data.size());
    std::vector<double> relevance;
    for (std::size_t f = 0; f < data.size(); ++f) relevance.push_back(data.relevance(static_cast<int>(f)));
    const auto run = [&](auto selected) {
      const mlsift::GreedyPath path = mlsift::greedy(selected, data.size(), wanted, context, resumed);
      Rcpp::List result = mlsift_glue::as_list(path);
      result["state"] = as_list(selected.state());
      result["relevance"] = relevance;
      result["as_bits"] = static_cast<int>(data.n_as_bits());
      result["by_groups"] = data.targets_by_groups();
      return result;
    };
    if (name == "scls") return run(mlsift::Scls(data, begin));
    if (name == "jmi") return run(mlsift::Jmi(data, begin));
    if (name == "normalized_jmi") return run(mlsift::NormalizedJmi(data, begin));
    if (name == "mdmr") return run(mlsift::Mdmr(data, begin));
    if (name == "d2f2015") return run(mlsift::D2f2015(data, begin));
    return run(mlsift::Linear(data, weights, interaction, begin));
  });
}

// H(f) and R(f) = sum over targets of I(f; t), in bits; targets of any number of classes.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_relevance(SEXP x, SEXP cuts, bool right, SEXP y, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  return mlsift_glue::guarded([&] {
    const mlsift::Informations data(mlsift::indicators_of(features),
                                    mlsift::varying_indicators_of(mlsift_glue::features_of(y)), false,
                                    mlsift_glue::context(threads));
    Rcpp::NumericVector entropy(static_cast<R_xlen_t>(data.size())), relevance(static_cast<R_xlen_t>(data.size()));
    for (R_xlen_t f = 0; f < entropy.size(); ++f) {
      entropy[f] = data.entropy(static_cast<int>(f));
      relevance[f] = data.relevance(static_cast<int>(f));
    }
    return Rcpp::List::create(Rcpp::_["entropy"] = entropy, Rcpp::_["relevance"] = relevance);
  });
}

// ld(f) over the labels `labels` (numbers from 1), in bits.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_label_interaction(SEXP x, SEXP cuts, bool right, SEXP y, const std::vector<int>& labels,
                                          int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  std::vector<int> wanted;
  for (const int l : labels) wanted.push_back(l - 1);
  const mlsift::Targets targets = mlsift::targets_of(mlsift_glue::labels_of(y), wanted);
  const mlsift::XLogX xlogx(features.n_rows, static_cast<double>(wanted.size()));
  const mlsift::LabelInteraction criterion(targets, xlogx);
  return Rcpp::wrap(
      mlsift_glue::guarded([&] { return mlsift::score_features(features, criterion, mlsift_glue::context(threads)); }));
}
