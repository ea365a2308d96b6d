#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../core/xlogx.h"
#include "../data/indicators.h"
#include "counted_rows.h"
#include "target_cells.h"

namespace mlsift {

/// For how many features the steps of a selection count tables with targets.
enum class WithTargets { none, few, all };

/// G(f), G(f, s) and the sum over targets t of G(f, s, t) of one feature f.
struct JointSums {
  int feature = 0;
  std::uint64_t alone = 0, pair = 0, triple = 0;
};

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
/// rows gives the same bits. Tables with targets are given as the sums of a policy, see TargetCells.
class JointRows : public CountedRows {
 public:
  static constexpr int all_features = -1;

  virtual const XLogXScale& xlogx_scale() const = 0;          ///< of the sums
  virtual std::uint64_t xlogx(std::int64_t count) const = 0;  ///< n log n of a count, on this scale
  virtual const Block& feature_levels() const = 0;            ///< how many rows have each level

  /// N R(f) of every feature.
  virtual std::vector<std::uint64_t> relevances() const = 0;

  virtual std::unique_ptr<TargetCells> cells(CellSums what) const = 0;  ///< for visit(), as long as these rows

  /// pair[f] = G(f, s) for every feature f.
  virtual void with_feature(int s, std::uint64_t* pair) = 0;

  /// Calls take(f, G(f, s), sums of `cells`) for every feature f. `only`: the one that needs it, or all_features.
  /// Others may be given too.
  virtual void visit(int s, int only, const TargetCells& cells, const TakeSums& take) = 0;

  /// Two features s and u as one, under a number that holds until the next call.
  virtual int joined(int, int) { throw std::logic_error("These rows count features with one other feature only."); }

  /// given[f] = N sum over t of I(f; t | S) for a set S of features, and 0 where it is no larger than its rounding.
  virtual void with_targets_given(const std::vector<int>& /*set*/, std::uint64_t* /*given*/) {
    throw std::logic_error("These rows count features with one other feature only.");
  }

  /// The sums of all features with s by classes, with `targets` also triples. False where there are no classes.
  virtual bool by_class(int, bool /*targets*/, ClassSums&) { return false; }

  /// The cost of an answer for one feature as a share of the cost for all features; 1 if there is no saving.
  virtual double cost_of_one() const { return 1; }
};

}  // namespace mlsift
