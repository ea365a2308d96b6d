#pragma once

#include "convert.h"

#include <mlsift/count/count_tables.h>

#include <vector>

// Tables of joint counts as R lists.

namespace mlsift_glue {

inline Rcpp::List levels_to_r(const std::vector<mlsift::FixedLevels>& levels) {
  using mlsift::FixedLevels;
  return Rcpp::List::create(Rcpp::_["at"] = each<Rcpp::List>(levels, &FixedLevels::at),
                            Rcpp::_["cut"] = each<Rcpp::LogicalVector>(levels, &FixedLevels::cut),
                            Rcpp::_["right"] = each<Rcpp::LogicalVector>(levels, &FixedLevels::right),
                            Rcpp::_["implied"] = each<Rcpp::IntegerVector>(levels, &FixedLevels::implied));
}

inline std::vector<mlsift::FixedLevels> levels_from_r(const Rcpp::List& from) {
  const Rcpp::List at = from["at"];
  const Rcpp::LogicalVector cut = from["cut"], right = from["right"];
  const Rcpp::IntegerVector implied = from["implied"];
  std::vector<mlsift::FixedLevels> levels;
  for (R_xlen_t f = 0; f < at.size(); ++f) {
    levels.push_back({Rcpp::as<std::vector<double>>(at[f]), cut[f] != 0, right[f] != 0, implied[f]});
  }
  return levels;
}

// Counts are doubles, which hold whole numbers up to 2^53.
inline Rcpp::List counts_to_r(const mlsift::CountTables& counts) {
  const auto doubles = [](const auto& x) { return Rcpp::NumericVector(x.begin(), x.end()); };
  return Rcpp::List::create(Rcpp::_["n"] = static_cast<double>(counts.n),
                            Rcpp::_["levels"] = levels_to_r(counts.levels),
                            Rcpp::_["in_level"] = doubles(counts.in_level),
                            Rcpp::_["in_target"] = doubles(counts.in_target), Rcpp::_["cell"] = doubles(counts.cell),
                            Rcpp::_["target"] = Rcpp::IntegerVector(counts.target.begin(), counts.target.end()),
                            Rcpp::_["count"] = doubles(counts.count));
}

inline mlsift::CountTables counts_from_r(const Rcpp::List& from) {
  mlsift::CountTables counts(levels_from_r(from["levels"]), static_cast<std::size_t>(Rf_xlength(from["in_target"])));
  const auto read = [&](const char* name, auto& to) {
    const Rcpp::NumericVector values = from[name];
    to.assign(values.begin(), values.end());
  };
  counts.n = static_cast<std::int64_t>(Rcpp::as<double>(from["n"]));
  counts.target = Rcpp::as<std::vector<int>>(from["target"]);
  read("in_level", counts.in_level);
  read("in_target", counts.in_target);
  read("cell", counts.cell);
  read("count", counts.count);
  return counts;
}

}  // namespace mlsift_glue
