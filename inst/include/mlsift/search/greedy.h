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

/// Features that are taken together, and a budget. Once one feature of a unit is selected, the others of it follow
/// before anything else. A unit whose cost no longer fits is passed over; the path ends before a unit for which `k` has
/// no room. `size` and `cost` are those of the whole unit, also of features that the criterion never sees.
struct GreedyUnits {
  std::vector<int> unit;     ///< by feature; empty: every feature is on its own, and there is no budget
  std::vector<int> size;     ///< by unit: its features
  std::vector<double> cost;  ///< by unit
  double max_cost = std::numeric_limits<double>::infinity();
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
  GreedyUnits units;
};

/// `no_room`: the best unit has more features than `k` has room for.
enum class GreedyEnd { complete, min_gain, max_seconds, interrupted, no_room };

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
auto among_zeros(const Criterion& criterion, int) -> decltype(criterion.among_zeros()) {
  return criterion.among_zeros();
}

template <class Criterion>
const std::vector<double>* among_zeros(const Criterion&, long) {
  return nullptr;
}

template <class Criterion>
bool find_leaders(Criterion&, const std::vector<char>&, Leaders&, long) {
  return false;
}

/// What the features selected so far leave of `GreedyUnits`.
class UnitsLeft {
 public:
  UnitsLeft(const GreedyUnits& units, const std::vector<char>& excluded) : units_(units) {
    if (units.unit.empty()) return;
    begun_.resize(units.size.size(), 0);
    waiting_.resize(units.size.size(), 0);
    for (std::size_t f = 0; f < units.unit.size(); ++f) waiting_[of(f)] += excluded[f] ? 0 : 1;
  }

  bool grouped() const { return !units_.unit.empty(); }
  /// Places that the selected units take, with `n` features selected.
  int places(int n) const { return grouped() ? places_ : n; }
  /// Whether a unit is begun and not complete.
  bool pending() const { return open_ >= 0; }
  bool is_candidate(std::size_t f) const {
    if (!grouped()) return true;
    return pending() ? units_.unit[f] == open_ : spent_ + units_.cost[of(f)] <= units_.max_cost;
  }
  bool has_room(std::size_t f, int k) const { return !grouped() || pending() || places_ + units_.size[of(f)] <= k; }
  void take(std::size_t f) {
    if (!grouped()) return;
    const std::size_t u = of(f);
    if (!begun_[u]) {
      begun_[u] = 1;
      places_ += units_.size[u];
      spent_ += units_.cost[u];
    }
    --waiting_[u];
    open_ = -1;
    if (waiting_[u] > 0) open_ = static_cast<int>(u);
  }
  /// Units that an earlier run left incomplete.
  void reopen() {
    for (std::size_t u = 0; u < begun_.size(); ++u) {
      if (begun_[u] && waiting_[u] > 0) open_ = static_cast<int>(u);
    }
  }

 private:
  std::size_t of(std::size_t f) const { return static_cast<std::size_t>(units_.unit[f]); }

  const GreedyUnits& units_;
  std::vector<char> begun_;
  std::vector<int> waiting_;  ///< by unit: its features that can still be selected
  double spent_ = 0;
  int places_ = 0;
  int open_ = -1;
};

}  // namespace detail

/// The greedy driver: adds the feature of the best score, equal scores to the lowest column, until there are k.
///
/// A criterion has `scores(candidates, scores)`, which gives the score of each candidate (ascending) given what was
/// added, and `add(s)`, which takes the newest feature into account. Both may be interrupted. It may have
/// `leading(candidates, scores)`, which need only give the scores of the best two, and for the others a number that
/// does not come before theirs. It may have `leaders(taken, leaders)`, which offers all candidates to `leaders` itself,
/// or those that may be among the best two, and returns whether it did so. It is asked only where all features that are
/// not taken are candidates. It may have `among_zeros()`: by feature, what decides between those that score 0, before
/// the column does; null: nothing. A feature that follows another one of its unit is not held to `min_gain` and
/// `accepts`. `resumed`: the criterion has seen the features of `begin` already.
template <class Criterion>
GreedyPath greedy(Criterion& criterion, std::size_t d, const GreedyOptions& options, const Context& context,
                  bool resumed = false) {
  using clock = std::chrono::steady_clock;
  const auto started = clock::now();
  Poll poll(context);
  GreedyPath path;
  std::vector<char> taken = options.excluded;
  taken.resize(d, 0);
  detail::UnitsLeft units(options.units, taken);
  int selected = 0;
  std::vector<int> candidates;
  std::vector<double> scores;
  const auto score_candidates = [&](auto score, auto is_candidate) {
    candidates.clear();
    for (std::size_t f = 0; f < d; ++f) {
      if (!taken[f] && is_candidate(f)) candidates.push_back(static_cast<int>(f));
    }
    if (!candidates.empty()) score();
  };
  try {
    for (const int s : options.begin) {
      taken[static_cast<std::size_t>(s)] = 1;
      ++selected;
      units.take(static_cast<std::size_t>(s));
      if (!resumed) criterion.add(s);
    }
    units.reopen();
    while (units.pending() || units.places(selected) < options.k) {
      Leaders leaders;
      if (units.grouped() || !detail::find_leaders(criterion, taken, leaders, 0)) {
        score_candidates([&] { detail::score_leading(criterion, candidates, scores, 0); },
                         [&](std::size_t f) { return units.is_candidate(f); });
        if (const std::vector<double>* const second = detail::among_zeros(criterion, 0)) {
          for (std::size_t i = 0; i < candidates.size(); ++i) {
            const double its_second = scores[i] == 0 ? (*second)[static_cast<std::size_t>(candidates[i])] : 0;
            leaders.offer(candidates[i], scores[i], its_second);
          }
        } else {
          for (std::size_t i = 0; i < candidates.size(); ++i) leaders.offer(candidates[i], scores[i]);
        }
      }
      const GreedyStep step{leaders.best, leaders.score, leaders.runner_up, leaders.runner_up_score};
      if (step.feature < 0) break;
      const bool follows = units.pending();
      if (!follows && (step.score < options.min_gain || (options.accepts && !options.accepts(step)))) {
        path.end = GreedyEnd::min_gain;
        break;
      }
      if (!units.has_room(static_cast<std::size_t>(step.feature), options.k)) {
        path.end = GreedyEnd::no_room;
        break;
      }
      path.steps.push_back(step);
      units.take(static_cast<std::size_t>(step.feature));
      taken[static_cast<std::size_t>(step.feature)] = 1;
      ++selected;
      // The state takes in every selected feature, the last one too, so that a later run can go on from it.
      criterion.add(step.feature);
      const std::chrono::duration<double> passed = clock::now() - started;
      if (!units.pending() && units.places(selected) < options.k && passed.count() > options.max_seconds) {
        path.end = GreedyEnd::max_seconds;
        break;
      }
      poll(static_cast<std::size_t>(selected), static_cast<std::size_t>(options.k));
    }
    if (options.score_rest) {
      score_candidates([&] { criterion.scores(candidates, scores); }, [](std::size_t) { return true; });
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
