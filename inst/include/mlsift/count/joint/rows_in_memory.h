#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "../../core/parallel.h"
#include "../joint_rows.h"
#include "../relevance.h"
#include "bit_counter.h"
#include "group_counter.h"
#include "layout.h"
#include "margin_classes.h"
#include "pair_counter.h"
#include "row_cells.h"
#include "row_counter.h"
#include "target_counter.h"

namespace mlsift {

/// Joint counts of rows in memory. Features are divided into parts, which are counted in parallel, each in the way that
/// costs least (see JointCounter). Weights: EachOnce or a ByWeight; the features say what rows weigh.
template <class Weights>
class RowsInMemory : public JointRows {
 public:
  /// `joint`: whether targets will be needed at every step, which requires tables of features x targets.
  RowsInMemory(Indicators features, Indicators targets, bool joint, const Context& context)
      : features_(std::move(features)),
        indicators_(std::move(targets)),
        feature_levels_(features_, all_of(features_)),
        targets_(columns_of(indicators_)),
        xlogx_(static_cast<std::size_t>(features_.n()), indicators_.n_variables()),
        weight_(features_),
        context_(context),
        poll_(context_),
        joint_(joint) {
    lay_out(choose_layout(features_, indicators_, joint));
    if (joint_ && keep_ && !by_groups_) each_part([](JointCounter&) {});
    find_classes();
  }

  const XLogXScale& xlogx_scale() const override { return xlogx_; }
  std::uint64_t xlogx(std::int64_t count) const override { return xlogx_(count); }
  const Block& feature_levels() const override { return feature_levels_; }

  std::size_t size() const override { return feature_levels_.size(); }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Tables>(*this); }

  double work() const override {
    const double per_row = static_cast<double>(indicators_.rows.size()) / static_cast<double>(features_.n_rows);
    return static_cast<double>(features_.rows.size()) * (1 + per_row) +
           static_cast<double>(size() * targets_.n_columns());
  }

  std::vector<std::uint64_t> relevances() const override { return relevance_sums(*this, xlogx_, context_); }
  std::unique_ptr<TargetCells> cells(CellSums what) const override { return cells_of(what, targets_, xlogx_); }

  void with_feature(int s, std::uint64_t* pair) override {
    each_part([&](JointCounter& counts) { counts.pairs(s, pair); });
  }

  void visit(int s, int only, const TargetCells& cells, const TakeSums& take) override {
    if (only == all_features) return each_part([&](JointCounter& counts) { counts.visit(s, only, cells, take); });
    poll_();
    const Place& place = place_[static_cast<std::size_t>(only)];
    counts_of_part(place.part).visit(s, static_cast<int>(place.variable), cells, take);
  }

  int joined(int s, int u) override {
    poll_();
    const int both = static_cast<int>(feature_levels_.size());
    joined_.join(features_, s, u, both);
    return both;
  }

  void with_targets_given(const std::vector<int>& set, std::uint64_t* given) override {
    poll_();
    if (!cells_) cells_ = std::make_unique<RowCells<Weights>>(features_, indicators_, xlogx_);
    cells_->given(set, static_cast<int>(feature_levels_.size()), context_, given);
  }

  bool by_class(int s, bool targets, ClassSums& sums) override {
    if (classes_.of.empty() || targets != joint_) return false;
    sums.class_of = &classes_.of;
    list_unmet(s, sums.unmet);
    met_.resize(parts_.size());
    for (std::vector<JointSums>& met : met_) met.clear();
    if (n_dense_ > 0) pair_.resize(feature_levels_.size());
    if (joint_ && !sums_) sums_ = cells(CellSums::all_targets);
    parts_in_parallel([&](std::size_t i) { list_met(i, s); });
    sums.met.clear();
    if (met_.size() == 1) sums.met.swap(met_[0]);
    for (const std::vector<JointSums>& met : met_) sums.met.insert(sums.met.end(), met.begin(), met.end());
    return true;
  }

  double cost_of_one() const override { return cost_of_one_; }

 private:
  using Pairs = PairCounter<Weights>;
  using Triples = RowCounter<Weights>;

