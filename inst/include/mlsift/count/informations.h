#ifndef MLSIFT_COUNT_INFORMATIONS_H
#define MLSIFT_COUNT_INFORMATIONS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
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

  /// `by_target`: unless null gets I(f; t) of all features and targets, at f * targets + t.
  explicit Informations(std::unique_ptr<JointRows> rows, std::vector<double>* by_target = nullptr)
      : rows_(std::move(rows)),
        features_(rows_->feature_levels()),
        targets_(rows_->target_levels()),
        scale_(rows_->xlogx_scale()),
        whole_(rows_->xlogx(static_cast<std::int64_t>(scale_.n()))),
        all_known_(targets_.unknown.empty()) {
    for (std::size_t f = 0; f < size(); ++f) cells_.push_back(cells_of(features_, f));
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      cells_of_target_.push_back(cells_of(targets_, t));
      target_cells_ += cells_of_target_.back();
    }
    // What a label adds is a rounded multiple of sums of values that are rounded themselves.
    if (!all_known_) {
      const KnownInformations known(targets_, static_cast<std::int64_t>(scale_.n()), values());
      rounding_ = 2 * static_cast<std::int64_t>(std::ceil(known.largest_share()));
    }
    relevance_sum_ = rows_->relevances(by_target ? &each_ : nullptr);
    for (const std::uint64_t sum : relevance_sum_) relevance_.push_back(scale_.bits(sum));
    if (!by_target) return;
    by_target->clear();
    for (const std::uint64_t sum : each_) by_target->push_back(scale_.bits(sum));
    std::vector<std::uint64_t>().swap(each_);
  }

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
                                  targets ? joint_bits(sums.pair, sums.triple) : 0};
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
    triples(s, only, nullptr);
    each_feature(only, joint, [&](std::size_t f) { return joint_bits(scratch_[f], triple_[f]); });
  }

  /// joint[f] = sum over t of I((f, s, u); t).
  void with_two_and_targets(int s, int u, std::vector<double>& joint) {
    scratch_.resize(size());
    triple_.resize(size());
    rows_->with_two_features_and_targets(s, u, scratch_.data(), triple_.data());
    each_feature(all_features, joint, [&](std::size_t f) { return joint_bits(scratch_[f], triple_[f]); });
  }

  /// gain[f] = sum over t of the impurity of t that (f, s) takes away, with s < 0 that f does:
  ///
  ///   sum over cells (f, s) of p(cell) sum_y p(y | cell)^2 - sum_y p(y)^2
  ///
  /// What f adds to s is 0 where it is no larger than its rounding.
  void impurity_gain(int s, std::vector<double>& gain) {
    scratch_.resize(size());
    triple_.resize(size());
    if (squares_.empty()) {
      squares_ = other_cells_of_features(Measure::impurity);
      all_squares_ = Squares(targets_, scale_)(targets_.count.data(), static_cast<int>(scale_.n()), nullptr);
    }
    if (s >= 0)
      rows_->with_feature_and_other_cells(s, all_features, Measure::impurity, scratch_.data(), triple_.data());
    const std::vector<std::uint64_t>& both = s < 0 ? squares_ : triple_;
    const std::uint64_t alone = s < 0 ? all_squares_ : squares_[static_cast<std::size_t>(s)];
    // Cells are rounded one by one. Where some targets are unknown, those of each target are, as doubles.
    const std::int64_t levels_s = (s < 0 ? 1 : levels(static_cast<std::size_t>(s))) * (all_known_ ? 1 : n_targets());
    const std::int64_t of_doubles =
        all_known_ ? 0 : n_targets() * static_cast<std::int64_t>(scale_.ratio(scale_.n(), 1) >> 50);
    each_feature(all_features, gain, [&](std::size_t f) {
      const std::int64_t adds = static_cast<std::int64_t>(both[f] - alone);
      const bool rounding = std::abs(adds) <= (levels(f) + 1) * levels_s + of_doubles;
      return scale_.bits((rounding ? alone : both[f]) - all_squares_);
    });
  }

  /// given[f] = sum over t of I(f; t | s) = T(f, s) - R(s), taken as a difference of integers, and 0 where it is no
  /// larger than their rounding: so where f adds nothing to s, it is 0. With s < 0, R(f) in the same way.
  void with_targets_given(int s, std::vector<double>& given, int only = all_features) {
    if (s < 0) {
      each_feature(only, given, [&](std::size_t f) { return beyond_rounding(f, 1, relevance_sum_[f]); });
      return;
    }
    triples(s, only, nullptr);
    const std::uint64_t r_s = relevance_sum_[static_cast<std::size_t>(s)];
    const std::int64_t levels_s = levels(static_cast<std::size_t>(s));
    each_feature(only, given,
                 [&](std::size_t f) { return beyond_rounding(f, levels_s, joint_sum(scratch_[f], triple_[f]) - r_s); });
  }

  /// The same for a set S of features: given[f] = sum over t of I(f; t | S).
  void with_targets_given(const std::vector<int>& set, std::vector<double>& given) {
    if (set.empty()) {
      with_targets_given(-1, given);
      return;
    }
    triple_.resize(size());
    rows_->with_targets_given(set, triple_.data());
    each_feature(all_features, given, [&](std::size_t f) { return scale_.bits(triple_[f]); });
  }

  /// What I((f, s); t) is divided by: the square root of H(f, s) H(t), or H(f, s, t).
  enum class Divisor { root_of_entropies, joint_entropy };

  /// normalized[f] = sum over t of I((f, s); t) / divisor, terms with divisor 0 left out; with s < 0, of I(f; t), and
  /// entropies without s.
  void normalized(int s, Divisor divisor, std::vector<double>& normalized, int only = all_features) {
    if (!all_known_) return known_normalized(s, divisor, normalized, only);
    const std::size_t m = targets_.size();
    if (m > 1) each_.resize(size() * m);
    if (s < 0) {
      tables_of_features();
    } else {
      triples(s, only, m > 1 ? each_.data() : nullptr);
    }
    const std::uint64_t* const each = m > 1 ? each_.data() : triple_.data();
    each_feature(only, normalized, [&](std::size_t f) {
      double sum = 0;
      const double h_f = scale_.bits(whole_ - scratch_[f]);
      for (std::size_t t = 0; t < m; ++t) {
        const std::uint64_t cells = each[f * m + t];
        const double by = divisor == Divisor::joint_entropy
                              ? scale_.bits(whole_ - cells)
                              : std::sqrt(h_f * scale_.bits(whole_ - cells_of_target_[t]));
        if (by > 0) sum += scale_.bits(whole_ - cells_of_target_[t] - scratch_[f] + cells) / by;
      }
      return sum;
    });
  }

 private:
  // n log n, and what else sums over cells need.
  struct Values : XLogXScale {
    const JointRows& rows;
    std::uint64_t operator()(std::int64_t count) const { return rows.xlogx(count); }
  };

  Values values() const { return {scale_, *rows_}; }

  std::uint64_t q() const { return targets_.size(); }
  std::int64_t n_targets() const { return static_cast<std::int64_t>(targets_.size()); }

  std::int64_t levels(std::size_t f) const {
    return static_cast<std::int64_t>(features_.first[f + 1] - features_.first[f]) + 1;
  }

  // A sum over the tables of f, so many levels of s, and each target, in bits.
  double beyond_rounding(std::size_t f, std::int64_t levels_s, std::uint64_t sum) const {
    const std::int64_t n_t = n_targets();
    const std::int64_t levels_t = static_cast<std::int64_t>(targets_.n_indicators()) + n_t;
    const std::int64_t most = 4 * n_t * static_cast<std::int64_t>(scale_.n());  // cells that have rows
    const std::int64_t cells = rounding_ * std::min(most, (levels(f) + 1) * levels_s * (levels_t + n_t));
    return std::abs(static_cast<std::int64_t>(sum)) <= cells / 2 ? 0 : scale_.bits(sum);
  }

  std::uint64_t cells_of(const Block& variables, std::size_t i) const {
    std::uint64_t sum = rows_->xlogx(variables.reference[i]);
    for (std::size_t c = variables.first[i]; c < variables.first[i + 1]; ++c) sum += rows_->xlogx(variables.count[c]);
    return sum;
  }

  // scratch_ and each_ (triple_ for a single target), as triples() would give them without a feature s.
  void tables_of_features() {
    const std::size_t m = targets_.size();
    std::vector<std::uint64_t> by_target;
    rows_->relevances(&by_target);
    scratch_ = cells_;
    std::vector<std::uint64_t>& each = m > 1 ? each_ : triple_;
    each.resize(by_target.size());
    for (std::size_t i = 0; i < each.size(); ++i) {
      each[i] = by_target[i] - whole_ + cells_[i / m] + cells_of_target_[i % m];
    }
  }

  void known_normalized(int s, Divisor divisor, std::vector<double>& normalized, int only) {
    const Measure measure =
        divisor == Divisor::joint_entropy ? Measure::per_joint_entropy : Measure::per_root_of_entropies;
    if (s < 0) {
      triple_ = other_cells_of_features(measure);
    } else {
      scratch_.resize(size());
      triple_.resize(size());
      rows_->with_feature_and_other_cells(s, only, measure, scratch_.data(), triple_.data());
    }
    each_feature(only, normalized, [&](std::size_t f) { return scale_.bits(triple_[f]); });
  }

  // By feature, the sum of OtherCells over its cells without another feature.
  std::vector<std::uint64_t> other_cells_of_features(Measure measure) const {
    const Values g = values();
    OtherCells<Values> cells(targets_, g);
    cells.of(measure);
    const auto reader = rows_->reader();
    std::vector<int> level, rest;
    std::vector<std::uint64_t> sums;
    for (std::size_t f = 0; f < size(); ++f) {
      const FeatureTable& table = reader->table(f);
      rest = targets_.count;
      std::uint64_t sum = 0;
      cells.start(1);
      std::uint64_t* const each = cells.sums_of(0, nullptr);
      for (int v = 0; v < table.n_levels(); ++v) {
        if (v == table.reference) continue;
        level.assign(rest.size(), 0);
        for (std::size_t i = table.begin(v); i < table.end(v); ++i) {
          const std::size_t c = static_cast<std::size_t>(table.column[i]);
          if (c >= rest.size()) break;
          level[c] = static_cast<int>(table.count[i]);
          rest[c] -= level[c];
        }
        sum += cells(level.data(), static_cast<int>(table.rows[static_cast<std::size_t>(v)]), each);
      }
      sum += cells(rest.data(), static_cast<int>(table.reference_rows()), each);
      sums.push_back(sum + cells.total(each));
    }
    return sums;
  }

  // N T(f, s) from what triples() gives.
  std::uint64_t joint_sum(std::uint64_t pair, std::uint64_t triple) const {
    return all_known_ ? q() * whole_ - target_cells_ - q() * pair + triple : triple;
  }

  double joint_bits(std::uint64_t pair, std::uint64_t triple) const { return scale_.bits(joint_sum(pair, triple)); }

  void to_information(int s, std::vector<double>& information) const {
    information.resize(size());
    for (std::size_t f = 0; f < size(); ++f) {
      information[f] = scale_.bits(whole_ - cells_[f] - cells_[static_cast<std::size_t>(s)] + scratch_[f]);
    }
  }

  void triples(int s, int only, std::uint64_t* each) {
    scratch_.resize(size());
    triple_.resize(size());
    if (!all_known_) {
      rows_->with_feature_and_other_cells(s, only, Measure::information, scratch_.data(), triple_.data());
      return;
    }
    rows_->with_feature_and_targets(s, only, scratch_.data(), triple_.data(), each);
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

  std::unique_ptr<JointRows> rows_;
  const Block &features_, &targets_;
  const XLogXScale& scale_;
  std::uint64_t whole_;  // of all rows
  bool all_known_;       // whether all targets are known in all rows
  std::int64_t rounding_ = 1;
  std::uint64_t all_squares_ = 0;
  std::vector<std::uint64_t> squares_;  // see Squares: by feature; empty until they are asked for
  std::vector<std::uint64_t> cells_, scratch_, triple_, each_, relevance_sum_, cells_of_target_;
  std::unordered_map<int, std::vector<double>> answers_;  // of with_feature()
  std::size_t most_answers_ = 0;
  ClassSums class_sums_;
  std::uint64_t target_cells_ = 0;
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

#endif
