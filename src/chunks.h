#ifndef MLSIFT_SRC_CHUNKS_H
#define MLSIFT_SRC_CHUNKS_H

#include "convert.h"

#include <mlsift/count/joint/rows_in_chunks.h>

namespace mlsift_glue {

// Whether an R function asked for rows or counts returned FALSE because it was interrupted.
inline bool says_interrupted(SEXP answer) { return Rf_isLogical(answer); }

// The target columns of each row: those of `y`, and behind them, where there are `n_columns`, the rows in which each of
// them is not known. `unknown`: the pattern of these, or NULL.
inline mlsift::Targets chunk_targets(SEXP y, SEXP unknown, int n_columns) {
  mlsift::Targets targets = all_labels(y);
  if (!Rf_isNull(unknown)) {
    targets = mlsift::with_unknown(targets, all_labels(unknown));
    n_columns = targets.n_classes;
  }
  targets.n_classes = n_columns;
  targets.count.resize(static_cast<std::size_t>(n_columns), 0);
  return targets;
}

// A list(x, y, weights, unknown) as the core takes it; the last two may be missing.
inline mlsift::Chunk chunk_of(const Rcpp::List& parts, int n_columns) {
  return {features_of(part(parts, "x")), chunk_targets(part(parts, "y"), part(parts, "unknown"), n_columns),
          weights_of(part(parts, "weights")), categories_of(part(parts, "x"))};
}

// `open`: an R function that starts a pass; what it returns gives a list as for chunk_of() for each chunk, and NULL at
// the end. `n_columns`: of the targets, see chunk_targets().
class RChunks : public mlsift::ChunkReader {
 public:
  RChunks(const Rcpp::Function& open, int n_columns) : open_(open), n_columns_(n_columns) {}

  void pass(const Take& take) override {
    const Rcpp::Function next = open_();
    while (true) {
      const Rcpp::RObject chunk = next();
      if (chunk.isNULL()) return;
      if (says_interrupted(chunk)) throw mlsift::Interrupted();
      take(chunk_of(Rcpp::List(chunk), n_columns_));
    }
  }

 private:
  Rcpp::Function open_;
  int n_columns_;
};

}  // namespace mlsift_glue

#endif
