#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../criteria/greedy_criterion.h"
#include "genetic_search.h"
#include "greedy.h"

namespace mlsift {

/// What a greedy criterion knows about the training rows, computed once for a search that runs it repeatedly.
class FilterTables {
 public:
  using MakeCriterion = std::function<std::unique_ptr<GreedyCriterion>()>;

  FilterTables(std::unique_ptr<Informations> data, MakeCriterion make)
      : data_(std::move(data)), make_(std::move(make)) {
    data_->keep_answers(most_bytes);
  }

  /// As many features as `set` has, or all others where there are fewer, greedily from those that it does not have.
  Subset explore(const Subset& set) {
    GreedyOptions options;
    options.k = static_cast<int>(std::min(set.size(), data_->size() - set.size()));
    options.excluded.assign(data_->size(), 0);
    for (const int f : set) options.excluded[static_cast<std::size_t>(f)] = 1;
    const std::unique_ptr<GreedyCriterion> criterion = make_();
    criterion->start(*data_, {});
    const GreedyPath path = greedy(*criterion, data_->size(), options, Context());
    if (path.end == GreedyEnd::interrupted) throw Interrupted();
    Subset explored;
    for (const GreedyStep& step : path.steps) explored.push_back(step.feature);
    std::sort(explored.begin(), explored.end());
    return explored;
  }

  PairScores pairs() {
    return {[this](int f) { return data_->relevance(f); },
            [this](int s) -> const std::vector<double>& {
              data_->with_feature(s, information_);
              return information_;
            }};
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;  // of answers that are kept
  std::unique_ptr<Informations> data_;
  MakeCriterion make_;
  std::vector<double> information_;
};

}  // namespace mlsift
