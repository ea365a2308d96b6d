#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../core/xlogx.h"
#include "joint_rows.h"
#include "relevance.h"

namespace mlsift {

/// What Informations answers for one s, by classes of features that have the same margins: features of one class that
/// do not meet s, that is, have no row in common with it off the reference levels, have the same answer.
struct ClassAnswers {
  struct Answer {
    int feature = 0;         ///< of a class, one of its features
    double information = 0;  ///< I(f; s)
    double joint = 0;        ///< T(f, s)
  };
  const std::vector<int>* class_of = nullptr;  ///< by feature
  std::vector<Answer> unmet;                   ///< by class
  std::vector<Answer> met;                     ///< of the features that have an answer of their own
};

/// What greedy criteria need: entropies, and informations between features f, a selected feature s and targets t, in
/// bits.
///
///   H(f),  R(f) = sum_t I(f; t),  I(f; s) for all f,  T(f, s) = sum_t I((f, s); t) for all f
///
/// If a target is unknown in some rows, all that is said about it comes from the rows in which it is known.
///
/// Features and targets are discrete variables of any number of levels. Every answer is an integer sum turned into
/// bits, so it depends neither on the layout of the data, nor on threads, nor on the order of rows and targets.
///
/// What depends on s and targets can be asked for one feature `only`, by its number; below 0, for all.
class Informations {
 public:
  static constexpr int all_features = JointRows::all_features;

  explicit Informations(std::unique_ptr<JointRows> rows)
      : rows_(std::move(rows)),
        features_(rows_->feature_levels()),
        targets_(rows_->targets()),
        scale_(rows_->xlogx_scale()),
        whole_(rows_->xlogx(targets_.n)),
        all_known_(targets_.all_known()) {
    for (std::size_t f = 0; f < size(); ++f) {
      cells_.push_back(rows_->xlogx(features_.reference[f]));
      for (std::size_t c = features_.first[f]; c < features_.first[f + 1]; ++c)
        cells_.back() += rows_->xlogx(features_.count[c]);
    }
    for (std::size_t t = 0; t < n_targets(); ++t) {
      of_target_.push_back(rows_->xlogx(targets_.reference[t]) - rows_->xlogx(targets_.known(t)));
      for (std::size_t c = targets_.first[t]; c < targets_.end_of_levels(t); ++c)
        of_target_.back() += rows_->xlogx(targets_.count[c]);
      of_targets_ += of_target_.back();
    }
    // What a label adds is a rounded multiple of sums of values that are rounded themselves.
    if (!all_known_) rounding_ = 2 * static_cast<std::int64_t>(std::ceil(targets_.largest_share()));
    relevance_sum_ = rows_->relevances();
    for (const std::uint64_t sum : relevance_sum_) relevance_.push_back(scale_.bits(sum));
  }

  std::size_t n_targets() const { return targets_.size(); }
  std::size_t size() const { return features_.size(); }

  /// The cost of an answer for one feature as a share of the cost for all features; 1 if there is no saving.
  double cost_of_one() const { return rows_->cost_of_one(); }

  double entropy(int f) const { return scale_.bits(whole_ - cells_[static_cast<std::size_t>(f)]); }
  double relevance(int f) const { return relevance_[static_cast<std::size_t>(f)]; }

  /// Keeps the answers of with_feature(), up to this many bytes, for searches that request the same ones again.
  void keep_answers(std::size_t bytes) { most_answers_ = bytes / (sizeof(double) * std::max<std::size_t>(1, size())); }

  /// information[f] = I(f; s).
  void with_feature(int s, std::vector<double>& information) {
    const auto known = answers_.find(s);
    if (known != answers_.end()) {
      information = known->second;
      return;
    }
    scratch_.resize(size());
    rows_->with_feature(s, scratch_.data());
    to_information(s, information);
    if (answers_.size() < most_answers_) answers_[s] = information;
  }

  /// The answers of with_feature(), or with `targets` of with_feature_and_targets(), by classes of features. False
  /// where that saves nothing.
  bool by_class(int s, bool targets, ClassAnswers& answers) {
    if (most_answers_ > 0 || (targets && !all_known_) || !rows_->by_class(s, targets, class_sums_)) return false;
    const auto answer = [&](const JointSums& sums) {
      const std::uint64_t margins = sums.alone + cells_[static_cast<std::size_t>(s)];
      return ClassAnswers::Answer{sums.feature, scale_.bits(whole_ - margins + sums.pair),
                                  targets ? scale_.bits(joint_sum(sums.pair, &sums.triple)) : 0};
    };
    answers.class_of = class_sums_.class_of;
    answers.unmet.clear();
    answers.met.clear();
    for (const JointSums& sums : class_sums_.unmet) answers.unmet.push_back(answer(sums));
    answers.met.reserve(class_sums_.met.size());
    for (const JointSums& sums : class_sums_.met) answers.met.push_back(answer(sums));
    return true;
  }

  /// The same, and joint[f] = T(f, s).
  void with_feature_and_targets(int s, std::vector<double>& information, std::vector<double>& joint) {
    with_targets(s, joint);
    to_information(s, information);
  }

