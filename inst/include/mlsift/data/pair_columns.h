#pragma once

#include <cmath>
#include <cstddef>

#include "targets.h"

namespace mlsift {

/// Pairs of labels l <= m as target columns; (l, l) is label l alone. Columns do not depend on how many labels there
/// are, so tables of more labels have further columns only.
inline std::size_t pair_column(std::size_t l, std::size_t m) { return m * (m + 1) / 2 + l; }

inline std::size_t n_pair_columns(std::size_t n_labels) { return pair_column(0, n_labels); }

/// Of how many labels these are the columns.
inline std::size_t labels_in_pairs(std::size_t n_columns) {
  return static_cast<std::size_t>(std::sqrt(2 * static_cast<double>(n_columns)));
}

/// The pairs of labels that each row has.
inline Targets pairs_of(const Targets& labels) {
  TargetsBuilder builder(static_cast<int>(n_pair_columns(static_cast<std::size_t>(labels.n_classes))));
  for (std::size_t i = 0; i < labels.n_rows(); ++i) {
    for (const int* m = labels.begin(i); m != labels.end(i); ++m) {
      for (const int* l = labels.begin(i); l <= m; ++l) {
        builder.emit(static_cast<int>(pair_column(static_cast<std::size_t>(*l), static_cast<std::size_t>(*m))));
      }
    }
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace mlsift
