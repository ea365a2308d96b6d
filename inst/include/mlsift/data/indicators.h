#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "column.h"
#include "targets.h"

namespace mlsift {

/// Discrete variables (features, labels, classes) as indicator columns: one for each level except the reference (the
/// one in most rows), which has the remaining rows. A 0/1 variable is one column: the rows with its rarer value.
///
/// Every cell of a contingency table follows from the cells off the reference levels and the margins. So the cost of
/// joint counts depends only on the rows off the reference levels, for sparse 0/1 data and codes of many levels alike.
struct Indicators {
  std::size_t n_rows = 0;
  std::vector<int> first{0};         ///< variable f has the indicators first[f] .. first[f + 1] - 1
  std::vector<int> reference_count;  ///< of the reference level, by variable
  std::vector<std::size_t> start{
      0};  ///< indicator c holds the rows rows[start[c]] .. rows[start[c + 1]] - 1, ascending
  std::vector<int> rows;
  /// If some variables are not known in all rows: for each variable, its indicator of the rows in which it is unknown,
  /// or -1. Empty: all are known.
  std::vector<int> unknown;
  /// What each row counts for, at least 1; empty: each counts once. With weights, counts are sums of weights.
  std::vector<int> weights;
  std::vector<int> weight_of;  ///< with row weights: the weight of each indicator
  int total = 0;               ///< with row weights: the weight of all rows

  int n_variables() const { return static_cast<int>(reference_count.size()); }
  int n_indicators() const { return static_cast<int>(start.size()) - 1; }
  int begin(int f) const { return first[static_cast<std::size_t>(f)]; }
  int end(int f) const { return first[static_cast<std::size_t>(f) + 1]; }
  int reference(int f) const { return reference_count[static_cast<std::size_t>(f)]; }
  const int* rows_begin(int c) const { return rows.data() + start[static_cast<std::size_t>(c)]; }
  const int* rows_end(int c) const { return rows.data() + start[static_cast<std::size_t>(c) + 1]; }
  /// Calls take(row) for the rows of indicator c.
  template <class Take>
  void visit_rows(int c, Take take) const {
    for (const int* row = rows_begin(c); row != rows_end(c); ++row) take(*row);
  }
  /// The number of rows of indicator c, ignoring weights.
  int size(int c) const {
    return static_cast<int>(start[static_cast<std::size_t>(c) + 1] - start[static_cast<std::size_t>(c)]);
  }
  /// The number of rows of variable f off its reference level, ignoring weights.
  int size_off(int f) const {
    return static_cast<int>(start[static_cast<std::size_t>(end(f))] - start[static_cast<std::size_t>(begin(f))]);
  }
  int count(int c) const { return weights.empty() ? size(c) : weight_of[static_cast<std::size_t>(c)]; }
  int n() const { return weights.empty() ? static_cast<int>(n_rows) : total; }  ///< of all rows

  /// Sets the weights of rows, before the first variable is added. Null: no weights.
  void weigh(const int* by_row) {
    if (!by_row) return;
    weights.assign(by_row, by_row + n_rows);
    total = std::accumulate(weights.begin(), weights.end(), 0);
  }

  void add(const LevelRows& levels) {
    int rest = n();
    for (int v = 0; v < levels.n_levels(); ++v) {
      if (v == levels.reference) continue;
      add_indicator(levels.begin(v), levels.end(v));
      rest -= count(n_indicators() - 1);
    }
    close(rest);
  }

  /// Starts another indicator of the variable that is being added.
  void add_indicator(const int* begin, const int* end) {
    rows.insert(rows.end(), begin, end);
    start.push_back(rows.size());
    if (!weights.empty()) weight_of.push_back(weight(begin, end));
  }

  /// Completes the variable.
  void close(int reference) {
    first.push_back(n_indicators());
    reference_count.push_back(reference);
  }

