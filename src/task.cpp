#include "convert.h"
#include "partitions.h"

#include <mlsift/data/label_sets.h>
#include <mlsift/data/row_blocks.h>
#include <mlsift/data/scan.h>
#include <mlsift/data/standardized.h>

using mlsift_glue::each;

// Row and column (from 1) of the first missing cell, or of the first infinite one; nothing if there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_find_missing(SEXP x, bool infinite = false) {
  if (mlsift_glue::has_only_ones(x)) return Rcpp::IntegerVector();
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Cell cell = infinite ? mlsift::find_cell(
                                           features, [](double v) { return std::isinf(v); }, false)
                                     : mlsift::find_cell(
                                           features, [](double v) { return std::isnan(v); }, true);
  if (!cell.found) return Rcpp::IntegerVector();
  return Rcpp::IntegerVector::create(static_cast<int>(cell.row) + 1, static_cast<int>(cell.column) + 1);
}

// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_constant_columns(SEXP x) {
  if (mlsift_glue::has_only_ones(x)) {
    const mlsift_glue::Sparse m(x);
    Rcpp::LogicalVector constant(m.start.size() - 1);
    for (R_xlen_t f = 0; f < constant.size(); ++f) {
      const int ones = m.start[f + 1] - m.start[f];
      constant[f] = ones == 0 || ones == m.dim[0];
    }
    return constant;
  }
  const mlsift::Features features = mlsift_glue::features_of(x);
  return each<Rcpp::LogicalVector>(
      features.columns, [&](const mlsift::Column& column) { return mlsift::is_constant(column, features.n_rows); });
}

// Of each column, see Partition: list(alike, values, by_value, zero_one). `by_value`: whether only equal values make a
// copy of it, because it has more than `most` different values, or more than half as many as rows. `with_values`: if
// false, the values of columns with more than `most` do not matter.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_partitions(const mlsift::Features& x, std::size_t most, bool with_values) {
  mlsift::RowKeys keys;
  keys.set(0, x.n_rows);
  return mlsift_glue::partitions_to_r(x.columns, x.n_rows, [&](const mlsift::Column& column) {
    mlsift::Partition partition(most, with_values);
    partition.add(column, keys);
    return partition;
  });
}

// Whether columns f of x and g of y (numbered from 1) are equal, or with `recoded` equal up to a recoding of values.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_same_partition(const mlsift::Features& x, const Rcpp::IntegerVector& f,
                                       const mlsift::Features& y, const Rcpp::IntegerVector& g,
                                       const Rcpp::LogicalVector& recoded) {
  Rcpp::LogicalVector same(f.size());
  for (R_xlen_t i = 0; i < f.size(); ++i) {
    const auto a = static_cast<std::size_t>(f[i] - 1), b = static_cast<std::size_t>(g[i] - 1);
    same[i] = mlsift::same_partition(x.columns[a], y.columns[b], x.n_rows, recoded[i]);
  }
  return same;
}

// Of each column, see RowNumbers: list(kind, count).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_row_numbers(const mlsift::Features& x) {
  return mlsift_glue::row_numbers_to_r(x.columns, [&](const mlsift::Column& column) {
    mlsift::RowNumbers numbers;
    numbers.add(column, x.n_rows);
    return numbers;
  });
}

// For each row, the number of the first row that equals it.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_first_equal_rows(const mlsift::Features& x) {
  return mlsift_glue::from_one(mlsift::first_equal_rows(x));
}

// [[Rcpp::export(rng = false)]]
double cpp_repeats_by_chance(const mlsift::Features& x) { return mlsift::repeats_by_chance(x); }

// See RowBlocks: (column, groups, features within them, features that vary), or nothing. `by`: the columns to try, NULL
// for those of x.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_row_blocks(const mlsift::Features& x, SEXP by) {
  const bool own = Rf_isNull(by);
  const mlsift::RowBlocks found = mlsift::row_blocks(x, own ? x : mlsift_glue::features_of(by), own);
  if (found.column < 0) return Rcpp::IntegerVector();
  return Rcpp::IntegerVector::create(found.column + 1, static_cast<int>(found.n_groups),
                                     static_cast<int>(found.n_within), static_cast<int>(found.n_varying));
}

// Which columns are factors or hold levels; `weights`: of rows, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_discrete_columns(SEXP x, std::size_t most, SEXP weights) {
  if (mlsift_glue::has_only_ones(x)) return Rcpp::LogicalVector(mlsift_glue::Sparse(x).dim[1], TRUE);
  const mlsift::Features features = mlsift_glue::features_of(x);
  const double* const w = mlsift_glue::real_weights(weights);
  const double total = w ? std::accumulate(w, w + features.n_rows, 0.0) : static_cast<double>(features.n_rows);
  return each<Rcpp::LogicalVector>(features.columns, [&](const mlsift::Column& column) {
    return column.category || mlsift::holds_levels(column, features.n_rows, most, w, total);
  });
}

// The columns, among some (numbered from 1), that have more than `most` different values.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_with_more_values(SEXP x, const Rcpp::IntegerVector& columns, int most) {
  if (columns.size() == 0 || (mlsift_glue::has_only_ones(x) && most >= 2)) return Rcpp::IntegerVector();
  const mlsift::Features features = mlsift_glue::features_of(x);
  Rcpp::IntegerVector found;
  for (const int f : columns) {
    if (mlsift::has_more_values(features.columns[static_cast<std::size_t>(f - 1)], features.n_rows, most))
      found.push_back(f);
  }
  return found;
}

// What is wrong with the parts of a dgCMatrix or ngCMatrix, "" for nothing: its rows must be in range and increase
// within a column.
// [[Rcpp::export(rng = false)]]
std::string cpp_sparse_problem(const mlsift_glue::Sparse& m) {
  return mlsift::sparse_problem(m.dim[0], m.dim[1], m.start.begin(), m.start.size(), m.rows.begin(), m.rows.size(),
                                m.pattern ? m.rows.size() : m.values.size());
}

// Which columns of a dense matrix hold only 0 and 1.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_binary_columns(const mlsift::Features& x) {
  return each<Rcpp::LogicalVector>(x.columns,
                                   [&](const mlsift::Column& column) { return mlsift::is_zero_one(column, x.n_rows); });
}

// [[Rcpp::export(rng = false)]]
bool cpp_has_explicit_zero(const mlsift_glue::Sparse& m) {
  return std::find(m.values.begin(), m.values.end(), 0.0) != m.values.end();
}

// The number (from 1) of each row's label set.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_label_set_ids(SEXP y) {
  return mlsift_glue::from_one(mlsift::label_sets(mlsift_glue::occurring_labels(y)).of_row);
}

// What z-scoring divides each column by: the population standard deviation, 1 for a constant. `weights`: of rows, or
// NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_column_scale(const mlsift::Features& x, SEXP weights = R_NilValue) {
  const std::vector<mlsift::Standardized> columns = mlsift::standardize(x, mlsift_glue::real_weights(weights));
  return each<Rcpp::NumericVector>(columns, &mlsift::Standardized::scale);
}

// Whether numbers need no scaling, see share_unit().
// [[Rcpp::export(rng = false)]]
bool cpp_share_unit(SEXP x) { return mlsift_glue::has_only_ones(x) || mlsift::share_unit(mlsift_glue::features_of(x)); }
