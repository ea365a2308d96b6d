#ifndef MLSIFT_COUNT_ROW_CELLS_H
#define MLSIFT_COUNT_ROW_CELLS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../core/bits.h"
#include "../core/parallel.h"
#include "cell_layout.h"

namespace mlsift {

/// The rows in cells: rows of one cell have the same levels of all features of a set S. What features add to S:
///
///   N sum_t I(f; t | S) = sum over cells [sum over levels v of f: h(rows with v) - h(all rows)],
///   h(rows) = sum_t [sum over levels y of t: g(rows with y) - g(rows)]
///
/// as XLogX sums. h is 0 for a single row, and for rows that agree in all targets. Cells of such rows are left out, so
/// the finer the cells are, the less is left to count.
///
/// A label that is not known in all N rows has only those N_t in which it is, and what it adds to h is multiplied by
/// N / N_t and rounded.
///
/// Rows stand in the order of cells, and those of a small cell share a word. A feature is laid out as bits in this
/// order, and counted in each cell with the bits of targets that vary there, or, where these have many levels and few
/// rows, row by row.
///
/// cost     for each feature: its rows off the reference level, and a look at each cell and the targets that vary there
template <class Weights>
class RowCells : private CellLayout<Weights> {
 public:
  using Base = CellLayout<Weights>;
  using G = typename Weights::G;

  RowCells(const Indicators& features, const Indicators& targets, const G& g) : Base(features, targets, g) {}

  /// sums[f] = N sum_t I(f; t | S) for every feature f below n, and 0 where it is no larger than its rounding.
  void given(const std::vector<int>& set, int n, const Context& context, std::uint64_t* sums) {
    this->group(set);
    const std::size_t size = static_cast<std::size_t>(n);
    if (cells_.empty()) {
      std::fill_n(sums, size, 0);
      return;
    }
    const double work = static_cast<double>(rows_.size()) + static_cast<double>(size * (cells_.size() + n_counts_));
    std::vector<Scratch> scratch(worker_count(context, size, work));
    parallel_for(context, size, work, [&](int worker, std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f)
        sums[f] = given_of(static_cast<int>(f), scratch[static_cast<std::size_t>(worker)]);
    });
  }

 private:
  using Cell = typename Base::Cell;
  using Ids = typename Base::Ids;
  using Base::bits_;
  using Base::cell_at_;
  using Base::cells_;
  using Base::features_;
  using Base::first_;
  using Base::first_cell_;
  using Base::g_;
  using Base::ids_;
  using Base::known_h;
  using Base::largest_share_;
  using Base::levels_;
  using Base::n_counts_;
  using Base::position_;
  using Base::row_at_;
  using Base::rows_;
  using Base::share_;
  using Base::start_;
  using Base::variable_;
  using Base::weight_;
  using Base::weight_at_;
  using Base::words_;

  struct Scratch {
    std::vector<std::uint64_t> bits;  // [level of f][word]
    std::vector<int> rows, with;  // by level of f, the reference last: rows in a cell, and [level][level of targets]
  };
  struct Sum {
    std::uint64_t sum = 0;
    std::int64_t terms = 0;  // each of which is rounded by at most a half
  };

  std::uint64_t given_of(int f, Scratch& scratch) const {
    const std::size_t e = static_cast<std::size_t>(features_.end(f) - features_.begin(f));
    if (e == 0) return 0;
    scratch.bits.assign(e * (words_ + 1), 0);
    for (std::size_t v = 0; v < e; ++v) {
      const std::size_t c = static_cast<std::size_t>(features_.begin(f)) + v;
      std::uint64_t* const bits = scratch.bits.data() + v * (words_ + 1);
      for (std::size_t i = first_[c]; i < first_[c + 1]; ++i) {
        const std::size_t at = static_cast<std::size_t>(position_[static_cast<std::size_t>(rows_[i])]);
        bits[at / 64] |= std::uint64_t{1} << at % 64;
      }
    }
#if defined(MLSIFT_POPCNT_AT_RUN_TIME)
    static const bool native = __builtin_cpu_supports("popcnt") != 0;
    const Sum sum = native ? count_natively(*this, e, scratch) : count_plainly(*this, e, scratch);
#else
    const Sum sum = count_plainly(*this, e, scratch);
#endif
    const std::int64_t terms =
        share_.empty() ? sum.terms : 2 * static_cast<std::int64_t>(std::ceil(largest_share_)) * sum.terms;
    return 2 * std::abs(static_cast<std::int64_t>(sum.sum)) <= terms ? 0 : sum.sum;
  }

  static Sum count_plainly(const RowCells& cells, std::size_t e, Scratch& scratch) {
    return cells.template count<PlainPopcount>(e, scratch);
  }

#if defined(MLSIFT_POPCNT_AT_RUN_TIME)
  __attribute__((target("popcnt"))) static Sum count_natively(const RowCells& cells, std::size_t e, Scratch& scratch) {
    return cells.template count<NativePopcount>(e, scratch);
  }
#endif

  // What the ones of a word of the layout count.
  template <class Popcount>
  MLSIFT_INLINE int count_of(std::uint64_t ones, std::size_t word) const {
    if (!Weights::weighted) return Popcount::of(ones);
    int sum = 0;
    for (; ones != 0; ones &= ones - 1) sum += weight_at_[64 * word + lowest_one(ones)];
    return sum;
  }

