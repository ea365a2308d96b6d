#ifndef MLSIFT_COUNT_ROWS_IN_CHUNKS_H
#define MLSIFT_COUNT_ROWS_IN_CHUNKS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../data/discretize.h"
#include "../data/scan.h"
#include "joint.h"
#include "joint_counts.h"
#include "joint_source.h"

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
  std::vector<char> zero_one;  ///< whether all values are 0 or 1
  CountTables counts{{}, 0};   ///< as if every feature were 0/1, which holds where `zero_one` does
};

/// The levels 0 and 1, whose 0 is implied.
inline FixedLevels zero_one_levels() {
  FixedLevels levels;
  levels.at = {0, 1};
  return levels;
}

/// `most`: by feature, how many different values are looked for where it is not held as integers; `most_integers`:
/// where it is.
inline ChunkSummary summarize(ChunkReader& reader, std::size_t n_labels, const std::vector<int>& most,
                              int most_integers, const Context& context) {
  const std::size_t n_features = most.size();
  ChunkSummary all;
  all.spread.resize(n_features);
  all.integers.assign(n_features, 1);
  all.zero_one.assign(n_features, 1);
  all.counts = CountTables(std::vector<FixedLevels>(n_features, zero_one_levels()), n_labels);
  reader.pass([&](const Features& features, const Targets& labels) {
    all.rows += features.n_rows;
    parallel_for(context, n_features, 4 * stored_values(features), [&](int, std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        const Column& column = features.columns[f];
        const std::size_t values = static_cast<std::size_t>(column.ints ? std::max(most[f], most_integers) : most[f]);
        all.spread[f].join(spread_of(column, features.n_rows, values), values);
        all.integers[f] = all.integers[f] && column.ints != nullptr;
        all.zero_one[f] = all.zero_one[f] && is_zero_one(column, features.n_rows);
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

/// Rows in chunks as a source of joint counts: a pass for every question about pairs, and more where the tables of one
/// pass would take more than `most_bytes`.
///
/// memory   `first`, features x labels that vary, and the tables of a pass: levels of f x levels of s x (1 + labels)
class RowsInChunks : public JointSource {
 public:
  /// `first`: the counts of a pass over the same rows.
  RowsInChunks(ChunkReader& reader, CountTables first, const Context& context,
               std::size_t most_bytes = std::size_t{512} << 20)
      : reader_(reader), first_(std::move(first)), context_(context), most_bytes_(most_bytes), xlogx_(0, 1) {
    if (first_.n > std::numeric_limits<int>::max()) {
      throw std::length_error("Greedy selection counts at most 2,147,483,647 rows.");
    }
    make_targets();
    make_features();
    xlogx_ = XLogX(static_cast<std::size_t>(first_.n), static_cast<double>(targets_.size()));
  }

  const XLogX& xlogx() const override { return xlogx_; }
  const Block& features() const override { return features_; }
  const Block& targets() const override { return targets_; }

  void with_feature(int s, std::uint64_t* pair) override { count(s, all_features, false, pair, nullptr, nullptr); }

  void with_feature_and_targets(int s, int only, std::uint64_t* pair, std::uint64_t* triple,
                                std::uint64_t* each) override {
    count(s, only, true, pair, triple, each);
  }

  std::size_t n_passes() const { return n_passes_; }

 private:
  static constexpr int reference = -1, unseen = -2;

  // Labels that vary are the targets, with one indicator each.
  void make_targets() {
    for (std::size_t l = 0; l < first_.in_target.size(); ++l) {
      const std::int64_t rows = first_.in_target[l];
      target_of_.push_back(rows > 0 && rows < first_.n ? static_cast<int>(targets_.size()) : -1);
      if (target_of_.back() < 0) continue;
      targets_.variables.push_back(static_cast<int>(targets_.size()));
      targets_.count.push_back(static_cast<int>(rows));
      targets_.first.push_back(targets_.count.size());
      targets_.reference.push_back(static_cast<int>(first_.n - rows));
    }
  }

  // The reference level is the implied one where it occurs, and the most frequent one elsewhere.
  void make_features() {
    const std::size_t m = targets_.n_indicators();
    indicator_.assign(first_.in_level.size(), unseen);
    for (std::size_t f = 0; f < first_.size(); ++f) {
      const std::size_t begin = first_.slot[f], end = first_.slot[f + 1];
      std::size_t left_out = begin + static_cast<std::size_t>(first_.levels[f].implied);
      if (first_.in_level[left_out] == 0) {
        left_out = static_cast<std::size_t>(std::max_element(first_.in_level.begin() + static_cast<long>(begin),
                                                             first_.in_level.begin() + static_cast<long>(end)) -
                                            first_.in_level.begin());
      }
      for (std::size_t v = begin; v < end; ++v) {
        if (first_.in_level[v] == 0) continue;
        indicator_[v] = v == left_out ? reference : static_cast<int>(features_.count.size() - features_.first.back());
        if (v == left_out) continue;
        features_.count.push_back(static_cast<int>(first_.in_level[v]));
        with_.resize(with_.size() + m, 0);
        for (std::size_t c = first_.cell[v]; c < first_.cell[v + 1]; ++c) {
          const int t = target_of_[static_cast<std::size_t>(first_.target[c])];
          if (t >= 0) with_[with_.size() - m + static_cast<std::size_t>(t)] = static_cast<int>(first_.count[c]);
        }
      }
      features_.variables.push_back(static_cast<int>(f));
      features_.first.push_back(features_.count.size());
      features_.reference.push_back(static_cast<int>(first_.in_level[left_out]));
    }
  }

  std::size_t indicators_of(int f) const {
    return features_.first[static_cast<std::size_t>(f) + 1] - features_.first[static_cast<std::size_t>(f)];
  }

  // The pairs and triples of s (or none) with one feature or all, in as many passes as memory asks for.
  void count(int s, int only, bool joint, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) {
    const std::size_t levels = s < 0 ? 0 : indicators_of(s), sides = joint ? 1 + targets_.n_indicators() : 1;
    const std::size_t last = only < 0 ? features_.size() : static_cast<std::size_t>(only) + 1;
    std::size_t begin = only < 0 ? 0 : static_cast<std::size_t>(only);
    while (begin < last) {
      std::size_t end = begin + 1;
      const auto bytes = [&](std::size_t to) {
        return (features_.first[to] - features_.first[begin]) * levels * sides * sizeof(int);
      };
      while (end < last && bytes(end + 1) <= most_bytes_) ++end;
      table_.assign((features_.first[end] - features_.first[begin]) * levels * sides, 0);
      if (!table_.empty()) count_pass(s, begin, end, levels, sides);
      sum_up(s, begin, end, levels, sides, pair, triple, each);
      begin = end;
    }
  }

  // table_: [indicator of the features][indicator of s][side].
  void count_pass(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides) {
    std::size_t rows = 0;
    ++n_passes_;
    reader_.pass([&](const Features& chunk, const Targets& labels) {
      rows += chunk.n_rows;
      level_of_s_.assign(chunk.n_rows, reference);
      visit(chunk, static_cast<std::size_t>(s),
            [&](int row, int level) { level_of_s_[static_cast<std::size_t>(row)] = level; });
      parallel_for(context_, end - begin, 8 * stored_values(chunk) * (sides > 1 ? 4 : 1),
                   [&](int, std::size_t from, std::size_t to) {
                     for (std::size_t f = begin + from; f < begin + to; ++f) {
                       int* const n = table_.data() + (features_.first[f] - features_.first[begin]) * levels * sides;
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

  void sum_up(int s, std::size_t begin, std::size_t end, std::size_t levels, std::size_t sides, std::uint64_t* pair,
              std::uint64_t* triple, std::uint64_t* each) {
    const TargetCells cells(targets_, xlogx_);
    const std::vector<int> of_s = margin_of(s, sides);
    const bool joint = sides > 1 || triple != nullptr;
    SideTable table;
    std::vector<int> of_f;
    for (std::size_t f = begin; f < end; ++f) {
      const std::size_t e = features_.first[f + 1] - features_.first[f];
      table.resize(e, levels, sides);
      of_f.clear();
      for (std::size_t v = 0; v < e; ++v) {
        const std::size_t c = features_.first[f] + v;
        std::copy_n(table_.data() + (c - features_.first[begin]) * levels * sides, levels * sides,
                    table.data() + v * table.row());
        append_side(of_f, features_.count[c], with_.data() + c * targets_.n_indicators(), sides);
      }
      table.complete(of_s.data(), of_f.data());
      std::uint64_t* const each_f = each ? each + f * targets_.size() : nullptr;
      if (each_f) std::fill(each_f, each_f + targets_.size(), 0);
      table.sums(cells, xlogx_, pair + f, joint ? triple + f : nullptr, each_f);
    }
  }

  // [level of s, its reference level last][side].
  std::vector<int> margin_of(int s, std::size_t sides) const {
    std::vector<int> margin, rest;
    append_side(rest, static_cast<int>(first_.n), targets_.count.data(), sides);
    if (s >= 0) {
      for (std::size_t c = features_.first[static_cast<std::size_t>(s)];
           c < features_.first[static_cast<std::size_t>(s) + 1]; ++c) {
        append_side(margin, features_.count[c], with_.data() + c * targets_.n_indicators(), sides);
        for (std::size_t j = 0; j < sides; ++j) rest[j] -= margin[margin.size() - sides + j];
      }
    }
    margin.insert(margin.end(), rest.begin(), rest.end());
    return margin;
  }

  static void append_side(std::vector<int>& to, int rows, const int* with_targets, std::size_t sides) {
    to.push_back(rows);
    if (sides > 1) to.insert(to.end(), with_targets, with_targets + (sides - 1));
  }

  ChunkReader& reader_;
  CountTables first_;
  Context context_;
  std::size_t most_bytes_;
  XLogX xlogx_;
  Block features_, targets_;
  std::vector<int> indicator_;  // by slot of a level: number among the feature's indicators, reference or unseen
  std::vector<int> target_of_;  // by label: the target, -1 for a label that does not vary
  std::vector<int> with_;       // [indicator of the features][target]: rows with both
  std::vector<int> table_, level_of_s_;
  std::size_t n_passes_ = 0;
};

}  // namespace mlsift

#endif
