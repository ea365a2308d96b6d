#ifndef MLSIFT_SRC_CONVERT_H
#define MLSIFT_SRC_CONVERT_H

#include <Rcpp.h>
#include <mlsift/data/column.h>
#include <mlsift/data/targets.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

// R objects as the core's views. Nothing is copied; the R objects must outlive the views.

namespace mlsift_glue {

// Compressed columns of ones without values.
inline bool is_pattern(SEXP x) { return Rf_inherits(x, "ngCMatrix"); }

inline bool is_sparse(SEXP x) { return Rf_inherits(x, "dgCMatrix") || is_pattern(x); }

struct Sparse {
  explicit Sparse(const Rcpp::S4& m)
      : start(Rcpp::as<Rcpp::IntegerVector>(m.slot("p"))),
        rows(Rcpp::as<Rcpp::IntegerVector>(m.slot("i"))),
        dim(Rcpp::as<Rcpp::IntegerVector>(m.slot("Dim"))),
        pattern(is_pattern(m)) {
    if (!pattern) values = Rcpp::as<Rcpp::NumericVector>(m.slot("x"));
  }
  Rcpp::IntegerVector start, rows;
  Rcpp::NumericVector values;  // none of a pattern
  Rcpp::IntegerVector dim;
  bool pattern;
};

inline mlsift::Column column_of(SEXP v) {
  mlsift::Column column;
  if (TYPEOF(v) == REALSXP) {
    column.reals = REAL(v);
  } else if (TYPEOF(v) == LGLSXP) {
    column.ints = LOGICAL(v);
  } else {
    column.ints = INTEGER(v);
  }
  return column;
}

// A data frame, matrix, dgCMatrix or ngCMatrix. `cuts`: NULL, or a list with a numeric vector for each feature to cut
// and NULL for the others.
inline mlsift::Features features_of(SEXP x, SEXP cuts = R_NilValue, bool right = false) {
  mlsift::Features features;
  if (is_sparse(x)) {
    const Sparse m((Rcpp::S4(x)));
    features.n_rows = static_cast<std::size_t>(m.dim[0]);
    features.columns.resize(static_cast<std::size_t>(m.dim[1]));
    const int* const start = INTEGER(m.start);
    for (std::size_t f = 0; f < features.size(); ++f) {
      mlsift::Column& column = features.columns[f];
      if (!m.pattern) column.reals = REAL(m.values) + start[f];
      column.rows = INTEGER(m.rows) + start[f];
      column.stored = static_cast<std::size_t>(start[f + 1] - start[f]);
    }
    if (m.pattern) features.share_ones();
  } else if (TYPEOF(x) == VECSXP) {
    features.columns.resize(static_cast<std::size_t>(Rf_xlength(x)));
    for (std::size_t f = 0; f < features.size(); ++f)
      features.columns[f] = column_of(VECTOR_ELT(x, static_cast<R_xlen_t>(f)));
    features.n_rows = features.size() ? static_cast<std::size_t>(Rf_xlength(VECTOR_ELT(x, 0))) : 0;
  } else {
    const int* dim = INTEGER(Rf_getAttrib(x, R_DimSymbol));
    features.n_rows = static_cast<std::size_t>(dim[0]);
    features.columns.assign(static_cast<std::size_t>(dim[1]), column_of(x));
    for (std::size_t f = 0; f < features.size(); ++f) {
      mlsift::Column& column = features.columns[f];
      if (column.ints) column.ints += f * features.n_rows;
      if (column.reals) column.reals += f * features.n_rows;
    }
  }
  if (!Rf_isNull(cuts)) {
    for (std::size_t f = 0; f < features.size(); ++f) {
      SEXP at = VECTOR_ELT(cuts, static_cast<R_xlen_t>(f));
      if (Rf_isNull(at)) continue;
      features.columns[f].cut = true;
      features.columns[f].cuts = {REAL(at), static_cast<std::size_t>(Rf_xlength(at)), right};
    }
  }
  return features;
}

// Which columns of a data frame are factors; none for matrices.
inline std::vector<char> categories_of(SEXP x) {
  std::vector<char> result(TYPEOF(x) == VECSXP ? static_cast<std::size_t>(Rf_xlength(x)) : 0);
  for (std::size_t f = 0; f < result.size(); ++f) result[f] = Rf_isFactor(VECTOR_ELT(x, static_cast<R_xlen_t>(f)));
  return result;
}

// An integer 0/1 matrix, an ngCMatrix, or a dgCMatrix whose stored values are all 1.
inline mlsift::LabelMatrix labels_of(SEXP y) {
  mlsift::LabelMatrix labels;
  if (is_sparse(y)) {
    const Sparse m((Rcpp::S4(y)));
    labels.n_rows = static_cast<std::size_t>(m.dim[0]);
    labels.n_labels = m.dim[1];
    labels.rows = INTEGER(m.rows);
    labels.col_start = INTEGER(m.start);
  } else {
    const Rcpp::IntegerMatrix m(y);
    labels.n_rows = static_cast<std::size_t>(m.nrow());
    labels.n_labels = m.ncol();
    labels.dense = m.begin();
  }
  return labels;
}

inline mlsift::Targets all_labels(SEXP y) {
  const mlsift::LabelMatrix labels = labels_of(y);
  std::vector<int> columns(static_cast<std::size_t>(labels.n_labels));
  std::iota(columns.begin(), columns.end(), 0);
  return mlsift::targets_of(labels, columns);
}

inline mlsift::Targets occurring_labels(SEXP y) {
  const mlsift::LabelMatrix labels = labels_of(y);
  return mlsift::targets_of(labels, mlsift::labels_that_occur(labels));
}

// Weights of rows, whole numbers of at least 1; null for NULL.
inline const int* weights_of(SEXP weights) { return Rf_isNull(weights) ? nullptr : INTEGER(weights); }

// The same as numbers; null for NULL.
inline const double* real_weights(SEXP weights) { return Rf_isNull(weights) ? nullptr : REAL(weights); }

inline std::vector<std::size_t> sizes(const Rcpp::IntegerVector& x) { return {x.begin(), x.end()}; }

// Numbers from 0 for R's numbers from 1, and back.
inline std::vector<int> from_zero(SEXP from_one) {
  const Rcpp::IntegerVector numbers(from_one);
  std::vector<int> result(numbers.begin(), numbers.end());
  for (int& i : result) --i;
  return result;
}

inline std::vector<std::size_t> positions(SEXP from_one) {
  const std::vector<int> result = from_zero(from_one);
  return {result.begin(), result.end()};
}

inline Rcpp::IntegerVector from_one(const std::vector<int>& from_zero) {
  Rcpp::IntegerVector result(from_zero.begin(), from_zero.end());
  for (int& i : result) ++i;
  return result;
}

// A vector of get(element) for each element.
template <class Vector, class Elements, class Get>
Vector each(Elements& elements, Get get) {
  Vector result(static_cast<R_xlen_t>(elements.size()));
  R_xlen_t i = 0;
  for (auto& element : elements) result[i++] = get(element);
  return result;
}

// A matrix by rows.
inline std::vector<double> by_rows(const Rcpp::NumericMatrix& x) {
  return Rcpp::as<std::vector<double>>(Rcpp::transpose(x));
}

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
inline std::map<std::string, std::vector<double>> named_vectors(SEXP x) {
  std::map<std::string, std::vector<double>> result;
  if (Rf_isNull(x) || Rf_xlength(x) == 0) return result;
  const Rcpp::List list(x);
  const Rcpp::CharacterVector names(Rf_getAttrib(list, R_NamesSymbol));
  for (R_xlen_t i = 0; i < list.size(); ++i)
    result[Rcpp::as<std::string>(names[i])] = Rcpp::as<std::vector<double>>(list[i]);
  return result;
}

}  // namespace mlsift_glue

#endif
