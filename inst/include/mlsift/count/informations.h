#ifndef MLSIFT_COUNT_INFORMATIONS_H
#define MLSIFT_COUNT_INFORMATIONS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "../core/parallel.h"
#include "../core/xlogx.h"
#include "../data/indicators.h"
#include "joint_bits.h"
#include "joint_groups.h"
#include "joint_rows.h"

namespace mlsift {

/// What greedy criteria ask: entropies, and informations between features f, a selected feature s and targets t, in
/// bits.
///
///   H(f),  R(f) = sum_t I(f; t),  I(f; s) for all f,  T(f, s) = sum_t I((f, s); t) for all f
///
/// Features and targets are discrete variables of any number of levels. Every answer is an integer sum turned into
/// bits, so it depends neither on the layout of the data, nor on threads, nor on the order of rows and targets.
///
/// What depends on s and targets can be asked for one feature `only`, by its number; below 0, for all.
class Informations {
 public:
  /// `joint`: whether T will be asked for, which needs tables of features x targets.
  Informations(Indicators features, Indicators targets, bool joint, const Context& context)
      : features_(std::move(features)),
        targets_(std::move(targets)),
        xlogx_(features_.n_rows, targets_.n_variables()),
        context_(context),
        poll_(context_) {
    represent(joint);
    for (int f = 0; f < features_.n_variables(); ++f) cells_.push_back(cells_of(features_, f));
    for (int t = 0; t < targets_.n_variables(); ++t) {
      cells_of_target_.push_back(cells_of(targets_, t));
      target_cells_ += cells_of_target_.back();
    }
    triples(-1, all_features, nullptr);
    for (std::size_t f = 0; f < size(); ++f) {
      relevance_sum_.push_back(q() * whole() - target_cells_ - q() * cells_[f] + triple_[f]);
      relevance_.push_back(xlogx_.bits(relevance_sum_[f]));
    }
    if (joint) return;
    for (Part& part : parts_) part.counts.reset();
    with_targets_ = false;
  }

  std::size_t size() const { return static_cast<std::size_t>(features_.n_variables()); }
  int n_targets() const { return targets_.n_variables(); }
  std::size_t n_as_bits() const {
    return n_dense_;
  }  ///< features that are bit columns; the others are sparse indicators
  bool targets_by_groups() const {
    return by_groups_;
  }  ///< whether sparse indicators meet targets by groups of equal rows

  /// What an answer for one feature alone costs, as a share of what that for all costs; 1 where there is no saving.
  double cost_of_one() const { return cost_of_one_; }

  static constexpr int all_features = -1;

  double entropy(int f) const { return xlogx_.bits(whole() - cells_[static_cast<std::size_t>(f)]); }
  double relevance(int f) const { return relevance_[static_cast<std::size_t>(f)]; }

  /// Keeps the answers of with_feature(), at most so many bytes of them, for searches that ask for the same ones again.
  void keep_answers(std::size_t bytes) { most_answers_ = bytes / (sizeof(double) * std::max<std::size_t>(1, size())); }

  /// information[f] = I(f; s).
  void with_feature(int s, std::vector<double>& information) {
    const auto known = answers_.find(s);
    if (known != answers_.end()) {
      information = known->second;
      return;
    }
    each_part([&](JointCounts& counts) { counts.pairs(s, scratch_.data()); });
    to_information(s, information);
    if (answers_.size() < most_answers_) answers_[s] = information;
  }

  /// The same, and joint[f] = T(f, s).
  void with_feature_and_targets(int s, std::vector<double>& information, std::vector<double>& joint) {
    with_targets(s, joint);
    to_information(s, information);
  }

  /// joint[f] = T(f, s).
  void with_targets(int s, std::vector<double>& joint, int only = all_features) {
    triples(s, only, nullptr);
    each_feature(only, joint, [&](std::size_t f) {
      return xlogx_.bits(q() * whole() - target_cells_ - q() * scratch_[f] + triple_[f]);
    });
  }

  /// given[f] = sum over t of I(f; t | s) = T(f, s) - R(s), taken as a difference of integers, and 0 where it is no
  /// larger than their rounding: so where f adds nothing to s, it is 0. With s < 0, R(f) in the same way.
  void with_targets_given(int s, std::vector<double>& given, int only = all_features) {
    triples(s, only, nullptr);
    const std::uint64_t r_s = s < 0 ? 0 : relevance_sum_[static_cast<std::size_t>(s)];
    const std::int64_t levels_s = s < 0 ? 1 : levels(s), n_t = n_targets(), levels_t = targets_.n_indicators() + n_t;
    const std::int64_t most = 4 * n_t * static_cast<std::int64_t>(features_.n_rows);  // cells that have rows
    each_feature(only, given, [&](std::size_t f) {
      const std::uint64_t sum = q() * whole() - target_cells_ - q() * scratch_[f] + triple_[f] - r_s;
      const std::int64_t cells = std::min(most, (levels(static_cast<int>(f)) + 1) * levels_s * (levels_t + n_t));
      return std::abs(static_cast<std::int64_t>(sum)) <= cells / 2 ? 0 : xlogx_.bits(sum);
    });
  }

