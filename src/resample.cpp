#include "convert.h"

#include <mlsift/core/stream.h>
#include <mlsift/resample/stratify.h>

#include <string>
#include <vector>

// Fold (from 1) of each row. start, row: the rows (from 0) of each label, label by label; order: a permutation from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_stratify(const Rcpp::NumericVector& start, const Rcpp::IntegerVector& row,
                                 const std::vector<double>& share, const Rcpp::IntegerVector& order,
                                 const Rcpp::NumericVector& uniform) {
  const mlsift::Targets labels = mlsift::targets_of(
      static_cast<std::size_t>(order.size()), static_cast<std::size_t>(start.size()) - 1,
      [&](std::size_t l, auto take) {
        const auto first = static_cast<R_xlen_t>(start[l]), end = static_cast<R_xlen_t>(start[l + 1]);
        std::for_each(row.begin() + first, row.begin() + end, take);
      });
  const std::vector<int> rows = mlsift_glue::from_zero(order);
  return mlsift_glue::from_one(mlsift::Stratifier(labels, share, rows.data(), uniform.begin()).folds());
}

// The rows (from 0) of the ones of a 0/1 matrix, column by column: list(start, row). `start` counts in doubles: a
// matrix may hold more ones than an integer can count.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_one_columns(SEXP y) {
  const mlsift::LabelMatrix labels = mlsift_glue::labels_of(y);
  std::vector<double> start(1, 0.0);
  std::vector<int> rows;
  for (int l = 0; l < labels.n_labels; ++l) {
    labels.visit_column(l, [&](int row) { rows.push_back(row); });
    start.push_back(static_cast<double>(rows.size()));
  }
  return Rcpp::List::create(Rcpp::_["start"] = start, Rcpp::_["row"] = rows);
}

// Six numbers that seed a stream of L'Ecuyer's generator, as R keeps them.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_stream_seed(const std::string& key) {
  const auto seed = mlsift::stream_seed(key);
  return Rcpp::IntegerVector(seed.begin(), seed.end());
}