  /// joint[f] = T(f, s).
  void with_targets(int s, std::vector<double>& joint, int only = all_features) {
    joint.resize(size());
    scratch_.resize(size());
    visit(s, only, joint_cells(), [&](std::size_t f, std::uint64_t pair, const std::uint64_t* sums) {
      scratch_[f] = pair;
      joint[f] = scale_.bits(joint_sum(pair, sums));
    });
  }

  /// joint[f] = sum over t of I((f, s, u); t).
  void with_two_and_targets(int s, int u, std::vector<double>& joint) { with_targets(rows_->joined(s, u), joint); }

  /// Calls take(f, information) for every feature f, where information(t) = I((f, s); t) of target t; with s < 0, I(f;
  /// t). Several threads call it, each for other features.
  template <class Take>
  void by_target(int s, Take take, int only = all_features) {
    visit(s, only, CellSums::by_target, [&](std::size_t f, std::uint64_t, const std::uint64_t* sums) {
      take(f, [&](std::size_t t) { return scale_.bits(targets_.scaled(t, sums[t] - of_target_[t])); });
    });
  }

  /// gain[f] = sum over t of the impurity of t that (f, s) takes away, with s < 0 that f does:
  ///
  ///   sum over cells (f, s) of p(cell) sum_y p(y | cell)^2 - sum_y p(y)^2
  ///
  /// What f adds to s is 0 where it is no larger than its rounding.
  void impurity_gain(int s, std::vector<double>& gain) {
    gain.resize(size());
    if (squares_.empty()) {
      squares_.resize(size());
      visit(-1, all_features, CellSums::squares,
            [&](std::size_t f, std::uint64_t, const std::uint64_t* sums) { squares_[f] = *sums; });
      const std::vector<int> all(targets_.count.begin(), targets_.count.end());
      policy(CellSums::squares).add(static_cast<int>(targets_.n), all.data(), &all_squares_);
    }
    const std::uint64_t alone = s < 0 ? all_squares_ : squares_[static_cast<std::size_t>(s)];
    // Cells are rounded one by one. Where some targets are unknown, those of each target are, as doubles.
    const std::int64_t q = static_cast<std::int64_t>(n_targets());
    const std::int64_t levels_s = (s < 0 ? 1 : levels(static_cast<std::size_t>(s))) * (all_known_ ? 1 : q);
    const std::int64_t of_doubles = all_known_ ? 0 : q * static_cast<std::int64_t>(scale_.ratio(scale_.n(), 1) >> 50);
    const auto gain_of = [&](std::size_t f, std::uint64_t both) {
      const std::int64_t adds = static_cast<std::int64_t>(both - alone);
      const bool rounding = std::abs(adds) <= (levels(f) + 1) * levels_s + of_doubles;
      gain[f] = scale_.bits((rounding ? alone : both) - all_squares_);
    };
    if (s >= 0) {
      return visit(s, all_features, CellSums::squares,
                   [&](std::size_t f, std::uint64_t, const std::uint64_t* sums) { gain_of(f, *sums); });
    }
    for (std::size_t f = 0; f < size(); ++f) gain_of(f, squares_[f]);
  }

  /// given[f] = sum over t of I(f; t | s) = T(f, s) - R(s), taken as a difference of integers, and 0 where it is no
  /// larger than their rounding: so where f adds nothing to s, it is 0. With s < 0, R(f) in the same way.
  void with_targets_given(int s, std::vector<double>& given, int only = all_features) {
    given.resize(size());
    if (s < 0) {
      for (std::size_t f = 0; f < size(); ++f) given[f] = beyond_rounding(f, 1, relevance_sum_[f]);
      return;
    }
    const std::uint64_t r_s = relevance_sum_[static_cast<std::size_t>(s)];
    const std::int64_t levels_s = levels(static_cast<std::size_t>(s));
    visit(s, only, joint_cells(), [&](std::size_t f, std::uint64_t pair, const std::uint64_t* sums) {
      given[f] = beyond_rounding(f, levels_s, joint_sum(pair, sums) - r_s);
    });
  }

  /// The same for a set S of features: given[f] = sum over t of I(f; t | S).
  void with_targets_given(const std::vector<int>& set, std::vector<double>& given) {
    if (set.empty()) {
      with_targets_given(-1, given);
      return;
    }
    scratch_.resize(size());
    rows_->with_targets_given(set, scratch_.data());
    given.resize(size());
    for (std::size_t f = 0; f < size(); ++f) given[f] = scale_.bits(scratch_[f]);
  }

  /// What I((f, s); t) is divided by: the square root of H(f, s) H(t), or H(f, s, t).
  enum class Divisor { root_of_entropies, joint_entropy };

