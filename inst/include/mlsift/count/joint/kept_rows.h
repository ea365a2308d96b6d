#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "../../core/parallel.h"
#include "rows_in_chunks.h"

namespace mlsift {

/// A chunk that stays in memory between questions about pairs, with its levels coded: each row has a list of its
/// indicators and of its targets. Before it is coded, and where that takes too much memory, it is counted by columns.
class KeptChunk {
 public:
  /// What the chunk points to must stay.
  explicit KeptChunk(Chunk chunk) : chunk_(std::move(chunk)) {}

  double values() const { return stored_values(chunk_.features); }

  /// The first half of coding: how many indicators each row has. Returns the bytes that the codes will take.
  std::size_t measure(const PairLayout& layout) {
    start_.assign(chunk_.features.n_rows + 1, 0);
    each(layout, [this](std::size_t row, int) { ++start_[row + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    return sizeof(std::size_t) * start_.size() + sizeof(int) * start_.back();
  }

  void forget() { start_ = {}; }  ///< what measure() found

  /// The second half.
  void code(const PairLayout& layout) {
    ids_.resize(start_.back());
    each(layout, [this](std::size_t row, int id) { ids_[start_[row]++] = id; });
    // start_[i] has advanced to the end of row i.
    std::copy_backward(start_.begin(), start_.end() - 1, start_.end());
    start_[0] = 0;
    Targets& targets = chunk_.targets;
    std::size_t kept = 0, from = 0;
    for (std::size_t i = 0; i < targets.n_rows(); ++i) {
      const std::size_t end = targets.start[i + 1];
      for (; from < end; ++from) {
        const int t = detail::target_of(targets.ids[from], layout);
        if (t >= 0) targets.ids[kept++] = t;
      }
      targets.start[i + 1] = kept;
    }
    targets.ids.resize(kept);
  }

  /// Adds the joint counts to a table.
  void count(const PairLayout& layout, const PairQuestion& question, int* table, const Context& context) const {
    if (start_.empty()) return count_pairs(chunk_, layout, question, table, context);
    std::vector<std::pair<std::size_t, std::size_t>> met;  // rows off the reference level of s, and their levels
    detail::visit_indicators(chunk_.features, static_cast<std::size_t>(question.s), layout, [&](int row, int level) {
      if (level >= 0) met.emplace_back(static_cast<std::size_t>(row), static_cast<std::size_t>(level));
    });
    const std::size_t first = layout.first[question.begin], n_ids = layout.first[question.end] - first;
    const double rows = static_cast<double>(std::max<std::size_t>(1, start_.size() - 1));
    const double of_row = static_cast<double>(ids_.size()) / rows *
                          (1 + (question.sides > 1 ? static_cast<double>(chunk_.targets.ids.size()) / rows : 0));
    const double work = static_cast<double>(met.size()) * of_row;
    // Each run counts some indicators in all rows.
    const std::size_t threads = static_cast<std::size_t>(choose_threads(context, work));
    const std::size_t n_runs = std::min(std::max<std::size_t>(1, n_ids), threads == 1 ? 1 : 4 * threads);
    SharedPoll poll(context);
    parallel_for(context, n_runs, work, [&](int worker, std::size_t begin, std::size_t end) {
      const int low = static_cast<int>(first + n_ids * begin / n_runs);
      const int high = static_cast<int>(first + n_ids * end / n_runs);
      for (std::size_t i = 0; i < met.size(); ++i) {
        if (i % 256 == 0 && poll(worker, i, met.size())) return;
        count_row(met[i].first, met[i].second, low, high, question, table, static_cast<int>(first));
      }
    });
  }

 private:
  // Calls take(row, id) for the rows of each indicator, by feature.
  template <class Take>
  void each(const PairLayout& layout, Take take) const {
    for (std::size_t f = 0; f < layout.tables.size(); ++f) {
      const int first = static_cast<int>(layout.first[f]);
      detail::visit_indicators(chunk_.features, f, layout, [&](int row, int level) {
        if (level >= 0) take(static_cast<std::size_t>(row), first + level);
      });
    }
  }

  // The indicators low .. high - 1 of a row at level u of s.
  void count_row(std::size_t row, std::size_t u, int low, int high, const PairQuestion& question, int* table,
                 int first) const {
    const auto begin = ids_.begin() + static_cast<std::ptrdiff_t>(start_[row]);
    const auto end = ids_.begin() + static_cast<std::ptrdiff_t>(start_[row + 1]);
    const int weight = chunk_.weights ? chunk_.weights[row] : 1;
    const int *const target = chunk_.targets.begin(row), *const last = chunk_.targets.end(row);
    for (auto id = std::lower_bound(begin, end, low); id != end && *id < high; ++id) {
      int* const cell = table + (static_cast<std::size_t>(*id - first) * question.levels + u) * question.sides;
      *cell += weight;
      if (question.sides == 1) continue;
      for (const int* t = target; t != last; ++t) cell[1 + *t] += weight;
    }
  }

  Chunk chunk_;  // if it is coded, with the numbers of targets that vary
  std::vector<std::size_t> start_;
  std::vector<int> ids_;  // row i: ids_[start_[i]] .. ids_[start_[i + 1] - 1], ascending
};

/// Codes chunks, as many as `bytes` allow, which it reduces by what they take.
inline void code_chunks(std::vector<KeptChunk>& chunks, const PairLayout& layout, std::size_t& bytes,
                        const Context& context) {
  double values = 0;
  for (const KeptChunk& chunk : chunks) values += chunk.values();
  std::vector<std::size_t> size(chunks.size());
  const auto each = [&](auto body) { parallel_each(context, chunks.size(), 8 * values, body); };
  if (bytes == 0) return;
  each([&](std::size_t i) { size[i] = chunks[i].measure(layout); });
  std::size_t n = 0;
  for (; n < chunks.size() && size[n] <= bytes; ++n) bytes -= size[n];
  if (n < chunks.size()) bytes = 0;
  each([&](std::size_t i) { i < n ? chunks[i].code(layout) : chunks[i].forget(); });
}

}  // namespace mlsift
