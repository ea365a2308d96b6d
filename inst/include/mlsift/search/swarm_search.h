#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "pareto.h"
#include "subset_search.h"

namespace mlsift {

/// Particle swarm for low values and few features (MPSOFS). A particle's position has a coordinate in [0, 1] for each
/// feature; the features above a threshold are its set. Where these are more than the bound, the largest coordinates
/// count, equal ones by column.
///
/// A step: velocity = 0.7298 velocity + 1.4962 r1 (own best - position) + 1.4962 r2 (leader - position), r1 and r2
/// drawn for each coordinate, kept in [-1, 1]; the position is kept in [0, 1]. A particle's own best gives way to a
/// position that dominates it and, with probability 1/2, to one that neither dominates it nor is dominated.
///
/// The leader is the first member of the swarm in crowded order. With `archive` the search is that of Zhang et al.
/// (2017), Scientific Reports 7:376, as far as the paper describes it: the solutions that nothing dominates are kept in
/// an archive of limited size, the most crowded ones leave it first; each particle follows the less crowded of two
/// random members; some coordinates of a particle are drawn anew, fewer of them as time passes; and new positions are
/// tried beside the least crowded member, moved by a difference of two others.
class SwarmSearch : public SubsetSearch {
 public:
  struct Options {
    std::size_t n_features = 0;
    std::size_t bound = 0;
    std::size_t particles = 20;
    double threshold = 0.5;
    bool archive = false;
    int evaluations = 100;      ///< in all: by these the mutation shrinks
    std::vector<Subset> start;  ///< positions to begin with; the others are random
  };

  static constexpr double inertia = 0.7298, attraction = 1.4962, fastest = 1;
  static constexpr std::size_t learners = 2;      ///< positions tried beside the archive in each iteration
  static constexpr double learning_factor = 0.5;  ///< of the difference

  SwarmSearch(Options options, const SearchState& state) : options_(std::move(options)) {
    if (state.empty()) return;
    position_ = state.at("position");
    velocity_ = state.at("velocity");
    best_ = state.at("best");
    archive_position_ = state.at("archive_position");
    trial_ = state.at("trial");
    swarm_ = load_solutions("swarm", state);
    own_best_ = load_solutions("own_best", state);
    front_ = load_solutions("front", state);
  }

  std::vector<Proposal> ask(int spent, const Uniform& uniform) override {
    const std::size_t d = options_.n_features;
    trial_.clear();
    if (swarm_.empty()) {
      begin(uniform);
    } else {
      move(spent, uniform);
      if (options_.archive) learn_locally(uniform);
    }
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < options_.particles; ++i) {
      const bool given = swarm_.empty() && i < options_.start.size();
      proposals.push_back({decode(position_.data() + i * d), given ? "start" : swarm_.empty() ? "random" : "particle"});
    }
    for (std::size_t i = 0; i * d < trial_.size(); ++i) {
      proposals.push_back({decode(trial_.data() + i * d), "local learning"});
    }
    return proposals;
  }

