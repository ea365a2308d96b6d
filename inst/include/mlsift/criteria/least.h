#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "greedy_criterion.h"

namespace mlsift {

/// Criteria that are the least of some terms:
///
///   J(f|S) = min over s in S of term(f, s),    with S empty first(f)
///
/// A minimum over some of S can only fall when the rest of S is taken in, so it is an upper bound of the score. The two
/// best candidates of a step are found from the largest bound down, and most candidates need no update. The result is
/// the same as if all of them were updated at every step.
///
/// A new one has two functions: first() and terms(). It says whether first(f) is one of the terms.
class Least : public GreedyCriterion {
 public:
  WithTargets needs_targets() const override { return WithTargets::few; }

  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    bring_all();
    GreedyCriterion::scores(candidates, scores);
  }

  void leading(const std::vector<int>& candidates, std::vector<double>& scores) override {
    if (data().cost_of_one() >= 1) {
      bring_all();
    } else if (size() > 0) {
      bring_leading(candidates);
    }
    GreedyCriterion::scores(candidates, scores);
  }

 protected:
  explicit Least(bool first_is_a_term) : first_is_a_term_(first_is_a_term) {}

  /// first[f] for every feature.
  virtual void first(std::vector<double>& first) = 0;

  /// terms[f] = term(f, s) for feature `only`, or for all: see Informations.
  virtual void terms(int s, std::vector<double>& terms, int only) = 0;

  double score(int f) const override {
    const std::size_t i = static_cast<std::size_t>(f);
    return size() == 0 ? first_[i] : least_[i];
  }

  void begin() override {
    if (size() > 0) return;
    first(first_);
    if (first_is_a_term_) least_ = first_;
  }

  void update(int) override {}

 private:
  // Brings every feature up to date.
  void bring_all() {
    if (size() == 0) return;
    for (int i = all_seen(); i < size(); ++i) {
      terms(selected(i), terms_, Informations::all_features);
      for (std::size_t f = 0; f < least_.size(); ++f) {
        least_[f] = std::min(least_[f], terms_[f]);
        seen_[f] = std::max(seen_[f], static_cast<double>(i + 1));
      }
    }
  }

  // How many features of S are included in the bounds of all features.
  int all_seen() const { return static_cast<int>(*std::min_element(seen_.begin(), seen_.end())); }

  // Brings candidates up to date, the largest bound first (of equal ones the lowest column), until two are. Once all
  // that were taken one by one have cost as much as all features together would, brings all features up to date.
  void bring_leading(const std::vector<int>& candidates) {
    const int all = all_seen();
    const double behind = size() - all, one = data().cost_of_one();
    double spent = 0;
    for (const double seen : seen_) spent += one * (seen - all);
    bounds_.clear();
    for (const int f : candidates) bounds_.emplace_back(least_[static_cast<std::size_t>(f)], -f);
    std::make_heap(bounds_.begin(), bounds_.end());
    for (int found = 0; found < 2 && !bounds_.empty();) {
      std::pop_heap(bounds_.begin(), bounds_.end());
      const int f = -bounds_.back().second;
      const std::size_t i = static_cast<std::size_t>(f);
      if (static_cast<int>(seen_[i]) == size()) {
        bounds_.pop_back();
        ++found;
        continue;
      }
      spent += one;
      if (spent > behind || least_[i] == std::numeric_limits<double>::infinity()) return bring_all();
      terms(selected(static_cast<int>(seen_[i])), terms_, f);
      least_[i] = std::min(least_[i], terms_[i]);
      ++seen_[i];
      bounds_.back().first = least_[i];
      std::push_heap(bounds_.begin(), bounds_.end());
    }
  }

  bool first_is_a_term_;
  std::vector<double>& least_ = keep("least", std::numeric_limits<double>::infinity());
  std::vector<double>& seen_ = keep("seen");  // how many of S are in `least`, in the order of selection
  std::vector<double> first_, terms_;
  std::vector<std::pair<double, int>> bounds_;  // of candidates that may lead: largest first, then lowest column
};

}  // namespace mlsift
