#ifndef MLSIFT_TESTS_CODES_H
#define MLSIFT_TESTS_CODES_H

#include <vector>

#include <mlsift/data/column.h>

using Codes = std::vector<std::vector<int>>;  // by variable

inline mlsift::Features features_of(const Codes& codes) {
  mlsift::Features features;
  features.n_rows = codes.empty() ? 0 : codes[0].size();
  for (const auto& code : codes) {
    features.columns.emplace_back();
    features.columns.back().ints = code.data();
  }
  return features;
}

#endif
