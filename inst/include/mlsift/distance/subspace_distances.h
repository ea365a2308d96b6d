#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../data/classed_rows.h"
#include "dense_distances.h"

namespace mlsift {

/// Distances of all rows on some features: stored, or computed on request. Features are added in their order.
class SubspaceDistances {
 public:
  using Block = DenseDistances::Block;

  explicit SubspaceDistances(const NumberTable& numbers) : numbers_(numbers) {}

  std::size_t size() const { return features_.size(); }
  bool kept() const { return !kept_.empty(); }
  const double* kept_row(std::size_t i) const { return kept_.data() + i * numbers_.n; }

  void push_back(int f) {
    features_.push_back(f);
    columns_.push_back(numbers_.column(static_cast<std::size_t>(f)));
  }

  void erase(int f) {
    const auto found = std::find(features_.begin(), features_.end(), f) - features_.begin();
    features_.erase(features_.begin() + found);
    columns_.erase(columns_.begin() + found);
  }

  /// Adds the last feature to the distances, which are stored from now on.
  void keep_last(const Context& context) {
    const std::size_t n = numbers_.n;
    kept_.resize(n * n, 0.0);
    const std::vector<double>& x = columns_.back();
    parallel_each(context, n, static_cast<double>(n) * static_cast<double>(n), [&](std::size_t i) {
      double* const row = kept_.data() + i * n;
      for (std::size_t j = 0; j < n; ++j) row[j] += (x[j] - x[i]) * (x[j] - x[i]);
    });
  }

  DenseDistances dense() const {
    std::vector<const double*> at;
    for (const auto& column : columns_) at.push_back(column.data());
    return DenseDistances(at, numbers_.n, at, numbers_.n, std::vector<char>(at.size(), 0));
  }

  /// Distances from `rows` rows on, at most as many as `distances`, which is dense(), has in a block.
  void fill(const DenseDistances& distances, Block& block, std::size_t first, std::size_t rows) const {
    distances.start(block, first, rows);
    if (size() > 0) distances.add(block, 0, size());
  }

  /// Elementary steps for all distances.
  double work() const {
    const double n = static_cast<double>(numbers_.n);
    return n * n / 4 * static_cast<double>(size());
  }

 private:
  const NumberTable& numbers_;
  std::vector<int> features_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> kept_;  // n x n, or empty
};

/// Sums over all rows for each of `n_changes` changes: visit(row, its distances, scratch, sums).
template <class Sums, class Scratch, class Visit>
std::vector<Sums> sum_over_rows(const SubspaceDistances& space, std::size_t n, std::size_t n_changes, double work,
                                const Context& context, Visit visit) {
  const std::size_t size = std::max<std::size_t>(32, n / 256), parts = (n + size - 1) / size;
  work += 5.0 * static_cast<double>(n) * static_cast<double>(n) + space.work();
  const DenseDistances distances = space.dense();
  struct Worker {
    DenseDistances::Block block;
    Scratch scratch;
    std::vector<Sums> sums;
  };
  std::vector<Worker> workers(worker_count(context, parts, work));
  for (Worker& worker : workers) worker.sums.resize(n_changes);
  parallel_for(context, parts, work, [&](int worker, std::size_t begin, std::size_t end) {
    Worker& mine = workers[static_cast<std::size_t>(worker)];
    for (std::size_t part = begin; part < end; ++part) {
      const std::size_t stop = std::min(n, (part + 1) * size);
      for (std::size_t first = part * size; first < stop; first += distances.block_rows()) {
        const std::size_t rows = std::min(distances.block_rows(), stop - first);
        if (!space.kept()) space.fill(distances, mine.block, first, rows);
        for (std::size_t i = 0; i < rows; ++i) {
          visit(first + i, space.kept() ? space.kept_row(first + i) : mine.block.row(i), mine.scratch,
                mine.sums.data());
        }
      }
    }
  });
  for (std::size_t worker = 1; worker < workers.size(); ++worker) {
    for (std::size_t c = 0; c < n_changes; ++c) workers[0].sums[c] += workers[worker].sums[c];
  }
  return std::move(workers[0].sums);
}

}  // namespace mlsift