  template <class Popcount>
  MLSIFT_INLINE Sum count(std::size_t e, Scratch& scratch) const {
    Sum sum;
    if (e > 1 || !share_.empty()) {
      for (const Cell& cell : cells_) add<Popcount>(cell, e, scratch, sum);
      return sum;
    }
    // Of the cells of a word, those that the feature meets.
    for (std::size_t w = 0; w < words_;) {
      std::uint64_t rows = scratch.bits[w];
      const Cell& first = cells_[first_cell_[w]];
      if (first.words > 1) {
        add<Popcount>(first, 1, scratch, sum);
        w += first.words;
        continue;
      }
      while (rows != 0) {
        const Cell& cell = cells_[static_cast<std::size_t>(cell_at_[64 * w + lowest_one(rows)])];
        add_two<Popcount>(cell, rows & cell.mask, sum);
        rows &= ~cell.mask;
      }
      ++w;
    }
    return sum;
  }

  template <class Popcount>
  MLSIFT_INLINE void add(const Cell& cell, std::size_t e, Scratch& scratch, Sum& sum) const {
    scratch.rows.resize(e + 1);
    int rest = cell.n, groups = 0;
    for (std::size_t v = 0; v < e; ++v) {
      const std::uint64_t* const bits = scratch.bits.data() + v * (words_ + 1) + cell.word;
      int n = count_of<Popcount>(bits[0] & cell.mask, cell.word);
      for (std::size_t w = 1; w < cell.words; ++w) n += count_of<Popcount>(bits[w], cell.word + w);
      scratch.rows[v] = n;
      rest -= n;
      groups += n > 0 ? 1 : 0;
    }
    groups += rest > 0 ? 1 : 0;
    if (groups < 2) return;
    scratch.rows[e] = rest;
    scratch.with.assign((e + 1) * cell.levels, 0);
    int* const reference = scratch.with.data() + e * cell.levels;
    for (std::size_t l = 0; l < cell.levels; ++l) reference[l] = levels_[cell.first_level + l].count;
    for (std::size_t v = 0; v < e; ++v) {
      if (scratch.rows[v] == 0) continue;
      const std::uint64_t* const bits = scratch.bits.data() + v * (words_ + 1) + cell.word;
      int* const with = scratch.with.data() + v * cell.levels;
      if (cell.by_rows) {
        count_rows(cell, bits, with);
      } else {
        for (std::size_t l = 0; l < cell.levels; ++l) {
          const std::uint64_t* const level = bits_.data() + levels_[cell.first_level + l].bits;
          int n = count_of<Popcount>(bits[0] & level[0], cell.word);
          for (std::size_t w = 1; w < cell.words; ++w) n += count_of<Popcount>(bits[w] & level[w], cell.word + w);
          with[l] = n;
        }
      }
      for (std::size_t l = 0; l < cell.levels; ++l) reference[l] -= with[l];
    }
    for (std::size_t v = 0; v <= e; ++v) {
      if (scratch.rows[v] > 0) sum.sum += h(cell, scratch.rows[v], scratch.with.data() + v * cell.levels);
    }
    sum.sum -= cell.h;
    sum.terms += (groups + 1) * static_cast<std::int64_t>(cell.levels + 2 * (cell.last - cell.first));
  }

  // A cell of one word, and a feature of two levels, one of them in these rows of it.
  template <class Popcount>
  MLSIFT_INLINE void add_two(const Cell& cell, std::uint64_t rows, Sum& sum) const {
    const int n_v = count_of<Popcount>(rows, cell.word), n_r = cell.n - n_v;
    if (n_v == 0 || n_r == 0) return;
    const std::size_t n_targets = cell.last - cell.first;
    sum.terms += 3 * static_cast<std::int64_t>(cell.levels + 2 * n_targets);
    sum.sum -= cell.h;
    if (cell.rows == 2) return;  // what is left are single rows
    std::uint64_t total = 0;
    if (cell.levels == n_targets) {
      for (std::size_t l = cell.first_level; l < cell.first_level + cell.levels; ++l) {
        const int n_l = levels_[l].count, both = count_of<Popcount>(rows & bits_[levels_[l].bits], cell.word);
        total += g_(both) + g_(n_v - both) + g_(n_l - both) + g_(n_r - n_l + both);
      }
    } else {
      for (std::size_t t = cell.first; t < cell.last; ++t) {
        int rest_v = n_v, rest_r = n_r;
        for (std::size_t l = variable_[t].first; l < variable_[t].last; ++l) {
          const int both = count_of<Popcount>(rows & bits_[levels_[l].bits], cell.word),
                    other = levels_[l].count - both;
          total += g_(both) + g_(other);
          rest_v -= both;
          rest_r -= other;
        }
        total += g_(rest_v) + g_(rest_r);
      }
    }
    sum.sum += total - n_targets * (g_(n_v) + g_(n_r));
  }

  void count_rows(const Cell& cell, const std::uint64_t* bits, int* with) const {
    for (std::size_t w = 0; w < cell.words; ++w) {
      for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
        const std::size_t at = 64 * (cell.word + w) + lowest_one(word);
        const std::size_t row = static_cast<std::size_t>(row_at_[at]);
        const Ids& ids = start_[row];
        for (std::size_t i = ids.first; i < ids.last; ++i) with[static_cast<std::size_t>(ids_[i])] += weight_[row];
      }
    }
  }

  // h of n rows of a cell, of which so many are at each level.
  std::uint64_t h(const Cell& cell, int n, const int* with) const {
    std::uint64_t sum = 0;
    if (!share_.empty()) {
      for (std::size_t t = cell.first; t < cell.last; ++t)
        sum += known_h(t, n, [&](std::size_t l) { return with[l - cell.first_level]; });
      return sum;
    }
    for (std::size_t t = cell.first; t < cell.last; ++t) {
      int rest = n;
      for (std::size_t l = variable_[t].first; l < variable_[t].last; ++l) {
        const int count = with[l - cell.first_level];
        sum += g_(count);
        rest -= count;
      }
      sum += g_(rest);
    }
    return sum - (cell.last - cell.first) * g_(n);
  }
};

}  // namespace mlsift

#endif
