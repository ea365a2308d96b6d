#ifndef MLSIFT_COUNT_RARE_COUNTS_H
#define MLSIFT_COUNT_RARE_COUNTS_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "table_counts.h"

namespace mlsift {

/// Joint counts of rare features of two levels with targets of many levels. All variables of the block have at most one
/// indicator, of at most most_rows rows, and each row counts once.
///
/// A target level with one row of f adds to the cells of s what that row adds to any feature: a number for each row. So
/// only levels with two or more rows of f are listed, with what they add beyond their rows:
///
///   sum over t of G(f, s, t) = sum over levels l of G(s, l) + sum over rows r of f of add(r)
///                              + sum over listed l of (add(l, rows of f in l) - sum over these rows of add(l, row))
///
/// cost     rows of f, targets of those with s, and the levels listed; for each row of the block its targets
/// memory   4 bytes for each level listed; what asks for single targets or features, or for s of more than two levels,
///          makes a TableCounts
class RareCounts : public RowCounts<EachOnce> {
 public:
  static constexpr int most_rows = 255;

  /// `targets`: each row's indicators of the targets.
  RareCounts(const Indicators& table, const RowBlock& block, const TargetRows& targets, const XLogX& g)
      : RowCounts(table, block, g), t_(targets), m_(t_.n_indicators()), n_levels_(m_ + t_.size()) {
    if (n_levels_ > most_levels) throw std::length_error("Targets have too many levels.");
    level_rows_.assign(t_.count.begin(), t_.count.end());
    level_rows_.insert(level_rows_.end(), t_.reference.begin(), t_.reference.end());
    for (std::size_t t = 0; t < t_.size(); ++t) target_of_.insert(target_of_.end(), t_.first[t + 1] - t_.first[t], t);
    with_.assign(n_levels_, 0);
  }

  void triples(int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) override {
    if (each || end(s) - begin(s) > 1) return general().triples(s, pair, triple, each);
    if (start_.empty()) list_levels();
    look_at(s);
    const int n = static_cast<int>(table_.n_rows), n_s = n - reference(s);
    for (std::size_t i = 0; i < b_.size(); ++i) {
      const std::size_t f = static_cast<std::size_t>(b_.variables[i]);
      const int n_f = n - b_.reference[i];
      std::uint64_t sum = s_sum_;
      int n_fs = 0;
      for (const int *row = rows(i), *const last = row + n_f; row != last; ++row) {
        const Row& its = row_[static_cast<std::size_t>(*row)];
        sum += its.adds;
        n_fs += its.with_s;
      }
      pair[f] = four_cells(g_, n, n_f, n_s, n_fs);
      triple[f] = sum + (n_fs == 0 ? listed_apart(i) : listed(i, n_f));
    }
    for (const int* row = of_s_begin(s); row != of_s_end(s); ++row) row_[static_cast<std::size_t>(*row)].with_s = 0;
  }

  void triples_of(std::size_t i, int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) override {
    general().triples_of(i, s, pair, triple, each);
  }

  void other_cells_of(std::size_t i, int s, Measure measure, std::uint64_t* pair, std::uint64_t* other) override {
    general().other_cells_of(i, s, measure, pair, other);
  }

  void other_cells(int s, Measure measure, std::uint64_t* pair, std::uint64_t* other) override {
    general().other_cells(s, measure, pair, other);
  }

 private:
  // A listed level: one of the target indicators, or m_ + t for the reference level of target t. So few rows (from 2)
  // are looked up.
  struct Level {
    std::uint32_t level : 24, rows : 8;
  };
  static constexpr std::uint32_t most_levels = (1U << 24) - 1;
  static constexpr int least_few = 2, most_few = 5;
  static constexpr std::size_t n_few = most_few - least_few + 1, ways = most_few + 1;

  // What a row of f adds, and whether s has the row.
  struct Row {
    std::uint64_t adds = 0;
    int with_s = 0;
  };

  const int* rows(std::size_t i) const { return table_.rows_begin(table_.begin(b_.variables[i])); }
  const int* of_s_begin(int s) const { return begin(s) == end(s) ? nullptr : table_.rows_begin(begin(s)); }
  const int* of_s_end(int s) const { return begin(s) == end(s) ? nullptr : table_.rows_end(begin(s)); }

  TableCounts<EachOnce>& general() {
    if (!general_) general_ = std::make_unique<TableCounts<EachOnce>>(table_, b_, t_, g_);
    return *general_;
  }

