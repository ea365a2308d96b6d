#ifndef MLSIFT_COUNT_ROWS_IN_CHUNKS_H
#define MLSIFT_COUNT_ROWS_IN_CHUNKS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../data/discretize.h"
#include "count_tables.h"
#include "joint_tables.h"

namespace mlsift {

/// Rows that come in chunks, again in every pass, always the same features and labels.
class ChunkReader {
 public:
  using Take = std::function<void(const Features&, const Targets&)>;

  virtual ~ChunkReader() = default;

  /// One pass: calls take(features, labels) for every chunk.
  virtual void pass(const Take& take) = 0;
};

/// What one pass finds out about each feature, and the labels' rows.
struct ChunkSummary {
  std::size_t rows = 0;
  std::vector<Spread> spread;
  std::vector<char> integers;  ///< whether all chunks held it as integers
  CountTables counts{{}, 0};   ///< as if every feature were 0/1, which holds where its spread has no other values
};

/// The levels 0 and 1, whose 0 is implied.
inline FixedLevels zero_one_levels() {
  FixedLevels levels;
  levels.at = {0, 1};
  return levels;
}

/// `most`: by feature, how many different values are looked for where it is not held as integers; `most_integers`:
/// where it is. At least 2, so that features of 0 and 1 are known from others.
inline ChunkSummary summarize(ChunkReader& reader, std::size_t n_labels, const std::vector<int>& most,
                              int most_integers, const Context& context) {
  const std::size_t n_features = most.size();
  ChunkSummary all;
  all.spread.resize(n_features);
  all.integers.assign(n_features, 1);
  all.counts = CountTables(std::vector<FixedLevels>(n_features, zero_one_levels()), n_labels);
  reader.pass([&](const Features& features, const Targets& labels) {
    all.rows += features.n_rows;
    parallel_for(context, n_features, 4 * stored_values(features), [&](int, std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        const Column& column = features.columns[f];
        const std::size_t values = static_cast<std::size_t>(column.ints ? std::max(most[f], most_integers) : most[f]);
        all.spread[f].join(spread_of(column, features.n_rows, values), values);
        all.integers[f] = all.integers[f] && column.ints != nullptr;
      }
    });
    all.counts += count_joint(features, labels, all.counts.levels, context);
  });
  return all;
}

/// The counts of one pass.
inline CountTables count_chunks(ChunkReader& reader, std::vector<FixedLevels> levels, std::size_t n_labels,
                                const Context& context) {
  CountTables all(std::move(levels), n_labels);
  reader.pass([&](const Features& features, const Targets& labels) {
    all += count_joint(features, labels, all.levels, context);
  });
  return all;
}

/// Rows in chunks as a source of joint counts.
class RowsInChunks : public JointTables {
 public:
  RowsInChunks(ChunkReader& reader, CountTables first, const Context& context,
               std::size_t most_bytes = std::size_t{512} << 20)
      : JointTables(std::move(first), most_bytes), reader_(reader), context_(context) {}

 private:
  void count_pass(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides) override {
    std::size_t rows = 0;
    reader_.pass([&](const Features& chunk, const Targets& labels) {
      rows += chunk.n_rows;
      level_of_s_.assign(chunk.n_rows, reference);
      visit(chunk, static_cast<std::size_t>(s),
            [&](int row, int level) { level_of_s_[static_cast<std::size_t>(row)] = level; });
      parallel_for(context_, end - begin, 8 * stored_values(chunk) * (sides > 1 ? 4 : 1),
                   [&](int, std::size_t from, std::size_t to) {
                     for (std::size_t f = begin + from; f < begin + to; ++f) {
                       int* const n = table_of(f, begin, levels, sides);
                       visit(chunk, f, [&](int row, int level) {
                         const int u = level_of_s_[static_cast<std::size_t>(row)];
                         if (u < 0 || level < 0) return;
                         int* const cell =
                             n + (static_cast<std::size_t>(level) * levels + static_cast<std::size_t>(u)) * sides;
                         ++*cell;
                         if (sides > 1) add_labels(labels, static_cast<std::size_t>(row), cell + 1);
                       });
                     }
                   });
    });
    if (rows != static_cast<std::size_t>(first_.n)) {
      throw std::runtime_error("The source gave other rows than in its first pass.");
    }
  }

  void add_labels(const Targets& labels, std::size_t row, int* to) const {
    for (const int* l = labels.begin(row); l != labels.end(row); ++l) {
      const int t = target_of_[static_cast<std::size_t>(*l)];
      if (t >= 0) ++to[t];
    }
  }

  // Calls each(row, indicator) for the rows of feature f in a chunk that are not at the implied level.
  template <class Each>
  void visit(const Features& chunk, std::size_t f, Each each) const {
    const int* const indicator = indicator_.data() + first_.slot[f];
    visit_levels(chunk.columns[f], chunk.n_rows, first_.levels[f], [&](int row, int level) {
      if (indicator[level] == unseen) throw std::runtime_error("The source gave other values than in its first pass.");
      each(row, indicator[level]);
    });
  }

  ChunkReader& reader_;
  Context context_;
  std::vector<int> level_of_s_;
};

}  // namespace mlsift

#endif
