#ifndef MLSIFT_COUNT_ROWS_IN_MEMORY_H
#define MLSIFT_COUNT_ROWS_IN_MEMORY_H

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "joint_bits.h"
#include "joint_groups.h"
#include "joint_rows.h"
#include "joint_source.h"

namespace mlsift {

/// Rows in memory as a source of joint counts. Features are divided into parts, which are counted in parallel, each in
/// the way that costs least (see JointCounts).
class RowsInMemory : public JointSource {
 public:
  /// `joint`: whether targets will be asked for at every step, which needs tables of features x targets.
  RowsInMemory(Indicators features, Indicators targets, bool joint, const Context& context)
      : features_(std::move(features)),
        targets_(std::move(targets)),
        feature_levels_(features_, all_of(features_)),
        target_levels_(targets_, all_of(targets_)),
        xlogx_(features_.n_rows, targets_.n_variables()),
        context_(context),
        poll_(context_),
        joint_(joint) {
    represent();
  }

  const XLogX& xlogx() const override { return xlogx_; }
  const Block& features() const override { return feature_levels_; }
  const Block& targets() const override { return target_levels_; }

  void with_feature(int s, std::uint64_t* pair) override {
    each_part([&](JointCounts& counts) { counts.pairs(s, pair); });
  }

  void with_feature_and_targets(int s, int only, std::uint64_t* pair, std::uint64_t* triple,
                                std::uint64_t* each) override {
    if (only == all_features) {
      each_part([&](JointCounts& counts) { counts.triples(s, pair, triple, each); });
      return;
    }
    poll_();
    const Place& place = place_[static_cast<std::size_t>(only)];
    counts_of_part(place.part).triples_of(place.variable, s, pair, triple, each);
  }

  void begin_steps() override {
    if (joint_) return;
    for (Part& part : parts_) part.counts.reset();
    with_targets_ = false;
  }

  double cost_of_one() const override { return cost_of_one_; }

  /// Features that are bit columns; the others are sparse indicators.
  std::size_t n_as_bits() const { return n_dense_; }

  /// Whether sparse indicators meet targets by groups of equal rows.
  bool targets_by_groups() const { return by_groups_; }

 private:
  static constexpr std::size_t most_kept = std::size_t{512} << 20;  // bytes of tables that stay between steps
  static constexpr double steps = 32;                               // over so many steps, what is done once is spread

  static std::vector<int> all_of(const Indicators& table) {
    std::vector<int> all;
    for (int f = 0; f < table.n_variables(); ++f) all.push_back(f);
    return all;
  }

  // Some of the features in the representation that suits them. Its counts are kept between steps where they fit.
  struct Part {
    RowBlock rows;
    BitBlock bits;
    std::unique_ptr<JointCounts> counts;
  };

  // Where a feature is: which variable of which part.
  struct Place {
    std::size_t part = 0, variable = 0;
  };

  // Rows that are not alone in their level of a target, over all targets.
  double rows_in_company() const {
    double rows = 0;
    for (int t = 0; t < targets_.n_variables(); ++t) {
      if (targets_.reference(t) > 1) rows += targets_.reference(t);
      for (int c = targets_.begin(t); c < targets_.end(t); ++c) {
        if (targets_.count(c) > 1) rows += targets_.count(c);
      }
    }
    return rows;
  }

