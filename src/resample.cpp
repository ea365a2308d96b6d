#include "convert.h"

#include <mlsift/core/stream.h>
#include <mlsift/resample/stratify.h>

#include <string>
#include <vector>

// Fold (from 1) of each row. start, row: the rows (from 0) of each label, label by label; order: a permutation from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_stratify(const Rcpp::NumericVector& start, const Rcpp::IntegerVector& row,
                                 const Rcpp::NumericVector& share, const Rcpp::IntegerVector& order,
                                 const Rcpp::NumericVector& uniform) {
  const mlsift::Targets labels = mlsift::targets_of(
      static_cast<std::size_t>(order.size()), static_cast<std::size_t>(start.size()) - 1,
      [&](std::size_t l, auto take) {
        const auto first = static_cast<R_xlen_t>(start[l]), end = static_cast<R_xlen_t>(start[l + 1]);
        std::for_each(row.begin() + first, row.begin() + end, take);
      });
  const std::vector<double> shares(share.begin(), share.end());
  const std::vector<int> rows = mlsift_glue::from_zero(order);
  return mlsift_glue::from_one(mlsift::Stratifier(labels, shares, rows.data(), uniform.begin()).folds());
}

// The rows (from 0) of the ones of a 0/1 matrix, column by column: list(start, row). `start` counts in doubles: a
// matrix may hold more ones than an integer can count.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_one_columns(const Rcpp::IntegerMatrix& y) {
  Rcpp::NumericVector start(y.ncol() + 1);
  std::vector<int> rows;
  const int* value = y.begin();
  for (int l = 0; l < y.ncol(); ++l) {
    for (int i = 0; i < y.nrow(); ++i, ++value) {
      if (*value != 0) rows.push_back(i);
    }
    start[l + 1] = static_cast<double>(rows.size());
  }
  return Rcpp::List::create(Rcpp::Named("start") = start, Rcpp::Named("row") = Rcpp::wrap(rows));
}

// Six numbers that seed a stream of L'Ecuyer's generator, as R keeps them.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_stream_seed(const std::string& key) {
  const auto seed = mlsift::stream_seed(key);
  Rcpp::IntegerVector result(seed.size());
  for (std::size_t i = 0; i < seed.size(); ++i) result[static_cast<R_xlen_t>(i)] = static_cast<int>(seed[i]);
  return result;
}
