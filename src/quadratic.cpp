#include "context.h"
#include "convert.h"
#include "counted.h"

#include <mlsift/criteria/grro.h>
#include <mlsift/criteria/qpmlfs.h>

namespace {

Rcpp::List weights(const mlsift::SimplexMinimum& minimum, double alpha, double shift) {
  return Rcpp::List::create(Rcpp::_["weight"] = minimum.x, Rcpp::_["gradient"] = minimum.gradient,
                            Rcpp::_["objective"] = minimum.objective, Rcpp::_["gap"] = minimum.gap,
                            Rcpp::_["steps"] = static_cast<double>(minimum.steps), Rcpp::_["alpha"] = alpha,
                            Rcpp::_["shift"] = shift);
}

}  // namespace

// QPMLFS. `rows` as in cpp_greedy(); `alpha`: NA for automatic; `bytes`: for rows of the matrix, NA to keep all of it.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_select_qpmlfs(SEXP rows, double alpha, double bytes, const mlsift::Context& context) {
  return mlsift_glue::guarded([&] {
    mlsift::Informations data(mlsift_glue::rows_to_count(rows).joint(mlsift::WithTargets::none, context));
    if (Rcpp::NumericVector::is_na(bytes)) {
      const mlsift::Qpmlfs problem(data, alpha, context);
      return weights(problem.minimum(context), problem.alpha(), problem.shift());
    }
    double used = alpha;
    const mlsift::SimplexMinimum minimum = mlsift::qpmlfs_on_demand(data, used, bytes, context);
    return weights(minimum, used, 0);
  });
}

// GRRO. `y`: the labels of the rows, all of which vary.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_grro(SEXP rows, const mlsift::Targets& y, double alpha, double beta, bool uncertainty,
                          const mlsift::Context& context) {
  const mlsift::GrroSolution found = mlsift_glue::guarded([&] {
    mlsift::Informations data(mlsift_glue::rows_to_count(rows).joint(mlsift::WithTargets::none, context));
    return mlsift::Grro(data, y, {alpha, beta, uncertainty}, context).solution();
  });
  return Rcpp::List::create(Rcpp::_["score"] = found.score, Rcpp::_["curvature"] = found.curvature);
}
