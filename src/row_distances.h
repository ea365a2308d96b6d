#pragma once

#include "convert.h"

#include <mlsift/distance/dense_distances.h>
#include <mlsift/distance/sparse_distances.h>

// Features as the columns that distances are made of.

namespace mlsift_glue {

// Of a double matrix.
inline std::vector<const double*> columns_of(SEXP x) {
  std::vector<const double*> columns(static_cast<std::size_t>(Rf_ncols(x)));
  for (std::size_t f = 0; f < columns.size(); ++f) columns[f] = REAL(x) + f * static_cast<std::size_t>(Rf_nrows(x));
  return columns;
}

// Points into the slots of a dgCMatrix, which the caller keeps alive.
inline mlsift::SparseColumns sparse_columns(SEXP x) {
  const Sparse m(x);
  return {static_cast<std::size_t>(m.dim[0]), static_cast<std::size_t>(m.dim[1]), m.start.begin(), m.rows.begin(),
          m.values.begin()};
}

// Calls f(distances) for two double matrices or two dgCMatrix.
template <class F>
auto with_distances(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, F f) {
  if (Rf_isS4(train)) {
    return f(mlsift::SparseDistances(sparse_columns(train), sparse_columns(query)));
  }
  return f(mlsift::DenseDistances(columns_of(train), static_cast<std::size_t>(Rf_nrows(train)), columns_of(query),
                                  static_cast<std::size_t>(Rf_nrows(query)), flags(nominal)));
}

}  // namespace mlsift_glue