  // Calls visit(level, rows) for the target levels that variable i meets.
  template <class Visit>
  void visit_levels(std::size_t i, int n_f, Visit visit) {
    found_.clear();
    for (const int *row = rows(i), *const last = row + n_f; row != last; ++row) {
      for (const int* c = t_.begin(static_cast<std::size_t>(*row)); c != t_.end(static_cast<std::size_t>(*row)); ++c) {
        if (with_[static_cast<std::size_t>(*c)]++ == 0) found_.push_back(*c);
        ++with_[m_ + target_of_[static_cast<std::size_t>(*c)]];
      }
    }
    for (const int c : found_) {
      visit(static_cast<std::size_t>(c), with_[static_cast<std::size_t>(c)]);
      with_[static_cast<std::size_t>(c)] = 0;
    }
    for (std::size_t level = m_; level < n_levels_; ++level) {
      if (with_[level] < n_f) visit(level, n_f - with_[level]);
      with_[level] = 0;
    }
  }

  // The levels of each variable with two rows or more, those of few rows first.
  void list_levels() {
    std::vector<Level> many;
    std::vector<char> met(table_.n_rows, 0);
    start_.push_back(0);
    for (std::size_t i = 0; i < b_.size(); ++i) {
      const int n_f = static_cast<int>(table_.n_rows) - b_.reference[i];
      for (int at = 0; at < n_f; ++at) met[static_cast<std::size_t>(rows(i)[at])] = 1;
      many.clear();
      if (n_f >= least_few) {
        visit_levels(i, n_f, [&](std::size_t level, int count) {
          if (count < least_few) return;
          (count <= most_few ? listed_ : many)
              .push_back({static_cast<std::uint32_t>(level) & most_levels, static_cast<std::uint32_t>(count) & 255U});
        });
      }
      many_.push_back(listed_.size());
      listed_.insert(listed_.end(), many.begin(), many.end());
      start_.push_back(listed_.size());
    }
    for (std::size_t row = 0; row < met.size(); ++row) {
      if (met[row]) met_rows_.push_back(static_cast<int>(row));
    }
    row_.resize(table_.n_rows);
  }

  // What the cells of s with a target level grow by when they are split by n_f rows, `both` of them with s.
  std::uint64_t change(std::size_t level, int n_f, int both) const {
    return four_cells(g_, level_rows_[level], n_f, s_level_[level], both) - s_cells_[level];
  }

  // The same less what these rows add one by one.
  std::uint64_t beyond(std::size_t level, int n_f, int both) const {
    return change(level, n_f, both) - static_cast<std::uint64_t>(n_f - both) * apart_[level] -
           static_cast<std::uint64_t>(both) * both_[level];
  }

  // Everything needed about s, which has at most one indicator.
  void look_at(int s) {
    s_level_.assign(n_levels_, 0);
    s_cells_.resize(n_levels_);
    apart_.assign(n_levels_, 0);
    both_.assign(n_levels_, 0);
    few_apart_.resize(n_few * n_levels_);
    few_.resize(n_few * ways * n_levels_);
    const int n_s = off_reference(s);
    for (std::size_t t = 0; t < t_.size(); ++t) s_level_[m_ + t] = n_s;
    for (const int* row = of_s_begin(s); row != of_s_end(s); ++row) {
      const std::size_t at = static_cast<std::size_t>(*row);
      row_[at].with_s = 1;
      for (const int* c = t_.begin(at); c != t_.end(at); ++c) {
        ++s_level_[static_cast<std::size_t>(*c)];
        --s_level_[m_ + target_of_[static_cast<std::size_t>(*c)]];
      }
    }
    s_sum_ = 0;
    for (std::size_t level = 0; level < n_levels_; ++level) {
      const int with_s = s_level_[level], without_s = level_rows_[level] - with_s;
      s_cells_[level] = g_(with_s) + g_(without_s);
      s_sum_ += s_cells_[level];
      if (without_s > 0) apart_[level] = change(level, 1, 0);
      if (with_s > 0) both_[level] = change(level, 1, 1);
      for (int n_f = least_few; n_f <= most_few; ++n_f) {
        const std::size_t at = n_few * level + static_cast<std::size_t>(n_f - least_few);
        for (int both = std::max(0, n_f - without_s); both <= std::min(n_f, with_s); ++both)
          few_[ways * at + static_cast<std::size_t>(both)] = beyond(level, n_f, both);
        few_apart_[at] = few_[ways * at];
      }
    }
    std::uint64_t apart = 0, both = 0;  // of a row of reference levels
    for (std::size_t level = m_; level < n_levels_; ++level) {
      apart += apart_[level];
      both += both_[level];
    }
    of_indicator_.resize(m_);
    for (std::size_t c = 0; c < m_; ++c) of_indicator_[c] = apart_[c] - apart_[m_ + target_of_[c]];
    for (const int r : met_rows_) {
      Row& row = row_[static_cast<std::size_t>(r)];
      if (row.with_s) continue;
      row.adds = apart;
      for (const int* c = t_.begin(static_cast<std::size_t>(r)); c != t_.end(static_cast<std::size_t>(r)); ++c)
        row.adds += of_indicator_[static_cast<std::size_t>(*c)];
    }
    for (std::size_t c = 0; c < m_; ++c) of_indicator_[c] = both_[c] - both_[m_ + target_of_[c]];
    for (const int* r = of_s_begin(s); r != of_s_end(s); ++r) {
      Row& row = row_[static_cast<std::size_t>(*r)];
      row.adds = both;
      for (const int* c = t_.begin(static_cast<std::size_t>(*r)); c != t_.end(static_cast<std::size_t>(*r)); ++c)
        row.adds += of_indicator_[static_cast<std::size_t>(*c)];
    }
  }

