#ifndef MLSIFT_COUNT_TABLE_ROWS_H
#define MLSIFT_COUNT_TABLE_ROWS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "count_tables.h"
#include "counted_rows.h"

namespace mlsift {

/// Which target columns the columns of a table of counts become: none, one, or several that they are added to.
using ColumnMap = std::vector<std::vector<int>>;

/// Rows that were counted before: tables of counts as they are, or with other target columns.
class TableRows : public CountedRows {
 public:
  /// `to`: by column of the tables.
  TableRows(CountTables tables, ColumnMap to, TargetColumns targets)
      : tables_(std::move(tables)), to_(std::move(to)), targets_(std::move(targets)) {}

  std::size_t size() const override { return tables_.size(); }
  const TargetColumns& targets() const override { return targets_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Stored>(*this); }

  double work() const override {
    return 8 * static_cast<double>(tables_.count.size() + tables_.in_level.size()) +
           static_cast<double>(tables_.size() * targets_.n_columns());
  }

 private:
  class Stored : public Reader {
   public:
    explicit Stored(const TableRows& rows) : rows_(rows), sum_(rows.targets_.n_columns(), 0) {}

    const FeatureTable& table(std::size_t f) override {
      const CountTables& tables = rows_.tables_;
      const std::size_t implied = tables.slot[f] + static_cast<std::size_t>(tables.levels[f].implied);
      table_.clear();
      table_.reference = -1;
      for (std::size_t v = tables.slot[f]; v < tables.slot[f + 1]; ++v) {
        if (tables.in_level[v] == 0) continue;
        if (v == implied) table_.reference = table_.n_levels();
        if (v != implied) add_cells(v);
        table_.end_level(tables.in_level[v]);
      }
      // Without rows of the implied level every level has its cells; those of the most frequent one are dropped.
      if (table_.reference < 0) {
        table_.rows.push_back(0);
        table_.cell.push_back(table_.column.size());
        table_.reference = table_.n_levels() - 1;
      }
      table_.choose_reference(rows_.targets_.count);
      if (table_.rows.back() == 0) {
        table_.rows.pop_back();
        table_.cell.pop_back();
      }
      return table_;
    }

   private:
    void add_cells(std::size_t v) {
      const CountTables& tables = rows_.tables_;
      touched_.clear();
      for (std::size_t c = tables.cell[v]; c < tables.cell[v + 1]; ++c) {
        for (const int j : rows_.to_[static_cast<std::size_t>(tables.target[c])]) {
          std::int64_t& sum = sum_[static_cast<std::size_t>(j)];
          if (sum == 0) touched_.push_back(j);
          sum += tables.count[c];
        }
      }
      std::sort(touched_.begin(), touched_.end());
      for (const int j : touched_) {
        table_.add(j, sum_[static_cast<std::size_t>(j)]);
        sum_[static_cast<std::size_t>(j)] = 0;
      }
    }

    const TableRows& rows_;
    FeatureTable table_;
    std::vector<std::int64_t> sum_;
    std::vector<int> touched_;
  };

  CountTables tables_;
  ColumnMap to_;
  TargetColumns targets_;
};

}  // namespace mlsift

#endif
