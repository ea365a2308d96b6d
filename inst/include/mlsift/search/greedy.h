#ifndef MLSIFT_SEARCH_GREEDY_H
#define MLSIFT_SEARCH_GREEDY_H

#include <chrono>
#include <functional>
#include <limits>
#include <vector>

#include "../core/leaders.h"
#include "../core/parallel.h"

namespace mlsift {

struct GreedyStep {
  int feature = -1;
  double score = 0;
  int runner_up = -1;  ///< -1: there was no other candidate
  double runner_up_score = 0;
};

struct GreedyOptions {
  int k = 0;                   ///< how many features in all, those to begin with included
  std::vector<int> begin;      ///< features that are selected before the first step, in this order
  std::vector<char> excluded;  ///< by feature: never to be selected
  double min_gain = -std::numeric_limits<double>::infinity();  ///< stop before the first feature that scores below
  double max_seconds = std::numeric_limits<double>::infinity();
  std::function<bool(const GreedyStep&)>
      accepts;              ///< a criterion's own: whether this step is worth taking; empty: always
  bool score_rest = false;  ///< whether to score in the end what is left
};

enum class GreedyEnd { complete, min_gain, max_seconds, interrupted };

struct GreedyPath {
  std::vector<GreedyStep> steps;
  GreedyEnd end = GreedyEnd::complete;
  std::vector<double> rest;  ///< by feature, with `score_rest`: its score in the end, NaN if selected or excluded
};

namespace detail {

template <class Criterion>
auto score_leading(Criterion& criterion, const std::vector<int>& candidates, std::vector<double>& scores, int)
    -> decltype(criterion.leading(candidates, scores)) {
  criterion.leading(candidates, scores);
}

template <class Criterion>
void score_leading(Criterion& criterion, const std::vector<int>& candidates, std::vector<double>& scores, long) {
  criterion.scores(candidates, scores);
}

template <class Criterion>
auto find_leaders(Criterion& criterion, const std::vector<char>& taken, Leaders& leaders, int)
    -> decltype(criterion.leaders(taken, leaders)) {
  return criterion.leaders(taken, leaders);
}

template <class Criterion>
bool find_leaders(Criterion&, const std::vector<char>&, Leaders&, long) {
  return false;
}

}  // namespace detail

/// The greedy driver: adds the feature of the best score, equal scores to the lowest column, until there are k.
///
/// A criterion has `scores(candidates, scores)`, which gives the score of each candidate (ascending) given what was
/// added, and `add(s)`, which takes the newest feature into account. Both may be interrupted. It may have
/// `leading(candidates, scores)`, which need only give the scores of the best two, and for the others a number that
/// does not come before theirs. It may have `leaders(taken, leaders)`, which offers all candidates to `leaders` itself,
/// or those that may be among the best two, and returns whether it did so.
/// `resumed`: the criterion has seen the features of `begin` already.
template <class Criterion>
GreedyPath greedy(Criterion& criterion, std::size_t d, const GreedyOptions& options, const Context& context,
                  bool resumed = false) {
  using clock = std::chrono::steady_clock;
  const auto started = clock::now();
  Poll poll(context);
  GreedyPath path;
  std::vector<char> taken = options.excluded;
  taken.resize(d, 0);
  int selected = 0;
  std::vector<int> candidates;
  std::vector<double> scores;
  const auto score_candidates = [&](auto score) {
    candidates.clear();
    for (std::size_t f = 0; f < d; ++f) {
      if (!taken[f]) candidates.push_back(static_cast<int>(f));
    }
    if (!candidates.empty()) score();
  };
  try {
    for (const int s : options.begin) {
      taken[static_cast<std::size_t>(s)] = 1;
      ++selected;
      if (!resumed) criterion.add(s);
    }
    while (selected < options.k) {
      Leaders leaders;
      if (!detail::find_leaders(criterion, taken, leaders, 0)) {
        score_candidates([&] { detail::score_leading(criterion, candidates, scores, 0); });
        for (std::size_t i = 0; i < candidates.size(); ++i) leaders.offer(candidates[i], scores[i]);
      }
      const GreedyStep step{leaders.best, leaders.score, leaders.runner_up, leaders.runner_up_score};
      if (step.feature < 0) break;
      if (step.score < options.min_gain || (options.accepts && !options.accepts(step))) {
        path.end = GreedyEnd::min_gain;
        break;
      }
      path.steps.push_back(step);
      taken[static_cast<std::size_t>(step.feature)] = 1;
      ++selected;
      // The state takes in every selected feature, the last one too, so that a later run can go on from it.
      criterion.add(step.feature);
      const std::chrono::duration<double> passed = clock::now() - started;
      if (selected < options.k && passed.count() > options.max_seconds) {
        path.end = GreedyEnd::max_seconds;
        break;
      }
      poll(static_cast<std::size_t>(selected), static_cast<std::size_t>(options.k));
    }
    if (options.score_rest) {
      score_candidates([&] { criterion.scores(candidates, scores); });
      path.rest.assign(d, std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; i < candidates.size(); ++i)
        path.rest[static_cast<std::size_t>(candidates[i])] = scores[i];
    }
  } catch (const Interrupted&) {
    path.end = GreedyEnd::interrupted;
  }
  return path;
}

}  // namespace mlsift

#endif