  /// What I((f, s); t) is divided by: the square root of H(f, s) H(t), or H(f, s, t).
  enum class Divisor { root_of_entropies, joint_entropy };

  /// normalized[f] = sum over t of I((f, s); t) / divisor, terms with divisor 0 left out; with s < 0, of I(f; t), and
  /// entropies without s.
  void normalized(int s, Divisor divisor, std::vector<double>& normalized, int only = all_features) {
    const std::size_t m = static_cast<std::size_t>(n_targets());
    if (m > 1) each_.resize(size() * m);
    triples(s, only, m > 1 ? each_.data() : nullptr);
    const std::uint64_t* const each = m > 1 ? each_.data() : triple_.data();
    each_feature(only, normalized, [&](std::size_t f) {
      double sum = 0;
      const double h_f = xlogx_.bits(whole() - scratch_[f]);
      for (std::size_t t = 0; t < m; ++t) {
        const std::uint64_t cells = each[f * m + t];
        const double by = divisor == Divisor::joint_entropy
                              ? xlogx_.bits(whole() - cells)
                              : std::sqrt(h_f * xlogx_.bits(whole() - cells_of_target_[t]));
        if (by > 0) sum += xlogx_.bits(whole() - cells_of_target_[t] - scratch_[f] + cells) / by;
      }
      return sum;
    });
  }

 private:
  static constexpr std::size_t most_kept = std::size_t{512} << 20;  // bytes of tables that stay between steps
  static constexpr double steps = 32;                               // over so many steps, what is done once is spread

  std::uint64_t q() const { return static_cast<std::uint64_t>(targets_.n_variables()); }
  std::uint64_t whole() const { return xlogx_(static_cast<std::int64_t>(features_.n_rows)); }

  std::int64_t levels(int f) const { return features_.end(f) - features_.begin(f) + 1; }

  std::uint64_t cells_of(const Indicators& table, int f) const {
    std::uint64_t sum = xlogx_(table.reference(f));
    for (int c = table.begin(f); c < table.end(f); ++c) sum += xlogx_(table.count(c));
    return sum;
  }

  void to_information(int s, std::vector<double>& information) const {
    information.resize(size());
    for (std::size_t f = 0; f < size(); ++f) {
      information[f] = xlogx_.bits(whole() - cells_[f] - cells_[static_cast<std::size_t>(s)] + scratch_[f]);
    }
  }

  void triples(int s, int only, std::uint64_t* each) {
    triple_.resize(size());
    if (only == all_features) {
      each_part([&](JointCounts& counts) { counts.triples(s, scratch_.data(), triple_.data(), each); });
      return;
    }
    poll_();
    const Place& place = place_[static_cast<std::size_t>(only)];
    counts_of_part(place.part).triples_of(place.variable, s, scratch_.data(), triple_.data(), each);
  }

  // to[f] = answer(f), for all features or one.
  template <class Answer>
  void each_feature(int only, std::vector<double>& to, Answer answer) const {
    to.resize(size());
    if (only != all_features) {
      to[static_cast<std::size_t>(only)] = answer(static_cast<std::size_t>(only));
      return;
    }
    for (std::size_t f = 0; f < size(); ++f) to[f] = answer(f);
  }

  // Some of the features in the representation that suits them. Its counts are kept between steps where they fit.
  struct Part {
    RowBlock rows;
    BitBlock bits;
    std::unique_ptr<JointCounts> counts;
  };

  // Where a feature is: which variable of which part.
  struct Place {
    std::size_t part = 0, variable = 0;
  };

  // Rows that are not alone in their level of a target, over all targets.
  double rows_in_company() const {
    double rows = 0;
    for (int t = 0; t < n_targets(); ++t) {
      if (targets_.reference(t) > 1) rows += targets_.reference(t);
      for (int c = targets_.begin(t); c < targets_.end(t); ++c) {
        if (targets_.count(c) > 1) rows += targets_.count(c);
      }
    }
    return rows;
  }

