#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/xlogx.h"
#include "counted_rows.h"

namespace mlsift {

/// R(f) = sum_t I(f; t), the summed mutual information of a feature with each target, as an XLogX sum: N R(f).
///
/// With n_v, n_c, n_vc the rows of level v, target column c and both, s_c the sum of n_vc over all levels but the
/// reference r, c(t) the columns of target t, o_t the rows that have one of them, s_t those of them off the reference
/// level, and g(n) = n log n (0 below 0),
///
///   N R(f) = sum_t [g(N) - g(n_r) + g(n_r - o_t) - g(N - o_t)]                                  targets f never meets
///          + sum_{v != r} sum_{t met in v} [sum_{c in c(t)} g(n_vc) + g(n_v - sum_c n_vc) - g(n_v)]
///          + sum_{t met} [sum_{c in c(t)} (g(n_c - s_c) - g(n_c)) + g(n_r - o_t + s_t) - g(n_r - o_t)].
///
/// So only what a feature meets off its reference level has a cost. Sums of XLogX are exact, so any reference level
/// and any order give the same bits.
///
/// A target that is unknown in some rows is evaluated on the others, see TargetColumns. Only then may tables have more
/// columns than the targets, which are not read.
template <class G>
class Relevance {
 public:
  /// Of one thread.
  struct Scratch {
    std::unordered_map<std::int64_t, std::uint64_t> unmet;  // the first sum, which depends on n_r alone
    std::vector<std::int64_t> met;                          // s_c; zeros between features
    std::vector<std::uint64_t> known;                       // by target: N_t I(f; t)
    LevelCells<std::int64_t> cells;
  };

