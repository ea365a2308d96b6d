#pragma once

#include <cstddef>
#include <memory>

#include "feature_table.h"
#include "target_columns.h"

namespace mlsift {

/// The rows of a task or of a source under given cuts. All counts come from here. Callers need not know whether the
/// rows are in memory, in chunks, in a database or were counted elsewhere, nor whether they have weights.
///
/// RowsInColumns   rows in memory, each feature counted with the targets when it is asked for
/// RowsInTables    tables of counts, which may have been added up
/// JointRows    and those that can also count features together, for greedy criteria
class CountedRows {
 public:
  /// Gives the table of one feature at a time, valid until the next one is requested. One for each thread.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual const FeatureTable& table(std::size_t f) = 0;
  };

  virtual ~CountedRows() = default;

  virtual std::size_t size() const = 0;  ///< how many features
  virtual const TargetColumns& targets() const = 0;
  virtual std::unique_ptr<Reader> reader() const = 0;
  virtual double work() const = 0;  ///< elementary steps of reading all tables
};

}  // namespace mlsift
