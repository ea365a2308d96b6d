#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/prefetch.h"
#include "dense_targets.h"
#include "met_levels.h"
#include "pair_counter.h"

namespace mlsift {

/// Pairs and triples by rows, with tables of indicators x target indicators.
template <class Weights>
class RowCounter : public PairCounter<Weights> {
 public:
  using Base = PairCounter<Weights>;
  using G = typename Weights::G;

  /// `targets`: each row's indicators of the targets.
  RowCounter(const Indicators& table, const RowBlock& block, const TargetRows& targets, const G& g)
      : Base(table, block, g),
        t_(targets),
        dense_(targets.dense),
        m_(t_.n_indicators()),
        with_(b_.n_indicators() * m_),
        s_with_(m_),
        s_all_(m_),
        rest_(m_),
        level_(m_) {
    count_with();
  }

  void visit(int s, int only, const TargetCells& cells, const TakeSums& take) override {
    const int levels = end(s) - begin(s);
    if (only != Base::all && levels <= UINT8_MAX) return visit_one(static_cast<std::size_t>(only), s, cells, take);
    this->start();
    both_.resize(with_.size());
    if (levels == 1) return visit_one_level(s, cells, take);
    sums_.assign(b_.size() * cells.width, 0);
    pair_.assign(b_.size(), 0);
    both_all_.assign(with_.size(), 0);
    std::fill(s_all_.begin(), s_all_.end(), 0);
    for (int u = begin(s); u < end(s); ++u) {
      count_level(u);
      for (std::size_t t = 0; t < m_; ++t) s_all_[t] += s_with_[t];
      unmet_.assign(cells.width, 0);
      cells.add(table_.count(u), s_with_.data(), unmet_.data());
      for (std::size_t i = 0; i < b_.size(); ++i) {
        std::uint64_t* const sums = sums_.data() + i * cells.width;
        if (meets(i)) {
          add_level(cells, i, table_.count(u), sums);
        } else {
          for (std::size_t k = 0; k < cells.width; ++k) sums[k] += unmet_[k];
        }
        pair_[i] += pair_level(i, table_.count(u));
      }
      for (std::size_t i = 0; i < both_.size(); ++i) both_all_[i] += both_[i];
      std::fill(both_.begin(), both_.end(), 0);
    }
    for (std::size_t i = 0; i < b_.size(); ++i) {
      std::uint64_t* const sums = sums_.data() + i * cells.width;
      add_rest(cells, i, s, both_all_, sums);
      take(static_cast<std::size_t>(b_.variables[i]), pair_[i] + pair_rest(i), sums);
    }
  }

  /// As pairs_met(), with the sums over targets.
  void triples_met(int s, std::vector<JointSums>& met) {
    both_.resize(with_.size());
    std::fill(s_with_.begin(), s_with_.end(), 0);
    for (int u = begin(s); u < end(s); ++u) add_targets(table_.rows_begin(u), table_.rows_end(u), s_with_.data());
    const int n_s = this->off_reference(s);
    meet(
        s, 1 + m_, [this](std::size_t row, std::size_t place) { add_targets(row, both_.data() + place * m_); },
        [&](std::size_t from) {
          for (std::size_t i = 0; i < n_touched_; ++i) {
            prefetch(b_.count.data() + soon(i, from));
            if (!owner_.empty()) prefetch(owner_.data() + soon(i, from));
            prefetch(both_.data() + (soon(i, from) - from) * m_);
            prefetch(with_.data() + soon(i, from) * m_);
            const std::size_t place = static_cast<std::size_t>(touched_[i]), c = from + place;
            int* const both = both_.data() + place * m_;
            const std::uint64_t triple =
                four_cells(g_, t_, all_, b_.count[c], with_.data() + c * m_, n_s, s_with_.data(), cell_[place], both);
            met.push_back(pair_met(touched_[i], from, n_s));
            met.back().triple = triple;
            std::fill(both, both + m_, 0);
          }
        });
  }

  const int* with_targets(std::size_t c) const override { return with_.data() + c * m_; }

