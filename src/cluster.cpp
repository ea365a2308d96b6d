#include "context.h"
#include "convert.h"

#include <mlsift/graph/target_groups.h>

namespace {

mlsift::BitTargets bit_targets(SEXP y, const std::vector<int>& n_levels) {
  if (n_levels.empty()) return mlsift::bits_of_labels(mlsift_glue::occurring_labels(y));
  const Rcpp::IntegerMatrix codes(y);
  return mlsift::bits_of_classes(codes.begin(), static_cast<std::size_t>(codes.nrow()), n_levels);
}

mlsift::RealTargets real_targets(const Rcpp::NumericMatrix& y) {
  return mlsift::RealTargets(y.begin(), static_cast<std::size_t>(y.nrow()), static_cast<std::size_t>(y.ncol()));
}

}  // namespace

// How many distinct target vectors there are. `y`: labels, classes as level numbers from 1 (then `n_levels` by target)
// or a double matrix.
// [[Rcpp::export(rng = false)]]
int cpp_count_target_vectors(SEXP y, const std::vector<int>& n_levels) {
  if (TYPEOF(y) == REALSXP) return static_cast<int>(real_targets(Rcpp::NumericMatrix(y)).size());
  return static_cast<int>(bit_targets(y, n_levels).size());
}

// Rows x groups, clusters from 1. `members`: ascending numbers of targets (of labels: of those that occur), `clusters`:
// how many, by group; `orders`: permutations of the distinct vectors for CLARA, used above `most` of them with samples
// of `sample`.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_target_groups(SEXP y, const std::vector<int>& n_levels, const Rcpp::List& members,
                                      const std::vector<int>& clusters, const Rcpp::List& orders, std::size_t most,
                                      std::size_t sample, const mlsift::Context& context) {
  using mlsift_glue::lists_from_zero;
  const std::vector<std::vector<int>> groups = lists_from_zero(members), permutations = lists_from_zero(orders);
  const mlsift::ClusterLimits limits{most, sample};
  const auto expand = [&](const mlsift::DistinctTargets& vectors, const std::vector<std::vector<int>>& ids) {
    Rcpp::IntegerMatrix result(static_cast<int>(vectors.of_row.size()), static_cast<int>(ids.size()));
    int* to = result.begin();
    for (const std::vector<int>& id : ids) {
      for (const int g : vectors.of_row) *to++ = id[static_cast<std::size_t>(g)] + 1;
    }
    return result;
  };
  if (TYPEOF(y) == REALSXP) {
    const mlsift::RealTargets vectors = real_targets(Rcpp::NumericMatrix(y));
    return expand(vectors, mlsift_glue::guarded([&] {
                    return mlsift::cluster_groups<mlsift::RealPoints>(vectors, groups, clusters, permutations, limits,
                                                                      context);
                  }));
  }
  const mlsift::BitTargets vectors = bit_targets(y, n_levels);
  std::size_t widest = 0;
  for (const std::vector<int>& group : groups) widest = std::max(widest, vectors.dimensions(group));
  return expand(vectors, mlsift_glue::guarded([&] {
                  return widest < 65536 ? mlsift::cluster_groups<mlsift::BitPoints<std::uint16_t>>(
                                              vectors, groups, clusters, permutations, limits, context)
                                        : mlsift::cluster_groups<mlsift::BitPoints<double>>(
                                              vectors, groups, clusters, permutations, limits, context);
                }));
}