  // Tables of features with targets from what their parts keep, or counted. The reference level comes last.
  class Tables : public Reader {
   public:
    explicit Tables(const RowsInMemory& rows) : rows_(rows) {}

    const FeatureTable& table(std::size_t f) override {
      const Indicators& features = rows_.features_;
      const Place& place = rows_.place_[f];
      const Part& part = rows_.parts_[place.part];
      std::size_t in_part = part.block().first[place.variable];
      table_.clear();
      for (int c = features.begin(static_cast<int>(f)); c < features.end(static_cast<int>(f)); ++c, ++in_part) {
        const int* const with = part.counts ? part.counts->with_targets(in_part) : nullptr;
        if (with) {
          append_met(with, rows_.targets_.n_columns(), table_.column, table_.count);
        } else {
          if (!counter_) counter_ = std::make_unique<TargetCounter>(rows_.targets_by_row(), rows_.row_weights());
          counter_->count(features.rows_begin(c), features.rows_end(c), table_.column, table_.count);
        }
        table_.end_level(features.count(c));
      }
      table_.reference = table_.n_levels();
      table_.end_level(features.reference(static_cast<int>(f)));
      return table_;
    }

   private:
    const RowsInMemory& rows_;
    std::unique_ptr<TargetCounter> counter_;  // made on first use
    FeatureTable table_;
  };

  static TargetColumns columns_of(const Indicators& targets) {
    std::vector<std::int64_t> count;
    for (int c = 0; c < targets.n_indicators(); ++c) count.push_back(targets.count(c));
    return target_columns(targets.n(), targets.first, targets.unknown, count);
  }

  const int* row_weights() const { return features_.weights.empty() ? nullptr : features_.weights.data(); }

  const CountableTargets& targets_by_row() const {
    std::call_once(listed_, [this] {
      const double lookups = row_weights() ? 0 : static_cast<double>(features_.rows.size());
      const auto visit = [this](std::size_t c, auto take) { indicators_.visit_rows(static_cast<int>(c), take); };
      by_row_ = CountableTargets(indicators_.n_rows, targets_.n_columns(), indicators_.rows.size(), lookups, visit);
    });
    return by_row_;
  }

