#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../core/parallel.h"
#include "overlap.h"
#include "rank_profile.h"

namespace mlsift {

/// How ties count, and the values of rows with no labels or all labels (NaN drops them).
struct RankingRules {
  static constexpr double drop = std::numeric_limits<double>::quiet_NaN();

  TieOrder order = TieOrder::none;
  double tied_pair = 1;       ///< ranking loss of a tied pair
  bool average_rank = false;  ///< rank of tied labels: their mean instead of the largest
  bool any_top = false;       ///< one-error: a tie at the top is right when any of its labels is; else their share
  double loss_undefined = 0;  ///< ranking loss of a row with no labels or all labels
  double error_empty = drop, error_full = 0;
  double precision_empty = drop, precision_full = 1;
  double coverage_minus = 1;  ///< 1: ranks count from 0
  double coverage_empty = 0;
  double divisor_minus = 0;  ///< normalized coverage is divided by the number of known labels minus this, at least by 1
};

struct Ranking {
  double ranking_loss = 0, one_error = 0, coverage = 0, average_precision = 0, norm_coverage = 0;
};

/// The values of one row. rank(l) = |{l' : score(l') >= score(l)}| unless the rules break ties.
///
///   ranking loss        |{(a, b) : a relevant, b not, score(a) <= score(b)}| / (|relevant| |irrelevant|)
///   one-error           share of the best-scored labels that is irrelevant
///   coverage            max over relevant l of rank(l), minus 1
///   average precision   mean over relevant l of |{l' relevant : rank(l') <= rank(l)}| / rank(l)
inline Ranking row_ranking(const RankProfile& profile, const RankingRules& rules) {
  Ranking result;
  const double n_relevant = profile.n_relevant(), n_irrelevant = profile.n_irrelevant();
  if (n_relevant == 0) {
    result.ranking_loss = rules.loss_undefined;
    result.one_error = rules.error_empty;
    result.coverage = rules.coverage_empty;
    result.average_precision = rules.precision_empty;
    return result;
  }
  double relevant = 0, rank = 0, precision = 0;
  for (const RankProfile::Level& level : profile.levels()) {
    const double best = relevant + level.above + 1;
    relevant += level.size;
    rank = relevant + level.above + level.tied;
    if (rules.average_rank) rank = (best + rank) / 2;
    precision += level.size * (relevant / rank);
  }
  const RankProfile::Level& top = profile.levels().front();
  const double top_share = rules.any_top ? 0 : top.tied / (top.size + top.tied);
  const bool full = n_irrelevant == 0;
  result.coverage = rank - rules.coverage_minus;
  result.ranking_loss =
      full ? rules.loss_undefined : profile.wrong_pairs(rules.tied_pair) / (n_relevant * n_irrelevant);
  result.one_error = full ? rules.error_full : top.above > 0 ? 1 : top_share;
  result.average_precision = full && std::isnan(rules.precision_full) ? rules.precision_full : precision / n_relevant;
  return result;
}

/// One pass over the rows of score and truth (0/1), n x q, stored by column; all ranking measures at once, in O(n q log
/// q). The values of rows are averaged in row order. A negative truth is unknown: the label is left out of its row, and
/// a row in which no label is known is left out.
inline Ranking ranking_measures(const int* truth, const double* score, std::size_t n, std::size_t q,
                                const RankingRules& rules, const Weights& weights, const Context& context) {
  constexpr std::size_t block = 16;  // rows transposed at once, so that columns are read by cache lines
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  struct Scratch {
    std::vector<double> score;
    std::vector<int> truth;
    RankProfile profile;
  };
  const bool all_known = std::none_of(truth, truth + n * q, [](int label) { return label < 0; });
  const auto divisor = [&](double known) { return std::max(known - rules.divisor_minus, 1.0); };
  std::vector<Ranking> rows(n, Ranking{none, none, none, none, none});
  const auto rank_block = [&](std::size_t begin, std::size_t end, Scratch& s) {
    s.score.resize(block * q);
    s.truth.resize(block * q);
    for (std::size_t l = 0; l < q; ++l) {
      for (std::size_t i = begin; i < end; ++i) {
        s.score[(i - begin) * q + l] = score[l * n + i];
        s.truth[(i - begin) * q + l] = truth[l * n + i];
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      s.profile.build(s.score.data() + (i - begin) * q, s.truth.data() + (i - begin) * q, q, rules.order);
      const double known = s.profile.n_relevant() + s.profile.n_irrelevant();
      if (known == 0) continue;
      rows[i] = row_ranking(s.profile, rules);
      rows[i].norm_coverage = rows[i].coverage / divisor(known);
    }
  };
  const double work = 10.0 * static_cast<double>(n) * static_cast<double>(q);
  std::vector<Scratch> scratch(worker_count(context, n, work));
  parallel_for(context, n, work, [&](int worker, std::size_t begin, std::size_t end) {
    for (std::size_t from = begin; from < end; from += block) {
      rank_block(from, std::min(end, from + block), scratch[static_cast<std::size_t>(worker)]);
    }
  });
  Mean loss, error, coverage, precision, normalized;
  for (std::size_t i = 0; i < n; ++i) {
    loss.add(rows[i].ranking_loss, weights[i]);
    error.add(rows[i].one_error, weights[i]);
    coverage.add(rows[i].coverage, weights[i]);
    precision.add(rows[i].average_precision, weights[i]);
    if (!all_known) normalized.add(rows[i].norm_coverage, weights[i]);
  }
  return {loss.value(), error.value(), coverage.value(), precision.value(),
          all_known ? coverage.value() / divisor(static_cast<double>(q)) : normalized.value()};
}

}  // namespace mlsift