  int weight(const int* begin, const int* end) const {
    if (weights.empty()) return static_cast<int>(end - begin);
    int sum = 0;
    for (; begin != end; ++begin) sum += weights[static_cast<std::size_t>(*begin)];
    return sum;
  }
};

/// Combines the levels of two different variables into one variable, which replaces those from number `at` on.
class JoinedLevels {
 public:
  void join(Indicators& table, int a, int b, int at) {
    truncate(table, at);
    const std::size_t width = static_cast<std::size_t>(table.end(b) - table.begin(b)) + 1;
    const std::size_t cells = (static_cast<std::size_t>(table.end(a) - table.begin(a)) + 1) * width;
    cell_.resize(table.n_rows, 0);
    visit(table, a, [&](int row, std::size_t level) { cell_[static_cast<std::size_t>(row)] += level * width; });
    visit(table, b, [&](int row, std::size_t level) { cell_[static_cast<std::size_t>(row)] += level; });
    // Cell 0 (both reference levels) is the reference level, and its rows are not visited.
    const auto visit_cells = [&](auto take) {
      visit(table, a, [&](int row, std::size_t) { take(row, cell_[static_cast<std::size_t>(row)]); });
      visit(table, b, [&](int row, std::size_t) {
        if (cell_[static_cast<std::size_t>(row)] < width) take(row, cell_[static_cast<std::size_t>(row)]);
      });
    };
    next_.assign(cells + 1, 0);
    visit_cells([&](int, std::size_t cell) { ++next_[cell]; });
    std::size_t begin = table.rows.size();
    for (std::size_t cell = 1; cell < cells; ++cell) {
      const std::size_t count = next_[cell];
      next_[cell] = begin;
      begin += count;
      if (count > 0) table.start.push_back(begin);
    }
    table.rows.resize(begin);
    visit_cells([&](int row, std::size_t cell) { table.rows[next_[cell]++] = row; });
    int reference = table.n();
    for (int c = table.first.back(); c < table.n_indicators(); ++c) {
      if (!table.weights.empty()) table.weight_of.push_back(table.weight(table.rows_begin(c), table.rows_end(c)));
      reference -= table.count(c);
    }
    table.close(reference);
    visit(table, a, [&](int row, std::size_t) { cell_[static_cast<std::size_t>(row)] = 0; });
    visit(table, b, [&](int row, std::size_t) { cell_[static_cast<std::size_t>(row)] = 0; });
  }

 private:
  static void truncate(Indicators& table, int at) {
    table.first.resize(static_cast<std::size_t>(at) + 1);
    table.start.resize(static_cast<std::size_t>(table.first.back()) + 1);
    table.rows.resize(table.start.back());
    table.reference_count.resize(static_cast<std::size_t>(at));
    if (!table.weights.empty()) table.weight_of.resize(static_cast<std::size_t>(table.n_indicators()));
  }

  // Calls take(row, level), levels from 1, for the rows off the reference level.
  template <class Take>
  static void visit(const Indicators& table, int variable, Take take) {
    for (int c = table.begin(variable); c < table.end(variable); ++c) {
      for (std::size_t i = table.start[static_cast<std::size_t>(c)]; i < table.start[static_cast<std::size_t>(c) + 1];
           ++i)
        take(table.rows[i], static_cast<std::size_t>(c - table.begin(variable)) + 1);
    }
  }

  std::vector<std::size_t> cell_, next_;
};

/// `weights`: of the rows, or null. `constants`: whether constant features count.
inline Indicators indicators_of(const Features& features, const int* weights = nullptr, bool constants = true) {
  Indicators result;
  result.n_rows = features.n_rows;
  result.weigh(weights);
  // Columns of ones are as large as their indicators.
  if (std::all_of(features.columns.begin(), features.columns.end(), [](const Column& c) { return c.sparse(); })) {
    result.rows.reserve(static_cast<std::size_t>(stored_values(features)));
    result.first.reserve(features.size() + 1);
    result.start.reserve(features.size() + 1);
    result.reference_count.reserve(features.size());
  }
  LevelCoder coder(features.n_rows);
  for (const Column& column : features.columns) {
    const LevelRows& levels = coder.code(column);
    if (constants || levels.n_levels() > 1) result.add(levels);
  }
  return result;
}

/// The same without constants, for targets: constant targets carry no information.
inline Indicators varying_indicators_of(const Features& targets, const int* weights = nullptr) {
  return indicators_of(targets, weights, false);
}

/// Labels that are not known in all rows, without those that are constant where they are known. `unknown`: for each
/// label, the rows in which it is unknown; `y` has no ones there.
inline Indicators known_indicators_of(const LabelMatrix& y, const LabelMatrix& unknown, const int* weights = nullptr) {
  Indicators result;
  result.n_rows = y.n_rows;
  result.weigh(weights);
  const std::vector<int> with_label = y.counts(), without = unknown.counts();
  std::size_t entries = 0;
  for (std::size_t l = 0; l < with_label.size(); ++l) entries += static_cast<std::size_t>(with_label[l] + without[l]);
  result.rows.reserve(entries);
  std::vector<int> ones, missing;
  for (int l = 0; l < y.n_labels; ++l) {
    ones.clear();
    missing.clear();
    y.visit_column(l, [&](int row) { ones.push_back(row); });
    unknown.visit_column(l, [&](int row) { missing.push_back(row); });
    if (ones.empty() || ones.size() == y.n_rows - missing.size()) continue;
    const auto add = [&result](const std::vector<int>& rows) {
      result.add_indicator(rows.data(), rows.data() + rows.size());
      return result.weight(rows.data(), rows.data() + rows.size());
    };
    int reference = result.n() - add(ones);
    result.unknown.push_back(missing.empty() ? -1 : result.n_indicators());
    if (!missing.empty()) reference -= add(missing);
    result.close(reference);
  }
  return result;
}

/// Some variables of a set of indicators. Variables and their indicators are numbered from 0 within the block.
struct Block {
  std::vector<int> variables;         ///< their numbers in the set
  std::vector<std::size_t> first{0};  ///< variable i has the indicators first[i] .. first[i + 1] - 1
  std::vector<int> count;             ///< of each indicator: the number of its rows, or their weight
  std::vector<int> reference;         ///< of each variable's reference level

