#include "context.h"
#include "convert.h"

#include <mlsift/model/equal_columns.h>
#include <mlsift/model/group_lasso.h>
#include <mlsift/model/logistic_lasso.h>
#include <mlsift/search/lasso_path.h>

// Embedded selectors: linear models with few rows of coefficients. `x`: a double matrix or a dgCMatrix, whose columns
// belong to units, one after the other; `blocks`: the number of columns of each unit.

namespace {

using mlsift_glue::guarded;

std::vector<std::size_t> positions(const Rcpp::IntegerVector& x) {
  std::vector<std::size_t> result;
  for (const int i : x) result.push_back(static_cast<std::size_t>(i - 1));
  return result;
}

// Columns with mean 0, and perhaps deviation 1, by rows.
struct CenteredTargets {
  explicit CenteredTargets(const Rcpp::NumericMatrix& y, bool standardize)
      : n(static_cast<std::size_t>(y.nrow())), q(static_cast<std::size_t>(y.ncol())), values(n * q) {
    for (std::size_t t = 0; t < q; ++t) {
      const double* const from = y.begin() + t * n;
      double sum = 0, left = 0, squares = 0;
      for (std::size_t i = 0; i < n; ++i) sum += from[i];
      const double first = sum / static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i) left += from[i] - first;
      mean.push_back(first + left / static_cast<double>(n));
      for (std::size_t i = 0; i < n; ++i) squares += (from[i] - mean[t]) * (from[i] - mean[t]);
      const bool constant = std::all_of(from, from + n, [&](double v) { return v == from[0]; });
      scale.push_back(standardize && !constant ? std::sqrt(squares / static_cast<double>(n)) : 1);
      for (std::size_t i = 0; i < n; ++i) values[i * q + t] = constant ? 0 : (from[i] - mean[t]) / scale[t];
    }
  }
  std::size_t n, q;
  std::vector<double> values, mean, scale;
};

// Coefficients of the features' own columns, in the targets' own unit: list(column, value (columns x targets), and the
// intercepts for centered columns, where there are any).
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
  return Rcpp::List::create(Rcpp::_["column"] = columns, Rcpp::_["value"] = value, Rcpp::_["intercept"] = w.intercept);
}

Rcpp::List as_list(const mlsift::ActiveRows& w) {
  Rcpp::IntegerVector unit;
  Rcpp::List values;
  for (std::size_t s = 0; s < w.unit.size(); ++s) {
    unit.push_back(static_cast<int>(w.unit[s]) + 1);
    values.push_back(w.values[s]);
  }
  return Rcpp::List::create(Rcpp::_["unit"] = unit, Rcpp::_["value"] = values);
}

mlsift::ActiveRows as_rows(const Rcpp::List& list) {
  mlsift::ActiveRows w;
  w.unit = positions(list["unit"]);
  const Rcpp::List values = list["value"];
  for (R_xlen_t s = 0; s < values.size(); ++s) w.values.push_back(Rcpp::as<std::vector<double>>(values[s]));
  return w;
}

std::vector<int> first_columns(const std::vector<int>& blocks) {
  std::vector<int> first(blocks.size(), 0);
  for (std::size_t u = 1; u < blocks.size(); ++u) first[u] = first[u - 1] + blocks[u - 1];
  return first;
}

}  // namespace

