#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../core/parallel.h"
#include "../../data/discretize.h"
#include "../../data/label_sets.h"
#include "../../data/partition.h"
#include "../../data/row_numbers.h"
#include "count_joint.h"
#include "rows_elsewhere.h"

namespace mlsift {

/// Some of the rows of a source.
struct Chunk {
  Features features;
  Targets targets;               ///< the columns of each row
  const int* weights = nullptr;  ///< how many rows each counts for; null for 1
};

/// Rows that come in chunks, anew in every pass, always with the same features and targets.
class ChunkReader {
 public:
  using Take = std::function<void(const Chunk&)>;

  virtual ~ChunkReader() = default;

  /// One pass: calls take(chunk) for every chunk.
  virtual void pass(const Take& take) = 0;
};

/// What a pass finds out about columns that may mislead; without elements if that is not wanted.
struct Inspection {
  std::vector<int> target;    ///< of each target column
  std::vector<double> value;  ///< that it stands for; missing for unknown labels, and no column for 0
  std::vector<Partition> features, targets, as_zero;  ///< `as_zero`: targets where unknown labels are 0
  std::vector<RowNumbers> numbers;

  template <class Bytes>
  void pass(Bytes& bytes) {
    for (std::vector<Partition>* one : {&features, &targets, &as_zero}) bytes(*one);
    bytes(numbers);
  }

  /// Adds the rows that follow.
  void join(const Inspection& other) {
    const auto join_all = [](auto& to, const auto& more) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i].join(more[i]);
    };
    join_all(features, other.features);
    join_all(targets, other.targets);
    join_all(as_zero, other.as_zero);
    join_all(numbers, other.numbers);
  }

  void add_targets(const Targets& rows, const RowKeys& keys) {
    std::vector<std::uint64_t> sums(target.size(), 0), rest(targets.size(), keys.total);
    std::vector<std::size_t> without(targets.size(), rows.n_rows());
    for (std::size_t i = 0; i < rows.n_rows(); ++i) {
      for (const int* c = rows.begin(i); c != rows.end(i); ++c) sums[static_cast<std::size_t>(*c)] += keys.of_row[i];
    }
    for (std::size_t c = 0; c < target.size(); ++c) {
      const std::size_t t = static_cast<std::size_t>(target[c]);
      if (rows.count[c] == 0) continue;
      targets[t].add_rows(value[c], sums[c]);
      as_zero[t].add_rows(std::isnan(value[c]) ? 0 : value[c], sums[c]);
      rest[t] -= sums[c];
      without[t] -= static_cast<std::size_t>(rows.count[c]);
    }
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (without[t] == 0) continue;
      targets[t].add_rows(0, rest[t]);
      as_zero[t].add_rows(0, rest[t]);
    }
  }
};

/// What one pass learns about each feature, and the rows of the labels.
struct ChunkSummary {
  std::size_t rows = 0;
  std::vector<Spread> spread;
  std::vector<char> categories;  ///< whether it is a factor in all chunks
  CountTables counts{{}, 0};     ///< as if every feature were 0/1, which holds where its spread has no other values
  Inspection found;

  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(rows);
    bytes(spread);
    bytes(categories);
    bytes(counts);
    bytes(found);
  }

  /// Adds the rows that follow; `most` and `most_levels` as for summarize().
  void join(const ChunkSummary& other, const std::vector<int>& most, int most_levels) {
    rows += other.rows;
    for (std::size_t f = 0; f < spread.size(); ++f) {
      categories[f] = categories[f] && other.categories[f];
      const int values = other.categories[f] ? std::max(most[f], most_levels) : most[f];
      spread[f].join(other.spread[f], static_cast<std::size_t>(values));
    }
    counts += other.counts;
    found.join(other.found);
  }
};

/// The levels 0 and 1, whose 0 is implied.
inline FixedLevels zero_one_levels() {
  FixedLevels levels;
  levels.at = {0, 1};
  return levels;
}

