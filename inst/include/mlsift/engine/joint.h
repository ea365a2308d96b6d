#ifndef MLSIFT_ENGINE_JOINT_H
#define MLSIFT_ENGINE_JOINT_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "indicators.h"
#include "xlogx.h"

namespace mlsift {

/// Sums of n log n over the cells of joint tables (XLogX units), from which all informations follow: with G(A) the sum
/// for A, N H(A) = g(N) - G(A).
///
/// Tables of (f, s) and of (f, s, t) for one variable s against every variable f of a block and every target t.
class JointCounts {
 public:
  /// `targets`: each row's indicators of the targets, in one block; may be null when only pairs are wanted.
  JointCounts(const RowBlock& block, const RowBlock* targets, const XLogX& xlogx) : b_(block), t_(targets), g_(xlogx) {
    const std::size_t e = static_cast<std::size_t>(b_.n_indicators());
    cell_.assign(e, 0);
    off_.assign(e, 0);
    if (!t_) return;
    const std::size_t m = static_cast<std::size_t>(t_->n_indicators());
    for (int t = 0; t < t_->n_variables(); ++t) one_each_ = one_each_ && t_->end_of(t) - t_->begin_of(t) == 1;
    with_.assign(e * m, 0);
    both_.assign(e * m, 0);
    for (int c = 0; c < b_.n_indicators(); ++c) {
      int* to = with_.data() + static_cast<std::size_t>(c) * m;
      const Indicators& table = *b_.table;
      for (const int* row = table.rows_begin(b_.offset + c); row != table.rows_end(b_.offset + c); ++row) add_targets(*row, to);
    }
    s_with_.resize(m);
    s_all_.resize(m);
    rest_.resize(m);
    for (std::size_t t = 0; t < m; ++t) t_count_.push_back(t_->table->count(t_->offset + static_cast<int>(t)));
  }

  /// with[f - first] = sum over targets t of G(f, t) for every f of the block.
  void relevance(std::uint64_t* with) {
    const std::size_t m = s_with_.size();
    for (int f = b_.first; f < b_.last; ++f) {
      f_ = f;
      for (std::size_t t = 0; t < m; ++t) rest_[t] = t_count_[t];
      std::uint64_t sum = 0;
      for (int c = b_.begin_of(f); c < b_.end_of(f); ++c) {
        const int* counts = with_.data() + static_cast<std::size_t>(c) * m;
        sum += target_cells(counts, b_.table->count(b_.offset + c));
        for (std::size_t t = 0; t < m; ++t) rest_[t] -= counts[t];
      }
      with[f - b_.first] = sum + target_cells(rest_.data(), b_.table->reference(f));
    }
  }

  /// The same, apart for every target: with[(f - first) * targets + t] = G(f, t).
  void relevance_each(std::uint64_t* with) {
    each_ = with;
    std::vector<std::uint64_t> total(static_cast<std::size_t>(b_.n_variables()));
    std::fill(with, with + total.size() * n_targets(), 0);
    relevance(total.data());
    each_ = nullptr;
  }

  /// pair[f - first] = G(f, s) for every f of the block.
  void pairs(int s, std::uint64_t* pair) {
    const Indicators& table = *b_.table;
    start(pair, nullptr);
    for (int u = table.begin(s); u < table.end(s); ++u) {
      for (const int* row = table.rows_begin(u); row != table.rows_end(u); ++row) {
        for (const int* c = b_.begin(*row); c != b_.end(*row); ++c) ++cell_[static_cast<std::size_t>(*c)];
      }
      for (int f = b_.first; f < b_.last; ++f) pair[f - b_.first] += pair_level(f, table.count(u));
    }
    finish_pairs(pair);
  }

  /// pairs(), and apart for every target: triple[(f - first) * targets + t] = G(f, s, t).
  void triples_each(int s, std::uint64_t* pair, std::uint64_t* triple) {
    each_ = triple;
    std::vector<std::uint64_t> total(static_cast<std::size_t>(b_.n_variables()));
    std::fill(triple, triple + total.size() * n_targets(), 0);
    triples(s, pair, total.data());
    each_ = nullptr;
  }

