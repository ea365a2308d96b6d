#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "../core/parallel.h"
#include "../core/step_scores.h"
#include "units_left.h"

namespace mlsift {

struct GreedyStep {
  int feature = -1;
  double score = 0;
  int runner_up = -1;  ///< -1: there was no other candidate
  double runner_up_score = 0;
  bool scored = true;
};

struct GreedyOptions {
  int k = 0;                   ///< total number of features, including the initial ones
  std::vector<int> begin;      ///< features that are selected before the first step, in this order
  std::vector<char> excluded;  ///< by feature: never to be selected
  std::vector<int> unscored;   ///< features without a score, in increasing order: they come after all others
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
  std::vector<double> rest;  ///< by feature, with `score_rest`: its score in the end; NaN if selected or excluded
};

namespace detail {

/// One run of greedy().
class GreedyRun {
 public:
  GreedyRun(StepScores& criterion, std::size_t d, const GreedyOptions& options, const Context& context)
      : criterion_(criterion), options_(options), poll_(context), closed_(excluded(d)), barred_(closed_) {
    for (const int f : options.unscored) barred_[at(f)] = 1;
    n_scored_ = std::count(barred_.begin(), barred_.end(), 0);
  }

  GreedyPath run(bool resumed) {
    try {
      begin(resumed);
      while (has_places()) {
        const GreedyStep step = next();
        if (step.feature < 0 || !goes_on(step)) break;
        path_.steps.push_back(step);
        select(step.feature);
        // The state includes every selected feature, even the last one, so that a later run can resume from it.
        if (step.scored) criterion_.add(step.feature);
        if (is_late()) {
          path_.end = GreedyEnd::max_seconds;
          break;
        }
        poll_(static_cast<std::size_t>(n_selected_), static_cast<std::size_t>(options_.k));
      }
      if (options_.score_rest) score_rest();
    } catch (const Interrupted&) {
      path_.end = GreedyEnd::interrupted;
    }
    return path_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::size_t at(int f) { return static_cast<std::size_t>(f); }

  std::vector<char> excluded(std::size_t d) const {
    std::vector<char> result = options_.excluded;
    result.resize(d, 0);
    return result;
  }

  void begin(bool resumed) {
    for (const int s : options_.begin) {
      select(s);
      if (!resumed && !std::binary_search(options_.unscored.begin(), options_.unscored.end(), s)) criterion_.add(s);
    }
    units_.reopen();
    bar_dear();
  }

  bool has_places() const { return units_.pending() || units_.places(n_selected_) < options_.k; }

  /// The best candidate: of a unit that is begun, else of all features that are not barred. A feature without a score
  /// where there is no other one. Feature -1 if nothing is left.
  GreedyStep next() {
    Leaders leaders;
    if (units_.pending() || !criterion_.leaders(barred_, leaders)) {
      candidates_.clear();
      if (units_.pending()) {
        for (auto f = units_.waiting().rbegin(); f != units_.waiting().rend(); ++f) offer(*f);
      } else {
        for (int f = 0; f < static_cast<int>(barred_.size()); ++f) offer(f);
      }
      if (!candidates_.empty()) find_leaders(leaders);
    }
    if (leaders.best < 0) return {next_unscored(), std::numeric_limits<double>::quiet_NaN(), -1, 0, false};
    return {leaders.best, leaders.score, leaders.runner_up, leaders.runner_up_score, true};
  }

  void offer(int f) {
    if (!barred_[at(f)]) candidates_.push_back(f);
  }

  void find_leaders(Leaders& leaders) {
    criterion_.leading(candidates_, scores_);
    const std::vector<double>* const second = criterion_.among_zeros();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (second == nullptr) {
        leaders.offer(candidates_[i], scores_[i]);
      } else {
        leaders.offer(candidates_[i], scores_[i], scores_[i] == 0 ? (*second)[at(candidates_[i])] : 0);
      }
    }
  }

  int next_unscored() {
    if (units_.pending()) return units_.waiting().back();
    while (n_passed_ < options_.unscored.size() && closed_[at(options_.unscored[n_passed_])]) ++n_passed_;
    return n_passed_ < options_.unscored.size() ? options_.unscored[n_passed_] : -1;
  }

  /// min_gain and `accepts` do not apply to a feature that follows another one of its unit. A feature without a score,
  /// also one of a ranking, is below any min_gain.
  bool goes_on(const GreedyStep& step) {
    if (!units_.pending()) {
      if (std::isnan(step.score) && options_.min_gain > -std::numeric_limits<double>::infinity()) return false;
      if (step.scored && (step.score < options_.min_gain || (options_.accepts && !options_.accepts(step)))) {
        path_.end = GreedyEnd::min_gain;
        return false;
      }
    }
    if (units_.has_room(step.feature, options_.k)) return true;
    path_.end = GreedyEnd::no_room;
    return false;
  }

  void close(int f) {
    if (!barred_[at(f)]) --n_scored_;
    closed_[at(f)] = barred_[at(f)] = 1;
  }

  void select(int f) {
    close(f);
    units_.take(f);
    bar_dear();
    ++n_selected_;
  }

  void bar_dear() {
    units_.bar_dear([this](int f) { close(f); });
  }

  /// Features without a score cost no time.
  bool is_late() const {
    const std::chrono::duration<double> passed = Clock::now() - started_;
    return !units_.pending() && has_places() && n_scored_ > 0 && passed.count() > options_.max_seconds;
  }

  void score_rest() {
    std::vector<char> gone = excluded(closed_.size());
    for (const int f : options_.unscored) gone[at(f)] = 1;
    for (const int f : options_.begin) gone[at(f)] = 1;
    for (const GreedyStep& step : path_.steps) gone[at(step.feature)] = 1;
    candidates_.clear();
    for (std::size_t f = 0; f < gone.size(); ++f) {
      if (!gone[f]) candidates_.push_back(static_cast<int>(f));
    }
    path_.rest.assign(gone.size(), std::numeric_limits<double>::quiet_NaN());
    if (candidates_.empty()) return;
    criterion_.scores(candidates_, scores_);
    for (std::size_t i = 0; i < candidates_.size(); ++i) path_.rest[at(candidates_[i])] = scores_[i];
  }

  StepScores& criterion_;
  const GreedyOptions& options_;
  const Clock::time_point started_ = Clock::now();
  Poll poll_;
  std::vector<char> closed_;  ///< by feature: selected, excluded or too expensive
  std::vector<char> barred_;  ///< by feature: closed or without a score
  UnitsLeft units_{options_.units, closed_};
  std::size_t n_passed_ = 0;     ///< of options_.unscored, which are closed
  std::ptrdiff_t n_scored_ = 0;  ///< features that are not barred
  int n_selected_ = 0;
  std::vector<int> candidates_;
  std::vector<double> scores_;
  GreedyPath path_;
};

}  // namespace detail

/// The greedy driver: adds the feature of the best score, equal scores to the lowest column, until there are k.
/// `resumed`: the criterion already includes the features of `begin`.
inline GreedyPath greedy(StepScores& criterion, std::size_t d, const GreedyOptions& options, const Context& context,
                         bool resumed = false) {
  return detail::GreedyRun(criterion, d, options, context).run(resumed);
}

}  // namespace mlsift