/// `most`: by feature, how many different values are looked for where it is not a factor; `most_levels`: where it is.
/// At least 2, so that features of 0 and 1 are known from others. `found`: before any row. `before`: how many rows of
/// the same source stand before these.
inline ChunkSummary summarize(ChunkReader& reader, std::size_t n_columns, const std::vector<int>& most, int most_levels,
                              Inspection found, const Context& context, std::size_t before = 0) {
  const std::size_t n_features = most.size();
  ChunkSummary all;
  const bool inspects = !found.targets.empty();
  all.found = std::move(found);
  all.spread.resize(n_features);
  all.categories.assign(n_features, 1);
  all.counts = CountTables(std::vector<FixedLevels>(n_features, zero_one_levels()), n_columns);
  RowKeys keys;
  reader.pass([&](const Chunk& chunk) {
    const Features& features = chunk.features;
    if (inspects) {
      keys.set(before + all.rows, features.n_rows);
      all.found.add_targets(chunk.targets, keys);
    }
    all.rows += features.n_rows;
    parallel_each(context, n_features, 4 * stored_values(features), [&](std::size_t f) {
      const Column& column = features.columns[f];
      const std::size_t values = static_cast<std::size_t>(column.category ? std::max(most[f], most_levels) : most[f]);
      all.spread[f].join(spread_of(column, features.n_rows, values, chunk.weights), values);
      all.categories[f] = all.categories[f] && column.category;
      if (!inspects) return;
      all.found.features[f].add(column, keys);
      all.found.numbers[f].add(column, features.n_rows);
    });
    all.counts += count_joint(features, chunk.targets, all.counts.levels, context, chunk.weights);
  });
  return all;
}

/// A hash of the rows of one pass, in whatever order and chunks they come.
inline std::uint64_t rows_hash(ChunkReader& reader) {
  std::uint64_t sum = 0;
  reader.pass([&](const Chunk& chunk) {
    std::vector<std::uint64_t> hash = row_hashes(chunk.features);
    for (std::size_t i = 0; i < hash.size(); ++i) {
      for (const int* c = chunk.targets.begin(i); c != chunk.targets.end(i); ++c) {
        hash[i] += partition_detail::mixed(~static_cast<std::uint64_t>(*c));
      }
      const std::uint64_t weight = chunk.weights ? static_cast<std::uint64_t>(chunk.weights[i]) : 1;
      sum += weight * partition_detail::mixed(hash[i] + 0x9e3779b97f4a7c15ULL);
    }
  });
  return sum;
}

/// The counts of one pass.
inline CountTables count_chunks(ChunkReader& reader, std::vector<FixedLevels> levels, std::size_t n_columns,
                                const Context& context) {
  CountTables all(std::move(levels), n_columns);
  reader.pass([&](const Chunk& chunk) {
    all += count_joint(chunk.features, chunk.targets, all.levels, context, chunk.weights);
  });
  return all;
}

/// The same with label sets in place of labels. `sets`: gets them, sorted, as the columns are.
inline CountTables count_label_sets(ChunkReader& reader, std::vector<FixedLevels> levels,
                                    std::vector<std::vector<int>>& sets, const Context& context) {
  CountTables all(std::move(levels), 0);
  LabelSetNumbers numbers;
  reader.pass([&](const Chunk& chunk) {
    Targets of_rows;
    for (std::size_t i = 0; i <= chunk.features.n_rows; ++i) of_rows.start.push_back(i);
    for (std::size_t i = 0; i < chunk.features.n_rows; ++i) {
      of_rows.ids.push_back(numbers.number(chunk.targets.begin(i), chunk.targets.end(i)));
    }
    of_rows.n_classes = static_cast<int>(numbers.size());
    of_rows.count.assign(numbers.size(), 0);
    for (const int set : of_rows.ids) ++of_rows.count[static_cast<std::size_t>(set)];
    all.in_target.resize(numbers.size(), 0);
    all += count_joint(chunk.features, of_rows, all.levels, context, chunk.weights);
  });
  std::vector<int> place;
  sets = numbers.sorted(place);
  all.renumber(place, place.size());
  return all;
}

