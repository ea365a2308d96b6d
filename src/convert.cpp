#include "convert.h"

#include <numeric>

namespace mlsift_glue {

Sparse::Sparse(SEXP x) : pattern(is_pattern(x)) {
  const Rcpp::S4 m(x);
  start = m.slot("p"), rows = m.slot("i"), dim = m.slot("Dim");
  if (!pattern) values = m.slot("x");
}

bool has_only_ones(SEXP x) {
  if (!Rf_inherits(x, "dgCMatrix")) return is_pattern(x);
  const Rcpp::NumericVector values = Rcpp::S4(x).slot("x");
  return mlsift::all_ones(values.begin(), static_cast<std::size_t>(values.size()));
}

static mlsift::Column column_of(SEXP v) {
  mlsift::Column column;
  if (TYPEOF(v) == REALSXP) {
    column.reals = REAL(v);
  } else if (TYPEOF(v) == LGLSXP) {
    column.ints = LOGICAL(v);
  } else {
    column.ints = INTEGER(v);
    column.category = Rf_isFactor(v);
  }
  return column;
}

mlsift::Features features_of(SEXP x, SEXP cuts, bool right) {
  mlsift::Features features;
  if (is_sparse(x)) {
    const Sparse m(x);
    const bool ones = has_only_ones(x);
    features.n_rows = static_cast<std::size_t>(m.dim[0]);
    features.columns.resize(static_cast<std::size_t>(m.dim[1]));
    const int* const start = INTEGER(m.start);
    for (std::size_t f = 0; f < features.size(); ++f) {
      mlsift::Column& column = features.columns[f];
      if (!m.pattern) column.reals = REAL(m.values) + start[f];
      column.pattern = ones;
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

mlsift::LabelMatrix labels_of(SEXP y) {
  mlsift::LabelMatrix labels;
  if (is_sparse(y)) {
    const Sparse m(y);
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

LabelCells::LabelCells(SEXP y) {
  if (TYPEOF(y) != VECSXP) {
    values = labels_of(y);
    return;
  }
  const Rcpp::List both(y);
  values = labels_of(both["values"]);
  unknown = labels_of(both["unknown"]);
}

mlsift::Targets all_labels(SEXP y) {
  const mlsift::LabelMatrix labels = labels_of(y);
  std::vector<int> columns(static_cast<std::size_t>(labels.n_labels));
  std::iota(columns.begin(), columns.end(), 0);
  return mlsift::targets_of(labels, columns);
}

mlsift::Targets occurring_labels(SEXP y) {
  const mlsift::LabelMatrix labels = labels_of(y);
  return mlsift::targets_of(labels, mlsift::labels_that_occur(labels));
}

std::vector<int> from_zero(SEXP from_one) {
  const Rcpp::IntegerVector numbers(from_one);
  std::vector<int> result(numbers.begin(), numbers.end());
  for (int& i : result) --i;
  return result;
}

std::vector<std::vector<int>> lists_from_zero(const Rcpp::List& from_one) {
  std::vector<std::vector<int>> result;
  for (const SEXP one : from_one) result.push_back(from_zero(one));
  return result;
}

std::vector<std::size_t> positions(SEXP from_one) {
  const std::vector<int> result = from_zero(from_one);
  return {result.begin(), result.end()};
}

Rcpp::IntegerVector from_one(const std::vector<int>& from_zero) {
  Rcpp::IntegerVector result(from_zero.begin(), from_zero.end());
  for (int& i : result) ++i;
  return result;
}

std::vector<double> by_rows(const Rcpp::NumericMatrix& x) { return Rcpp::as<std::vector<double>>(Rcpp::transpose(x)); }

std::map<std::string, std::vector<double>> named_vectors(SEXP x) {
  std::map<std::string, std::vector<double>> result;
  if (Rf_isNull(x) || Rf_xlength(x) == 0) return result;
  const Rcpp::List list(x);
  const Rcpp::CharacterVector names(Rf_getAttrib(list, R_NamesSymbol));
  for (R_xlen_t i = 0; i < list.size(); ++i)
    result[Rcpp::as<std::string>(names[i])] = Rcpp::as<std::vector<double>>(list[i]);
  return result;
}

}  // namespace mlsift_glue

template <>
mlsift::Features Rcpp::as(SEXP x) {
  return mlsift_glue::features_of(x);
}

template <>
mlsift::Targets Rcpp::as(SEXP y) {
  return mlsift_glue::all_labels(y);
}
