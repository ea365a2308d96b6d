#pragma once

#include "convert.h"

#include <mlsift/data/partition.h>
#include <mlsift/data/row_numbers.h>

namespace mlsift_glue {

// See cpp_partitions(). `get`: the partition of an element. R's numbers hold 53 bits of a hash.
template <class Elements, class Get>
Rcpp::List partitions_to_r(const Elements& elements, std::size_t n_rows, Get get) {
  Rcpp::NumericVector alike(static_cast<R_xlen_t>(elements.size())), values(alike.size());
  Rcpp::LogicalVector by_value(alike.size()), zero_one(alike.size());
  R_xlen_t f = 0;
  for (const auto& element : elements) {
    const mlsift::Partition& one = get(element);
    alike[f] = static_cast<double>(one.alike() >> 11);
    values[f] = static_cast<double>(one.values() >> 11);
    by_value[f] = one.many() || 2 * one.size() > n_rows;
    zero_one[f++] = one.zero_one();
  }
  return Rcpp::List::create(Rcpp::_["alike"] = alike, Rcpp::_["values"] = values, Rcpp::_["by_value"] = by_value,
                            Rcpp::_["zero_one"] = zero_one);
}

// See cpp_row_numbers(). `get`: what tells about the rows of an element.
template <class Elements, class Get>
Rcpp::List row_numbers_to_r(Elements& elements, Get get) {
  using mlsift::RowNumbers;
  static const char* const names[] = {"none", "categories", "sorted", "unsorted"};
  Rcpp::IntegerVector kind(static_cast<R_xlen_t>(elements.size()), 1);
  Rcpp::NumericVector count(kind.size(), NA_REAL);
  R_xlen_t f = 0;
  for (auto& element : elements) {
    auto&& one = get(element);
    const RowNumbers::Kind found = one.kind();
    kind[f] = static_cast<int>(found) + 1;
    if (found != RowNumbers::none) count[f] = static_cast<double>(one.count());
    ++f;
  }
  kind.attr("levels") = Rcpp::CharacterVector(names, names + 4);
  kind.attr("class") = "factor";
  return Rcpp::List::create(Rcpp::_["kind"] = kind, Rcpp::_["count"] = count);
}

}  // namespace mlsift_glue
