#ifndef MLSIFT_ENGINE_INDICATORS_H
#define MLSIFT_ENGINE_INDICATORS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "column.h"
#include "parallel.h"

namespace mlsift {

/// Discrete variables (features, labels, classes) as indicator columns: one for each level but the reference (the most
/// frequent one), which is what is left. A 0/1 variable is one column of the rows where it is rarer.
///
/// Every cell of a contingency table follows from the cells off the reference levels and the margins, so joint counts
/// cost what the rows off the reference levels cost, for sparse 0/1 data and for codes of many levels alike.
struct Indicators {
  std::size_t n_rows = 0;
  std::vector<int> first{0};           ///< variable f has the indicators first[f] .. first[f + 1] - 1
  std::vector<int> reference_count;    ///< rows of the reference level, by variable
  std::vector<std::size_t> start{0};   ///< indicator c holds the rows rows[start[c]] .. rows[start[c + 1]] - 1, ascending
  std::vector<int> rows;

  int n_variables() const { return static_cast<int>(reference_count.size()); }
  int n_indicators() const { return static_cast<int>(start.size()) - 1; }
  int begin(int f) const { return first[static_cast<std::size_t>(f)]; }
  int end(int f) const { return first[static_cast<std::size_t>(f) + 1]; }
  int reference(int f) const { return reference_count[static_cast<std::size_t>(f)]; }
  const int* rows_begin(int c) const { return rows.data() + start[static_cast<std::size_t>(c)]; }
  const int* rows_end(int c) const { return rows.data() + start[static_cast<std::size_t>(c) + 1]; }
  int count(int c) const { return static_cast<int>(start[static_cast<std::size_t>(c) + 1] - start[static_cast<std::size_t>(c)]); }

  void add(const LevelRows& levels) {
    for (int v = 0; v < levels.n_levels(); ++v) {
      if (v == levels.reference) continue;
      rows.insert(rows.end(), levels.begin(v), levels.end(v));
      start.push_back(rows.size());
    }
    first.push_back(n_indicators());
    reference_count.push_back(levels.count[static_cast<std::size_t>(levels.reference)]);
  }
};

inline Indicators indicators_of(const Features& features) {
  Indicators result;
  result.n_rows = features.n_rows;
  LevelCoder coder(features.n_rows);
  for (const Column& column : features.columns) result.add(coder.code(column));
  return result;
}

/// The same without constants, for targets: constant ones carry no information.
inline Indicators varying_indicators_of(const Features& targets) {
  Indicators result;
  result.n_rows = targets.n_rows;
  LevelCoder coder(targets.n_rows);
  for (const Column& column : targets.columns) {
    const LevelRows& levels = coder.code(column);
    if (levels.n_levels() > 1) result.add(levels);
  }
  return result;
}

/// Some consecutive variables of a set of indicators, by row: what a row carries. Indicators are numbered from 0 within
/// the block.
struct RowBlock {
  const Indicators* table = nullptr;
  int first = 0, last = 0;          ///< variables first .. last - 1
  int offset = 0;                   ///< number of the block's first indicator
  std::vector<std::size_t> start;   ///< row i carries ids[start[i]] .. ids[start[i + 1]] - 1, ascending
  std::vector<int> ids;

  int n_variables() const { return last - first; }
  int n_indicators() const { return table->begin(last) - offset; }
  const int* begin(int row) const { return ids.data() + start[static_cast<std::size_t>(row)]; }
  const int* end(int row) const { return ids.data() + start[static_cast<std::size_t>(row) + 1]; }
  /// Indicators of variable f, numbered within the block.
  int begin_of(int f) const { return table->begin(f) - offset; }
  int end_of(int f) const { return table->end(f) - offset; }
};

inline RowBlock row_block(const Indicators& table, int first, int last) {
  RowBlock block;
  block.table = &table;
  block.first = first;
  block.last = last;
  block.offset = table.begin(first);
  const int end = table.begin(last);
  block.start.assign(table.n_rows + 1, 0);
  for (int c = block.offset; c < end; ++c) {
    for (const int* row = table.rows_begin(c); row != table.rows_end(c); ++row) ++block.start[static_cast<std::size_t>(*row) + 1];
  }
  for (std::size_t i = 0; i < table.n_rows; ++i) block.start[i + 1] += block.start[i];
  block.ids.resize(block.start[table.n_rows]);
  std::vector<std::size_t> next(block.start.begin(), block.start.end() - 1);
  for (int c = block.offset; c < end; ++c) {
    for (const int* row = table.rows_begin(c); row != table.rows_end(c); ++row) {
      block.ids[next[static_cast<std::size_t>(*row)]++] = c - block.offset;
    }
  }
  return block;
}

/// Cuts the variables into blocks of about the same number of stored rows, at least `n_blocks` of them where there are
/// enough variables, and none with more than `most_indicators` unless a single variable has more.
inline std::vector<RowBlock> row_blocks(const Indicators& table, int n_blocks, std::size_t most_indicators) {
  std::vector<RowBlock> blocks;
  const std::size_t share = table.rows.size() / static_cast<std::size_t>(std::max(1, n_blocks)) + 1;
  int first = 0;
  while (first < table.n_variables()) {
    int last = first + 1;
    const std::size_t from = table.start[static_cast<std::size_t>(table.begin(first))];
    while (last < table.n_variables() && table.start[static_cast<std::size_t>(table.begin(last))] - from < share &&
           static_cast<std::size_t>(table.end(last) - table.begin(first)) <= most_indicators) {
      ++last;
    }
    blocks.push_back(row_block(table, first, last));
    first = last;
  }
  return blocks;
}

}  // namespace mlsift

#endif
