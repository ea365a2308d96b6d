#pragma once

#include "convert.h"

#include <mlsift/count/joint/rows_in_chunks.h>
#include <mlsift/data/pair_columns.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace mlsift_glue {

// Whether an R function asked for rows or counts returned FALSE because it was interrupted.
inline bool says_interrupted(SEXP answer) { return Rf_isLogical(answer); }

// How the target columns of rows are made of their labels or classes.
struct ChunkColumns {
  int n = 0;  // those of labels or classes, and where some are not known, of the rows in which each is not
  std::vector<int> paired{};  // the labels whose pairs are counted instead, see pair_column()

  ChunkColumns(int n_columns, SEXP pairs) : n(n_columns) {
    if (!Rf_isNull(pairs)) paired = from_zero(pairs);
  }

  std::size_t size() const {
    const std::size_t all = static_cast<std::size_t>(n);
    return paired.empty() ? all : mlsift::n_pair_columns(all);
  }

  // `unknown`: a pattern, or NULL.
  mlsift::Targets of(SEXP y, SEXP unknown) const {
    const auto labels = [this](SEXP x) { return paired.empty() ? all_labels(x) : targets_of(labels_of(x), paired); };
    mlsift::Targets targets = labels(y);
    if (!Rf_isNull(unknown)) targets = mlsift::with_unknown(targets, labels(unknown));
    targets.n_classes = std::max(targets.n_classes, n);
    targets.count.resize(static_cast<std::size_t>(targets.n_classes), 0);
    return paired.empty() ? targets : mlsift::pairs_of(targets);
  }
};

// A list(x, y, weights, unknown) as the core takes it; the last two may be missing.
inline mlsift::Chunk chunk_of(const Rcpp::List& parts, const ChunkColumns& columns) {
  return {features_of(part(parts, "x")), columns.of(part(parts, "y"), part(parts, "unknown")),
          weights_of(part(parts, "weights"))};
}

// `open`: an R function that starts a pass; what it returns gives a list as for chunk_of() for each chunk, and NULL at
// the end.
class RChunks : public mlsift::ChunkReader {
 public:
  RChunks(const Rcpp::Function& open, ChunkColumns columns) : open_(open), columns_(std::move(columns)) {}

  void pass(const Take& take) override {
    const Rcpp::Function next = open_();
    while (true) {
      const Rcpp::RObject chunk = next();
      if (chunk.isNULL()) return;
      if (says_interrupted(chunk)) throw mlsift::Interrupted();
      take(chunk_of(Rcpp::List(chunk), columns_));
    }
  }

 private:
  Rcpp::Function open_;
  ChunkColumns columns_;
};

}  // namespace mlsift_glue