  // Chooses how joint tables are counted, by what a step costs: increments of a count, words of 64 rows, look-ups.
  void represent(bool joint) {
    const double n = static_cast<double>(features_.n_rows), m = targets_.n_indicators(), q = targets_.n_variables();
    const double targets_of_row = static_cast<double>(targets_.rows.size()) / n;
    const double sides = joint ? 1 + m : 1;
    std::vector<int> sparse, dense;
    double off_all = 0, table_work = 0, work_alone = 0;
    for (int f = 0; f < features_.n_variables(); ++f) {
      const double e = features_.end(f) - features_.begin(f), off = 1 - features_.reference(f) / n;
      const double by_rows = off * off * n * (joint ? 1 + targets_of_row : 1) + off * n * targets_of_row / steps;
      const double by_bits = e * e * sides * n / 64 + e * m * n / 64 / steps;
      step_work_ += std::min(by_rows, by_bits) + 8 * (e + 1) * sides;
      work_alone += (by_bits < by_rows ? by_bits : std::max(by_rows, 2 * off * n)) + 8 * (e + 1) * sides;
      (by_bits < by_rows ? dense : sparse).push_back(f);
      if (by_bits < by_rows) continue;
      off_all += off * n;
      table_work += 4 * (std::min(m, off * n * targets_of_row) + q) + off * off * n * targets_of_row + e * m;
    }
    by_groups_ = 7 * rows_in_company() * (off_all / n + 1) < table_work;
    const double cells = by_groups_ ? 4 : joint ? 2 * (m + 1) : m + 1;  // of the tables, for each indicator
    keep_ = joint && 4 * cells * features_.n_indicators() <= most_kept;
    const std::size_t most = static_cast<std::size_t>(std::max(1.0, (keep_ ? most_kept : most_kept / 8) / (4 * cells)));
    const int threads = choose_threads(context_, step_work_);
    for (std::vector<int>& run : even_runs(features_, sparse, threads, most)) {
      parts_.emplace_back();
      parts_.back().rows = RowBlock(features_, std::move(run));
    }
    for (std::vector<int>& run : even_runs(features_, dense, threads, most)) {
      parts_.emplace_back();
      parts_.back().bits = BitBlock(features_, std::move(run));
    }
    std::vector<int> all;
    for (int t = 0; t < n_targets(); ++t) all.push_back(t);
    if (!sparse.empty()) target_rows_ = RowBlock(targets_, all);
    if (!dense.empty()) target_bits_ = BitBlock(targets_, all);
    n_dense_ = dense.size();
    place_.resize(size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::vector<int>& variables =
          (parts_[i].bits.size() > 0 ? parts_[i].bits.variables : parts_[i].rows.variables);
      for (std::size_t v = 0; v < variables.size(); ++v) place_[static_cast<std::size_t>(variables[v])] = {i, v};
    }
    if (keep_ && (!by_groups_ || sparse.empty()))
      cost_of_one_ = work_alone / (step_work_ * static_cast<double>(size()));
  }

  std::unique_ptr<JointCounts> counts_of(const Part& part) const {
    if (part.bits.size() > 0)
      return std::make_unique<BitCounts>(features_, part.bits, with_targets_ ? &target_bits_ : nullptr, xlogx_);
    if (!with_targets_) return std::make_unique<RowCounts>(features_, part.rows, xlogx_);
    if (by_groups_) return std::make_unique<GroupCounts>(features_, part.rows, target_rows_, xlogx_);
    return std::make_unique<TableCounts>(features_, part.rows, target_rows_, xlogx_);
  }

  // Runs body(counts) for every part, parts in parallel.
  template <class Body>
  void each_part(Body body) {
    scratch_.resize(size());
    const double work = parts_.size() > 1 ? std::max(step_work_, 2 * work_per_thread) : step_work_;
    parallel_for(context_, parts_.size(), work, [&](int, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        body(counts_of_part(i));
        if (!keep_ && with_targets_) parts_[i].counts.reset();
      }
    });
  }

  JointCounts& counts_of_part(std::size_t i) {
    if (!parts_[i].counts) parts_[i].counts = counts_of(parts_[i]);
    return *parts_[i].counts;
  }

  Indicators features_, targets_;
  XLogX xlogx_;
  Context context_;
  Poll poll_;
  double step_work_ = 0, cost_of_one_ = 1;
  bool keep_ = true, by_groups_ = false, with_targets_ = true;
  std::size_t n_dense_ = 0;
  RowBlock target_rows_;
  BitBlock target_bits_;
  std::vector<Part> parts_;
  std::vector<Place> place_;
  std::vector<std::uint64_t> cells_, scratch_, triple_, each_, relevance_sum_, cells_of_target_;
  std::unordered_map<int, std::vector<double>> answers_;  // of with_feature()
  std::size_t most_answers_ = 0;
  std::uint64_t target_cells_ = 0;
  std::vector<double> relevance_;
};

}  // namespace mlsift

#endif
