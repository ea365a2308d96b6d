#include <Rcpp.h>
#include <mlsift/criteria/gmba.h>
#include <mlsift/criteria/spec.h>

#include "context.h"
#include "convert.h"

// The label-space graph and what selects by it.

namespace {

using mlsift_glue::guarded;

mlsift::LabelGraph graph_of(SEXP y, bool by_count) {
  return mlsift::LabelGraph(mlsift_glue::occurring_labels(y), by_count);
}

}  // namespace

// Label sets as label numbers from 1, rows of each, and the set of each row, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_label_groups(const mlsift::Targets& y) {
  const mlsift::LabelSets sets = mlsift::label_sets(y);
  return Rcpp::List::create(Rcpp::_["sets"] = mlsift_glue::each<Rcpp::List>(sets.sets, mlsift_glue::from_one),
                            Rcpp::_["count"] = sets.count, Rcpp::_["group"] = mlsift_glue::from_one(sets.of_row));
}

// The upper triangle of S among these sets (numbers from 1) as the slots of a dsCMatrix; NULL above `most` entries.
// [[Rcpp::export(rng = false)]]
SEXP cpp_label_similarities(SEXP y, bool by_count, SEXP sets, double most, const mlsift::Context& context) {
  const mlsift::LabelGraph graph = graph_of(y, by_count);
  const mlsift::Similarities s =
      guarded([&] { return mlsift::similarities(graph, mlsift_glue::from_zero(sets), most, context); });
  if (s.start.empty()) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["p"] = Rcpp::IntegerVector(s.start.begin(), s.start.end()), Rcpp::_["i"] = s.set,
                            Rcpp::_["x"] = s.value);
}

// NULL where no two rows share a label (and there is no degree for such rows).
// [[Rcpp::export(rng = false)]]
SEXP cpp_score_spec(const mlsift::Features& x, SEXP y, int phi, double zero_degree, std::size_t kappa, bool center,
                    bool by_count, const mlsift::Context& context) {
  const mlsift::LabelGraph graph = graph_of(y, by_count);
  return guarded([&]() -> SEXP {
    const mlsift::Spec spec(x, graph, {phi, zero_degree, kappa, center}, context);
    if (!spec.any_edge() && zero_degree == 0) return R_NilValue;
    return Rcpp::wrap(spec.scores(context));
  });
}

// `orders`: row numbers from 1, one vector for each epoch. Returns the feature weights, those of constant features
// -Inf, and how many rows count; no weights where none does.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_gmba(SEXP x, SEXP y, const Rcpp::List& orders, std::size_t neighbors, double s_min, double lambda,
                    double step, bool code2016, bool zscore, bool by_count, std::size_t most_values,
                    const mlsift::Context& context) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::LabelGraph graph = graph_of(y, by_count);
  const mlsift::GmbaOptions options{neighbors, s_min, lambda, step, code2016};
  const std::vector<char> qualified = guarded([&] { return mlsift::gmba_qualified(graph, options, context); });
  std::vector<std::vector<int>> rows = mlsift_glue::lists_from_zero(orders);
  std::size_t used = 0;
  for (std::vector<int>& order : rows) {
    const auto unusable = [&](int row) { return !qualified[graph.group(static_cast<std::size_t>(row))]; };
    order.erase(std::remove_if(order.begin(), order.end(), unusable), order.end());
    used = std::max(used, order.size());
  }
  std::vector<double> weight;
  if (used > 0) {
    std::vector<mlsift::Standardized> to = mlsift::standardize(features);
    for (mlsift::Standardized& column : to) column.scale = zscore ? column.scale : 1;
    const auto gmba = [&](const auto& sums) { return mlsift::gmba(sums, graph, options, rows, most_values, context); };
    weight = guarded([&] {
      return mlsift_glue::is_sparse(x) ? gmba(mlsift::SparseRowSums(features, to))
                                       : gmba(mlsift::DenseRowSums(features, to));
    });
    for (std::size_t f = 0; f < to.size(); ++f) {
      if (to[f].constant) weight[f] = R_NegInf;
    }
  }
  return Rcpp::List::create(Rcpp::_["weight"] = weight, Rcpp::_["used"] = static_cast<int>(used));
}
