#include "context.h"
#include "convert.h"

#include <mlsift/criteria/mim.h>
#include <mlsift/criteria/qpmlfs.h>
#include <mlsift/engine/pair_information.h>

namespace {

Rcpp::List as_list(const mlsift::SimplexMinimum& minimum, double alpha, double shift) {
  return Rcpp::List::create(Rcpp::_["weight"] = minimum.x, Rcpp::_["gradient"] = minimum.gradient, Rcpp::_["objective"] = minimum.objective,
                            Rcpp::_["gap"] = minimum.gap, Rcpp::_["steps"] = static_cast<double>(minimum.steps), Rcpp::_["alpha"] = alpha,
                            Rcpp::_["shift"] = shift);
}

}  // namespace

// QPMLFS. `alpha`: NA for automatic.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_select_qpmlfs(SEXP x, SEXP cuts, bool right, SEXP y, double alpha, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::LabelMatrix all = mlsift_glue::labels_of(y);
  const mlsift::Targets labels = mlsift::targets_of(all, mlsift::labels_that_occur(all));
  const mlsift::XLogX xlogx(features.n_rows, labels.n_classes);
  const mlsift::Context context = mlsift_glue::context(threads);
  return mlsift_glue::guarded([&] {
    const mlsift::Qpmlfs problem(mlsift::pair_information_matrix(features, context),
                                 mlsift::score_features(features, mlsift::Mim(labels, xlogx), context), alpha, context);
    return as_list(problem.minimum(context), problem.alpha(), problem.shift());
  });
}

// The same for any symmetric matrix and vector, for tests.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_qpmlfs_weights(const Rcpp::NumericMatrix& q, const std::vector<double>& c, double alpha) {
  const mlsift::Context context = mlsift_glue::context(1);
  return mlsift_glue::guarded([&] {
    const mlsift::Qpmlfs problem(std::vector<double>(q.begin(), q.end()), c, alpha, context);
    return as_list(problem.minimum(context), problem.alpha(), problem.shift());
  });
}