// The path of the multi-task group lasso. `y`: a double matrix; `left_out`: by unit; `n_features`: of each unit, those
// that count; `options`: standardize, standardize_targets, loss, alpha, tol, and those of the path, where `last` is the
// last penalty, or NA for that of lambda_ratio; `begin`: NULL, or the element of this name of an earlier result, to go
// on from there.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mtl_path(SEXP x, const std::vector<int>& blocks, const std::vector<int>& left_out,
                        const std::vector<int>& n_features, const Rcpp::NumericMatrix& y, const Rcpp::List& options,
                        const Rcpp::Nullable<Rcpp::List>& begin, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Context context = mlsift_glue::context(threads);
  const bool standardize = options["standardize"];
  const bool logistic = Rcpp::as<std::string>(options["loss"]) == "logistic";
  const double alpha = options["alpha"], tol = options["tol"];
  const mlsift::CenteredColumns columns(features,
                                        standardize ? mlsift::Centering::standardize : mlsift::Centering::mean, blocks);
  const std::vector<std::size_t> first_equal = mlsift::first_equal_units(columns);
  std::vector<char> out(left_out.begin(), left_out.end());
  // The first of equal columns that takes part stands for the others.
  std::vector<std::size_t> stands_for(out.size(), out.size());
  std::vector<int> copy_of(out.size(), 0);
  for (std::size_t u = 0; u < out.size(); ++u) {
    if (out[u]) continue;
    std::size_t& first = stands_for[first_equal[u]];
    if (first == out.size()) {
      first = u;
    } else {
      out[u] = 1;
      copy_of[u] = static_cast<int>(first) + 1;
    }
  }
  const CenteredTargets targets(y, options["standardize_targets"]);
  const double n = static_cast<double>(targets.n);

  mlsift::PathOptions path_options;
  path_options.n = Rcpp::as<std::size_t>(options["n_lambda"]);
  path_options.ratio = options["lambda_ratio"];
  path_options.refine = options["refine"];
  path_options.wanted = Rcpp::as<std::size_t>(options["wanted"]);
  path_options.least = options["least"];
  path_options.max_seconds = options["max_seconds"];
  const std::vector<std::size_t> sizes(n_features.begin(), n_features.end());

  // The path of either problem, as functions of it.
  std::vector<double> dual(columns.n_units(), 0.0);
  mlsift::LassoPath path;
  const auto follow = [&](auto& lasso, auto solve) {
    mlsift::PathPoint empty;
    guarded([&] {
      empty.penalty = lasso.largest_penalty() / (n * alpha);
      empty.certificate = {lasso.empty_objective(), 0, true};
      empty.w = lasso.empty();
    });
    const double enough = tol * empty.certificate.objective, last = options["last"];
    if (!Rcpp::NumericVector::is_na(last)) {
      path_options.ratio = last / empty.penalty;
      if (last >= empty.penalty) path_options.n = 1;
    }
    path = mlsift::LassoPath(path_options, empty, sizes);
    if (begin.isNotNull()) {
      const Rcpp::List from(begin);
      path.steps = Rcpp::as<std::size_t>(from["steps"]);
      path.last_penalty = from["lambda"];
      path.last = as_rows(from["w"]);
      for (const std::size_t u : positions(from["entered"])) path.mark(u);
    }
    path.run([&](double lambda, mlsift::ActiveRows& w) {
      return solve(mlsift::RowPenalty{n * lambda * alpha, n * lambda * (1 - alpha)}, enough, w);
    });
    try {
      dual = lasso.norms(path.last);
    } catch (const mlsift::Interrupted&) {
      path.interrupted = true;
    }
  };
  if (logistic) {
    std::vector<double> labels(targets.values.size());
    for (std::size_t t = 0; t < targets.q; ++t) {
      for (std::size_t i = 0; i < targets.n; ++i)
        labels[i * targets.q + t] = y(static_cast<int>(i), static_cast<int>(t));
    }
    mlsift::LogisticLasso lasso(context, columns, targets.q, labels.data(), out);
    follow(lasso, [&](const mlsift::RowPenalty& penalty, double enough, mlsift::ActiveRows& w) {
      return lasso.solve(penalty, enough, w);
    });
  } else {
    mlsift::GroupLasso lasso(context, columns, targets.q, out);
    guarded([&] { lasso.set_targets(targets.values.data()); });
    follow(lasso, [&](const mlsift::RowPenalty& penalty, double enough, mlsift::ActiveRows& w) {
      return lasso.solve(penalty, enough, tol < 1e-9, w);
    });
  }

  const std::vector<int> first_column = first_columns(blocks);
  const R_xlen_t points = static_cast<R_xlen_t>(path.points.size());
  Rcpp::NumericVector lambda(points), objective(points), gap(points);
  Rcpp::LogicalVector converged(points);
  Rcpp::List coefficients(points);
  for (R_xlen_t i = 0; i < points; ++i) {
    mlsift::PathPoint& point = path.points[static_cast<std::size_t>(i)];
    const mlsift::Certificate& known = point.certificate;
    lambda[i] = point.penalty;
    objective[i] = known.objective / n;
    gap[i] = known.gap / n;
    converged[i] = known.converged;
    coefficients[i] = own_coefficients(columns, first_column, point.w, targets.scale);
    point.w.clear();
  }
  Rcpp::IntegerVector entry_unit, entry_point;
  Rcpp::NumericVector entry_norm;
  for (const mlsift::PathEntry& entry : path.entries) {
    entry_unit.push_back(static_cast<int>(entry.unit) + 1);
    entry_point.push_back(static_cast<int>(entry.point) + 1);
    entry_norm.push_back(entry.norm);
  }
  Rcpp::NumericVector mean;
  for (std::size_t u = 0; u < columns.n_units(); ++u) {
    for (std::size_t c = 0; c < columns.own_size(u); ++c) mean.push_back(columns.own_mean(u, c));
  }
  std::vector<int> constant(columns.n_units());
  for (std::size_t u = 0; u < constant.size(); ++u) {
    constant[u] = columns.unit_size(u) == 0;
    if (copy_of[u] > 0) dual[u] = dual[static_cast<std::size_t>(copy_of[u] - 1)];
  }
  Rcpp::List last = Rcpp::List::create(Rcpp::_["steps"] = static_cast<int>(path.steps),
                                       Rcpp::_["lambda"] = path.last_penalty, Rcpp::_["w"] = as_list(path.last));
  return Rcpp::List::create(
      Rcpp::_["lambda"] = lambda, Rcpp::_["objective"] = objective, Rcpp::_["gap"] = gap,
      Rcpp::_["converged"] = converged, Rcpp::_["coefficients"] = coefficients,
      Rcpp::_["entry"] = Rcpp::List::create(Rcpp::_["unit"] = entry_unit, Rcpp::_["point"] = entry_point,
                                            Rcpp::_["norm"] = entry_norm),
      Rcpp::_["dual"] = dual, Rcpp::_["constant"] = constant, Rcpp::_["mean"] = mean,
      Rcpp::_["target_mean"] = targets.mean, Rcpp::_["begin"] = last,
      Rcpp::_["n_entered"] = static_cast<int>(path.n_entered), Rcpp::_["interrupted"] = path.interrupted);
}
