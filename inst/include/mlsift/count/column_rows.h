#ifndef MLSIFT_COUNT_COLUMN_ROWS_H
#define MLSIFT_COUNT_COLUMN_ROWS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "../data/column.h"
#include "counted_rows.h"
#include "target_counter.h"

namespace mlsift {

/// Rows in memory. The table of a feature is counted on request. Only rows off its reference level and their target
/// columns are visited.
class ColumnRows : public CountedRows {
 public:
  /// `by_row`: the columns of each row; `weights`: how many rows each row counts for, null for 1.
  ColumnRows(Features features, Targets by_row, TargetColumns targets, const int* weights)
      : features_(std::move(features)),
        by_row_(std::move(by_row)),
        targets_(std::move(targets)),
        weights_(weights),
        stored_(stored_values(features_)),
        bits_(by_row_, by_row_.few_words() ? stored_ : 0) {}

  std::size_t size() const override { return features_.size(); }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Columns>(*this); }

  double work() const override {
    const double per_row = static_cast<double>(by_row_.ids.size()) / static_cast<double>(features_.n_rows);
    return stored_ * (1 + per_row) + static_cast<double>(features_.size() * targets_.n_columns());
  }

 private:
  class Columns : public Reader {
   public:
    explicit Columns(const ColumnRows& rows)
        : rows_(rows), coder_(rows.features_.n_rows), counter_(rows.by_row_, rows.bits_, rows.weights_) {}

    const FeatureTable& table(std::size_t f) override {
      const LevelRows& levels = coder_.code(rows_.features_.columns[f]);
      table_.clear();
      table_.reference = levels.reference;
      std::int64_t rest = rows_.targets_.n;
      for (int v = 0; v < levels.n_levels(); ++v) {
        std::int64_t n = 0;
        if (v != levels.reference) {
          n = counter_.rows(levels.begin(v), levels.end(v));
          counter_.count(levels.begin(v), levels.end(v), table_.column, table_.count);
        }
        table_.end_level(n);
        rest -= n;
      }
      table_.rows[static_cast<std::size_t>(levels.reference)] = rest;
      if (rows_.weights_) table_.choose_reference(rows_.targets_.count);
      return table_;
    }

   private:
    const ColumnRows& rows_;
    LevelCoder coder_;
    TargetCounter counter_;
    FeatureTable table_;
  };

  Features features_;
  Targets by_row_;
  TargetColumns targets_;
  const int* weights_;
  double stored_;
  TargetBits bits_;
};

}  // namespace mlsift

#endif
