#ifndef MLSIFT_COUNT_INDICATOR_ROWS_H
#define MLSIFT_COUNT_INDICATOR_ROWS_H

#include <cstddef>
#include <cstdint>
#include <memory>
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
      : features_(features),
        n_features_(n_features),
        by_row_(targets_by_row(targets)),
        weights_(features.weights.empty() ? nullptr : features.weights.data()),
        targets_(target_columns(features.n(), targets.first, targets.unknown, counts_of_classes(by_row_, weights_))),
        bits_(by_row_, by_row_.few_words() ? static_cast<double>(features.rows.size()) : 0) {}

  std::size_t size() const override { return n_features_; }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Lists>(*this); }

  double work() const override {
    const double per_row = static_cast<double>(by_row_.ids.size()) / static_cast<double>(features_.n_rows);
    return static_cast<double>(features_.rows.size()) * (1 + per_row) +
           static_cast<double>(n_features_ * targets_.n_columns());
  }

 private:
  class Lists : public Reader {
   public:
    explicit Lists(const IndicatorRows& rows) : rows_(rows), counter_(rows.by_row_, rows.bits_, rows.weights_) {}

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

  const Indicators& features_;
  std::size_t n_features_;
  Targets by_row_;
  const int* weights_;
  TargetColumns targets_;
  TargetBits bits_;
};

}  // namespace mlsift

#endif
