#ifndef MLSIFT_COUNT_INDICATOR_ROWS_H
#define MLSIFT_COUNT_INDICATOR_ROWS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "counted_rows.h"
#include "target_counter.h"

namespace mlsift {

/// Rows in memory whose features and targets are indicators, which the caller keeps. The reference level of a feature
/// comes last in its table.
class IndicatorRows : public CountedRows {
 public:
  /// `n_features`: how many of the features are read.
  IndicatorRows(const Indicators& features, const Indicators& targets, std::size_t n_features)
      : features_(features), indicators_(targets), n_features_(n_features), targets_(features.n()) {
    std::vector<std::int64_t> count;
    for (int c = 0; c < targets.n_indicators(); ++c) count.push_back(targets.count(c));
    targets_ = target_columns(features.n(), targets.first, targets.unknown, count);
  }

  std::size_t size() const override { return n_features_; }
  const TargetColumns& targets() const override { return targets_; }

  std::unique_ptr<Reader> reader() const override {
    std::call_once(listed_, [this] {
      const double lookups = weights() ? 0 : static_cast<double>(features_.rows.size());
      const auto visit = [this](std::size_t c, auto take) { indicators_.visit_rows(static_cast<int>(c), take); };
      in_rows_ = CountableTargets(indicators_.n_rows, targets_.n_columns(), indicators_.rows.size(), lookups, visit);
    });
    return std::make_unique<Lists>(*this);
  }

  double work() const override {
    const double per_row = static_cast<double>(indicators_.rows.size()) / static_cast<double>(features_.n_rows);
    return static_cast<double>(features_.rows.size()) * (1 + per_row) +
           static_cast<double>(n_features_ * targets_.n_columns());
  }

 private:
  class Lists : public Reader {
   public:
    explicit Lists(const IndicatorRows& rows) : rows_(rows), counter_(rows.in_rows_, rows.weights()) {}

    const FeatureTable& table(std::size_t f) override {
      const Indicators& features = rows_.features_;
      const int variable = static_cast<int>(f);
      table_.clear();
      for (int c = features.begin(variable); c < features.end(variable); ++c) {
        counter_.count(features.rows_begin(c), features.rows_end(c), table_.column, table_.count);
        table_.end_level(features.count(c));
      }
      table_.reference = table_.n_levels();
      table_.end_level(features.reference(variable));
      return table_;
    }

   private:
    const IndicatorRows& rows_;
    TargetCounter counter_;
    FeatureTable table_;
  };

  const int* weights() const { return features_.weights.empty() ? nullptr : features_.weights.data(); }

  const Indicators &features_, &indicators_;
  std::size_t n_features_;
  TargetColumns targets_;
  mutable std::once_flag listed_;  // in_rows_, for the first reader
  mutable CountableTargets in_rows_;
};

}  // namespace mlsift

#endif
