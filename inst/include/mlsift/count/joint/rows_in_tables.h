#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../count_tables.h"
#include "../counted_rows.h"

namespace mlsift {

/// The target columns to which each column of a table of counts is added: none, one or several.
using ColumnMap = std::vector<std::vector<int>>;

/// Reads tables of counts, which the caller keeps. `to`: by column of the tables; `targets`: the columns that they
/// become.
class TableReader : public CountedRows::Reader {
 public:
  TableReader(const CountTables& tables, const ColumnMap& to, const TargetColumns& targets)
      : tables_(tables), to_(to), targets_(targets), sum_(targets.n_columns(), 0) {}

  const FeatureTable& table(std::size_t f) override {
    const std::size_t implied = tables_.slot[f] + static_cast<std::size_t>(tables_.levels[f].implied);
    table_.clear();
    table_.reference = -1;
    for (std::size_t v = tables_.slot[f]; v < tables_.slot[f + 1]; ++v) {
      if (tables_.in_level[v] == 0) continue;
      if (v == implied) table_.reference = table_.n_levels();
      if (v != implied) add_cells(v);
      table_.end_level(tables_.in_level[v]);
    }
    // Without rows of the implied level every level has its cells; those of the most frequent one are dropped.
    if (table_.reference < 0) {
      table_.rows.push_back(0);
      table_.cell.push_back(table_.column.size());
      table_.reference = table_.n_levels() - 1;
    }
    table_.choose_reference(targets_.count);
    if (table_.rows.back() == 0) {
      table_.rows.pop_back();
      table_.cell.pop_back();
    }
    return table_;
  }

 private:
  void add_cells(std::size_t v) {
    touched_.clear();
    for (std::size_t c = tables_.cell[v]; c < tables_.cell[v + 1]; ++c) {
      for (const int j : to_[static_cast<std::size_t>(tables_.target[c])]) {
        std::int64_t& sum = sum_[static_cast<std::size_t>(j)];
        if (sum == 0) touched_.push_back(j);
        sum += tables_.count[c];
      }
    }
    std::sort(touched_.begin(), touched_.end());
    for (const int j : touched_) {
      table_.add(j, sum_[static_cast<std::size_t>(j)]);
      sum_[static_cast<std::size_t>(j)] = 0;
    }
  }

  const CountTables& tables_;
  const ColumnMap& to_;
  const TargetColumns& targets_;
  FeatureTable table_;
  std::vector<std::int64_t> sum_;
  std::vector<int> touched_;
};

/// Elementary steps of reading all of them.
inline double table_work(const CountTables& tables, const TargetColumns& targets) {
  return 8 * static_cast<double>(tables.count.size() + tables.in_level.size()) +
         static_cast<double>(tables.size() * targets.n_columns());
}

/// Rows that were counted before: tables of counts as they are, or with other target columns.
class RowsInTables : public CountedRows {
 public:
  /// As in TableReader.
  RowsInTables(CountTables tables, ColumnMap to, TargetColumns targets)
      : tables_(std::move(tables)), to_(std::move(to)), targets_(std::move(targets)) {}

  std::size_t size() const override { return tables_.size(); }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<TableReader>(tables_, to_, targets_); }
  double work() const override { return table_work(tables_, targets_); }

 private:
  CountTables tables_;
  ColumnMap to_;
  TargetColumns targets_;
};

}  // namespace mlsift