  // Chooses how joint tables are counted, by what a step costs: increments of a count, words of 64 rows, look-ups.
  void represent() {
    const double n = static_cast<double>(features_.n_rows), m = targets_.n_indicators(), q = targets_.n_variables();
    const double targets_of_row = static_cast<double>(targets_.rows.size()) / n;
    const double sides = joint_ ? 1 + m : 1;
    std::vector<int> sparse, dense;
    double off_all = 0, table_work = 0, work_alone = 0;
    for (int f = 0; f < features_.n_variables(); ++f) {
      const double e = features_.end(f) - features_.begin(f), off = 1 - features_.reference(f) / n;
      const double by_rows = off * off * n * (joint_ ? 1 + targets_of_row : 1) + off * n * targets_of_row / steps;
      const double by_bits = e * e * sides * n / 64 + e * m * n / 64 / steps;
      step_work_ += std::min(by_rows, by_bits) + 8 * (e + 1) * sides;
      work_alone += (by_bits < by_rows ? by_bits : std::max(by_rows, 2 * off * n)) + 8 * (e + 1) * sides;
      (by_bits < by_rows ? dense : sparse).push_back(f);
      if (by_bits < by_rows) continue;
      off_all += off * n;
      table_work += 4 * (std::min(m, off * n * targets_of_row) + q) + off * off * n * targets_of_row + e * m;
    }
    by_groups_ = 7 * rows_in_company() * (off_all / n + 1) < table_work;
    const double cells = by_groups_ ? 4 : joint_ ? 2 * (m + 1) : m + 1;  // of the tables, for each indicator
    keep_ = joint_ && 4 * cells * features_.n_indicators() <= most_kept;
    const std::size_t most = static_cast<std::size_t>(std::max(1.0, (keep_ ? most_kept : most_kept / 8) / (4 * cells)));
    const int threads = choose_threads(context_, step_work_);
    for (std::vector<int>& run : even_runs(features_, sparse, threads, most)) {
      parts_.emplace_back();
      parts_.back().rows = RowBlock(features_, std::move(run));
    }
    for (std::vector<int>& run : even_runs(features_, dense, threads, most)) {
      parts_.emplace_back();
      parts_.back().bits = BitBlock(features_, std::move(run));
    }
    if (!sparse.empty()) target_rows_ = RowBlock(targets_, all_of(targets_));
    if (!dense.empty()) target_bits_ = BitBlock(targets_, all_of(targets_));
    n_dense_ = dense.size();
    place_.resize(feature_levels_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::vector<int>& variables =
          (parts_[i].bits.size() > 0 ? parts_[i].bits.variables : parts_[i].rows.variables);
      for (std::size_t v = 0; v < variables.size(); ++v) place_[static_cast<std::size_t>(variables[v])] = {i, v};
    }
    if (keep_ && (!by_groups_ || sparse.empty()))
      cost_of_one_ = work_alone / (step_work_ * static_cast<double>(feature_levels_.size()));
  }

  std::unique_ptr<JointCounts> counts_of(const Part& part) const {
    if (part.bits.size() > 0)
      return std::make_unique<BitCounts>(features_, part.bits, with_targets_ ? &target_bits_ : nullptr, xlogx_);
    if (!with_targets_) return std::make_unique<RowCounts>(features_, part.rows, xlogx_);
    if (by_groups_) return std::make_unique<GroupCounts>(features_, part.rows, target_rows_, xlogx_);
    return std::make_unique<TableCounts>(features_, part.rows, target_rows_, xlogx_);
  }

  // Runs body(counts) for every part, parts in parallel.
  template <class Body>
  void each_part(Body body) {
    const double work = parts_.size() > 1 ? std::max(step_work_, 2 * work_per_thread) : step_work_;
    parallel_for(context_, parts_.size(), work, [&](int, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        body(counts_of_part(i));
        if (!keep_ && with_targets_) parts_[i].counts.reset();
      }
    });
  }

  JointCounts& counts_of_part(std::size_t i) {
    if (!parts_[i].counts) parts_[i].counts = counts_of(parts_[i]);
    return *parts_[i].counts;
  }

  Indicators features_, targets_;
  Block feature_levels_, target_levels_;
  XLogX xlogx_;
  Context context_;
  Poll poll_;
  bool joint_;
  double step_work_ = 0, cost_of_one_ = 1;
  bool keep_ = true, by_groups_ = false, with_targets_ = true;
  std::size_t n_dense_ = 0;
  RowBlock target_rows_;
  BitBlock target_bits_;
  std::vector<Part> parts_;
  std::vector<Place> place_;
};

inline std::unique_ptr<RowsInMemory> rows_in_memory(const Features& features, const Features& targets, bool joint,
                                                    const Context& context) {
  return std::make_unique<RowsInMemory>(indicators_of(features), varying_indicators_of(targets), joint, context);
}

}  // namespace mlsift

#endif