  // What listed levels add to variable i, which has no row with s.
  std::uint64_t listed_apart(std::size_t i) const {
    const Level *at = listed_.data() + start_[i], *const many = listed_.data() + many_[i];
    std::uint64_t sum = 0;
    for (; at != many; ++at) sum += few_apart_[n_few * at->level + (at->rows - least_few)];
    for (const Level* const last = listed_.data() + start_[i + 1]; at != last; ++at)
      sum += beyond(at->level, static_cast<int>(at->rows), 0);
    return sum;
  }

  // The same of a variable that has some.
  std::uint64_t listed(std::size_t i, int n_f) {
    if (start_[i] == start_[i + 1]) return 0;
    int n_fs = 0;
    found_.clear();
    for (const int *row = rows(i), *const last = row + n_f; row != last; ++row) {
      const std::size_t at = static_cast<std::size_t>(*row);
      if (!row_[at].with_s) continue;
      ++n_fs;
      found_.push_back(*row);
      for (const int* c = t_.begin(at); c != t_.end(at); ++c) {
        ++with_[static_cast<std::size_t>(*c)];
        --with_[m_ + target_of_[static_cast<std::size_t>(*c)]];
      }
    }
    for (std::size_t level = m_; level < n_levels_; ++level) with_[level] += n_fs;
    const Level *at = listed_.data() + start_[i], *const many = listed_.data() + many_[i];
    std::uint64_t sum = 0;
    for (; at != many; ++at)
      sum += few_[ways * (n_few * at->level + (at->rows - least_few)) + static_cast<std::size_t>(with_[at->level])];
    for (const Level* const last = listed_.data() + start_[i + 1]; at != last; ++at)
      sum += beyond(at->level, static_cast<int>(at->rows), with_[at->level]);
    for (const int row : found_) {
      const std::size_t r = static_cast<std::size_t>(row);
      for (const int* c = t_.begin(r); c != t_.end(r); ++c) with_[static_cast<std::size_t>(*c)] = 0;
    }
    std::fill(with_.begin() + static_cast<std::ptrdiff_t>(m_), with_.end(), 0);
    return sum;
  }

  const TargetRows& t_;
  std::size_t m_, n_levels_;            // target indicators, and with the reference levels
  std::vector<int> level_rows_;         // by target level: its rows
  std::vector<std::size_t> target_of_;  // by target indicator
  std::vector<Level> listed_;           // of variable i: from start_[i], those of many rows from many_[i]
  std::vector<std::size_t> start_, many_;
  std::vector<int> met_rows_;  // rows that some variable has
  std::vector<Row> row_;
  std::vector<int> found_;                      // scratch space
  std::vector<int> with_;                       // by target level: rows of one variable; zeros in between
  std::vector<int> s_level_;                    // by target level: rows of s
  std::vector<std::uint64_t> s_cells_;          // by target level: its two cells with s
  std::vector<std::uint64_t> apart_, both_;     // by target level: what one row adds, without s and with it
  std::vector<std::uint64_t> of_indicator_;     // the same less that of the reference level
  std::vector<std::uint64_t> few_, few_apart_;  // beyond() of few rows, [target level][rows][both], and without s
  std::uint64_t s_sum_ = 0;
  std::unique_ptr<TableCounts<EachOnce>> general_;
};

}  // namespace mlsift

#endif