/// Gives the label-set columns of two tables common numbers, those in the sorted list of all sets, which it returns.
inline std::vector<std::vector<int>> join_label_sets(CountTables& a, const std::vector<std::vector<int>>& of_a,
                                                     CountTables& b, const std::vector<std::vector<int>>& of_b) {
  std::vector<std::vector<int>> all;
  std::set_union(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(all));
  const auto renumber = [&](CountTables& tables, const std::vector<std::vector<int>>& sets) {
    std::vector<int> to;
    for (const std::vector<int>& set : sets) {
      to.push_back(static_cast<int>(std::lower_bound(all.begin(), all.end(), set) - all.begin()));
    }
    tables.renumber(to, all.size());
  };
  renumber(a, of_a);
  renumber(b, of_b);
  return all;
}

namespace detail {

// Calls each(row, indicator) for the rows of feature f in a chunk that are not at the implied level.
template <class Each>
void visit_indicators(const Features& chunk, std::size_t f, const PairLayout& layout, Each each) {
  const int* const indicator = layout.indicator.data() + layout.tables.slot[f];
  visit_levels(chunk.columns[f], chunk.n_rows, layout.tables.levels[f], [&](int row, int level) {
    if (indicator[level] == PairLayout::unseen) {
      throw std::runtime_error("The source gave other values than in its first pass.");
    }
    each(row, indicator[level]);
  });
}

// The number of a target column among those that vary, or -1.
inline int target_of(int column, const PairLayout& layout) {
  if (static_cast<std::size_t>(column) >= layout.target.size()) {
    throw std::runtime_error("The source gave other targets than in its first pass.");
  }
  return layout.target[static_cast<std::size_t>(column)];
}

inline void add_targets(const Targets& targets, std::size_t row, const PairLayout& layout, int weight, int* to) {
  for (const int* c = targets.begin(row); c != targets.end(row); ++c) {
    const int t = target_of(*c, layout);
    if (t >= 0) to[t] += weight;
  }
}

}  // namespace detail

/// Adds the joint counts of a chunk to a table.
inline void count_pairs(const Chunk& chunk, const PairLayout& layout, const PairQuestion& question, int* table,
                        const Context& context) {
  const std::size_t levels = question.levels, sides = question.sides;
  const Features& features = chunk.features;
  std::vector<int> level_of_s(features.n_rows, PairLayout::reference);
  detail::visit_indicators(features, static_cast<std::size_t>(question.s), layout,
                           [&](int row, int level) { level_of_s[static_cast<std::size_t>(row)] = level; });
  const double work = 8 * stored_values(features) * (sides > 1 ? 4 : 1);
  parallel_each(context, question.end - question.begin, work, [&](std::size_t k) {
    const std::size_t f = question.begin + k;
    int* const n = table + question.place(layout, f);
    detail::visit_indicators(features, f, layout, [&](int row, int level) {
      const std::size_t i = static_cast<std::size_t>(row);
      const int u = level_of_s[i];
      if (u < 0 || level < 0) return;
      int* const cell = n + (static_cast<std::size_t>(level) * levels + static_cast<std::size_t>(u)) * sides;
      const int weight = chunk.weights ? chunk.weights[i] : 1;
      *cell += weight;
      if (sides > 1) detail::add_targets(chunk.targets, i, layout, weight, cell + 1);
    });
  });
}

/// Joint counts of the rows of a reader, one pass for each question.
inline RowsElsewhere::Ask pairs_in_chunks(std::shared_ptr<ChunkReader> reader, const Context& context) {
  return [reader, context](const PairLayout& layout, const PairQuestion& question, int* table) {
    std::int64_t rows = 0;
    reader->pass([&](const Chunk& chunk) {
      const std::size_t n = chunk.features.n_rows;
      rows += chunk.weights ? std::accumulate(chunk.weights, chunk.weights + n, std::int64_t{0})
                            : static_cast<std::int64_t>(n);
      count_pairs(chunk, layout, question, table, context);
    });
    if (rows != layout.tables.n) {
      throw std::runtime_error("The source gave other rows than in its first pass.");
    }
  };
}

}  // namespace mlsift
