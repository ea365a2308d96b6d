#pragma once

#include <cstddef>
#include <vector>

#include "../distance/row_scan.h"

namespace mlsift {

/// The driver of the Relief family. All its scores are sums over pairs of rows,
///
///   J(f) = factor_f sum_i sum_j w_ij |x_if - x_jf|,
///
/// where i runs over the reference rows and w_ij adds up what all labels have to say about a neighbor j of i: distances
/// once, one scan of the neighbors, one difference for each pair, however many labels there are.
///
/// The scores of all features. A criterion is as scan_rows() wants it.
template <class Distances, class Differences, class Criterion>
std::vector<double> relief_scores(const Context& context, const Distances& distances, const Differences& differences,
                                  const std::vector<std::size_t>& rows, const Criterion& criterion) {
  const std::size_t d = differences.n_features(), slices = relief_slices(distances, d);
  const double n = static_cast<double>(distances.n_train()), m = static_cast<double>(rows.size());
  const double work =
      distances.work(d) + m * (4 * n + static_cast<double>(criterion.expected()) * differences.work_per_pair());
  std::vector<double> partial(slices * d, 0.0);
  std::vector<typename Differences::Scratch> scratch(worker_count(context, slices, work));
  scan_rows(context, distances, rows, d, criterion, work, slices,
            [&](int worker, std::size_t slice, std::size_t, const RowPairs& pairs) {
              differences.add(pairs, 0, pairs.size(), partial.data() + slice * d,
                              scratch[static_cast<std::size_t>(worker)]);
            });
  return add_slices(partial, d);
}

}  // namespace mlsift