  static std::vector<int> all_of(const Indicators& table) {
    std::vector<int> all(static_cast<std::size_t>(table.n_variables()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  // Some of the features in the representation that suits them. Counts are kept between steps if they fit.
  struct Part {
    RowBlock rows;
    BitBlock bits;
    std::unique_ptr<JointCounter> counts;

    const Block& block() const { return bits.size() > 0 ? static_cast<const Block&>(bits) : rows; }
  };

  // Where a feature is: which variable of which part.
  struct Place {
    std::size_t part = 0, variable = 0;
  };

  void lay_out(const Layout& layout) {
    by_groups_ = layout.by_groups;
    keep_ = layout.keep;
    step_work_ = layout.step_work;
    cost_of_one_ = layout.cost_of_one;
    n_dense_ = layout.dense.size();
    const int threads = choose_threads(context_, step_work_);
    const auto each_run = [&](const std::vector<int>& variables, auto make) {
      for (std::vector<int>& run : even_runs(features_, variables, threads, layout.most_indicators)) {
        parts_.emplace_back();
        make(parts_.back(), std::move(run));
      }
    };
    each_run(layout.sparse,
             [this](Part& part, std::vector<int> run) { part.rows = RowBlock(features_, std::move(run)); });
    each_run(layout.dense,
             [this](Part& part, std::vector<int> run) { part.bits = BitBlock(features_, std::move(run)); });
    if (joint_ && n_dense_ < feature_levels_.size()) target_rows_ = TargetRows(indicators_, all_of(indicators_));
    if (joint_ && n_dense_ > 0) target_bits_ = BitBlock(indicators_, all_of(indicators_));
    place_.resize(feature_levels_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::vector<int>& variables = parts_[i].block().variables;
      for (std::size_t v = 0; v < variables.size(); ++v) place_[static_cast<std::size_t>(variables[v])] = {i, v};
    }
  }

  std::unique_ptr<JointCounter> counts_of(const Part& part) const {
    if (part.bits.size() > 0)
      return std::make_unique<BitCounter<Weights>>(features_, part.bits, joint_ ? &target_bits_ : nullptr, xlogx_);
    if (!joint_) return std::make_unique<Pairs>(features_, part.rows, xlogx_);
    if (by_groups_) return std::make_unique<GroupCounter<Weights>>(features_, part.rows, target_rows_, xlogx_);
    return std::make_unique<Triples>(features_, part.rows, target_rows_, xlogx_);
  }

  // Runs body(counts) for every part, parts in parallel.
  template <class Body>
  void each_part(Body body) {
    parts_in_parallel([&](std::size_t i) {
      body(counts_of_part(i));
      if (!keep_ && joint_) parts_[i].counts.reset();
    });
  }

  template <class Body>
  void parts_in_parallel(Body body) {
    const double work = parts_.size() > 1 ? std::max(step_work_, 2 * work_per_thread) : step_work_;
    parallel_each(context_, parts_.size(), work, body);
  }

  static constexpr std::size_t most_targets_of_classes = 16;

  int off_reference(std::size_t f) const { return features_.n() - feature_levels_.reference[f]; }

  // Rows of feature f with each target indicator; null for a constant.
  const int* with_targets(std::size_t f) {
    const Place& place = place_[f];
    const RowBlock& rows = parts_[place.part].rows;
    const std::size_t c = rows.first[place.variable];
    if (c == rows.first[place.variable + 1]) return nullptr;
    return counts_of_part(place.part).with_targets(c);
  }

  void find_classes() {
    const std::size_t d = feature_levels_.size(), m = joint_ ? targets_.n_columns() : 0;
    for (std::size_t f = 0; f < d; ++f) {
      if (feature_levels_.first[f + 1] - feature_levels_.first[f] > 1) return;
    }
    if (n_dense_ == d || m > most_targets_of_classes || (joint_ && (!keep_ || by_groups_))) return;
    std::vector<int> none(m, 0);
    MarginClasses found(d, m);
    for (std::size_t f = 0; f < d; ++f) {
      if (parts_[place_[f].part].bits.size() > 0) continue;  // is always listed
      const int* const with = m == 0 ? nullptr : with_targets(f);
      if (!found.add(f, off_reference(f), with ? with : none.data())) return;
    }
    classes_ = std::move(found);
  }

  // The sums of each class with s.
  void list_unmet(int s, std::vector<JointSums>& unmet) {
    const std::size_t m = joint_ ? targets_.n_columns() : 0;
    const int n = features_.n(), n_s = off_reference(static_cast<std::size_t>(s));
    s_with_.assign(m, 0);
    if (m > 0) {
      for (int u = features_.begin(s); u < features_.end(s); ++u) {
        for (const int* row = features_.rows_begin(u); row != features_.rows_end(u); ++row) {
          const std::size_t at = static_cast<std::size_t>(*row);
          for (const int* t = target_rows_.begin(at); t != target_rows_.end(at); ++t)
            s_with_[static_cast<std::size_t>(*t)] += weight_[at];
        }
      }
    }
    unmet.clear();
    for (std::size_t c = 0; c < classes_.feature.size(); ++c) {
      JointSums sums;
      sums.feature = classes_.feature[c];
      const int n_f = off_reference(static_cast<std::size_t>(sums.feature));
      sums.alone = xlogx_(n_f) + xlogx_(n - n_f);
      if (n_f > n - n_s) {  // all of the class meet s; these sums say that they are independent
        sums.pair = sums.alone + xlogx_(n_s) + xlogx_(n - n_s) - xlogx_(n);
      } else {
        sums.pair = four_cells(xlogx_, n, n_f, n_s, 0);
        if (m > 0 && can_miss(classes_.with.data() + c * m, n_f, n_s))
          sums.triple =
              four_cells(xlogx_, target_rows_, n, n_f, classes_.with.data() + c * m, n_s, s_with_.data(), 0, nullptr);
      }
      unmet.push_back(sums);
    }
  }

  // Whether a feature with these margins may have no row in common with s.
  bool can_miss(const int* with, int n_f, int n_s) const {
    const Block& targets = target_rows_;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      int rest = targets.reference[t] - n_f - n_s;
      for (std::size_t c = targets.first[t]; c < targets.first[t + 1]; ++c) {
        if (with[c] + s_with_[c] > targets.count[c]) return false;
        rest += with[c] + s_with_[c];
      }
      if (rest < 0) return false;
    }
    return true;
  }

  // met_[i]: the sums of the features of part i that meet s, or of all of them where they are bit columns.
  void list_met(std::size_t i, int s) {
    JointCounter& counts = counts_of_part(i);
    std::vector<JointSums>& met = met_[i];
    if (parts_[i].bits.size() == 0) {
      if (joint_) {
        static_cast<Triples&>(counts).triples_met(s, met);
      } else {
        static_cast<Pairs&>(counts).pairs_met(s, met);
      }
      return;
    }
    const auto add = [&](std::size_t f, std::uint64_t pair, std::uint64_t triple) {
      const std::uint64_t alone = xlogx_(off_reference(f)) + xlogx_(feature_levels_.reference[f]);
      met.push_back({static_cast<int>(f), alone, pair, triple});
    };
    if (joint_) {
      counts.visit(s, all_features, *sums_,
                   [&](std::size_t f, std::uint64_t pair, const std::uint64_t* sums) { add(f, pair, *sums); });
      return;
    }
    counts.pairs(s, pair_.data());
    for (const int f : parts_[i].bits.variables)
      add(static_cast<std::size_t>(f), pair_[static_cast<std::size_t>(f)], 0);
  }

  JointCounter& counts_of_part(std::size_t i) {
    if (!parts_[i].counts) parts_[i].counts = counts_of(parts_[i]);
    return *parts_[i].counts;
  }

  Indicators features_, indicators_;  // indicators_: of the targets; features_ may have one more: two of them together
  JoinedLevels joined_;
  Block feature_levels_;
  TargetColumns targets_;
  mutable std::once_flag listed_;  // by_row_, for the first reader
  mutable CountableTargets by_row_;
  typename Weights::G xlogx_;
  Weights weight_;
  Context context_;
  Poll poll_;
  bool joint_;
  double step_work_ = 0, cost_of_one_ = 1;
  bool keep_ = true, by_groups_ = false;
  std::size_t n_dense_ = 0;
  TargetRows target_rows_;
  BitBlock target_bits_;
  std::vector<Part> parts_;
  std::vector<Place> place_;
  std::unique_ptr<RowCells<Weights>> cells_;  // made on first use
  MarginClasses classes_;                     // none: there are too many, or features of more than two levels
  std::vector<std::vector<JointSums>> met_;   // by part
  std::unique_ptr<TargetCells> sums_;         // of by_class()
  std::vector<std::uint64_t> pair_;
  std::vector<int> s_with_;
};

/// Rows with weights where the features have them; else each counts once. n log n of all sums of weights is worth a
/// table where a step looks up many of them.
inline std::unique_ptr<JointRows> rows_in_memory(Indicators features, Indicators targets, WithTargets with_targets,
                                                 const Context& context) {
  const auto make = [&](auto weights) {
    using Rows = RowsInMemory<decltype(weights)>;
    return std::unique_ptr<JointRows>(
        new Rows(std::move(features), std::move(targets), with_targets != WithTargets::none, context));
  };
  if (features.weights.empty()) return make(EachOnce(features));
  constexpr double most_in_table = 1 << 23, steps = 64;
  const double sides = with_targets == WithTargets::all ? 1.0 + targets.n_indicators() : 1;
  const double large = std::min(most_in_table, steps * features.n_indicators() * sides);
  if (features.n() < std::max<double>(large, XLogXOnDemand::most_small)) return make(ByWeight<XLogX>(features));
  return make(ByWeight<XLogXOnDemand>(features));
}

}  // namespace mlsift
