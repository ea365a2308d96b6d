// Prints scores that are made of counts, to the last bit. tools/matrix.sh compares what differently compiled programs
// print.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <mlsift/count/joint/rows_in_memory.h>
#include <mlsift/criteria/cmim.h>
#include <mlsift/criteria/jmim.h>
#include <mlsift/criteria/normalized_terms.h>
#include <mlsift/search/greedy.h>

#include "codes.h"

namespace {

Codes draw(std::mt19937& random, std::size_t n, std::size_t columns) {
  Codes codes(columns, std::vector<int>(n));
  for (auto& code : codes) {
    const std::uint_fast32_t levels = 2 + random() % 4;
    for (int& c : code) c = static_cast<int>(random() % levels * (random() % 2));
  }
  return codes;
}

void print(mlsift::Informations& data, mlsift::GreedyCriterion& criterion, std::size_t d) {
  mlsift::GreedyOptions options;
  options.k = static_cast<int>(d);
  options.excluded.assign(d, 0);
  criterion.start(data, {});
  for (const auto& step : mlsift::greedy(criterion, d, options, mlsift::Context()).steps) {
    std::printf("%d %a\n", step.feature, step.score);
  }
}

}  // namespace

int main() {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 20 + random() % 400, d = 5 + random() % 20;
    const Codes features = draw(random, n, d), targets = draw(random, n, 1 + random() % 5);
    const mlsift::Context context;
    auto rows = rows_of(features, targets, true, context);
    mlsift::Informations data(std::move(rows));
    mlsift::Cmim cmim;
    print(data, cmim, d);
    mlsift::Jmim jmim;
    print(data, jmim, d);
    mlsift::LeastNormalized disr(mlsift::Normalized{mlsift::Informations::Divisor::joint_entropy, false, 1});
    print(data, disr, d);
  }
  return 0;
}