 private:
  using Base::all_;
  using Base::b_;
  using Base::begin;
  using Base::cell_;
  using Base::end;
  using Base::g_;
  using Base::meet;
  using Base::n_touched_;
  using Base::off_;
  using Base::owner_;
  using Base::pair_level;
  using Base::pair_met;
  using Base::pair_rest;
  using Base::reference;
  using Base::soon;
  using Base::table_;
  using Base::touched_;
  using Base::weight_;

  static constexpr std::size_t most_remembered = std::size_t{32} << 20;  // bytes
  static constexpr std::size_t few_targets = 16;  // up to this many, an inner loop over features is faster

  // From the rows of variable i off its reference level.
  void visit_one(std::size_t i, int s, const TargetCells& cells, const TakeSums& take) {
    const Selected& selected = remembered(s);
    const std::size_t first = b_.first[i], e = b_.first[i + 1] - first, sides = 1 + m_;
    n_.resize(e, static_cast<std::size_t>(end(s) - begin(s)), sides);
    std::fill(n_.data(), n_.data() + e * n_.row(), 0);
    of_f_.resize(e * sides);
    found_.resize(std::max(found_.size(), table_.n_rows + 1));
    for (std::size_t v = 0; v < e; ++v) {
      int* const n = n_.data() + v * n_.row();
      const int c = table_.begin(b_.variables[i]) + static_cast<int>(v);
      const int *const found = found_.data(), *const last = list_both(c, selected);
      if (end(s) - begin(s) == 1) {
        for (const int* row = found; row != last; ++row) *n += weight_[static_cast<std::size_t>(*row)];
        add_targets(found, last, n + 1);
      } else {
        for (const int* row = found; row != last; ++row) {
          int* const to = n + (selected.level[static_cast<std::size_t>(*row)] - std::size_t{1}) * sides;
          *to += weight_[static_cast<std::size_t>(*row)];
          add_targets(row, row + 1, to + 1);
        }
      }
      of_f_[v * sides] = b_.count[first + v];
      std::copy_n(with_.data() + (first + v) * m_, m_, of_f_.data() + v * sides + 1);
    }
    n_.complete(selected.rows.data(), of_f_.data());
    sums_.assign(cells.width, 0);
    const std::uint64_t pair = n_.sum(g_, &cells, sums_.data());
    take(static_cast<std::size_t>(b_.variables[i]), pair, sums_.data());
  }

  // Where s has one indicator: the cells of each feature one after the other, or at once.
  void visit_one_level(int s, const TargetCells& cells, const TakeSums& take) {
    const int u = begin(s), n_s = table_.count(u);
    count_level(u);
    s_all_ = s_with_;
    const bool by_met_levels = cells.kind == TargetCells::Kind::all_targets && m_ != t_.size();
    if (by_met_levels && !met_) met_ = std::make_unique<MetLevels<Weights>>(b_, t_, g_, with_);
    if (by_met_levels) met_->look_at(n_s, s_with_.data());
    for (std::size_t i = 0; i < b_.size(); ++i) {
      sums_.assign(cells.width, 0);
      const std::size_t c = b_.first[i];
      bool done = b_.first[i + 1] - c == 1;
      if (done && by_met_levels) {
        sums_[0] = met_->sum(c, both_.data() + c * m_, cell_[c]);
      } else if (done) {
        const int *const f = with_.data() + c * m_, *const fs = both_.data() + c * m_;
        done = cells.add_two({all_, b_.count[c], n_s, cell_[c], f, s_with_.data(), fs}, sums_.data());
      }
      if (!done) add_level(cells, i, n_s, sums_.data());
      const std::uint64_t pair = pair_level(i, n_s) + pair_rest(i);
      if (!done) add_rest(cells, i, s, both_, sums_.data());
      take(static_cast<std::size_t>(b_.variables[i]), pair, sums_.data());
    }
    for (std::size_t c = 0; c < off_.size(); ++c) {
      if (off_[c] != 0) std::fill_n(both_.begin() + static_cast<std::ptrdiff_t>(c * m_), m_, 0);
    }
  }

