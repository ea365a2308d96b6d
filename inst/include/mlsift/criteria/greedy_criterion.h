#ifndef MLSIFT_CRITERIA_GREEDY_CRITERION_H
#define MLSIFT_CRITERIA_GREEDY_CRITERION_H

#include <algorithm>
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
/// driver asks for the scores of many candidates at once; a criterion for which that is cheaper overrides scores(), and
/// one that need not score all of them to find the best overrides leading().
class GreedyCriterion {
 public:
  GreedyCriterion() = default;
  GreedyCriterion(const GreedyCriterion&) = delete;
  GreedyCriterion& operator=(const GreedyCriterion&) = delete;
  virtual ~GreedyCriterion() = default;

  /// Whether features are counted together with targets after the first step: how Informations is to be made.
  virtual bool needs_targets() const = 0;

  /// Whether start() can go on from a state: one of an earlier version may lack a part.
  bool resumes(const GreedyState& state) const {
    return state.count("selected") > 0 &&
           std::all_of(kept_.begin(), kept_.end(), [&](const auto& kept) { return state.count(kept.first) > 0; });
  }

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
    selected_ = state.empty() ? std::vector<double>() : state.at("selected");
    begin();
  }

  void add(int s) {
    update(s);
    selected_.push_back(s);
  }

  /// scores[i] = J(candidates[i] | S).
  virtual void scores(const std::vector<int>& candidates, std::vector<double>& scores) {
    scores.clear();
    for (const int f : candidates) scores.push_back(score(f));
  }

  /// The same for the two candidates that score best (equal scores to the lowest column), and for the others a number
  /// that does not come before theirs.
  virtual void leading(const std::vector<int>& candidates, std::vector<double>& scores) {
    this->scores(candidates, scores);
  }

  GreedyState state() const {
    GreedyState result{{"n_selected", {static_cast<double>(size())}}, {"selected", selected_}};
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
  int size() const { return static_cast<int>(selected_.size()); }  ///< of S
  int selected(int i) const { return static_cast<int>(selected_[static_cast<std::size_t>(i)]); }

 private:
  struct Kept {
    double initial = 0;
    std::vector<double> values;
  };

  Informations* data_ = nullptr;
  std::map<std::string, Kept> kept_;
  std::vector<double> selected_;  // S, in the order of selection
};

}  // namespace mlsift

#endif
