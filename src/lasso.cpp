#include "context.h"
#include "convert.h"

#include <mlsift/model/lasso_path.h>

namespace {

using mlsift_glue::each;
using mlsift_glue::positions;

// Coefficients of the features' own columns, in the targets' own unit: list(column, value (columns x targets), and the
// intercepts for centered columns, where there are any). `scale`: what targets were divided by.
Rcpp::List own_coefficients(const mlsift::CenteredColumns& x, const std::vector<int>& first_column,
                            const mlsift::ActiveRows& w, const std::vector<double>& scale) {
  const std::size_t q = scale.size();
  std::vector<int> columns;
  for (const std::size_t u : w.unit) {
    for (std::size_t c = 0; c < x.own_size(u); ++c) columns.push_back(first_column[u] + static_cast<int>(c) + 1);
  }
  const int rows = static_cast<int>(columns.size());
  Rcpp::NumericMatrix value(rows, static_cast<int>(q));
  std::vector<double> own;
  int row = 0;
  for (std::size_t s = 0; s < w.unit.size(); ++s) {
    const std::size_t size = x.own_size(w.unit[s]);
    own.resize(size * q);
    x.own_coefficients(w.unit[s], w.values[s].data(), q, own.data());
    for (std::size_t c = 0; c < size; ++c, ++row) {
      for (std::size_t t = 0; t < q; ++t) value(row, static_cast<int>(t)) = own[c * q + t] * scale[t];
    }
  }
  std::vector<double> intercept = w.intercept;
  for (std::size_t t = 0; t < intercept.size(); ++t) intercept[t] *= scale[t];
  return Rcpp::List::create(Rcpp::_["column"] = columns, Rcpp::_["value"] = value, Rcpp::_["intercept"] = intercept);
}

mlsift::PathOptions path_options(const Rcpp::List& options) {
  return {options["n_lambda"], options["lambda_ratio"], options["last"],       options["refine"],
          options["wanted"],   options["least"],        options["max_seconds"]};
}

// `from`: what as_list() gives as `begin`, with the units that have entered.
void resume(mlsift::LassoPath& path, const Rcpp::List& from) {
  path.steps = Rcpp::as<std::size_t>(from["steps"]);
  path.last_penalty = from["lambda"];
  const Rcpp::List w = from["w"], values = w["value"];
  path.last.unit = positions(w["unit"]);
  for (R_xlen_t s = 0; s < values.size(); ++s) path.last.values.push_back(Rcpp::as<std::vector<double>>(values[s]));
  for (const std::size_t u : positions(from["entered"])) path.mark(u);
}

Rcpp::List as_list(mlsift::LassoPath& path, const mlsift::LassoProblem& problem, const std::vector<int>& blocks) {
  using Rcpp::IntegerVector;
  using Rcpp::NumericVector;
  const mlsift::CenteredColumns& columns = problem.columns();
  const double n = columns.total();
  std::vector<int> first_column, constant;
  std::vector<double> mean;
  for (std::size_t u = 0; u < blocks.size(); ++u) {
    const std::vector<double>& own = columns.own_means(u);
    first_column.push_back(static_cast<int>(mean.size()));
    mean.insert(mean.end(), own.begin(), own.end());
    constant.push_back(columns.unit_size(u) == 0);
  }
  // Each model is freed once it is converted.
  const Rcpp::List coefficients = each<Rcpp::List>(path.points, [&](mlsift::PathPoint& point) {
    const mlsift::ActiveRows w = std::move(point.w);
    return own_coefficients(columns, first_column, w, problem.targets().scale());
  });
  const auto of_points = [&](auto get) { return each<NumericVector>(path.points, get); };
  const auto from_one = [](std::size_t i) { return static_cast<int>(i) + 1; };
  const Rcpp::List entry = Rcpp::List::create(
      Rcpp::_["unit"] = each<IntegerVector>(path.entries, [&](const auto& e) { return from_one(e.unit); }),
      Rcpp::_["point"] = each<IntegerVector>(path.entries, [&](const auto& e) { return from_one(e.point); }),
      Rcpp::_["norm"] = each<NumericVector>(path.entries, &mlsift::PathEntry::norm));
  const Rcpp::List w =
      Rcpp::List::create(Rcpp::_["unit"] = each<IntegerVector>(path.last.unit, from_one),
                         Rcpp::_["value"] = Rcpp::List(path.last.values.begin(), path.last.values.end()));
  const Rcpp::List last = Rcpp::List::create(Rcpp::_["steps"] = static_cast<int>(path.steps),
                                             Rcpp::_["lambda"] = path.last_penalty, Rcpp::_["w"] = w);
  return Rcpp::List::create(
      Rcpp::_["lambda"] = of_points(&mlsift::PathPoint::penalty),
      Rcpp::_["objective"] = of_points([&](const auto& point) { return point.certificate.objective / n; }),
      Rcpp::_["gap"] = of_points([&](const auto& point) { return point.certificate.gap / n; }),
      Rcpp::_["converged"] =
          each<Rcpp::LogicalVector>(path.points, [](const auto& point) { return point.certificate.converged; }),
      Rcpp::_["coefficients"] = coefficients, Rcpp::_["entry"] = entry, Rcpp::_["dual"] = path.dual,
      Rcpp::_["constant"] = constant, Rcpp::_["mean"] = mean, Rcpp::_["target_mean"] = problem.targets().mean(),
      Rcpp::_["begin"] = last, Rcpp::_["n_entered"] = static_cast<int>(path.n_entered),
      Rcpp::_["interrupted"] = path.interrupted, Rcpp::_["late"] = path.late);
}

}  // namespace

// The path of the multi-task group lasso. `x`: a double matrix or a dgCMatrix, whose columns belong to units, one after
// the other; `blocks`: the number of columns of each unit; `y`: a double matrix; `weights`: of rows, or NULL;
// `unknown`: NULL, or the cells of `y` that are, an ngCMatrix, where each target varies where it is known; `left_out`:
// by unit; `n_features`: of each unit, those that count; `options`: standardize, standardize_targets, loss, alpha, tol,
// and those of the path, where `last` is the last penalty, or NA for that of lambda_ratio; `begin`: NULL, or the
// element of this name of an earlier result to resume from.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mtl_path(const mlsift::Features& x, const std::vector<int>& blocks, const std::vector<int>& left_out,
                        const std::vector<std::size_t>& n_features, const Rcpp::NumericMatrix& y, SEXP weights,
                        SEXP unknown, const Rcpp::List& options, SEXP begin, const mlsift::Context& context) {
  const bool logistic = Rcpp::as<std::string>(options["loss"]) == "logistic";
  const mlsift::LassoProblem::Options with{options["standardize"], options["standardize_targets"], logistic,
                                           options["alpha"], options["tol"]};
  const auto slot = [&](const char* name) {
    return Rf_isNull(unknown) ? nullptr : INTEGER(Rcpp::S4(unknown).slot(name));
  };
  const mlsift::LassoProblem problem(x, blocks, left_out, y.begin(), static_cast<std::size_t>(y.ncol()),
                                     mlsift_glue::real_weights(weights), slot("p"), slot("i"), with);
  mlsift::LassoPath path(path_options(options), n_features);
  if (!Rf_isNull(begin)) resume(path, begin);
  mlsift_glue::guarded([&] { problem.follow(context, path); });
  return as_list(path, problem, blocks);
}