  // Of one variable s: the level of each row, from 1, 0 for the reference; the rows of every level and side of a
  // PairTable.
  struct Selected {
    std::vector<std::uint8_t> level;
    std::vector<int> rows;
  };

  const Selected& remembered(int s) {
    const auto found = remembered_.find(s);
    if (found != remembered_.end()) return found->second;
    if (remembered_.size() * (table_.n_rows + sizeof(int) * n_.row()) > most_remembered) remembered_.clear();
    Selected& selected = remembered_[s];
    const std::size_t levels = static_cast<std::size_t>(end(s) - begin(s)), sides = 1 + m_;
    selected.level.assign(table_.n_rows, 0);
    selected.rows.assign((levels + 1) * sides, 0);
    int* const reference = selected.rows.data() + levels * sides;
    *reference = all_;
    std::copy(t_.count.begin(), t_.count.end(), reference + 1);
    for (std::size_t u = 0; u < levels; ++u) {
      const int c = begin(s) + static_cast<int>(u);
      int* const to = selected.rows.data() + u * sides;
      *to = table_.count(c);
      for (const int* row = table_.rows_begin(c); row != table_.rows_end(c); ++row)
        selected.level[static_cast<std::size_t>(*row)] = static_cast<std::uint8_t>(u + 1);
      add_targets(table_.rows_begin(c), table_.rows_end(c), to + 1);
      for (std::size_t j = 0; j < sides; ++j) reference[j] -= to[j];
    }
    return selected;
  }

  // Lists in found_ the rows of indicator c off the reference level of s: without a branch, which would be mispredicted
  // too often. Returns their end.
  const int* list_both(int c, const Selected& s) {
    const std::uint8_t* const level = s.level.data();
    int* to = found_.data();
    for (const int *row = table_.rows_begin(c), *const last = table_.rows_end(c); row != last; ++row) {
      *to = *row;
      to += level[*row] != 0;
    }
    return to;
  }

  void count_with() {
    if (m_ != 1) {
      std::size_t c = 0;
      for (const int f : b_.variables) {
        for (int i = begin(f); i < end(f); ++i, ++c)
          add_targets(table_.rows_begin(i), table_.rows_end(i), with_.data() + c * m_);
      }
      return;
    }
    std::vector<std::conditional_t<Weights::weighted, int, std::uint8_t>> has(table_.n_rows);
    for (std::size_t row = 0; row < has.size(); ++row) {
      if (t_.begin(row) != t_.end(row)) has[row] = static_cast<typename decltype(has)::value_type>(weight_[row]);
    }
    visit_rows(table_, b_, [&](std::size_t c, std::size_t row) { with_[c] += has[row]; });
  }

  void add_targets(std::size_t row, int* to) const {
    for (const int* t = t_.begin(row); t != t_.end(row); ++t) to[*t] += weight_[row];
  }

  // The same of several rows.
  void add_targets(const int* row, const int* last, int* to) const {
    if (!dense_.empty()) return dense_.add(row, last, to);
    for (; row != last; ++row) add_targets(static_cast<std::size_t>(*row), to);
  }

  // Rows of level u of s: with each indicator of f (cell_), each target (s_with_), and both (both_).
  void count_level(int u) {
    const int *const first = table_.rows_begin(u), *const last = table_.rows_end(u);
    std::fill(s_with_.begin(), s_with_.end(), 0);
    add_targets(first, last, s_with_.data());
    for (const int* at = first; at != last; ++at) {
      const std::size_t row = static_cast<std::size_t>(*at);
      const int *const ids = b_.begin(row), *const end = b_.end(row);
      if (ids == end) continue;
      for (const int* c = ids; c != end; ++c) cell_[static_cast<std::size_t>(*c)] += weight_[row];
      const auto targets = dense_.empty() ? std::make_pair(t_.begin(row), t_.end(row)) : dense_.others(row);
      if (m_ <= few_targets) {
        for (const int* t = targets.first; t != targets.second; ++t) {
          int* const to = both_.data() + *t;
          for (const int* c = ids; c != end; ++c) to[static_cast<std::size_t>(*c) * m_] += weight_[row];
        }
      } else {
        for (const int* c = ids; c != end; ++c) {
          int* const to = both_.data() + static_cast<std::size_t>(*c) * m_;
          for (const int* t = targets.first; t != targets.second; ++t) to[*t] += weight_[row];
        }
      }
    }
    if (!dense_.empty()) count_dense(first, last);
  }

