#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "genetic_operators.h"
#include "pareto.h"
#include "subset_search.h"

namespace mlsift {

/// Which of an old population and new solutions, older ones first, survive: at most `n`, in the order of the new
/// population.
using Survival = std::function<std::vector<Solution>(std::vector<Solution> merged, std::size_t n)>;

/// The lowest values, equal ones older first.
inline std::vector<Solution> lowest_values(std::vector<Solution> merged, std::size_t n) {
  std::stable_sort(merged.begin(), merged.end(),
                   [](const Solution& a, const Solution& b) { return a.value < b.value; });
  merged.resize(std::min(n, merged.size()));
  return merged;
}

/// The first in crowded order, for few features and low values alike (NSGA-II).
inline std::vector<Solution> least_crowded(std::vector<Solution> merged, std::size_t n) {
  std::vector<Solution> survivors;
  for (const std::size_t i : crowded_order(objectives_of(merged))) {
    if (survivors.size() < n) survivors.push_back(std::move(merged[i]));
  }
  return survivors;
}

/// Genetic search. The first population is what the search is given to start with, filled up with random sets. Each
/// generation has three new sets, two by crossover of two random members and one by mutation of another. Then
/// duplicates are dropped, keeping the older one, and `survival` chooses the next population.
///
/// Two additions, each of which may be empty:
/// - `explore`: a set of unselected features in return for a new one, evaluated too (empty: there is none);
/// - `refine`: copies of the best member that are evaluated before the other new sets; the best of them takes its place
///   if it is better.
class GeneticSearch : public SubsetSearch {
 public:
  using Explore = std::function<Subset(const Subset&)>;
  using Refine = std::function<Subset(const Subset&, int spent, const Uniform&)>;

  struct Options {
    std::size_t population = 20;
    std::vector<Subset> start;
    Survival survival = lowest_values;
    Explore explore;
    Refine refine;
    std::size_t refined = 1;  ///< members that are refined in each generation, the best ones
    std::size_t copies = 3;   ///< of each of them
  };

  GeneticSearch(const GeneticOperators& operators, Options options, const SearchState& state)
      : operators_(operators), options_(std::move(options)) {
    if (state.empty()) return;
    population_ = load_solutions("population", state);
    refined_ = state.at("refined").at(0) != 0;
  }

  std::vector<Proposal> ask(int spent, const Uniform& uniform) override {
    if (population_.empty()) return first_population(uniform);
    if (options_.refine && !refined_) return refinements(spent, uniform);
    return offspring(uniform);
  }

  void tell(const std::vector<Proposal>& proposals, const std::vector<double>& values, const Uniform&) override {
    const bool refining = !population_.empty() && options_.refine && !refined_;
    if (refining) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        Solution& refined = population_[i / options_.copies];
        if (values[i] < refined.value) refined = {proposals[i].features, values[i]};
      }
      refined_ = true;
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) population_.push_back({proposals[i].features, values[i]});
    std::set<Subset> seen;
    std::vector<Solution> distinct;
    for (Solution& one : population_) {
      if (seen.insert(one.features).second) distinct.push_back(std::move(one));
    }
    population_ = options_.survival(std::move(distinct), options_.population);
    refined_ = false;
  }

  std::vector<Solution> solutions() const override { return population_; }

  SearchState state() const override {
    SearchState state;
    if (population_.empty()) return state;
    save_solutions(population_, "population", state);
    state["refined"] = {refined_ ? 1.0 : 0.0};
    return state;
  }

 private:
  std::vector<Proposal> first_population(const Uniform& uniform) const {
    std::vector<Proposal> proposals;
    for (const Subset& set : options_.start) proposals.push_back({set, "start"});
    while (proposals.size() < options_.population) proposals.push_back({operators_.random(uniform), "random"});
    return proposals;
  }

  std::vector<Proposal> refinements(int spent, const Uniform& uniform) const {
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < std::min(options_.refined, population_.size()); ++i) {
      for (std::size_t copy = 0; copy < options_.copies; ++copy) {
        proposals.push_back({options_.refine(population_[i].features, spent, uniform), "refinement"});
      }
    }
    return proposals;
  }

  std::vector<Proposal> offspring(const Uniform& uniform) const {
    const std::size_t n = population_.size();
    const std::size_t first = draw_below(uniform, n);
    std::size_t second = first;
    if (n > 1) {
      second = draw_below(uniform, n - 1);
      if (second >= first) ++second;
    }
    std::vector<Proposal> proposals;
    auto children = operators_.crossover(population_[first].features, population_[second].features, uniform);
    proposals.push_back({std::move(children.first), "crossover"});
    proposals.push_back({std::move(children.second), "crossover"});
    proposals.push_back({operators_.mutate(population_[draw_below(uniform, n)].features, uniform), "mutation"});
    if (!options_.explore) return proposals;
    for (std::size_t i = 0, made = proposals.size(); i < made; ++i) {
      Subset explored = options_.explore(proposals[i].features);
      if (!explored.empty()) proposals.push_back({std::move(explored), "exploration"});
    }
    return proposals;
  }

  GeneticOperators operators_;
  Options options_;
  std::vector<Solution> population_;
  bool refined_ = false;  // in this generation
};

