#include <Rcpp.h>

#include "context.h"
#include "convert.h"

#include <mlsift/criteria/mfs_mcdm.h>
#include <mlsift/learn/logistic.h>
#include <mlsift/learn/ridge.h>

// Linear models. `x`: a double matrix or a dgCMatrix. `prefixes`: numbers of leading columns, each of which is a model
// of its own. `weights`: of rows, or NULL.

namespace {

using mlsift_glue::each;
using mlsift_glue::guarded;
using mlsift_glue::real_weights;

// For each prefix list(intercept, weights (columns x targets)).
template <class Model>
Rcpp::List coefficients(const std::vector<std::vector<Model>>& models) {
  return each<Rcpp::List>(models, [](const std::vector<Model>& of_prefix) {
    const int q = static_cast<int>(of_prefix.size());
    Rcpp::NumericMatrix weights(Rcpp::no_init(static_cast<int>(of_prefix[0].weights.size()), q));
    double* to = weights.begin();
    for (const Model& model : of_prefix) to = std::copy(model.weights.begin(), model.weights.end(), to);
    const auto intercept = each<Rcpp::NumericVector>(of_prefix, &Model::intercept);
    return Rcpp::List::create(Rcpp::_["intercept"] = intercept, Rcpp::_["weights"] = weights);
  });
}

Rcpp::List as_list(const mlsift::Scaling& scaling) {
  return Rcpp::List::create(Rcpp::_["center"] = scaling.center, Rcpp::_["scale"] = scaling.scale,
                            Rcpp::_["sparse"] = scaling.sparse);
}

mlsift::Scaling as_scaling(const Rcpp::List& list) {
  return {Rcpp::as<std::vector<double>>(list["center"]), Rcpp::as<std::vector<double>>(list["scale"]), list["sparse"]};
}

}  // namespace

// `y`: labels. Also the objective of each label and prefix, the number of steps, and whether they converged.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_logistic_fit(const mlsift::Features& x, SEXP y, SEXP weights, double rho, bool zscore,
                            const std::vector<std::size_t>& prefixes, std::size_t factored_columns,
                            const mlsift::Context& context) {
  using mlsift::LogisticModel;
  const mlsift::Scaling scaling = mlsift::scaling_of(x, zscore, real_weights(weights));
  mlsift::LogisticOptions options;
  options.rho = rho;
  options.factored_columns = factored_columns;
  const auto models = guarded([&] {
    const mlsift::Design design(x, scaling);
    return mlsift::logistic_models(context, design, mlsift_glue::labels_of(y), real_weights(weights), prefixes,
                                   options);
  });
  const auto filled = [&](auto matrix, auto LogisticModel::*part) {
    auto to = matrix.begin();
    for (const std::vector<LogisticModel>& of_prefix : models) {
      for (const LogisticModel& model : of_prefix) *to++ = model.*part;
    }
    return matrix;
  };
  const int q = static_cast<int>(models[0].size()), n = static_cast<int>(models.size());
  return Rcpp::List::create(Rcpp::_["scaling"] = as_list(scaling), Rcpp::_["models"] = coefficients(models),
                            Rcpp::_["objective"] = filled(Rcpp::NumericMatrix(q, n), &LogisticModel::objective),
                            Rcpp::_["steps"] = filled(Rcpp::IntegerMatrix(q, n), &LogisticModel::steps),
                            Rcpp::_["converged"] = filled(Rcpp::LogicalMatrix(q, n), &LogisticModel::converged));
}

// `y`: a double matrix. `rho`: NaN to choose it by generalized cross-validation. Also the penalty of each prefix.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_ridge_fit(const mlsift::Features& x, const Rcpp::NumericMatrix& y, SEXP weights, double rho, bool zscore,
                         const std::vector<std::size_t>& prefixes, const mlsift::Context& context) {
  const double* const weight = real_weights(weights);
  const mlsift::Scaling scaling = mlsift::scaling_of(x, zscore, weight);
  const mlsift::Design design(x, scaling);
  const std::size_t q = static_cast<std::size_t>(y.ncol());
  std::vector<double> penalties(prefixes.size(), rho);
  const auto models = guarded([&] {
    return std::isnan(rho) ? mlsift::ChosenRidge(design, weight, y.begin(), q, context).models(prefixes, penalties)
                           : mlsift::ridge_models(design, weight, y.begin(), q, prefixes, rho);
  });
  return Rcpp::List::create(Rcpp::_["scaling"] = as_list(scaling), Rcpp::_["models"] = coefficients(models),
                            Rcpp::_["rho"] = penalties);
}

// Linear predictors of new rows, or their logistic function; for each model a matrix rows x targets.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_linear_predict(const mlsift::Features& x, const Rcpp::List& scaling, const Rcpp::List& models,
                              bool logistic, const mlsift::Context& context) {
  const mlsift::Design design(x, as_scaling(scaling));
  return each<Rcpp::List>(models, [&](const Rcpp::List& model) {
    const Rcpp::NumericVector intercept = model["intercept"];
    const Rcpp::NumericMatrix weights = model["weights"];
    Rcpp::NumericMatrix values(Rcpp::no_init(static_cast<int>(x.n_rows), static_cast<int>(intercept.size())));
    double* const to = values.begin();
    const std::size_t k = static_cast<std::size_t>(weights.nrow()), q = static_cast<std::size_t>(intercept.size());
    guarded(
        [&] { mlsift::linear_predictors(context, design, intercept.begin(), weights.begin(), k, q, logistic, to); });
    return values;
  });
}

// MFS-MCDM. `y`: labels that vary; `solve`: 0 whichever is cheaper, 1 a factor, 2 conjugate gradients. Constant
// features have the score NA.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_mfs_mcdm(const mlsift::Features& x, const mlsift::Targets& y, double ridge, bool absolute,
                              int solve, const mlsift::Context& context) {
  const mlsift::MfsMcdmScores found = guarded([&] {
    const mlsift::MfsMcdmOptions options{ridge, absolute, static_cast<mlsift::MfsMcdmOptions::Solve>(solve)};
    return mlsift::MfsMcdm(x, y, options, context).scores();
  });
  std::vector<double> score(x.size(), NA_REAL);
  for (std::size_t j = 0; j < found.feature.size(); ++j) score[found.feature[j]] = found.score[j];
  return Rcpp::List::create(Rcpp::_["score"] = score, Rcpp::_["settled"] = found.settled);
}