  // both_ of the targets that are dense. These rows of s are listed by indicator of f.
  void count_dense(const int* first, const int* last) {
    std::size_t n = 0;
    next_.clear();
    for (const int rows : cell_) {
      next_.push_back(n);
      n += static_cast<std::size_t>(rows);
    }
    found_.resize(std::max(found_.size(), n));
    for (const int* row = first; row != last; ++row) {
      const std::size_t at = static_cast<std::size_t>(*row);
      for (const int *c = b_.begin(at), *const end = b_.end(at); c != end; ++c)
        found_[next_[static_cast<std::size_t>(*c)]++] = *row;
    }
    for (std::size_t c = 0; c < cell_.size(); ++c) {
      const int* const end = found_.data() + next_[c];
      if (cell_[c] > 0) dense_.add_dense(end - cell_[c], end, both_.data() + c * m_);
    }
  }

  // Whether variable i has rows off its reference level in the current level of s.
  bool meets(std::size_t i) const {
    const auto begin = cell_.begin() + static_cast<std::ptrdiff_t>(b_.first[i]);
    const auto end = cell_.begin() + static_cast<std::ptrdiff_t>(b_.first[i + 1]);
    return std::any_of(begin, end, [](int n) { return n != 0; });
  }

  // Cells (v, u, target) of all levels v of variable i and one level u of s.
  void add_level(const TargetCells& cells, std::size_t i, int n_u, std::uint64_t* sums) {
    std::copy(s_with_.begin(), s_with_.end(), rest_.begin());
    int rest = n_u;
    for (std::size_t c = b_.first[i]; c < b_.first[i + 1]; ++c) {
      const int n = cell_[c];
      if (n == 0) continue;
      const int* with = both_.data() + c * m_;
      cells.add(n, with, sums);
      for (std::size_t t = 0; t < m_; ++t) rest_[t] -= with[t];
      rest -= n;
    }
    cells.add(rest, rest_.data(), sums);
  }

  // Cells (v, reference level of s, target). `both`: rows off that level with an indicator of f and a target.
  void add_rest(const TargetCells& cells, std::size_t i, int s, const std::vector<int>& both, std::uint64_t* sums) {
    for (std::size_t t = 0; t < m_; ++t) rest_[t] = t_.count[t] - s_all_[t];
    int rest = reference(s);
    for (std::size_t c = b_.first[i]; c < b_.first[i + 1]; ++c) {
      const int n = b_.count[c] - off_[c];
      const int* with = with_.data() + c * m_;
      for (std::size_t t = 0; t < m_; ++t) {
        level_[t] = with[t] - both[c * m_ + t];
        rest_[t] -= level_[t];
      }
      cells.add(n, level_.data(), sums);
      rest -= n;
    }
    cells.add(rest, rest_.data(), sums);
  }

  const RowBlock& t_;
  const DenseTargets& dense_;
  std::size_t m_;
  std::vector<int> with_;             // [indicator][target indicator]: rows with both
  std::vector<int> both_, both_all_;  // the same within the current level of s, and all levels but the reference
  std::vector<int> s_with_, s_all_;   // by target indicator: with the current level of s, with all but its reference
  std::vector<int> rest_, level_;
  std::unique_ptr<MetLevels<Weights>> met_;  // where targets have more indicators than one; made on first use
  std::vector<int> found_;                   // scratch space: rows
  std::vector<std::size_t> next_;
  std::vector<std::uint64_t> sums_, pair_, unmet_;
  PairTable n_;  // of visit_one(), as the following
  std::vector<int> of_f_;
  std::map<int, Selected> remembered_;
};

}  // namespace mlsift
