#pragma once

#include <Rcpp.h>
#include <mlsift/data/column.h>
#include <mlsift/data/targets.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

// R objects as the core's views. Nothing is copied; the R objects must outlive the views.

namespace mlsift_glue {

// Compressed columns of ones without values.
inline bool is_pattern(SEXP x) { return Rf_inherits(x, "ngCMatrix"); }

inline bool is_sparse(SEXP x) { return Rf_inherits(x, "dgCMatrix") || is_pattern(x); }

struct Sparse {
  explicit Sparse(SEXP x);
  Rcpp::IntegerVector start, rows;
  Rcpp::NumericVector values;  // none of a pattern
  Rcpp::IntegerVector dim;
  bool pattern;
};

// Whether the cells of a matrix that are stored are all 1.
bool has_only_ones(SEXP x);

// A data frame, matrix, dgCMatrix or ngCMatrix. `cuts`: NULL, or a list with a numeric vector for each feature to cut
// and NULL for the others.
mlsift::Features features_of(SEXP x, SEXP cuts = R_NilValue, bool right = false);

// An integer 0/1 matrix, an ngCMatrix, or a dgCMatrix whose stored values are all 1.
mlsift::LabelMatrix labels_of(SEXP y);

// Labels, and the cells in which they are not known, if any: `y` is a matrix of labels or list(values, unknown). The
// cells are columns behind those of the labels.
struct LabelCells {
  LabelCells() = default;
  explicit LabelCells(SEXP y);

  bool some_unknown() const { return unknown.n_rows > 0; }
  int n_columns() const { return values.n_labels + unknown.n_labels; }

  // Calls take(row) for the rows of a column.
  template <class Take>
  void visit(int column, Take take) const {
    if (column < values.n_labels) return values.visit_column(column, take);
    unknown.visit_column(column - values.n_labels, take);
  }

  mlsift::LabelMatrix values, unknown;
};

mlsift::Targets all_labels(SEXP y);

mlsift::Targets occurring_labels(SEXP y);

// Weights of rows, whole numbers of at least 1; null for NULL.
inline const int* weights_of(SEXP weights) { return Rf_isNull(weights) ? nullptr : INTEGER(weights); }

// The same as numbers; null for NULL.
inline const double* real_weights(SEXP weights) { return Rf_isNull(weights) ? nullptr : REAL(weights); }

inline std::vector<char> flags(const Rcpp::LogicalVector& x) { return {x.begin(), x.end()}; }

// Numbers from 0 for R's numbers from 1, and back.
std::vector<int> from_zero(SEXP from_one);
std::vector<std::vector<int>> lists_from_zero(const Rcpp::List& from_one);
std::vector<std::size_t> positions(SEXP from_one);
Rcpp::IntegerVector from_one(const std::vector<int>& from_zero);

// A vector of get(element) for each element; or of a member of each.
template <class Vector, class Elements, class Get>
Vector each(Elements& elements, Get get) {
  Vector result(static_cast<R_xlen_t>(elements.size()));
  R_xlen_t i = 0;
  for (auto& element : elements) result[i++] = std::invoke(get, element);
  return result;
}

// A matrix by rows.
std::vector<double> by_rows(const Rcpp::NumericMatrix& x);

// A list of new n x q matrices; `begin`: gets where the values of each begin.
template <class Matrix>
Rcpp::List new_matrices(std::size_t size, std::size_t n, std::size_t q,
                        std::vector<typename Matrix::stored_type*>& begin) {
  Rcpp::List result(static_cast<R_xlen_t>(size));
  for (R_xlen_t i = 0; i < result.size(); ++i) {
    Matrix matrix(Rcpp::no_init(static_cast<int>(n), static_cast<int>(q)));
    result[i] = matrix;
    begin.push_back(matrix.begin());
  }
  return result;
}

// An element of a list; NULL if it has none of this name.
inline SEXP part(const Rcpp::List& list, const char* name) {
  return list.containsElementNamed(name) ? SEXP(list[name]) : R_NilValue;
}

// A list of numeric vectors with names, or NULL.
std::map<std::string, std::vector<double>> named_vectors(SEXP x);

// A vector of INTSXP or REALSXP without values yet, see outside.cpp.
SEXP outside_vector(SEXPTYPE type, std::size_t n);

}  // namespace mlsift_glue

// For parameters of exported functions: features_of() and all_labels().
namespace Rcpp {
template <>
mlsift::Features as(SEXP x);
template <>
mlsift::Targets as(SEXP y);
}  // namespace Rcpp
