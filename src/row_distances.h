#pragma once

#include "convert.h"

#include <mlsift/distance/dense_distances.h>
#include <mlsift/distance/sparse_distances.h>

// Features as the columns that distances are made of.

namespace mlsift_glue {

inline std::vector<const double*> columns_of(const Rcpp::NumericMatrix& x) {
  std::vector<const double*> columns(static_cast<std::size_t>(x.ncol()));
  for (std::size_t f = 0; f < columns.size(); ++f) {
    columns[f] = x.begin() + f * static_cast<std::size_t>(x.nrow());
  }
  return columns;
}

// Points into the slots of a dgCMatrix, which the caller keeps alive.
inline mlsift::SparseColumns sparse_columns(const Rcpp::S4& x) {
  const Sparse m(x);
  return {static_cast<std::size_t>(m.dim[0]), static_cast<std::size_t>(m.dim[1]), m.start.begin(), m.rows.begin(),
          m.values.begin()};
}

// Calls f(distances) for two double matrices or two dgCMatrix.
template <class F>
auto with_distances(SEXP train, SEXP query, const Rcpp::LogicalVector& nominal, F f) {
  if (Rf_isS4(train)) {
    return f(mlsift::SparseDistances(sparse_columns(Rcpp::S4(train)), sparse_columns(Rcpp::S4(query))));
  }
  const Rcpp::NumericMatrix x(train), z(query);
  return f(mlsift::DenseDistances(columns_of(x), static_cast<std::size_t>(x.nrow()), columns_of(z),
                                  static_cast<std::size_t>(z.nrow()),
                                  std::vector<char>(nominal.begin(), nominal.end())));
}

}  // namespace mlsift_glue