  /// normalized[f] = sum over t of I((f, s); t) / divisor, terms with divisor 0 left out; with s < 0, of I(f; t), and
  /// entropies without s.
  void normalized(int s, Divisor divisor, std::vector<double>& normalized, int only = all_features) {
    normalized.resize(size());
    const std::size_t q = n_targets();
    const auto cells = all_known_ ? CellSums::by_target : CellSums::by_target_with_rows;
    visit(s, only, cells, [&](std::size_t f, std::uint64_t pair, const std::uint64_t* sums) {
      double sum = 0;
      for (std::size_t t = 0; t < q; ++t) {
        // N_t H(f, s) of the rows in which t is known.
        const std::uint64_t entropy = all_known_ ? whole_ - pair : rows_->xlogx(targets_.known(t)) + sums[q + t];
        const double by = divisor == Divisor::joint_entropy
                              ? scale_.bits(entropy - sums[t])
                              : std::sqrt(scale_.bits(entropy) * scale_.bits(0 - of_target_[t]));
        if (by > 0) sum += scale_.bits(sums[t] - of_target_[t]) / by;
      }
      normalized[f] = sum;
    });
  }

 private:
  std::int64_t levels(std::size_t f) const {
    return static_cast<std::int64_t>(features_.first[f + 1] - features_.first[f]) + 1;
  }

  // A sum over the tables of f, so many levels of s, and each target, in bits.
  double beyond_rounding(std::size_t f, std::int64_t levels_s, std::uint64_t sum) const {
    const std::int64_t n_t = static_cast<std::int64_t>(n_targets());
    const std::int64_t levels_t = static_cast<std::int64_t>(targets_.n_columns()) + n_t;
    const std::int64_t most = 4 * n_t * static_cast<std::int64_t>(scale_.n());  // cells that have rows
    const std::int64_t cells = rounding_ * std::min(most, (levels(f) + 1) * levels_s * (levels_t + n_t));
    return std::abs(static_cast<std::int64_t>(sum)) <= cells / 2 ? 0 : scale_.bits(sum);
  }

  // N T(f, s) from G(f, s) and the sums of joint_cells().
  std::uint64_t joint_sum(std::uint64_t pair, const std::uint64_t* sums) const {
    if (all_known_) return *sums - n_targets() * pair - of_targets_;
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < n_targets(); ++t) sum += targets_.scaled(t, sums[t] - of_target_[t]);
    return sum;
  }

  CellSums joint_cells() const { return all_known_ ? CellSums::all_targets : CellSums::by_target; }

  const TargetCells& policy(CellSums what) {
    std::unique_ptr<TargetCells>& found = policies_[what];
    if (!found) found = rows_->cells(what);
    return *found;
  }

  // Calls take(f, G(f, s), sums over the cells of f and s); with s < 0, without s.
  template <class Take>
  void visit(int s, int only, CellSums what, Take take) {
    const TargetCells& cells = policy(what);
    if (s >= 0) return rows_->visit(s, only, cells, take);
    const auto reader = rows_->reader();
    LevelCells<int> levels;
    std::vector<std::uint64_t> sums;
    for (std::size_t f = 0; f < size(); ++f) {
      sums.assign(cells.width, 0);
      each_level(targets_, reader->table(f), levels,
                 [&](int, int rows, const int* with) { cells.add(rows, with, sums.data()); });
      take(f, cells_[f], sums.data());
    }
  }

  void to_information(int s, std::vector<double>& information) const {
    information.resize(size());
    for (std::size_t f = 0; f < size(); ++f) {
      information[f] = scale_.bits(whole_ - cells_[f] - cells_[static_cast<std::size_t>(s)] + scratch_[f]);
    }
  }

  std::unique_ptr<JointRows> rows_;
  const Block& features_;
  const TargetColumns& targets_;
  const XLogXScale& scale_;
  std::uint64_t whole_;  // g(N)
  bool all_known_;       // whether all targets are known in all rows
  std::int64_t rounding_ = 1;
  std::vector<std::uint64_t> cells_, relevance_sum_;  // by feature: G(f), N R(f)
  std::vector<std::uint64_t> of_target_;              // -N_t H(t)
  std::uint64_t of_targets_ = 0;                      // their sum
  std::map<CellSums, std::unique_ptr<TargetCells>> policies_;
  std::uint64_t all_squares_ = 0;
  std::vector<std::uint64_t> squares_;  // see SquareCells: by feature; empty until they are asked for
  std::vector<std::uint64_t> scratch_;
  std::unordered_map<int, std::vector<double>> answers_;  // of with_feature()
  std::size_t most_answers_ = 0;
  ClassSums class_sums_;
  std::vector<double> relevance_;
};

/// I(f; s) of all pairs of features, with H(f) on the diagonal: 8 d^2 bytes.
inline std::vector<double> information_of_pairs(Informations& data, const Context& context) {
  const std::size_t d = data.size();
  std::vector<double> result(d * d), row;
  Poll poll(context);
  for (std::size_t s = 0; s < d; ++s) {
    data.with_feature(static_cast<int>(s), row);
    std::copy(row.begin(), row.end(), result.begin() + static_cast<std::ptrdiff_t>(s * d));
    poll(s, d);
  }
  return result;
}

}  // namespace mlsift