  void tell(const std::vector<Proposal>& proposals, const std::vector<double>& values,
            const Uniform& uniform) override {
    const std::size_t d = options_.n_features;
    const bool first = swarm_.empty();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Solution now{proposals[i].features, values[i]};
      const double* const position =
          i < options_.particles ? position_.data() + i * d : trial_.data() + (i - options_.particles) * d;
      meet(now, position);
      if (i >= options_.particles) continue;
      if (first) {
        swarm_.push_back(now);
        own_best_.push_back(now);
        best_.insert(best_.end(), position, position + d);
        continue;
      }
      swarm_[i] = now;
      const Objectives mine = objectives_of(now), before = objectives_of(own_best_[i]);
      const bool equal = mine.value == before.value && mine.size == before.size;
      const bool better = dominates(mine, before) || (!equal && !dominates(before, mine) && uniform() < 0.5);
      if (!better) continue;
      own_best_[i] = now;
      std::copy(position, position + d, best_.begin() + static_cast<std::ptrdiff_t>(i * d));
    }
  }

  /// All that were met and that nothing dominates; with an archive, its members.
  std::vector<Solution> solutions() const override { return nondominated(front_); }

  SearchState state() const override {
    SearchState state;
    if (position_.empty()) return state;
    state["position"] = position_;
    state["velocity"] = velocity_;
    state["best"] = best_;
    state["archive_position"] = archive_position_;
    state["trial"] = trial_;
    save_solutions(swarm_, "swarm", state);
    save_solutions(own_best_, "own_best", state);
    save_solutions(front_, "front", state);
    return state;
  }

 private:
  void begin(const Uniform& uniform) {
    const std::size_t d = options_.n_features;
    position_.assign(options_.particles * d, 0);
    velocity_.assign(options_.particles * d, 0);
    for (std::size_t i = 0; i < options_.particles; ++i) {
      double* const z = position_.data() + i * d;
      if (i < options_.start.size()) {
        for (const int f : options_.start[i]) z[f] = 1;
      } else {
        for (std::size_t f = 0; f < d; ++f) z[f] = uniform();
      }
    }
  }

  void move(int spent, const Uniform& uniform) {
    const std::size_t d = options_.n_features;
    const std::vector<double> crowding = options_.archive ? archive_crowding() : std::vector<double>();
    std::vector<double> leader;  // as it was before this step
    if (!options_.archive || front_.empty()) {
      const std::size_t first = crowded_order(objectives_of(swarm_))[0];
      leader.assign(position_.begin() + at(first * d), position_.begin() + at((first + 1) * d));
    }
    for (std::size_t i = 0; i < options_.particles; ++i) {
      const double* const goal =
          leader.empty() ? archive_position_.data() + tournament(crowding, uniform) * d : leader.data();
      double *const z = position_.data() + i * d, *const v = velocity_.data() + i * d;
      const double* const own = best_.data() + i * d;
      for (std::size_t f = 0; f < d; ++f) {
        const double r1 = uniform(), r2 = uniform();
        v[f] = inertia * v[f] + attraction * r1 * (own[f] - z[f]) + attraction * r2 * (goal[f] - z[f]);
        v[f] = std::min(fastest, std::max(-fastest, v[f]));
        z[f] = std::min(1.0, std::max(0.0, z[f] + v[f]));
      }
      if (options_.archive) mutate(z, spent, uniform);
    }
  }

  // With a probability that falls with time, draws as large a share of the coordinates anew.
  void mutate(double* z, int spent, const Uniform& uniform) const {
    const double share = 0.5 * std::exp(-10.0 * spent / options_.evaluations) + 0.01;
    if (uniform() >= share) return;
    const std::size_t d = options_.n_features;
    Subset all = complement({}, d);
    const std::size_t n = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(d)));
    for (std::size_t i = 0; i < n; ++i) {
      const int f = draw_from(all, uniform);
      z[f] = uniform();
    }
  }

  // Positions beside the least crowded member, moved by the difference of two other members.
  void learn_locally(const Uniform& uniform) {
    const std::size_t d = options_.n_features, n = front_.size();
    if (n < 3) return;
    const std::vector<double> crowding = archive_crowding();
    std::size_t sparse = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (sparse == n || crowding[i] > crowding[sparse]) sparse = i;
    }
    for (std::size_t trial = 0; trial < learners; ++trial) {
      Subset others = complement({static_cast<int>(sparse)}, n);
      const std::size_t a = static_cast<std::size_t>(draw_from(others, uniform));
      const std::size_t b = static_cast<std::size_t>(draw_from(others, uniform));
      for (std::size_t f = 0; f < d; ++f) {
        const double z = archive_position_[sparse * d + f] +
                         learning_factor * (archive_position_[a * d + f] - archive_position_[b * d + f]);
        trial_.push_back(std::min(1.0, std::max(0.0, z)));
      }
    }
  }

  // Keeps what nothing dominates; with an archive, at most as many as there are particles.
  void meet(const Solution& now, const double* position) {
    const std::size_t d = options_.n_features;
    if (std::isinf(now.value)) return;
    const Objectives mine = objectives_of(now);
    for (const Solution& one : front_) {
      const Objectives there = objectives_of(one);
      if (dominates(there, mine) || (there.value == mine.value && there.size == mine.size)) return;
    }
    for (std::size_t i = front_.size(); i-- > 0;) {
      if (dominates(mine, objectives_of(front_[i]))) leave(i);
    }
    front_.push_back(now);
    if (!options_.archive) return;
    archive_position_.insert(archive_position_.end(), position, position + d);
    if (front_.size() <= options_.particles) return;
    const std::vector<double> crowding = archive_crowding();
    leave(static_cast<std::size_t>(std::min_element(crowding.begin(), crowding.end()) - crowding.begin()));
  }

  void leave(std::size_t i) {
    front_.erase(front_.begin() + at(i));
    if (!options_.archive) return;
    const std::size_t d = options_.n_features;
    archive_position_.erase(archive_position_.begin() + at(i * d), archive_position_.begin() + at((i + 1) * d));
  }

  std::vector<double> archive_crowding() const {
    std::vector<std::size_t> all(front_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return crowding_distances(objectives_of(front_), all);
  }

  std::size_t tournament(const std::vector<double>& crowding, const Uniform& uniform) const {
    const std::size_t a = draw_below(uniform, crowding.size()), b = draw_below(uniform, crowding.size());
    return crowding[b] > crowding[a] ? b : a;
  }

  Subset decode(const double* z) const {
    Subset set;
    for (std::size_t f = 0; f < options_.n_features; ++f) {
      if (z[f] > options_.threshold) set.push_back(static_cast<int>(f));
    }
    if (set.size() <= options_.bound) return set;
    std::stable_sort(set.begin(), set.end(), [z](int a, int b) { return z[a] > z[b]; });
    set.resize(options_.bound);
    std::sort(set.begin(), set.end());
    return set;
  }

  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  Options options_;
  std::vector<double> position_, velocity_, best_, archive_position_, trial_;
  std::vector<Solution> swarm_, own_best_, front_;
};

}  // namespace mlsift