  /// pairs(), and triple[f - first] = sum over targets t of G(f, s, t).
  void triples(int s, std::uint64_t* pair, std::uint64_t* triple) {
    const Indicators& table = *b_.table;
    const std::size_t m = s_with_.size();
    const bool one_level = table.end(s) - table.begin(s) == 1;
    start(pair, triple);
    std::fill(s_all_.begin(), s_all_.end(), 0);
    if (!one_level) both_all_.assign(both_.size(), 0);
    for (int u = table.begin(s); u < table.end(s); ++u) {
      count_level(u);
      for (std::size_t t = 0; t < m; ++t) s_all_[t] += s_with_[t];
      for (int f = b_.first; f < b_.last; ++f) {
        const bool all_two = in_one_pass(f, one_level);
        triple[f - b_.first] += all_two ? triple_of_two(f, table.count(u)) : triple_level(f, table.count(u));
        pair[f - b_.first] += pair_level(f, table.count(u));
      }
      if (!one_level) {
        for (std::size_t i = 0; i < both_.size(); ++i) both_all_[i] += both_[i];
        if (u + 1 < table.end(s)) std::fill(both_.begin(), both_.end(), 0);
      }
    }
    std::vector<int>& both = one_level || table.end(s) == table.begin(s) ? both_ : both_all_;
    for (int f = b_.first; f < b_.last; ++f) {
      if (!in_one_pass(f, one_level)) triple[f - b_.first] += triple_rest(f, s, both);
    }
    std::fill(both_.begin(), both_.end(), 0);
    finish_pairs(pair);
  }

 private:
  static constexpr std::size_t few_targets = 16;  // so few that a loop over the features inside one over targets is shorter

  std::size_t n_targets() const { return static_cast<std::size_t>(t_->n_variables()); }

  // Whether f, s and all targets have one indicator each, so that triple_of_two() serves.
  bool in_one_pass(int f, bool one_level) const { return one_level && one_each_ && !each_ && b_.end_of(f) - b_.begin_of(f) == 1; }

  void start(std::uint64_t* pair, std::uint64_t* triple) {
    std::fill(pair, pair + b_.n_variables(), 0);
    if (triple) std::fill(triple, triple + b_.n_variables(), 0);
    std::fill(off_.begin(), off_.end(), 0);
    ref_off_.assign(static_cast<std::size_t>(b_.n_variables()), 0);
  }

  // Cells (v, u) of all levels v of f and one level u of s with n_u rows. Moves cell_ to off_, the rows off the reference
  // level of s.
  std::uint64_t pair_level(int f, int n_u) {
    std::uint64_t sum = 0;
    int rest = n_u;
    for (int c = b_.begin_of(f); c < b_.end_of(f); ++c) {
      int& n = cell_[static_cast<std::size_t>(c)];
      if (n == 0) continue;
      sum += g_(n);
      rest -= n;
      off_[static_cast<std::size_t>(c)] += n;
      n = 0;
    }
    ref_off_[static_cast<std::size_t>(f - b_.first)] += rest;
    return sum + g_(rest);
  }

  // Cells of the reference level of s.
  void finish_pairs(std::uint64_t* pair) {
    for (int f = b_.first; f < b_.last; ++f) {
      std::uint64_t sum = 0;
      for (int c = b_.begin_of(f); c < b_.end_of(f); ++c) sum += g_(b_.table->count(b_.offset + c) - off_[static_cast<std::size_t>(c)]);
      pair[f - b_.first] += sum + g_(b_.table->reference(f) - ref_off_[static_cast<std::size_t>(f - b_.first)]);
    }
  }

  void add_targets(int row, int* to) const {
    for (const int* t = t_->begin(row); t != t_->end(row); ++t) ++to[*t];
  }

  // Rows of level u of s: with each indicator of f (cell_), each target (s_with_), and both (both_).
  void count_level(int u) {
    const Indicators& table = *b_.table;
    const std::size_t m = s_with_.size();
    std::fill(s_with_.begin(), s_with_.end(), 0);
    for (const int* row = table.rows_begin(u); row != table.rows_end(u); ++row) {
      const int* const ids = b_.begin(*row);
      const int* const end = b_.end(*row);
      add_targets(*row, s_with_.data());
      for (const int* c = ids; c != end; ++c) ++cell_[static_cast<std::size_t>(*c)];
      if (m <= few_targets) {
        for (const int* t = t_->begin(*row); t != t_->end(*row); ++t) {
          int* const to = both_.data() + *t;
          for (const int* c = ids; c != end; ++c) ++to[static_cast<std::size_t>(*c) * m];
        }
      } else {
        for (const int* c = ids; c != end; ++c) add_targets(*row, both_.data() + static_cast<std::size_t>(*c) * m);
      }
    }
  }

