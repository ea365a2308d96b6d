#ifndef MLSIFT_COUNT_JOINT_ROWS_H
#define MLSIFT_COUNT_JOINT_ROWS_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "../core/xlogx.h"
#include "../data/indicators.h"
#include "counted_rows.h"
#include "joint_counts.h"

namespace mlsift {

/// For how many features the steps of a selection count tables with targets.
enum class WithTargets { none, few, all };

/// Sums of joint tables of one s, by classes of features that have the same margins. What does not meet s, off both
/// reference levels, has the sums of its class.
struct ClassSums {
  const std::vector<int>* class_of = nullptr;  ///< by feature
  std::vector<JointSums> unmet;                ///< by class; `feature` is one of its features
  std::vector<JointSums> met;                  ///< of features that have sums of their own
};

/// Counted rows whose features can be counted together, for greedy criteria: what a feature s adds to the margins and
/// to the tables of features with targets.
///
/// Joint tables are given as sums of n log n over their cells (integers of XLogX), G: whole numbers, so every kind of
/// rows gives the same bits.
class JointRows : public CountedRows {
 public:
  static constexpr int all_features = -1;

  virtual const XLogXScale& xlogx_scale() const = 0;          ///< of the sums
  virtual std::uint64_t xlogx(std::int64_t count) const = 0;  ///< n log n of a count, on this scale
  virtual const Block& feature_levels() const = 0;            ///< how many rows have each level
  virtual const Block& target_levels() const = 0;             ///< the same of the targets, which vary

  /// N R(f) of every feature; `by_target`: see relevance_sums().
  virtual std::vector<std::uint64_t> relevances(std::vector<std::uint64_t>* by_target) const = 0;

  /// pair[f] = G(f, s) for every feature f.
  virtual void with_feature(int s, std::uint64_t* pair) = 0;

  /// The same, and triple[f] = sum over targets t of G(f, s, t); each[f * targets + t] = G(f, s, t) unless null.
  /// `only`: the feature that needs an answer, or all.
  virtual void with_feature_and_targets(int s, int only, std::uint64_t* pair, std::uint64_t* triple,
                                        std::uint64_t* each) = 0;

  /// G(f, s, u) of every feature f and the sum over targets t of G(f, s, u, t), for two features s and u. Where targets
  /// are not known in all rows, the sum is the information of OtherCells.
  virtual void with_two_features_and_targets(int, int, std::uint64_t* /*pair*/, std::uint64_t* /*triple*/) {
    throw std::logic_error("These rows count features with one other feature only.");
  }

  /// given[f] = N sum over t of I(f; t | S) for a set S of features, and 0 where it is no larger than its rounding.
  virtual void with_targets_given(const std::vector<int>& /*set*/, std::uint64_t* /*given*/) {
    throw std::logic_error("These rows count features with one other feature only.");
  }

  /// The same as with_feature_and_targets(), with the sums of OtherCells in place of those over targets. Where targets
  /// are not known in all rows, this is what is asked for.
  virtual void with_feature_and_other_cells(int s, int only, Measure what, std::uint64_t* pair,
                                            std::uint64_t* other) = 0;

  /// The sums of all features with s by classes, with `targets` also triples. False where there are no classes.
  virtual bool by_class(int, bool /*targets*/, ClassSums&) { return false; }

  /// The cost of an answer for one feature as a share of the cost for all features; 1 if there is no saving.
  virtual double cost_of_one() const { return 1; }
};

}  // namespace mlsift

#endif
