#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "../../data/column.h"
#include "../counted_rows.h"
#include "target_counter.h"

namespace mlsift {

/// Rows in memory. The table of a feature is counted on request. Only rows off its reference level and their target
/// columns are visited.
class RowsInColumns : public CountedRows {
 public:
  /// `features`: the caller keeps them; `weights`: how many rows each row counts for, null for 1; `visit(c, take)`:
  /// calls take(row) for the rows of column c of the targets.
  template <class Visit>
  RowsInColumns(const Features& features, TargetColumns targets, const int* weights, Visit visit)
      : RowsInColumns(features, std::move(targets), weights) {
    const std::int64_t entries = std::accumulate(targets_.count.begin(), targets_.count.end(), std::int64_t{0});
    in_rows_ =
        CountableTargets(features_.n_rows, targets_.n_columns(), static_cast<std::size_t>(entries), lookups(), visit);
  }

  /// `by_row`: the columns of each row.
  RowsInColumns(const Features& features, TargetColumns targets, const int* weights, const Targets& by_row)
      : RowsInColumns(features, std::move(targets), weights) {
    in_rows_ = CountableTargets(by_row, lookups());
  }

  std::size_t size() const override { return features_.size(); }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Columns>(*this); }

  double work() const override {
    const double per_row = static_cast<double>(in_rows_.entries) / static_cast<double>(features_.n_rows);
    return stored_ * (1 + per_row) + static_cast<double>(features_.size() * targets_.n_columns());
  }

 private:
  class Columns : public Reader {
   public:
    explicit Columns(const RowsInColumns& rows)
        : rows_(rows), coder_(rows.features_.n_rows), counter_(rows.in_rows_, rows.weights_) {}

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
    const RowsInColumns& rows_;
    LevelCoder coder_;
    TargetCounter counter_;
    FeatureTable table_;
  };

  RowsInColumns(const Features& features, TargetColumns targets, const int* weights)
      : features_(features), targets_(std::move(targets)), weights_(weights), stored_(stored_values(features_)) {}

  double lookups() const { return weights_ ? 0 : stored_; }

  const Features& features_;
  TargetColumns targets_;
  const int* weights_;
  double stored_;
  CountableTargets in_rows_;
};

}  // namespace mlsift
