#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../count/counted_rows.h"
#include "../data/column.h"

namespace mlsift {

namespace detail {

/// score(f, scratch of the worker) of every feature f; `make()` makes the scratch.
template <class Make, class Score>
auto score_each(std::size_t n, double work, const Context& context, Make make, Score score) {
  using Scratch = decltype(make());
  std::vector<decltype(score(std::size_t{}, std::declval<Scratch&>()))> scores(n);
  parallel_each(context, n, work, make, [&](Scratch& mine, std::size_t f) { scores[f] = score(f, mine); });
  return scores;
}

}  // namespace detail

/// The ranking driver: one score for each feature, features independent of each other.
///
/// A criterion that counts has a type Scratch, of which each thread has one, and `score(table, scratch)`.
/// `of_each`: elementary steps for each feature besides reading its table, where they are many.
template <class Criterion>
auto score_features(const CountedRows& rows, const Criterion& criterion, const Context& context, double of_each = 0) {
  struct Scratch {
    std::unique_ptr<CountedRows::Reader> reader;
    typename Criterion::Scratch own;
  };
  return detail::score_each(
      rows.size(), rows.work() + static_cast<double>(rows.size()) * of_each, context,
      [&] {
        return Scratch{rows.reader(), {}};
      },
      [&](std::size_t f, Scratch& mine) { return criterion.score(mine.reader->table(f), mine.own); });
}

/// The same of criteria that look at the columns themselves: Scratch is made from the number of rows, and they have
/// `score(column, scratch)` and `work(features)`, the elementary steps that scoring all features takes.
template <class Criterion>
auto score_features(const Features& features, const Criterion& criterion, const Context& context) {
  using Scratch = typename Criterion::Scratch;
  return detail::score_each(
      features.size(), criterion.work(features), context, [&] { return Scratch(features.n_rows); },
      [&](std::size_t f, Scratch& mine) { return criterion.score(features.columns[f], mine); });
}

}  // namespace mlsift
