#pragma once

#include <string>
#include <vector>

#include "../core/kept_vectors.h"
#include "../core/step_scores.h"
#include "../count/informations.h"

namespace mlsift {

/// A greedy criterion of informations: J(f | S), the score of feature f given the set S of those added so far.
///
/// A new one has score(), update() and needs_targets(). What it keeps between steps are vectors from keep().
class GreedyCriterion : public StepScores {
 public:
  /// For how many features tables with targets are needed after the first step: how Informations is to be made.
  virtual WithTargets needs_targets() const = 0;

 protected:
  /// J(f | S).
  virtual double score(int f) const = 0;

  /// Updates the state with s, which is not yet in S.
  virtual void update(int s) = 0;

  /// Called first, with S empty or that of an earlier run.
  virtual void begin() {}

  /// A number for each feature, part of the state: `initial` until update() changes it.
  std::vector<double>& keep(const std::string& name, double initial = 0) { return kept_.keep(name, initial); }

  Informations& data() const { return *data_; }
  int size() const { return static_cast<int>(kept_.selected.size()); }  ///< of S
  int selected(int i) const { return static_cast<int>(kept_.selected[static_cast<std::size_t>(i)]); }

  // What follows is for the driver. See StepScores for faster ways to the same scores.
 public:
  /// scores[i] = J(candidates[i] | S).
  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    scores.clear();
    for (const int f : candidates) scores.push_back(score(f));
  }

  /// Called first. `state`: of an earlier run, or empty.
  void start(Informations& data, const GreedyState& state) {
    data_ = &data;
    kept_.start(state, data.size());
    begin();
  }

  void add(int s) final {
    update(s);
    kept_.selected.push_back(s);
  }

  GreedyState state() const { return kept_.state(); }

  GreedyCriterion() = default;
  GreedyCriterion(const GreedyCriterion&) = delete;
  GreedyCriterion& operator=(const GreedyCriterion&) = delete;

 private:
  Informations* data_ = nullptr;
  KeptVectors kept_;
};

}  // namespace mlsift
