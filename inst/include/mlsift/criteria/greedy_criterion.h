#ifndef MLSIFT_CRITERIA_GREEDY_CRITERION_H
#define MLSIFT_CRITERIA_GREEDY_CRITERION_H

#include <map>
#include <string>
#include <vector>

#include "../count/informations.h"

namespace mlsift {

/// Vectors by their names: what a criterion keeps between steps, which is all that a later run needs to go on.
using GreedyState = std::map<std::string, std::vector<double>>;

/// A greedy criterion of informations: J(f | S), the score of feature f given the set S of those added so far.
///
/// A new one states whether it needs counts with targets, declares with keep() a number for each feature that it keeps
/// between steps, and has two functions: score(f), and update(s), which takes the newest feature s into account. The
/// driver asks for the scores of many candidates at once; a criterion for which that is cheaper overrides scores().
class GreedyCriterion {
 public:
  GreedyCriterion() = default;
  GreedyCriterion(const GreedyCriterion&) = delete;
  GreedyCriterion& operator=(const GreedyCriterion&) = delete;
  virtual ~GreedyCriterion() = default;

  /// Whether features are counted together with targets after the first step: how Informations is to be made.
  virtual bool needs_targets() const = 0;

  /// Comes before all else. `state`: of an earlier run, or empty.
  void start(Informations& data, const GreedyState& state) {
    data_ = &data;
    for (auto& [name, kept] : kept_) {
      if (state.empty()) {
        kept.values.assign(data.size(), kept.initial);
      } else {
        kept.values = state.at(name);
      }
    }
    n_selected_ = state.empty() ? 0 : static_cast<int>(state.at("n_selected").at(0));
    begin();
  }

  void add(int s) {
    update(s);
    ++n_selected_;
  }

  /// scores[i] = J(candidates[i] | S).
  virtual void scores(const std::vector<int>& candidates, std::vector<double>& scores) {
    scores.clear();
    for (const int f : candidates) scores.push_back(score(f));
  }

  GreedyState state() const {
    GreedyState result{{"n_selected", {static_cast<double>(n_selected_)}}};
    for (const auto& [name, kept] : kept_) result[name] = kept.values;
    return result;
  }

 protected:
  virtual double score(int f) const = 0;
  virtual void update(int s) = 0;
  virtual void begin() {}

  /// A number for each feature, part of the state: `initial` until update() changes it.
  std::vector<double>& keep(const std::string& name, double initial = 0) {
    Kept& kept = kept_[name];
    kept.initial = initial;
    return kept.values;
  }

  Informations& data() const { return *data_; }
  int size() const { return n_selected_; }  ///< of S

 private:
  struct Kept {
    double initial = 0;
    std::vector<double> values;
  };

  Informations* data_ = nullptr;
  std::map<std::string, Kept> kept_;
  int n_selected_ = 0;
};

}  // namespace mlsift

#endif
