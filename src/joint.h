#ifndef MLSIFT_SRC_JOINT_H
#define MLSIFT_SRC_JOINT_H

#include "chunks.h"
#include "counted.h"

#include <mlsift/count/joint/rows_elsewhere.h>
#include <mlsift/count/joint/rows_in_chunks.h>
#include <mlsift/count/joint/rows_in_memory.h>

#include <memory>
#include <utility>

// Counted rows whose features can be counted together: see counted.h. Tables come with `open`, as in RChunks, or with
// `ask`, and with `most_bytes`, the limit for the tables of one pass.

namespace mlsift_glue {

// Rows in chunks, with their reader.
class ChunkRows : private RChunks, public mlsift::RowsInChunks {
 public:
  ChunkRows(const Rcpp::List& rows, mlsift::CountTables first, const TableTargets& targets,
            const mlsift::Context& context)
      : RChunks(rows["open"], static_cast<int>(first.in_target.size())),
        mlsift::RowsInChunks(static_cast<RChunks&>(*this), std::move(first), targets.columns, targets.to, context,
                             static_cast<std::size_t>(Rcpp::as<double>(rows["most_bytes"]))) {}
};

// ask(s, labels): list(feature, count), the number of rows that have ones in `feature` and in s, numbered from 1; with
// `labels` also list(.., triple = list(feature, label, count)).
inline mlsift::OnesElsewhere::Ask ask_r(Rcpp::Function ask) {
  return [ask](int s, bool labels, const mlsift::OnesElsewhere::TakePair& pair,
               const mlsift::OnesElsewhere::TakeTriple& triple) {
    const Rcpp::RObject told = ask(s + 1, labels);
    if (says_interrupted(told)) throw mlsift::Interrupted();
    const Rcpp::List found(told);
    const Rcpp::IntegerVector feature = found["feature"];
    const Rcpp::NumericVector count = found["count"];
    for (R_xlen_t i = 0; i < feature.size(); ++i) pair(feature[i] - 1, static_cast<std::int64_t>(count[i]));
    if (!labels) return;
    const Rcpp::List triples = found["triple"];
    const Rcpp::IntegerVector f = triples["feature"], l = triples["label"];
    const Rcpp::NumericVector rows = triples["count"];
    for (R_xlen_t i = 0; i < f.size(); ++i) triple(f[i] - 1, l[i] - 1, static_cast<std::int64_t>(rows[i]));
  };
}

// `with_targets`: as in rows_in_memory().
inline std::unique_ptr<mlsift::JointRows> joint_rows(const Rcpp::List& rows, mlsift::WithTargets with_targets,
                                                     const mlsift::Context& context) {
  if (!are_tables(rows)) return rows_of(features_in(rows), rows["y"], weights_in(rows), with_targets, context);
  const TableTargets targets = varying_table_targets(rows);
  mlsift::CountTables first = counts_from_r(rows);
  if (has(rows, "open")) return std::make_unique<ChunkRows>(rows, std::move(first), targets, context);
  const Rcpp::Function ask = rows["ask"];
  return std::make_unique<mlsift::OnesElsewhere>(ask_r(ask), std::move(first), targets.columns, targets.to,
                                                 static_cast<std::size_t>(Rcpp::as<double>(rows["most_bytes"])));
}

}  // namespace mlsift_glue

#endif