  Relevance(const TargetColumns& targets, const G& xlogx) : t_(targets), g_(xlogx), target_of_(targets.n_columns()) {
    const std::int64_t n = t_.n;
    std::map<std::int64_t, std::uint64_t> targets_with;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      off_.push_back(n - t_.reference[t]);
      ++targets_with[off_.back()];
      always_ += g_(n) - g_(t_.reference[t]);
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        target_of_[c] = t;
        g_column_.push_back(g_(t_.count[c]));
      }
    }
    off_counts_.assign(targets_with.begin(), targets_with.end());
    if (t_.all_known()) return;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const std::int64_t known = t_.known(t), ones = t_.count[t_.first[t]];
      not_known_.push_back(g_(known) - g_(ones) - g_(known - ones));
    }
  }

  /// N R(f).
  std::uint64_t sum(const FeatureTable& f, Scratch& s) const {
    s.met.resize(t_.n_columns(), 0);
    if (!t_.all_known()) {
      std::uint64_t known = 0;
      each_known(f, s, [&](std::size_t, std::uint64_t information) { known += information; });
      return known;
    }
    const std::int64_t n_r = f.reference_rows();
    std::uint64_t total = unmet(n_r, s);
    const bool only = t_.one_each() && f.n_levels() == 2;
    for (int v = 0; v < f.n_levels(); ++v) {
      if (v == f.reference) continue;
      if (only) return total + only_level(f, v, n_r);
      each_target(f, v, s, [&](std::size_t, std::uint64_t cells) { total += cells; });
    }
    return total + rest(n_r, s, [](std::size_t, std::uint64_t) {});
  }

  /// sums[t] = N I(f; t) of every target.
  void by_target(const FeatureTable& f, Scratch& s, std::uint64_t* sums) const {
    s.met.resize(t_.n_columns(), 0);
    if (!t_.all_known()) {
      return each_known(f, s, [&](std::size_t t, std::uint64_t information) { sums[t] = information; });
    }
    const std::int64_t n_r = f.reference_rows();
    for (std::size_t t = 0; t < t_.size(); ++t) {
      sums[t] = g_(t_.n) - g_(t_.reference[t]) - g_(n_r) + g_.or_zero(n_r - off_[t]);
    }
    for (int v = 0; v < f.n_levels(); ++v) {
      if (v == f.reference) continue;
      each_target(f, v, s, [&](std::size_t t, std::uint64_t cells) { sums[t] += cells; });
    }
    rest(n_r, s, [&](std::size_t t, std::uint64_t cells) { sums[t] += cells; });
  }

  /// N H(f).
  std::uint64_t entropy(const FeatureTable& f) const {
    std::uint64_t total = g_(t_.n);
    for (const std::int64_t rows : f.rows) total -= g_(rows);
    return total;
  }

  const TargetColumns& targets() const { return t_; }
  const G& xlogx() const { return g_; }

 private:
  std::uint64_t unmet(std::int64_t n_r, Scratch& s) const {
    const auto found = s.unmet.find(n_r);
    if (found != s.unmet.end()) return found->second;
    std::uint64_t total = always_ - t_.size() * g_(n_r);
    for (const auto& entry : off_counts_) total += entry.second * g_.or_zero(n_r - entry.first);
    s.unmet.emplace(n_r, total);
    return total;
  }

  // What targets of one column add at the only level off the reference, and at the reference level.
  std::uint64_t only_level(const FeatureTable& f, int v, std::int64_t n_r) const {
    const std::int64_t n_v = f.rows[static_cast<std::size_t>(v)];
    const std::uint64_t g_v = g_(n_v);
    std::uint64_t total = 0;
    for (std::size_t i = f.begin(v); i < f.end(v); ++i) {
      const std::size_t c = static_cast<std::size_t>(f.column[i]);
      const std::int64_t both = f.count[i], n_c = t_.count[c];
      total += g_(both) + g_(n_v - both) - g_v + g_(n_c - both) - g_column_[c] + g_.or_zero(n_r - n_c + both) -
               g_.or_zero(n_r - n_c);
    }
    return total;
  }

  // Calls take(t, terms of t) for the targets that level v meets.
  template <class Take>
  void each_target(const FeatureTable& f, int v, Scratch& s, Take take) const {
    const std::int64_t n_v = f.rows[static_cast<std::size_t>(v)];
    const std::uint64_t g_v = g_(n_v);
    for (std::size_t i = f.begin(v); i < f.end(v);) {
      const std::size_t t = target_of_[static_cast<std::size_t>(f.column[i])];
      std::uint64_t cells = 0;
      std::int64_t left = n_v;
      for (; i < f.end(v) && static_cast<std::size_t>(f.column[i]) < t_.first[t + 1]; ++i) {
        s.met[static_cast<std::size_t>(f.column[i])] += f.count[i];
        cells += g_(f.count[i]);
        left -= f.count[i];
      }
      take(t, cells + g_(left) - g_v);
    }
  }

  // The last sum; calls take(t, terms of t). Clears what it reads.
  template <class Take>
  std::uint64_t rest(std::int64_t n_r, Scratch& s, Take take) const {
    std::uint64_t total = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      std::int64_t s_t = 0;
      std::uint64_t cells = 0;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        if (s.met[c] == 0) continue;
        cells += g_(t_.count[c] - s.met[c]) - g_column_[c];
        s_t += s.met[c];
        s.met[c] = 0;
      }
      if (s_t == 0) continue;
      cells += g_.or_zero(n_r - off_[t] + s_t) - g_.or_zero(n_r - off_[t]);
      take(t, cells);
      total += cells;
    }
    return total;
  }

  // Calls take(t, N I(f; t)). Levels without a label add nothing to it.
  template <class Take>
  void each_known(const FeatureTable& f, Scratch& s, Take take) const {
    s.known = not_known_;
    each_known_cell(t_, f, s.cells, [&](std::size_t t, int, std::int64_t rows, std::int64_t ones) {
      if (ones != 0) s.known[t] += g_(ones) + g_(rows - ones) - g_(rows);
    });
    for (std::size_t t = 0; t < t_.size(); ++t) take(t, t_.scaled(t, s.known[t]));
  }

  const TargetColumns& t_;
  const G& g_;
  std::vector<std::size_t> target_of_;                              // by column
  std::vector<std::int64_t> off_;                                   // o_t
  std::vector<std::pair<std::int64_t, std::uint64_t>> off_counts_;  // (o, how many targets have it)
  std::vector<std::uint64_t> g_column_;                             // g(n_c)
  std::uint64_t always_ = 0;
  std::vector<std::uint64_t> not_known_;  // N_t H(t), where some targets are unknown
};

/// N R(f) of every feature.
template <class G>
std::vector<std::uint64_t> relevance_sums(const CountedRows& rows, const G& xlogx, const Context& context) {
  const Relevance<G> relevance(rows.targets(), xlogx);
  const std::size_t n = rows.size();
  struct Worker {
    std::unique_ptr<CountedRows::Reader> reader;
    typename Relevance<G>::Scratch scratch;
  };
  std::vector<std::uint64_t> sums(n);
  const auto make = [&] { return Worker{rows.reader(), {}}; };
  parallel_each(context, n, rows.work(), make,
                [&](Worker& mine, std::size_t f) { sums[f] = relevance.sum(mine.reader->table(f), mine.scratch); });
  return sums;
}

}  // namespace mlsift
