#include "context.h"
#include "convert.h"
#include "row_distances.h"

#include <mlsift/criteria/mdfs.h>
#include <mlsift/criteria/mifs.h>
#include <mlsift/criteria/rfs.h>
#include <mlsift/distance/neighbors.h>
#include <mlsift/graph/neighbor_graph.h>
#include <mlsift/model/group_lasso.h>
#include <mlsift/model/model_targets.h>

// Embedded selectors: linear models with few rows of coefficients. For the multi-task lasso see lasso.cpp.

namespace {

using mlsift_glue::by_rows;
using mlsift_glue::guarded;

mlsift::ModelTargets model_targets(const Rcpp::NumericMatrix& y, const double* weights = nullptr) {
  return mlsift::ModelTargets(y.begin(), static_cast<std::size_t>(y.nrow()), static_cast<std::size_t>(y.ncol()), false,
                              weights);
}

// A symmetric dgCMatrix.
mlsift::SparseSymmetric as_symmetric(SEXP x) {
  const mlsift_glue::Sparse m(x);
  return {{m.start.begin(), m.start.end()}, {m.rows.begin(), m.rows.end()}, {m.values.begin(), m.values.end()}};
}

// `weights`: of rows, or null.
mlsift::CenteredColumns single_columns(const mlsift::Features& features, const double* weights = nullptr) {
  return mlsift::CenteredColumns(features, mlsift::Centering::mean, std::vector<int>(features.size(), 1), weights);
}

Rcpp::List as_list(const mlsift::SparseFit& fit) {
  return Rcpp::List::create(Rcpp::_["norm"] = fit.norm, Rcpp::_["reach"] = fit.reach,
                            Rcpp::_["objective"] = fit.certificate.objective, Rcpp::_["gap"] = fit.certificate.gap,
                            Rcpp::_["converged"] = fit.certificate.converged, Rcpp::_["largest"] = fit.largest_penalty,
                            Rcpp::_["rounds"] = static_cast<int>(fit.rounds));
}

// Of MDFS and MIFS, which `make` makes of the centered features; see cpp_mssl().
template <class Make>
Rcpp::List minimum(const mlsift::Features& x, double penalty, bool relative, double tol, std::size_t most, Make make) {
  return as_list(guarded([&] {
    const mlsift::CenteredColumns columns = single_columns(x);
    auto model = make(columns);
    const double largest = model.largest_penalty();
    mlsift::SparseFit fit = model.minimize(relative ? penalty * largest : penalty, tol, most);
    fit.largest_penalty = largest;
    return fit;
  }));
}

}  // namespace

// The Laplacian of the graph of near rows of x (double matrix or dgCMatrix), as the slots of a dgCMatrix. `width` and
// `larger` as in GraphWeights.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_neighbor_laplacian(SEXP x, const Rcpp::LogicalVector& nominal, std::size_t neighbors, double width,
                                  bool larger, const mlsift::Context& context) {
  const mlsift::SparseSymmetric laplacian = mlsift_glue::with_distances(x, x, nominal, [&](const auto& distances) {
    std::vector<mlsift::NearPair> pairs(distances.n_query() * neighbors);
    const std::vector<std::size_t> all(1, static_cast<std::size_t>(nominal.size()));
    guarded([&] {
      mlsift::nearest(context, distances, neighbors, all, true, 0,
                      [&](int, std::size_t, std::size_t i, const mlsift::Neighbor* found) {
                        for (std::size_t j = 0; j < neighbors; ++j) {
                          pairs[i * neighbors + j] = {static_cast<int>(i), found[j].row, found[j].distance};
                        }
                      });
    });
    return mlsift::neighbor_laplacian(distances.n_query(), pairs, {width, larger});
  });
  return Rcpp::List::create(Rcpp::_["p"] = Rcpp::IntegerVector(laplacian.start.begin(), laplacian.start.end()),
                            Rcpp::_["i"] = laplacian.row, Rcpp::_["x"] = laplacian.value);
}

// RFS. `x`: a double matrix or a dgCMatrix; `y`: a double matrix; `weights`: of rows, or NULL; `intercept`: whether to
// add a column of ones. Norms and gradients by column of x.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_rfs(const mlsift::Features& x, const Rcpp::NumericMatrix& y, SEXP weights, bool intercept, double gamma,
                   double tol, std::size_t most, double max_seconds, const mlsift::Context& context) {
  const std::vector<double> rows = by_rows(y);
  return as_list(guarded([&] {
    return mlsift::minimum_of_rfs(context, x, rows, static_cast<std::size_t>(y.ncol()),
                                  mlsift_glue::real_weights(weights), intercept, gamma, tol, most, max_seconds);
  }));
}

// MSSL, MDFS and MIFS: models of centered features and targets under a graph, a symmetric dgCMatrix. `penalty`: that of
// the objective as the help states it, or, if `relative`, its share of the largest. Norms and gradients by column.
// `weights`: of rows, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mssl(const mlsift::Features& x, const Rcpp::NumericMatrix& y, SEXP weights, SEXP graph, double alpha,
                    double penalty, bool relative, double tol, const mlsift::Context& context) {
  const double* const weight = mlsift_glue::real_weights(weights);
  const std::vector<double> targets = model_targets(y, weight).centered();
  mlsift::SparseSymmetric added = as_symmetric(graph);
  for (double& value : added.value) value *= alpha;
  return as_list(guarded([&] {
    mlsift::CenteredColumns columns = single_columns(x, weight);
    if (weight) columns.multiply_by_roots();
    mlsift::GroupLasso lasso(context, columns, static_cast<std::size_t>(y.ncol()), {}, &added);
    lasso.set_targets(targets.data());
    mlsift::SparseFit fit;
    fit.largest_penalty = 2 * lasso.largest_penalty();
    const double group = (relative ? penalty * fit.largest_penalty : penalty) / 2;
    mlsift::ActiveRows w;
    fit.certificate = lasso.solve({group, 0}, tol * lasso.empty_objective(), false, w);
    fit.norm = mlsift::row_norms(columns, w);
    fit.reach = lasso.norms(w);
    for (double& reach : fit.reach) reach /= group;
    return fit;
  }));
}

// `y`: labels as numbers, not centered.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mdfs(const mlsift::Features& x, const Rcpp::NumericMatrix& y, SEXP graph, double alpha, double beta,
                    double penalty, bool relative, double tol, std::size_t most, const mlsift::Context& context) {
  const std::vector<double> rows = by_rows(y);
  const mlsift::SparseSymmetric laplacian = as_symmetric(graph);
  return minimum(x, penalty, relative, tol, most, [&](const mlsift::CenteredColumns& columns) {
    return mlsift::Mdfs(context, columns, rows.data(), static_cast<std::size_t>(y.ncol()), laplacian, alpha, beta);
  });
}

// `latent`: at most the rank of the centered y.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mifs(const mlsift::Features& x, const Rcpp::NumericMatrix& y, SEXP graph, std::size_t latent,
                    double alpha, double beta, double penalty, bool relative, double tol, std::size_t most,
                    const mlsift::Context& context) {
  const std::vector<double> targets = model_targets(y).centered();
  const mlsift::SparseSymmetric laplacian = as_symmetric(graph);
  return minimum(x, penalty, relative, tol, most, [&](const mlsift::CenteredColumns& columns) {
    return mlsift::Mifs(context, columns, targets.data(), static_cast<std::size_t>(y.ncol()), latent, laplacian, alpha,
                        beta);
  });
}
