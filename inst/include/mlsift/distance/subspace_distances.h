#ifndef MLSIFT_DISTANCE_SUBSPACE_DISTANCES_H
#define MLSIFT_DISTANCE_SUBSPACE_DISTANCES_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../data/split_numbers.h"
#include "dense_distances.h"

namespace mlsift {

/// Distances of all rows on some features: stored, or computed on request. Features are added in their order.
class SubspaceDistances {
 public:
  using Entry = SplitNumbers::Entry;
  using Block = DenseDistances::Block;

  explicit SubspaceDistances(const SplitNumbers& numbers) : numbers_(numbers) {}

  std::size_t size() const { return features_.size(); }
  bool kept() const { return !kept_.empty(); }
  const double* kept_row(std::size_t i) const { return kept_.data() + i * numbers_.n; }

  void push_back(int f) {
    features_.push_back(f);
    columns_.emplace_back();
    if (numbers_.in_table(static_cast<std::size_t>(f))) columns_.back() = numbers_.column(static_cast<std::size_t>(f));
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
    const std::size_t f = static_cast<std::size_t>(features_.back());
    const std::vector<double> own = x.empty() ? numbers_.column(f) : std::vector<double>();
    parallel_for(context, n, static_cast<double>(n) * static_cast<double>(n),
                 [&](int, std::size_t begin, std::size_t end) {
                   std::vector<double> before;
                   for (std::size_t i = begin; i < end; ++i) {
                     double* const row = kept_.data() + i * n;
                     if (x.empty()) {
                       add_sparse(row, f, own[i], before);
                     } else {
                       for (std::size_t j = 0; j < n; ++j) row[j] += (x[j] - x[i]) * (x[j] - x[i]);
                     }
                   }
                 });
  }

  // The distances on features in the table.
  DenseDistances dense() const {
    std::vector<const double*> at;
    for (const auto& column : columns_) {
      if (!column.empty()) at.push_back(column.data());
    }
    return DenseDistances(at, numbers_.n, at, numbers_.n, std::vector<char>(at.size(), 0));
  }

  /// Distances from `rows` rows on, at most as many as `distances`, which is dense(), has in a block.
  void fill(const DenseDistances& distances, Block& block, std::size_t first, std::size_t rows) const {
    distances.start(block, first, rows);
    std::vector<double> before;
    std::size_t from = 0, to = 0;  // features of the table not yet added
    for (std::size_t s = 0; s < features_.size(); ++s) {
      if (!columns_[s].empty()) {
        ++to;
        continue;
      }
      if (from < to) distances.add(block, from, to);
      from = to;
      const std::size_t f = static_cast<std::size_t>(features_[s]);
      const Entry *own = SplitNumbers::first_from(numbers_.begin(f), numbers_.end(f), first), *const end =
                                                                                                  numbers_.end(f);
      for (std::size_t i = 0; i < rows; ++i) {
        const bool has = own != end && own->at == static_cast<int>(first + i);
        add_sparse(block.row(i), f, has ? own->value : 0.0, before);
        own += has;
      }
    }
    if (from < to) distances.add(block, from, to);
  }

  std::vector<double> from_row(std::size_t i) const {
    if (kept()) return std::vector<double>(kept_row(i), kept_row(i) + numbers_.n);
    const DenseDistances distances = dense();
    Block block;
    fill(distances, block, i, 1);
    return std::vector<double>(block.row(0), block.row(0) + numbers_.n);
  }

  /// Elementary steps for all distances.
  double work() const {
    const double n = static_cast<double>(numbers_.n);
    double dense = 0, sparse = 0;
    for (std::size_t s = 0; s < features_.size(); ++s) {
      const std::size_t f = static_cast<std::size_t>(features_[s]);
      columns_[s].empty() ? sparse += 2.0 * static_cast<double>(numbers_.end(f) - numbers_.begin(f)) : dense += n / 4;
    }
    return n * (dense + sparse);
  }

 private:
  // Adds a sparse feature to the distances from a row that has the value `own`.
  void add_sparse(double* distance, std::size_t f, double own, std::vector<double>& before) const {
    const auto each_stored = [&](auto visit) {
      for (const Entry* e = numbers_.begin(f); e != numbers_.end(f); ++e) visit(e->at, e->value);
    };
    detail::add_sparse_column(distance, numbers_.n, own, SquaredTerms::Term(), each_stored, before);
  }

  const SplitNumbers& numbers_;
  std::vector<int> features_;
  std::vector<std::vector<double>> columns_;  // of features in the table
  std::vector<double> kept_;                  // n x n, or empty
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

#endif
