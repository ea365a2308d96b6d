#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <vector>

#include "subset_search.h"

namespace mlsift {

/// Sequential search. Forward, it begins with no feature and adds the one whose set has the lowest value, until there
/// are `bound`; backward, it begins with all and takes out the one without which the value is lowest, until one is
/// left. Equal values: the lowest column. With `floating` (Pudil, Novovicova & Kittler 1994, Pattern Recognition
/// Letters 15:1119-1125), each step is followed by steps back as long as they give a better set of that size than any
/// before. No randomness.
class SequentialSearch : public SubsetSearch {
 public:
  struct Options {
    std::size_t n_features = 0;
    std::size_t bound = 0;
    bool forward = true, floating = false;
  };

  SequentialSearch(const Options& options, const SearchState& state) : options_(options) {
    if (state.empty()) {
      if (!options.forward) current_ = complement({}, options.n_features);
      return;
    }
    current_ = load_subsets("current", state).at(0);
    best_ = load_solutions("best", state);
    phase_ = static_cast<Phase>(static_cast<int>(state.at("phase").at(0)));
    last_moved_ = static_cast<int>(state.at("last_moved").at(0));
  }

  std::vector<Proposal> ask(int, const Uniform&) override {
    if (phase_ == Phase::start) {
      if (!options_.forward) return {{current_, "start"}};
      phase_ = Phase::step;
    }
    if (phase_ == Phase::back && near_start()) phase_ = Phase::step;
    if (phase_ == Phase::step && is_complete()) return {};
    const bool adds = options_.forward == (phase_ == Phase::step);
    std::vector<Proposal> proposals;
    for (const int f : adds ? complement(current_, options_.n_features) : current_) {
      // A step back never undoes the step before it.
      if (phase_ == Phase::back && f == last_moved_) continue;
      proposals.push_back({changed(f), adds ? "addition" : "removal"});
    }
    return proposals;
  }

  void tell(const std::vector<Proposal>& proposals, const std::vector<double>& values, const Uniform&) override {
    if (values.empty()) return;
    std::size_t lowest = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (values[i] < values[lowest]) lowest = i;
    }
    const Solution found{proposals[lowest].features, values[lowest]};
    if (phase_ == Phase::back) {
      if (!(found.value < best_value(found.features.size()))) {
        phase_ = Phase::step;
        return;
      }
      last_moved_ = -1;
    } else if (phase_ == Phase::step) {
      last_moved_ = difference(found.features, current_);
      phase_ = options_.floating ? Phase::back : Phase::step;
    } else {
      phase_ = Phase::step;
    }
    current_ = found.features;
    keep(found);
  }

  /// The best set of each size.
  std::vector<Solution> solutions() const override { return best_; }

  SearchState state() const override {
    SearchState state;
    save_subsets({current_}, "current", state);
    save_solutions(best_, "best", state);
    state["phase"] = {static_cast<double>(static_cast<int>(phase_))};
    state["last_moved"] = {static_cast<double>(last_moved_)};
    return state;
  }

 private:
  enum class Phase { start, step, back };

  bool is_complete() const { return current_.size() == (options_.forward ? options_.bound : 1); }

  // With so few steps behind it, every set that a step back could reach has been seen.
  bool near_start() const {
    return options_.forward ? current_.size() <= 2 : current_.size() + 2 >= options_.n_features;
  }

  // The current set with f, or without it where it is a member.
  Subset changed(int f) const {
    Subset set = current_;
    const auto at = std::lower_bound(set.begin(), set.end(), f);
    if (at != set.end() && *at == f) {
      set.erase(at);
    } else {
      set.insert(at, f);
    }
    return set;
  }

  static int difference(const Subset& a, const Subset& b) {
    Subset moved;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(moved));
    return moved.empty() ? -1 : moved[0];
  }

  double best_value(std::size_t size) const {
    for (const Solution& one : best_) {
      if (one.features.size() == size) return one.value;
    }
    return std::numeric_limits<double>::infinity();
  }

  void keep(const Solution& found) {
    for (Solution& one : best_) {
      if (one.features.size() != found.features.size()) continue;
      if (found.value < one.value) one = found;
      return;
    }
    best_.push_back(found);
  }

  Options options_;
  Subset current_;
  std::vector<Solution> best_;
  Phase phase_ = Phase::start;
  int last_moved_ = -1;
};

}  // namespace mlsift
