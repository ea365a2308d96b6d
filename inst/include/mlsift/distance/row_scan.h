#pragma once

#include "../core/parallel.h"
#include "differences.h"
#include "neighbors.h"
#include "ordered_scan.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// Neighbors of many reference rows, block by block, with the weights of the pairs that they form.
///
/// A criterion has `expected()`, the number of neighbors that the scan should look at first, and a type `Quotas`, of
/// which each thread makes an object from it:
///   start(i, distance, pairs)   the quotas of row i; may already add pairs
///   wants(j), take(j, pairs), full()
///   finish(pairs)     final adjustment of the weights of this row's pairs
/// cost   n_train distances and a list of neighbors for each row of a block, for each thread; never all pairs of rows.
///        The slices depend on the sizes alone, so sums do not depend on the number of threads.

/// Slices of the reference rows, each summed on its own.
template <class Distances>
std::size_t relief_slices(const Distances& distances, std::size_t n_features) {
  const std::size_t blocks = (distances.n_query() + distances.block_rows() - 1) / distances.block_rows();
  const std::size_t affordable = std::size_t{4000000} / std::max<std::size_t>(n_features, 1);
  return std::min(blocks, std::min<std::size_t>(std::max<std::size_t>(affordable, 8), 256));
}

namespace detail {

template <class Distances, class Criterion>
struct ReliefScratch {
  ReliefScratch(const Distances& distances, const Criterion& criterion)
      : scan(distances.n_train()), quotas(criterion) {}
  typename Distances::Block block;
  OrderedScan scan;
  typename Criterion::Quotas quotas;
  RowPairs pairs;
};

}  // namespace detail

/// Calls visit(worker, slice, first, pairs) for consecutive blocks of the reference rows, first .. first + pairs.size()
/// - 1. The blocks of one slice come in order and from one thread. `rows`: the reference rows (queries) as training
/// rows.
template <class Distances, class Criterion, class Visit>
void scan_rows(const Context& context, const Distances& distances, const std::vector<std::size_t>& rows,
               std::size_t n_features, const Criterion& criterion, double work, std::size_t slices, Visit visit) {
  const std::size_t m = distances.n_query(), at_once = distances.block_rows(), blocks = (m + at_once - 1) / at_once;
  std::vector<detail::ReliefScratch<Distances, Criterion>> scratch;
  for (std::size_t w = 0; w < worker_count(context, slices, work); ++w) scratch.emplace_back(distances, criterion);
  // A slice may take minutes if rows have thousands of labels, so it polls after each row.
  SharedPoll poll(context);
  parallel_for(context, slices, work, [&](int worker, std::size_t begin, std::size_t end) {
    auto& s = scratch[static_cast<std::size_t>(worker)];
    for (std::size_t slice = begin; slice < end; ++slice) {
      for (std::size_t b = slice * blocks / slices; b < (slice + 1) * blocks / slices; ++b) {
        const std::size_t first = b * at_once, size = std::min(at_once, m - first);
        distances.start(s.block, first, size);
        distances.add(s.block, 0, n_features);
        s.pairs.clear();
        for (std::size_t i = 0; i < size; ++i) {
          const std::size_t row = rows[first + i];
          s.block.row(i)[row] = std::numeric_limits<double>::quiet_NaN();
          s.quotas.start(row, s.block.row(i), s.pairs);
          s.scan.scan(s.block.row(i), criterion.expected(), s.quotas,
                      [&](std::size_t other) { s.quotas.take(other, s.pairs); });
          s.quotas.finish(s.pairs);
          s.pairs.end_list(row);
          if (poll(worker, first + i, m)) return;
        }
        visit(worker, slice, first, s.pairs);
      }
    }
  });
}

/// Adds up the sums of the slices in order.
inline std::vector<double> add_slices(const std::vector<double>& partial, std::size_t n_features) {
  std::vector<double> sum(n_features, 0.0);
  for (std::size_t p = 0; p < partial.size(); ++p) sum[p % n_features] += partial[p];
  return sum;
}

}  // namespace mlsift
