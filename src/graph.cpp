#include <Rcpp.h>
#include <mlsift/criteria/gmba.h>
#include <mlsift/criteria/spec.h>

#include "context.h"
#include "convert.h"

// The label-space graph and what selects by it.

namespace {

mlsift::LabelGraph graph_of(SEXP y, bool by_count) {
  return mlsift::LabelGraph(mlsift_glue::occurring_labels(y), by_count);
}

// Row numbers from 1, those of qualified rows from 0.
std::vector<int> usable(const Rcpp::IntegerVector& rows, const mlsift::LabelGraph& graph,
                        const std::vector<char>& qualified) {
  std::vector<int> result;
  for (const int row : rows) {
    if (qualified[graph.group(static_cast<std::size_t>(row - 1))]) result.push_back(row - 1);
  }
  return result;
}

}  // namespace

// Label sets as label numbers from 1, rows of each, and the set of each row, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_label_groups(SEXP y) {
  const mlsift::LabelSets sets = mlsift::label_sets(mlsift_glue::all_labels(y));
  Rcpp::List labels_of_set(static_cast<R_xlen_t>(sets.size()));
  for (std::size_t g = 0; g < sets.size(); ++g) {
    labels_of_set[static_cast<R_xlen_t>(g)] = mlsift_glue::from_one(sets.sets[g]);
  }
  return Rcpp::List::create(Rcpp::_["sets"] = labels_of_set, Rcpp::_["count"] = sets.count,
                            Rcpp::_["group"] = mlsift_glue::from_one(sets.of_row));
}

// The upper triangle of S among these sets (numbers from 1) as the slots of a dsCMatrix; NULL above `most` entries.
// [[Rcpp::export(rng = false)]]
SEXP cpp_label_similarities(SEXP y, bool by_count, const Rcpp::IntegerVector& sets, double most) {
  const mlsift::LabelGraph graph = graph_of(y, by_count);
  const mlsift::Context context = mlsift_glue::context(1);
  const mlsift::Similarities s =
      mlsift_glue::guarded([&] { return mlsift::similarities(graph, mlsift_glue::from_zero(sets), most, context); });
  if (s.start.empty()) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["p"] = Rcpp::IntegerVector(s.start.begin(), s.start.end()), Rcpp::_["i"] = s.set,
                            Rcpp::_["x"] = s.value);
}

// NULL where no two rows share a label (and there is no degree for such rows).
// [[Rcpp::export(rng = false)]]
SEXP cpp_score_spec(SEXP x, SEXP y, int phi, double zero_degree, int kappa, bool center, bool by_count, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::LabelGraph graph = graph_of(y, by_count);
  const mlsift::Context context = mlsift_glue::context(threads);
  return mlsift_glue::guarded([&]() -> SEXP {
    const mlsift::Spec spec(features, graph, {phi, zero_degree, static_cast<std::size_t>(kappa), center}, context);
    if (!spec.any_edge() && zero_degree == 0) return R_NilValue;
    return Rcpp::wrap(spec.scores(context));
  });
}

// `orders`: row numbers from 1, one vector for each epoch. Returns the feature weights, those of constant features
// -Inf, and how many rows count; no weights where none does.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_gmba(SEXP x, SEXP y, const Rcpp::List& orders, int neighbors, double s_min, double lambda, double step,
                    bool code2016, bool zscore, bool by_count, double most_values, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::LabelGraph graph = graph_of(y, by_count);
  const mlsift::GmbaOptions options{static_cast<std::size_t>(neighbors), s_min, lambda, step, code2016};
  const mlsift::Context context = mlsift_glue::context(threads);
  const std::vector<char> qualified =
      mlsift_glue::guarded([&] { return mlsift::gmba_qualified(graph, options, context); });
  std::vector<std::vector<int>> rows;
  std::size_t used = 0;
  for (R_xlen_t e = 0; e < orders.size(); ++e) {
    rows.push_back(usable(Rcpp::as<Rcpp::IntegerVector>(orders[e]), graph, qualified));
    used = std::max(used, rows.back().size());
  }
  Rcpp::NumericVector weight(0);
  if (used > 0) {
    std::vector<mlsift::Standardized> to = mlsift::standardize(features);
    if (!zscore) {
      for (mlsift::Standardized& column : to) column.scale = 1;
    }
    const std::size_t most = static_cast<std::size_t>(most_values);
    weight = Rcpp::wrap(mlsift_glue::guarded([&] {
      return mlsift_glue::is_sparse(x)
                 ? mlsift::gmba(mlsift::SparseRowSums(features, to), graph, options, rows, most, context)
                 : mlsift::gmba(mlsift::DenseRowSums(features, to), graph, options, rows, most, context);
    }));
    for (std::size_t f = 0; f < to.size(); ++f) {
      if (to[f].constant) weight[static_cast<R_xlen_t>(f)] = R_NegInf;
    }
  }
  return Rcpp::List::create(Rcpp::_["weight"] = weight, Rcpp::_["used"] = static_cast<int>(used));
}
