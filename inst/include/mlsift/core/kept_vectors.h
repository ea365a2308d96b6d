#pragma once

#include <map>
#include <string>
#include <vector>

namespace mlsift {

/// Named vectors: what a criterion keeps between steps, which is all that a later run needs to resume.
using GreedyState = std::map<std::string, std::vector<double>>;

/// The vectors of a criterion, one number for each feature, and the features selected so far.
class KeptVectors {
 public:
  std::vector<double> selected;  ///< in the order of selection

  /// A new vector, `initial` for each feature. It stays where it is.
  std::vector<double>& keep(const std::string& name, double initial) {
    Kept& kept = kept_[name];
    kept.initial = initial;
    return kept.values;
  }

  /// Takes the values of `state` or, if it is empty, the initial ones.
  void start(const GreedyState& state, std::size_t n_features) {
    for (auto& [name, kept] : kept_) {
      if (state.empty()) {
        kept.values.assign(n_features, kept.initial);
      } else {
        kept.values = state.at(name);
      }
    }
    selected = state.empty() ? std::vector<double>() : state.at("selected");
  }

  GreedyState state() const {
    GreedyState result{{"n_selected", {static_cast<double>(selected.size())}}, {"selected", selected}};
    for (const auto& [name, kept] : kept_) result[name] = kept.values;
    return result;
  }

 private:
  struct Kept {
    double initial = 0;
    std::vector<double> values;
  };

  std::map<std::string, Kept> kept_;
};

}  // namespace mlsift
