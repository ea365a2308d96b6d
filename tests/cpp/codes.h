#ifndef MLSIFT_TESTS_CODES_H
#define MLSIFT_TESTS_CODES_H

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <mlsift/count/joint/rows_in_memory.h>

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

inline std::unique_ptr<mlsift::JointRows> rows_of(const Codes& features, const Codes& targets, bool joint,
                                                  const mlsift::Context& context, const int* weights = nullptr) {
  return mlsift::rows_in_memory(mlsift::indicators_of(features_of(features), weights),
                                mlsift::varying_indicators_of(features_of(targets), weights),
                                joint ? mlsift::WithTargets::all : mlsift::WithTargets::none, context);
}

// The rows repeated as often as their weights say.
inline Codes repeated(const Codes& codes, const std::vector<int>& weights) {
  Codes result;
  for (const auto& code : codes) {
    result.emplace_back();
    for (std::size_t i = 0; i < code.size(); ++i)
      result.back().insert(result.back().end(), static_cast<std::size_t>(weights[i]), code[i]);
  }
  return result;
}

#endif
