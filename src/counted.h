#pragma once

#include <Rcpp.h>
#include <mlsift/core/parallel.h>
#include <mlsift/core/xlogx.h>
#include <mlsift/count/joint_rows.h>
#include <mlsift/count/target_margins.h>
#include <mlsift/data/targets.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mlsift_glue {

// Rows as selectors that count get them from R, which holds an external pointer: those of a task, or those behind
// tables of counts (rows.cpp, tables.cpp). The same questions have the same answers, whichever they are.
class RowsToCount {
 public:
  using Counted = std::unique_ptr<mlsift::CountedRows>;

  virtual ~RowsToCount() = default;

  virtual std::size_t n_features() const = 0;
  virtual std::vector<char> constant_features() const = 0;
  virtual mlsift::TargetMargins margins() const = 0;

  // The rows with these targets, or with the classes that each row, or label set, has. Valid as long as this object.
  virtual Counted with(const mlsift::ChosenTargets& targets) const = 0;
  virtual Counted with_classes(const mlsift::Targets& classes) const = 0;

  // The pairs of these labels that each row, or what is counted as one, has, for with_classes(). Where labels are not
  // known in all rows, pairs of their columns in margins().
  virtual mlsift::Targets label_pairs(const std::vector<int>& labels) const = 0;

  // The occurring labels of rows, or of label sets, and how many rows these stand for, null for one each.
  virtual mlsift::Targets labels() const = 0;
  virtual const int* weights() const = 0;
  virtual bool one_row_each() const = 0;  // whether rows are in memory, and have no weights

  // With the targets that vary, to count features together; see rows_in_memory().
  virtual std::unique_ptr<mlsift::JointRows> joint(mlsift::WithTargets, const mlsift::Context&) const = 0;

  // Labels that occur; of classes, and where labels are not known in all rows, the targets that vary.
  Counted counted() const {
    const mlsift::TargetMargins all = margins();
    return with(all.choose(!all.some_unknown));
  }
};

inline const RowsToCount& rows_to_count(SEXP rows) { return *Rcpp::XPtr<RowsToCount>(rows); }

// Calls f(n log n) for sums of so many informations. A table of all values takes 8 bytes for each row, which rows in
// memory are worth. Other rows have one only if there are more `lookups` than values, and at most 32 MB of them.
template <class F>
auto with_xlogx(const RowsToCount& rows, std::int64_t n, std::size_t terms, F f, std::size_t lookups = 0) {
  const std::size_t count = static_cast<std::size_t>(n);
  const bool table = rows.one_row_each() || (lookups > count && count <= (std::size_t{1} << 22));
  if (!table) return f(mlsift::XLogXOnDemand(count, static_cast<double>(terms)));
  return f(mlsift::XLogX(count, static_cast<double>(terms)));
}

}  // namespace mlsift_glue
