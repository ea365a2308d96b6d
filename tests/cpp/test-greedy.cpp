// Greedy selection by criteria that leave candidates behind, against the same with every score at every step.

#include <cstdint>
#include <memory>
#include <random>

#include <mlsift/count/joint/rows_in_memory.h>
#include <mlsift/criteria/cmim.h>
#include <mlsift/criteria/jmi.h>
#include <mlsift/criteria/jmim.h>
#include <mlsift/criteria/normalized_terms.h>
#include <mlsift/criteria/scls.h>
#include <mlsift/search/greedy.h>

#include "check.h"
#include "codes.h"

namespace {

std::unique_ptr<mlsift::GreedyCriterion> criterion_of(int kind) {
  if (kind == 0) return std::make_unique<mlsift::Cmim>();
  if (kind == 1) return std::make_unique<mlsift::Jmim>();
  return std::make_unique<mlsift::LeastNormalized>(
      mlsift::Normalized{mlsift::Informations::Divisor::joint_entropy, kind == 2, 1});
}

// Scores all candidates at every step.
class Complete : public mlsift::StepScores {
 public:
  explicit Complete(mlsift::GreedyCriterion& criterion) : criterion_(criterion) {}
  void scores(const std::vector<int>& candidates, std::vector<double>& scores) override {
    criterion_.scores(candidates, scores);
  }
  void add(int s) override { criterion_.add(s); }

 private:
  mlsift::GreedyCriterion& criterion_;
};

bool same(const mlsift::GreedyPath& a, const mlsift::GreedyPath& b) {
  bool same = a.steps.size() == b.steps.size();
  for (std::size_t i = 0; same && i < a.steps.size(); ++i) {
    const mlsift::GreedyStep &x = a.steps[i], &y = b.steps[i];
    same = x.feature == y.feature && x.score == y.score && x.runner_up == y.runner_up &&
           x.runner_up_score == y.runner_up_score;
  }
  for (std::size_t f = 0; same && f < a.rest.size(); ++f)
    same = a.rest[f] == b.rest[f] || (a.rest[f] != a.rest[f] && b.rest[f] != b.rest[f]);
  return same && a.rest.size() == b.rest.size();
}

// 0/1 features of any frequency and features of some levels, with copies, constants, and ones that follow a target.
Codes draw_features(std::mt19937& random, std::size_t n, const Codes& targets) {
  Codes features(12 + random() % 20, std::vector<int>(n));
  for (std::size_t f = 0; f < features.size(); ++f) {
    const std::uint_fast32_t kind = random() % 8, levels = 2 + random() % 5, share = 1 + random() % 100;
    for (std::size_t i = 0; i < n; ++i) {
      const int noise = static_cast<int>(random() % levels), one = random() % 200 < share;
      features[f][i] = kind == 0 ? 1 : kind == 1 ? noise : kind == 2 ? noise + targets[0][i] : one;
    }
    if (kind == 3 && f > 0) features[f] = features[random() % f];
  }
  return features;
}

}  // namespace

int main() {
  check::test("leaving candidates behind changes neither path, runners-up nor the scores of the rest", [] {
    std::mt19937 random(1);
    int behind = 0;
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = round % 4 == 0 ? 4 + random() % 10 : 60 + random() % 300;
      Codes targets(1 + random() % 3, std::vector<int>(n));
      for (auto& code : targets) {
        const std::uint_fast32_t levels = 2 + random() % 2;
        for (int& c : code) c = static_cast<int>(random() % levels);
      }
      const Codes features = draw_features(random, n, targets);
      const std::size_t d = features.size();
      mlsift::Context context;
      context.threads = 1 + round % 2;
      mlsift::Informations data(rows_of(features, targets, true, context));
      mlsift::GreedyOptions options;
      options.k = static_cast<int>(4 + random() % (d - 4));
      options.score_rest = true;
      options.excluded.assign(d, 0);
      options.excluded[random() % d] = 1;
      options.begin = {static_cast<int>(random() % d)};
      options.excluded[static_cast<std::size_t>(options.begin[0])] = 0;
      for (int kind = 0; kind < 4; ++kind) {
        const auto complete = criterion_of(kind), leading = criterion_of(kind), first = criterion_of(kind),
                   second = criterion_of(kind);
        complete->start(data, {});
        Complete all{*complete};
        const mlsift::GreedyPath expected = mlsift::greedy(all, d, options, context);
        leading->start(data, {});
        mlsift::GreedyOptions without_rest = options;
        without_rest.score_rest = false;
        mlsift::GreedyPath path = mlsift::greedy(*leading, d, without_rest, context);
        const mlsift::GreedyState state = leading->state();
        for (std::size_t f = 0; f < d; ++f) behind += state.at("seen")[f] < options.k;

        // The same in two runs, which go on from each other's state.
        mlsift::GreedyOptions some = without_rest;
        some.k = 3;
        first->start(data, {});
        mlsift::GreedyPath begun = mlsift::greedy(*first, d, some, context);
        mlsift::GreedyOptions rest = options;
        for (const auto& step : begun.steps) rest.begin.push_back(step.feature);
        second->start(data, first->state());
        rest.score_rest = false;
        const mlsift::GreedyPath continued = mlsift::greedy(*second, d, rest, context, true);
        CHECK(second->state() == state);
        begun.steps.insert(begun.steps.end(), continued.steps.begin(), continued.steps.end());

        // The scores of what is left.
        for (const auto& step : continued.steps) rest.begin.push_back(step.feature);
        rest.score_rest = true;
        begun.rest = mlsift::greedy(*second, d, rest, context, true).rest;
        path.rest = begun.rest;
        CHECK(same(path, expected));
        CHECK(same(begun, expected));
      }
    }
    CHECK(behind > 0);
  });

  check::test("very many rare features are answered by classes as one by one", [] {
    std::mt19937 random(7);
    const std::size_t n = 48, d = 70000;
    Codes features(d, std::vector<int>(n)), labels(2, std::vector<int>(n));
    for (std::size_t f = 0; f < d; ++f) {
      const std::size_t ones = f % 997 == 0 ? 0 : f % 499 == 0 ? 17 : 1 + random() % 4;  // some constant, some frequent
      for (std::size_t i = 0; i < ones; ++i) features[f][random() % n] = 1;
    }
    for (auto& label : labels) {
      for (int& code : label) code = random() % 3 == 0;
    }
    mlsift::GreedyOptions options;
    options.k = 25;
    options.score_rest = true;
    for (const bool joint : {false, true}) {
      mlsift::GreedyPath expected;
      for (const int run : {0, 1, 2, 3}) {
        mlsift::Context context;
        context.threads = run < 2 ? 1 : run;
        mlsift::Informations data(rows_of(features, labels, joint, context));
        if (run == 0) data.keep_answers(std::size_t{1} << 30);
        mlsift::ClassAnswers answers;
        CHECK(data.by_class(5, joint, answers) == (run > 0));
        std::unique_ptr<mlsift::GreedyCriterion> criterion;
        if (joint) {
          criterion = std::make_unique<mlsift::Jmi>();
        } else {
          criterion = std::make_unique<mlsift::Scls>();
        }
        criterion->start(data, {});
        Complete complete{*criterion};
        const mlsift::GreedyPath path =
            run == 0 ? mlsift::greedy(complete, d, options, context) : mlsift::greedy(*criterion, d, options, context);
        if (run == 0) expected = path;
        CHECK(same(path, expected));
      }
    }
  });

  return check::failed_tests;
}
