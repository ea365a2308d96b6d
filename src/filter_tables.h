#ifndef MLSIFT_SRC_FILTER_TABLES_H
#define MLSIFT_SRC_FILTER_TABLES_H

#include <Rcpp.h>
#include <mlsift/criteria/greedy_criterion.h>
#include <mlsift/search/genetic_search.h>
#include <mlsift/search/greedy.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace mlsift_glue {

// What a filter knows about the training rows, computed once for a search that uses it repeatedly. The rows belong to
// R objects, which the external pointer keeps alive.
class FilterTables {
 public:
  using MakeCriterion = std::function<std::unique_ptr<mlsift::GreedyCriterion>()>;

  FilterTables(std::unique_ptr<mlsift::Informations> data, MakeCriterion make)
      : data_(std::move(data)), make_(std::move(make)) {
    data_->keep_answers(most_bytes);
  }

  // As many features as `set` has, or all others where there are fewer, greedily from those that it does not have.
  mlsift::Subset explore(const mlsift::Subset& set) {
    mlsift::GreedyOptions options;
    options.k = static_cast<int>(std::min(set.size(), data_->size() - set.size()));
    options.excluded.assign(data_->size(), 0);
    for (const int f : set) options.excluded[static_cast<std::size_t>(f)] = 1;
    const std::unique_ptr<mlsift::GreedyCriterion> criterion = make_();
    criterion->start(*data_, {});
    const mlsift::GreedyPath path = mlsift::greedy(*criterion, data_->size(), options, mlsift::Context());
    if (path.end == mlsift::GreedyEnd::interrupted) throw mlsift::Interrupted();
    mlsift::Subset explored;
    for (const mlsift::GreedyStep& step : path.steps) explored.push_back(step.feature);
    std::sort(explored.begin(), explored.end());
    return explored;
  }

  mlsift::PairScores pairs() {
    return {[this](int f) { return data_->relevance(f); },
            [this](int s) -> const std::vector<double>& {
              data_->with_feature(s, information_);
              return information_;
            }};
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;  // of answers that are kept
  std::unique_ptr<mlsift::Informations> data_;
  MakeCriterion make_;
  std::vector<double> information_;
};

}  // namespace mlsift_glue

#endif
