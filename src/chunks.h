#ifndef MLSIFT_SRC_CHUNKS_H
#define MLSIFT_SRC_CHUNKS_H

#include "convert.h"

#include <mlsift/count/rows_in_chunks.h>

namespace mlsift_glue {

// Whether an R function that was asked for rows or counts says, by FALSE, that it was interrupted.
inline bool says_interrupted(SEXP answer) { return Rf_isLogical(answer); }

// `open`: an R function that starts a pass; what it returns gives list(x, y) for each chunk, and NULL at the end.
class RChunks : public mlsift::ChunkReader {
 public:
  explicit RChunks(const Rcpp::Function& open) : open_(open) {}

  void pass(const Take& take) override {
    const Rcpp::Function next = open_();
    while (true) {
      const SEXP chunk = next();
      if (Rf_isNull(chunk)) return;
      if (says_interrupted(chunk)) throw mlsift::Interrupted();
      const Rcpp::List parts(chunk);
      const SEXP x = parts["x"], y = parts["y"];
      take(mlsift_glue::features_of(x), mlsift_glue::all_labels(y));
    }
  }

 private:
  Rcpp::Function open_;
};

}  // namespace mlsift_glue

#endif
