#ifndef MLSIFT_CRITERIA_GREEDY_CRITERION_H
#define MLSIFT_CRITERIA_GREEDY_CRITERION_H

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "../core/leaders.h"
#include "../core/prefetch.h"
#include "../count/informations.h"

namespace mlsift {

/// Vectors by their names: what a criterion keeps between steps, which is all that a later run needs to go on.
using GreedyState = std::map<std::string, std::vector<double>>;

/// A greedy criterion of informations: J(f | S), the score of feature f given the set S of those added so far.
///
/// A new one states whether it needs counts with targets, declares with keep() a number for each feature that it keeps
/// between steps, and has two functions: score(f), and update(s), which takes the newest feature s into account. The
/// driver asks for the scores of many candidates at once; a criterion for which that is cheaper overrides scores(), and
/// one that need not score all of them to find the best overrides leading() or leaders().
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

  /// Offers the features that are not taken, or those that may score best, to `leaders`. False: it did not.
  virtual bool leaders(const std::vector<char>&, Leaders&) { return false; }

  /// What decides between features that score 0, the larger first; null: nothing but their columns.
  virtual const std::vector<double>* among_zeros() const { return nullptr; }

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

  /// Upper bounds of scores, for runs of so many features one after the other; none: there are no bounds.
  static constexpr std::size_t run = 512, near = 16 * run;
  using Bounds = std::vector<double>;

  /// leaders() with score(f), a function without a virtual call. Leaves out runs of features whose bound is beaten.
  template <class Score>
  static bool offer_all(const std::vector<char>& taken, Leaders& leaders, const Bounds& bounds, Score score) {
    for (std::size_t begin = 0; begin < taken.size(); begin += run) {
      if (!bounds.empty() && leaders.beat(bounds[begin / run])) continue;
      const std::size_t end = std::min(taken.size(), begin + run);
      for (std::size_t f = begin; f < end; ++f) {
        if (!taken[f]) leaders.offer(static_cast<int>(f), score(static_cast<int>(f)));
      }
    }
    return true;
  }

  /// The largest of values(f) in each run.
  template <class Values>
  static Bounds largest(std::size_t n, Values values) {
    Bounds bounds((n + run - 1) / run, -std::numeric_limits<double>::infinity());
    for (std::size_t f = 0; f < n; ++f) bounds[f / run] = std::max(bounds[f / run], values(static_cast<int>(f)));
    return bounds;
  }

  /// sums[f] += of(answer of f), for every feature f. `bounds`: of the new sums.
  template <class Of>
  static void add_by_class(const ClassAnswers& answers, std::vector<double>& sums, Of of, Bounds* bounds = nullptr) {
    const auto& met = answers.met;
    std::vector<double> changed, of_class;
    for (const auto& one : answers.unmet) of_class.push_back(of(one));
    if (bounds) bounds->assign((sums.size() + run - 1) / run, 0);
    // So many sums at a time as stay near, where the answers come in this order.
    const auto block = [](const ClassAnswers::Answer& one) { return static_cast<std::size_t>(one.feature) / near; };
    const bool in_blocks =
        std::is_sorted(met.begin(), met.end(), [&](const auto& a, const auto& b) { return block(a) < block(b); });
    const std::size_t size = in_blocks ? near : sums.size();
    const auto soon = [&](std::size_t i) { return sums.data() + met[std::min(i + 16, met.size() - 1)].feature; };
    std::size_t first = 0;
    for (std::size_t from = 0; from < sums.size(); from += size) {
      const std::size_t end = std::min(sums.size(), from + size);
      changed.clear();
      std::size_t last = first;
      for (; last < met.size() && static_cast<std::size_t>(met[last].feature) < end; ++last) {
        prefetch(soon(last));
        changed.push_back(sums[static_cast<std::size_t>(met[last].feature)] + of(met[last]));
      }
      for (std::size_t begin = from; begin < end; begin += run) {
        const int* const class_of = answers.class_of->data() + begin;
        const std::size_t n = std::min(end - begin, run);
        if (bounds) {
          (*bounds)[begin / run] = add_run<true>(sums.data() + begin, class_of, of_class.data(), n);
        } else {
          add_run<false>(sums.data() + begin, class_of, of_class.data(), n);
        }
      }
      for (std::size_t i = first; i < last; ++i) {
        prefetch(soon(i));
        const std::size_t f = static_cast<std::size_t>(met[i].feature);
        sums[f] = changed[i - first];
        if (bounds) (*bounds)[f / run] = std::max((*bounds)[f / run], sums[f]);
      }
      first = last;
    }
  }

  Informations& data() const { return *data_; }
  int size() const { return static_cast<int>(selected_.size()); }  ///< of S
  int selected(int i) const { return static_cast<int>(selected_[static_cast<std::size_t>(i)]); }

 private:
  struct Kept {
    double initial = 0;
    std::vector<double> values;
  };

  // Adds what belongs to the class of each of n sums, and returns the largest with `Most`: four at a time, which do not
  // wait for each other.
  template <bool Most>
  static double add_run(double* sums, const int* class_of, const double* of_class, std::size_t n) {
    constexpr std::size_t lanes = 4;
    double most[lanes];
    std::fill_n(most, lanes, -std::numeric_limits<double>::infinity());
    const auto add = [&](std::size_t f, std::size_t lane) {
      sums[f] += of_class[class_of[f]];
      if (Most) most[lane] = std::max(most[lane], sums[f]);
    };
    std::size_t f = 0;
    for (; f + lanes <= n; f += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) add(f + lane, lane);
    }
    for (; f < n; ++f) add(f, 0);
    return *std::max_element(most, most + lanes);
  }

  Informations* data_ = nullptr;
  std::map<std::string, Kept> kept_;
  std::vector<double> selected_;  // S, in the order of selection
};

}  // namespace mlsift

#endif
