#pragma once

#include "convert.h"

#include <mlsift/data/partition.h>
#include <mlsift/data/row_numbers.h>

namespace mlsift_glue {

// What R needs to know of a partition, see cpp_partitions(). R's numbers hold 53 bits of a hash.
struct PartitionFacts {
  PartitionFacts(const mlsift::Partition& one, std::size_t n_rows)
      : alike(static_cast<double>(one.alike() >> 11)),
        values(static_cast<double>(one.values() >> 11)),
        by_value(one.many() || 2 * one.size() > n_rows),
        zero_one(one.zero_one()) {}
  double alike, values;
  bool by_value, zero_one;
};

inline Rcpp::List partitions_to_r(const std::vector<PartitionFacts>& facts) {
  return Rcpp::List::create(
      Rcpp::_["alike"] = each<Rcpp::NumericVector>(facts, [](const PartitionFacts& one) { return one.alike; }),
      Rcpp::_["values"] = each<Rcpp::NumericVector>(facts, [](const PartitionFacts& one) { return one.values; }),
      Rcpp::_["by_value"] = each<Rcpp::LogicalVector>(facts, [](const PartitionFacts& one) { return one.by_value; }),
      Rcpp::_["zero_one"] = each<Rcpp::LogicalVector>(facts, [](const PartitionFacts& one) { return one.zero_one; }));
}

inline Rcpp::List partitions_to_r(const std::vector<mlsift::Partition>& found, std::size_t n_rows) {
  std::vector<PartitionFacts> facts;
  for (const mlsift::Partition& one : found) facts.emplace_back(one, n_rows);
  return partitions_to_r(facts);
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