  Block() = default;
  Block(const Indicators& table, std::vector<int> which) : variables(std::move(which)) {
    first.reserve(variables.size() + 1);
    reference.reserve(variables.size());
    count.reserve(variables.size());
    for (const int f : variables) {
      for (int c = table.begin(f); c < table.end(f); ++c) count.push_back(table.count(c));
      first.push_back(count.size());
      reference.push_back(table.reference(f));
    }
  }

  std::size_t size() const { return variables.size(); }
  std::size_t n_indicators() const { return count.size(); }
};

/// Calls visit(c, row) for every row of every indicator c of the block, indicators and rows ascending.
template <class Visit>
void visit_rows(const Indicators& table, const Block& block, Visit visit) {
  std::size_t c = 0;
  for (const int f : block.variables) {
    for (int i = table.begin(f); i < table.end(f); ++i, ++c) {
      for (const int* row = table.rows_begin(i); row != table.rows_end(i); ++row)
        visit(c, static_cast<std::size_t>(*row));
    }
  }
}

/// A block by row: the indicators of each row.
struct RowBlock : Block {
  std::vector<std::size_t> start;  ///< row i carries the indicators ids[start[i]] .. ids[start[i + 1]] - 1, ascending
  std::vector<int> ids;

  RowBlock() = default;
  RowBlock(const Indicators& table, std::vector<int> which) : Block(table, std::move(which)) {
    start.assign(table.n_rows + 1, 0);
    visit_rows(table, *this, [&](std::size_t, std::size_t row) { ++start[row + 1]; });
    for (std::size_t i = 0; i < table.n_rows; ++i) start[i + 1] += start[i];
    ids.resize(start[table.n_rows]);
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    visit_rows(table, *this, [&](std::size_t c, std::size_t row) { ids[next[row]++] = static_cast<int>(c); });
  }

  std::size_t n_rows() const { return start.size() - 1; }
  const int* begin(std::size_t row) const { return ids.data() + start[row]; }
  const int* end(std::size_t row) const { return ids.data() + start[row + 1]; }
};

/// Divides variables into runs with about the same number of stored rows. There are at least `n_runs` runs if there are
/// enough variables, and none has more than `most_indicators` unless a single variable does.
inline std::vector<std::vector<int>> even_runs(const Indicators& table, const std::vector<int>& variables, int n_runs,
                                               std::size_t most_indicators) {
  const auto stored = [&](int f) {
    return table.start[static_cast<std::size_t>(table.end(f))] - table.start[static_cast<std::size_t>(table.begin(f))];
  };
  std::size_t all = 0, rows = 0, indicators = 0;
  for (const int f : variables) all += stored(f);
  const std::size_t share = all / static_cast<std::size_t>(std::max(1, n_runs)) + 1;
  std::vector<std::vector<int>> runs;
  for (const int f : variables) {
    const std::size_t more = static_cast<std::size_t>(table.end(f) - table.begin(f));
    if (runs.empty() || rows >= share || indicators + more > most_indicators) {
      runs.emplace_back();
      rows = indicators = 0;
    }
    runs.back().push_back(f);
    rows += stored(f);
    indicators += more;
  }
  return runs;
}

}  // namespace mlsift
