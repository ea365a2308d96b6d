#include <Rcpp.h>

#include "context.h"
#include "convert.h"

#include <mlsift/criteria/mfs_mcdm.h>
#include <mlsift/learn/logistic.h>
#include <mlsift/learn/ridge.h>

// Linear models. `x`: a double matrix or a dgCMatrix. `prefixes`: numbers of leading columns, each of which is a model
// of its own. `weights`: of rows, or NULL.

namespace {

using mlsift_glue::sizes;

// For each prefix list(intercept, weights (columns x targets)).
template <class Model>
Rcpp::List coefficients(const std::vector<std::vector<Model>>& models, const std::vector<std::size_t>& prefixes) {
  Rcpp::List result;
  for (std::size_t p = 0; p < prefixes.size(); ++p) {
    const int q = static_cast<int>(models[p].size());
    Rcpp::NumericVector intercept(q);
    Rcpp::NumericMatrix weights(Rcpp::no_init(static_cast<int>(prefixes[p]), q));
    for (int t = 0; t < q; ++t) {
      const Model& model = models[p][static_cast<std::size_t>(t)];
      intercept[t] = model.intercept;
      std::copy(model.weights.begin(), model.weights.end(), weights.column(t).begin());
    }
    result.push_back(Rcpp::List::create(Rcpp::Named("intercept") = intercept, Rcpp::Named("weights") = weights));
  }
  return result;
}

Rcpp::List as_list(const mlsift::Scaling& scaling) {
  return Rcpp::List::create(Rcpp::Named("center") = scaling.center, Rcpp::Named("scale") = scaling.scale,
                            Rcpp::Named("sparse") = scaling.sparse);
}

mlsift::Scaling as_scaling(const Rcpp::List& list) {
  mlsift::Scaling scaling;
  scaling.center = Rcpp::as<std::vector<double>>(list["center"]);
  scaling.scale = Rcpp::as<std::vector<double>>(list["scale"]);
  scaling.sparse = Rcpp::as<bool>(list["sparse"]);
  return scaling;
}

}  // namespace

// `y`: labels. Also the objective of each label and prefix, the number of steps, and whether they converged.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_logistic_fit(SEXP x, SEXP y, SEXP weights, double rho, bool zscore, Rcpp::IntegerVector prefixes,
                            int factored_columns, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Context context = mlsift_glue::context(threads);
  const double* const weight = mlsift_glue::real_weights(weights);
  const mlsift::Scaling scaling = mlsift::scaling_of(features, zscore, weight);
  const std::vector<std::size_t> sizes_of = sizes(prefixes);
  mlsift::LogisticOptions options;
  options.rho = rho;
  options.factored_columns = static_cast<std::size_t>(factored_columns);
  const auto models = mlsift_glue::guarded([&] {
    const mlsift::Design design(features, scaling);
    return mlsift::logistic_models(context, design, mlsift_glue::labels_of(y), weight, sizes_of, options);
  });
  const int q = static_cast<int>(models[0].size()), n_prefixes = static_cast<int>(models.size());
  Rcpp::NumericMatrix objective(q, n_prefixes);
  Rcpp::IntegerMatrix steps(q, n_prefixes);
  Rcpp::LogicalMatrix converged(q, n_prefixes);
  for (std::size_t p = 0; p < models.size(); ++p) {
    for (std::size_t l = 0; l < models[p].size(); ++l) {
      const mlsift::LogisticModel& model = models[p][l];
      objective(l, p) = model.objective;
      steps(l, p) = static_cast<int>(model.steps);
      converged(l, p) = model.converged;
    }
  }
  return Rcpp::List::create(
      Rcpp::Named("scaling") = as_list(scaling), Rcpp::Named("models") = coefficients(models, sizes_of),
      Rcpp::Named("objective") = objective, Rcpp::Named("steps") = steps, Rcpp::Named("converged") = converged);
}

// `y`: a double matrix. `rho`: NaN to choose it by generalized cross-validation. Also the penalty of each prefix.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_ridge_fit(SEXP x, Rcpp::NumericMatrix y, SEXP weights, double rho, bool zscore,
                         Rcpp::IntegerVector prefixes) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const double* const weight = mlsift_glue::real_weights(weights);
  const mlsift::Scaling scaling = mlsift::scaling_of(features, zscore, weight);
  const mlsift::Design design(features, scaling);
  const std::vector<std::size_t> sizes_of = sizes(prefixes);
  const std::size_t q = static_cast<std::size_t>(y.ncol());
  std::vector<double> penalties(sizes_of.size(), rho);
  const mlsift::Context context = mlsift_glue::context(1);
  const auto models = mlsift_glue::guarded([&] {
    return std::isnan(rho) ? mlsift::ChosenRidge(design, weight, y.begin(), q, context).models(sizes_of, penalties)
                           : mlsift::ridge_models(design, weight, y.begin(), q, sizes_of, rho);
  });
  return Rcpp::List::create(Rcpp::Named("scaling") = as_list(scaling),
                            Rcpp::Named("models") = coefficients(models, sizes_of), Rcpp::Named("rho") = penalties);
}

// Linear predictors of new rows, or their logistic function; for each model a matrix rows x targets.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_linear_predict(SEXP x, Rcpp::List scaling, Rcpp::List models, bool logistic, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Context context = mlsift_glue::context(threads);
  const mlsift::Design design(features, as_scaling(scaling));
  const std::size_t n = design.n_rows();
  Rcpp::List result(models.size());
  for (R_xlen_t p = 0; p < models.size(); ++p) {
    const Rcpp::List model(static_cast<SEXP>(models[p]));
    const Rcpp::NumericVector intercept = model["intercept"];
    const Rcpp::NumericMatrix weights = model["weights"];
    Rcpp::NumericMatrix values(Rcpp::no_init(static_cast<int>(n), static_cast<int>(intercept.size())));
    result[p] = values;
    const double *from = weights.begin(), *start = intercept.begin();
    double* const to = values.begin();
    const std::size_t k = static_cast<std::size_t>(weights.nrow()), q = static_cast<std::size_t>(intercept.size());
    mlsift_glue::guarded([&] { mlsift::linear_predictors(context, design, start, from, k, q, logistic, to); });
  }
  return result;
}

// MFS-MCDM. `y`: labels that vary; `solve`: 0 whichever is cheaper, 1 a factor, 2 conjugate gradients. Constant
// features have the score NA.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_mfs_mcdm(SEXP x, SEXP y, double ridge, bool absolute, int solve, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Targets labels = mlsift_glue::all_labels(y);
  const mlsift::Context context = mlsift_glue::context(threads);
  const mlsift::MfsMcdmScores found = mlsift_glue::guarded([&] {
    const mlsift::MfsMcdmOptions options{ridge, absolute, static_cast<mlsift::MfsMcdmOptions::Solve>(solve)};
    return mlsift::MfsMcdm(features, labels, options, context).scores();
  });
  Rcpp::NumericVector score(static_cast<R_xlen_t>(features.size()), NA_REAL);
  for (std::size_t j = 0; j < found.feature.size(); ++j) {
    score[static_cast<R_xlen_t>(found.feature[j])] = found.score[j];
  }
  return Rcpp::List::create(Rcpp::_["score"] = score, Rcpp::_["settled"] = found.settled);
}