  // Cells of n rows in which the target indicators count `with`, for all targets.
  std::uint64_t target_cells(const int* with, int n) const {
    std::uint64_t sum = 0;
    if (n == 0) return 0;
    if (one_each_ && !each_) {
      const std::size_t m = s_with_.size();
      const std::uint64_t g_n = g_(n);
      sum = g_n * m;
      for (std::size_t t = 0; t < m; ++t) {
        if (with[t] != 0) sum += g_(with[t]) + g_(n - with[t]) - g_n;
      }
      return sum;
    }
    for (int t = t_->first; t < t_->last; ++t) {
      int rest = n;
      std::uint64_t cells = 0;
      for (int c = t_->begin_of(t); c < t_->end_of(t); ++c) {
        cells += g_(with[c]);
        rest -= with[c];
      }
      cells += g_(rest);
      if (each_) each_[static_cast<std::size_t>(f_ - b_.first) * n_targets() + static_cast<std::size_t>(t)] += cells;
      sum += cells;
    }
    return sum;
  }

  // Cells (v, u, target) of all levels v of f and one level u of s.
  std::uint64_t triple_level(int f, int n_u) {
    f_ = f;
    const std::size_t m = s_with_.size();
    std::copy(s_with_.begin(), s_with_.end(), rest_.begin());
    std::uint64_t sum = 0;
    int rest = n_u;
    for (int c = b_.begin_of(f); c < b_.end_of(f); ++c) {
      const int n = cell_[static_cast<std::size_t>(c)];
      if (n == 0) continue;
      const int* with = both_.data() + static_cast<std::size_t>(c) * m;
      sum += target_cells(with, n);
      for (std::size_t t = 0; t < m; ++t) rest_[t] -= with[t];
      rest -= n;
    }
    return sum + target_cells(rest_.data(), rest);
  }

  // All cells of 2 x 2 x 2 tables in one pass: f, s and the targets have one indicator each.
  std::uint64_t triple_of_two(int f, int n_s) const {
    const std::size_t m = s_with_.size(), c = static_cast<std::size_t>(b_.begin_of(f));
    const int n_f = b_.table->count(b_.offset + static_cast<int>(c)), n_fs = cell_[c];
    const int f_only = n_f - n_fs, s_only = n_s - n_fs, neither = static_cast<int>(b_.table->n_rows) - n_f - s_only;
    const int* both = both_.data() + c * m;
    const int* with = with_.data() + c * m;
    const std::uint64_t g_both = g_(n_fs);
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < m; ++t) {
      const int a = both[t], b = with[t] - a, e = s_with_[t] - a, rest = t_count_[t] - b - e - a;
      sum += g_(b) + g_(f_only - b) + g_(e) + g_(s_only - e) + g_(rest) + g_(neither - rest);
      sum += a == 0 ? g_both : g_(a) + g_(n_fs - a);
    }
    return sum;
  }

  // Cells (v, reference level of s, target). `both`: rows off that level with an indicator of f and a target.
  std::uint64_t triple_rest(int f, int s, const std::vector<int>& both) {
    f_ = f;
    const Indicators& table = *b_.table;
    const std::size_t m = s_with_.size();
    for (std::size_t t = 0; t < m; ++t) rest_[t] = t_count_[t] - s_all_[t];
    std::uint64_t sum = 0;
    int rest = table.reference(s);
    level_.resize(m);
    for (int c = b_.begin_of(f); c < b_.end_of(f); ++c) {
      const int n = table.count(b_.offset + c) - off_[static_cast<std::size_t>(c)];
      const int* with = with_.data() + static_cast<std::size_t>(c) * m;
      const int* off = both.data() + static_cast<std::size_t>(c) * m;
      for (std::size_t t = 0; t < m; ++t) {
        level_[t] = with[t] - off[t];
        rest_[t] -= level_[t];
      }
      sum += target_cells(level_.data(), n);
      rest -= n;
    }
    return sum + target_cells(rest_.data(), rest);
  }

  const RowBlock& b_;
  const RowBlock* t_;
  const XLogX& g_;
  bool one_each_ = true;            // all targets have one indicator
  std::uint64_t* each_ = nullptr;   // where the sums of each target go, where they are wanted apart
  int f_ = 0;                       // the variable that target_cells() works for
  std::vector<int> cell_, off_;     // by indicator of the block: rows in the current level of s, in all but its reference
  std::vector<int> ref_off_;        // by variable: rows of its reference level in all levels of s but the reference
  std::vector<int> with_;           // [indicator][target]: rows with both
  std::vector<int> both_, both_all_;  // the same within the current level of s, and all levels but the reference
  std::vector<int> s_with_, s_all_;   // by target: rows with it in the current level, in all levels but the reference
  std::vector<int> t_count_;          // by target: rows with it
  std::vector<int> rest_, level_;
};

}  // namespace mlsift

#endif
