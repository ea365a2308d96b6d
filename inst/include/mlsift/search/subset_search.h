#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mlsift {

/// Feature numbers, ascending.
using Subset = std::vector<int>;

/// Where a search takes its random numbers from: independent and uniform on (0, 1).
using Uniform = std::function<double()>;

/// One of 0 .. n - 1, each equally likely.
inline std::size_t draw_below(const Uniform& uniform, std::size_t n) {
  return std::min(n - 1, static_cast<std::size_t>(uniform() * static_cast<double>(n)));
}

/// A set to be evaluated, and what made it.
struct Proposal {
  Subset features;
  std::string made_by;
};

/// An evaluated set. Lower values are better; infinite ones mark sets that could not be evaluated.
struct Solution {
  Subset features;
  double value = 0;
};

/// Vectors by their names: all that is needed to resume a search.
using SearchState = std::map<std::string, std::vector<double>>;

/// A search among sets of features for one of the lowest value. It proposes sets, is told their values, and so on; who
/// evaluates them, how many there may be and when to stop is the caller's business.
class SubsetSearch {
 public:
  SubsetSearch() = default;
  SubsetSearch(const SubsetSearch&) = delete;
  SubsetSearch& operator=(const SubsetSearch&) = delete;
  virtual ~SubsetSearch() = default;

  /// The sets to be evaluated next; none when the search is over. `spent`: how many evaluations there have been.
  virtual std::vector<Proposal> ask(int spent, const Uniform& uniform) = 0;

  /// The values of the sets of the last ask(), in their order. Fewer of them, the first ones, may only come before
  /// solutions().
  virtual void tell(const std::vector<Proposal>& proposals, const std::vector<double>& values,
                    const Uniform& uniform) = 0;

  /// What the search has in hand: a population, a front, the path so far.
  virtual std::vector<Solution> solutions() const = 0;

  virtual SearchState state() const = 0;
};

/// Sets as two vectors: their sizes and, one set after the other, their features.
inline void save_subsets(const std::vector<Subset>& sets, const std::string& name, SearchState& state) {
  std::vector<double>&sizes = state[name + "_sizes"], &features = state[name + "_features"];
  for (const Subset& set : sets) {
    sizes.push_back(static_cast<double>(set.size()));
    features.insert(features.end(), set.begin(), set.end());
  }
}

inline std::vector<Subset> load_subsets(const std::string& name, const SearchState& state) {
  const std::vector<double>&sizes = state.at(name + "_sizes"), &features = state.at(name + "_features");
  std::vector<Subset> sets;
  std::size_t at = 0;
  for (const double size : sizes) {
    Subset set;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) set.push_back(static_cast<int>(features[at++]));
    sets.push_back(std::move(set));
  }
  return sets;
}

inline void save_solutions(const std::vector<Solution>& solutions, const std::string& name, SearchState& state) {
  std::vector<Subset> sets;
  std::vector<double>& values = state[name + "_values"];
  for (const Solution& solution : solutions) {
    sets.push_back(solution.features);
    values.push_back(solution.value);
  }
  save_subsets(sets, name, state);
}

inline std::vector<Solution> load_solutions(const std::string& name, const SearchState& state) {
  const std::vector<double>& values = state.at(name + "_values");
  std::vector<Solution> solutions;
  for (Subset& set : load_subsets(name, state)) solutions.push_back({std::move(set), values[solutions.size()]});
  return solutions;
}

/// The features of 0 .. d - 1 that are not in `set`, ascending.
inline Subset complement(const Subset& set, std::size_t d) {
  Subset rest;
  std::size_t at = 0;
  for (int f = 0; f < static_cast<int>(d); ++f) {
    if (at < set.size() && set[at] == f) {
      ++at;
    } else {
      rest.push_back(f);
    }
  }
  return rest;
}

/// Takes a random element out of `pool`; the last one fills its place.
inline int draw_from(Subset& pool, const Uniform& uniform) {
  const std::size_t at = draw_below(uniform, pool.size());
  const int drawn = pool[at];
  pool[at] = pool.back();
  pool.pop_back();
  return drawn;
}

}  // namespace mlsift