/// What a filter knows about features: their relevance and their redundancy with a selected one.
struct PairScores {
  std::function<double(int f)> relevance;
  std::function<const std::vector<double>&(int s)> redundancy;  ///< with s, by feature
};

/// The local step of a memetic search: adds the features that a filter ranks highest and removes those that it ranks
/// lowest, in both cases starting from `set`. The score of f is relevance(f) - sum over the other members s of
/// redundancy(f, s). How many there are of each is random and shrinks with the share of the evaluations that is left.
/// Lee & Kim (2015), Information Sciences 293:80-96.
class FilterRefinement {
 public:
  FilterRefinement(const GeneticOperators& operators, PairScores scores, int evaluations)
      : operators_(operators), scores_(std::move(scores)), evaluations_(evaluations) {}

  Subset operator()(const Subset& set, int spent, const Uniform& uniform) const {
    const double left = std::max(0.0, static_cast<double>(evaluations_ - spent) / evaluations_);
    const auto draw = [&] {
      return static_cast<std::size_t>(std::floor(uniform() * static_cast<double>(set.size()) * left + 0.5));
    };
    const std::size_t size = set.size(), d = operators_.n_features(), bound = operators_.bound();
    std::size_t n_add = std::min(draw(), d - size), n_delete = std::min(draw(), size);
    if (size + n_add > bound + n_delete) n_add = bound + n_delete > size ? bound + n_delete - size : 0;
    if (size + n_add < 1 + n_delete) n_delete = size + n_add - 1;

    Subset refined = set;
    for (const int f : best_additions(set, n_add)) refined.push_back(f);
    for (const int f : worst_members(set, n_delete)) refined.erase(std::find(refined.begin(), refined.end(), f));
    std::sort(refined.begin(), refined.end());
    return refined;
  }

 private:
  // Features that are added one after the other, each the best given the set and those before.
  Subset best_additions(const Subset& set, std::size_t n) const {
    const std::size_t d = operators_.n_features();
    std::vector<double> score(n > 0 ? d : 0);
    std::vector<char> member(d, 0);
    const auto add = [&](int s) {
      const std::vector<double>& redundancy = scores_.redundancy(s);
      for (std::size_t f = 0; f < score.size(); ++f) score[f] -= redundancy[f];
      member[static_cast<std::size_t>(s)] = 1;
    };
    for (std::size_t f = 0; f < score.size(); ++f) score[f] = scores_.relevance(static_cast<int>(f));
    if (n > 0) std::for_each(set.begin(), set.end(), add);
    Subset added;
    while (added.size() < n) {
      std::size_t best = d;
      for (std::size_t f = 0; f < d; ++f) {
        if (!member[f] && (best == d || score[f] > score[best])) best = f;
      }
      added.push_back(static_cast<int>(best));
      add(added.back());
    }
    return added;
  }

  // Members that are removed one after the other, each the worst given those that are left. Redundancies are summed
  // in ascending order, so that copies of a feature tie.
  Subset worst_members(Subset left, std::size_t n) const {
    Subset out;
    while (out.size() < n) {
      std::size_t worst = 0;
      double least = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        std::vector<double> redundancies;
        for (const int s : left) {
          if (s != left[i]) redundancies.push_back(scores_.redundancy(s)[static_cast<std::size_t>(left[i])]);
        }
        std::sort(redundancies.begin(), redundancies.end());
        double score = scores_.relevance(left[i]);
        for (const double redundancy : redundancies) score -= redundancy;
        if (i == 0 || score < least) {
          worst = i;
          least = score;
        }
      }
      out.push_back(left[worst]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(worst));
    }
    return out;
  }

  GeneticOperators operators_;
  PairScores scores_;
  int evaluations_;
};

}  // namespace mlsift
