#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "../core/prefetch.h"
#include "../core/run_bounds.h"
#include "informations.h"

namespace mlsift {

/// Sums of answers over selected features, one sum for each feature. Most features of sparse data do not meet the
/// newest feature, and their answers depend on their class only.
class AnswerSums {
 public:
  /// sums[f] += of(answer of f), for every feature f. `bounds`, if given, become those of the new sums.
  template <class Of>
  static void add(const ClassAnswers& answers, std::vector<double>& sums, Of of, RunBounds* bounds = nullptr) {
    const auto& met = answers.met;
    std::vector<double> changed, of_class;
    for (const auto& one : answers.unmet) of_class.push_back(of(one));
    if (bounds) bounds->assign(sums.size(), 0);
    const std::size_t size = in_blocks(met) ? block : sums.size();
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
      for (std::size_t begin = from; begin < end; begin += RunBounds::run) {
        const int* const class_of = answers.class_of->data() + begin;
        const std::size_t n = std::min(end - begin, RunBounds::run);
        if (bounds) {
          bounds->of(begin) = add_run<true>(sums.data() + begin, class_of, of_class.data(), n);
        } else {
          add_run<false>(sums.data() + begin, class_of, of_class.data(), n);
        }
      }
      for (std::size_t i = first; i < last; ++i) {
        prefetch(soon(i));
        const std::size_t f = static_cast<std::size_t>(met[i].feature);
        sums[f] = changed[i - first];
        if (bounds) bounds->of(f) = std::max(bounds->of(f), sums[f]);
      }
      first = last;
    }
  }

 private:
  // This many sums stay in the cache.
  static constexpr std::size_t block = 16 * RunBounds::run;

  static bool in_blocks(const std::vector<ClassAnswers::Answer>& met) {
    const auto of = [](const ClassAnswers::Answer& one) { return static_cast<std::size_t>(one.feature) / block; };
    return std::is_sorted(met.begin(), met.end(), [&](const auto& a, const auto& b) { return of(a) < of(b); });
  }

  // Adds the answer of its class to each of n sums. Returns the largest sum with `Most`. Works on four independent sums
  // at a time.
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
};

}  // namespace mlsift
