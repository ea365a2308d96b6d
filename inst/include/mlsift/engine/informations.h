#ifndef MLSIFT_ENGINE_INFORMATIONS_H
#define MLSIFT_ENGINE_INFORMATIONS_H

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "indicators.h"
#include "joint.h"
#include "parallel.h"
#include "xlogx.h"

namespace mlsift {

/// What greedy criteria ask: entropies, and informations between features f, a selected feature s and targets t, in bits.
///
///   H(f),  R(f) = sum_t I(f; t),  I(f; s) for all f,  T(f, s) = sum_t I((f, s); t) for all f
///
/// Features and targets are discrete variables of any number of levels. Every answer is an integer sum turned into bits,
/// so it depends neither on the layout of the data, nor on threads, nor on the order of rows and targets.
class Informations {
 public:
  /// `joint`: whether T will be asked for, which needs tables of features x targets.
  Informations(Indicators features, Indicators targets, bool joint, const Context& context)
      : features_(std::move(features)), targets_(std::move(targets)), xlogx_(features_.n_rows, targets_.n_variables()), context_(context) {
    const double stored = static_cast<double>(features_.rows.size());
    step_work_ = stored / 8 + 8.0 * features_.n_indicators();
    if (joint) step_work_ += 8.0 * features_.n_indicators() * targets_.n_indicators();
    target_block_ = row_block(targets_, 0, targets_.n_variables());
    const std::size_t per_indicator = joint ? 8 * static_cast<std::size_t>(targets_.n_indicators() + 1) : 8;
    keep_ = per_indicator * static_cast<std::size_t>(features_.n_indicators()) <= most_kept;
    const std::size_t most = std::max<std::size_t>(1, (keep_ ? most_kept : most_kept / 8) / per_indicator);
    blocks_ = row_blocks(features_, choose_threads(context, step_work_), most);
    counts_.resize(blocks_.size());
    for (int f = 0; f < features_.n_variables(); ++f) cells_.push_back(cells_of(features_, f));
    for (int t = 0; t < targets_.n_variables(); ++t) target_cells_ += cells_of(targets_, t);
    relevance_.resize(size());
    each_block([&](JointCounts& counts, const RowBlock& block) {
      counts.relevance(scratch_.data() + block.first);
    }, true);
    for (std::size_t f = 0; f < size(); ++f) {
      relevance_[f] = xlogx_.bits(q() * whole() - target_cells_ - q() * cells_[f] + scratch_[f]);
    }
    if (!joint) counts_ = std::vector<std::unique_ptr<JointCounts>>(blocks_.size());
  }

  std::size_t size() const { return static_cast<std::size_t>(features_.n_variables()); }
  int n_targets() const { return targets_.n_variables(); }

  double entropy(int f) const { return xlogx_.bits(whole() - cells_[static_cast<std::size_t>(f)]); }
  double relevance(int f) const { return relevance_[static_cast<std::size_t>(f)]; }

  /// information[f] = I(f; s).
  void with_feature(int s, std::vector<double>& information) {
    each_block([&](JointCounts& counts, const RowBlock& block) { counts.pairs(s, scratch_.data() + block.first); }, false);
    to_information(s, information);
  }

  /// The same, and joint[f] = T(f, s).
  void with_feature_and_targets(int s, std::vector<double>& information, std::vector<double>& joint) {
    triple_.resize(size());
    each_block([&](JointCounts& counts, const RowBlock& block) {
      counts.triples(s, scratch_.data() + block.first, triple_.data() + block.first);
    }, true);
    to_information(s, information);
    joint.resize(size());
    for (std::size_t f = 0; f < size(); ++f) {
      joint[f] = xlogx_.bits(q() * whole() - target_cells_ - q() * scratch_[f] + triple_[f]);
    }
  }

  /// normalized[f] = sum over t of I((f, s); t) / sqrt(H(f, s) H(t)), terms without entropy 0; with s < 0, of
  /// I(f; t) / sqrt(H(f) H(t)).
  void normalized(int s, std::vector<double>& normalized) {
    const std::size_t m = targets_.reference_count.size();
    triple_.resize(size() * m);
    each_block([&](JointCounts& counts, const RowBlock& block) {
      std::uint64_t* const to = triple_.data() + static_cast<std::size_t>(block.first) * m;
      if (s < 0) {
        counts.relevance_each(to);
        std::copy(cells_.begin() + block.first, cells_.begin() + block.last, scratch_.begin() + block.first);
      } else {
        counts.triples_each(s, scratch_.data() + block.first, to);
      }
    }, true);
    normalized.assign(size(), 0);
    for (std::size_t f = 0; f < size(); ++f) {
      const double h_f = xlogx_.bits(whole() - scratch_[f]);
      if (h_f <= 0) continue;
      for (std::size_t t = 0; t < m; ++t) {
        const std::uint64_t cells_t = cells_of(targets_, static_cast<int>(t));
        const double information = xlogx_.bits(whole() - cells_t - scratch_[f] + triple_[f * m + t]);
        normalized[f] += information / std::sqrt(h_f * xlogx_.bits(whole() - cells_t));
      }
    }
  }

 private:
  static constexpr std::size_t most_kept = std::size_t{512} << 20;  // bytes of tables that stay between steps

  std::uint64_t q() const { return static_cast<std::uint64_t>(targets_.n_variables()); }
  std::uint64_t whole() const { return xlogx_(static_cast<std::int64_t>(features_.n_rows)); }

  std::uint64_t cells_of(const Indicators& table, int f) const {
    std::uint64_t sum = xlogx_(table.reference(f));
    for (int c = table.begin(f); c < table.end(f); ++c) sum += xlogx_(table.count(c));
    return sum;
  }

  void to_information(int s, std::vector<double>& information) const {
    information.resize(size());
    for (std::size_t f = 0; f < size(); ++f) {
      information[f] = xlogx_.bits(whole() - cells_[f] - cells_[static_cast<std::size_t>(s)] + scratch_[f]);
    }
  }

  // Runs body(counts, block) for every block, blocks in parallel. Tables are kept between calls where they fit.
  template <class Body>
  void each_block(Body body, bool with_targets) {
    scratch_.resize(size());
    parallel_for(context_, blocks_.size(), blocks_.size() > 1 ? std::max(step_work_, 2 * work_per_thread) : step_work_,
                 [&](int, std::size_t begin, std::size_t end) {
                   for (std::size_t b = begin; b < end; ++b) {
                     std::unique_ptr<JointCounts>& kept = counts_[b];
                     if (!kept) kept = std::make_unique<JointCounts>(blocks_[b], with_targets ? &target_block_ : nullptr, xlogx_);
                     body(*kept, blocks_[b]);
                     if (!keep_) kept.reset();
                   }
                 });
  }

  Indicators features_, targets_;
  XLogX xlogx_;
  Context context_;
  double step_work_ = 0;
  bool keep_ = true;
  RowBlock target_block_;
  std::vector<RowBlock> blocks_;
  std::vector<std::unique_ptr<JointCounts>> counts_;
  std::vector<std::uint64_t> cells_, scratch_, triple_;
  std::uint64_t target_cells_ = 0;
  std::vector<double> relevance_;
};

}  // namespace mlsift

#endif
