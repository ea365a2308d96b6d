#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../data/numbers.h"
#include "level_odds.h"
#include "naive_bayes.h"
#include "normal_odds.h"

namespace mlsift {

/// Some features of the model (`numbers`, in order of addition) and the rows to predict, prepared for addition. Each
/// feature adds a term common to all rows to the log odds of a label, and a correction for each row that is not at the
/// feature's implied value.
class NaiveBayesOdds {
 public:
  NaiveBayesOdds(const NaiveBayes& model, const Features& query, const std::vector<int>& numbers,
                 const Context& context)
      : model_(model), n_rows_(query.n_rows), features_(numbers.size()) {
    double stored = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      features_[i].number = static_cast<std::size_t>(numbers[i]);
      const Column& column = query.columns[features_[i].number];
      stored += static_cast<double>(column.rows ? column.stored : n_rows_);
    }
    const auto make = [this] { return NumberReader(n_rows_); };
    parallel_each(context, features_.size(), 4 * stored, make, [&](NumberReader& reader, std::size_t i) {
      const std::size_t f = features_[i].number;
      model_.counted[f] ? read_levels(query.columns[f], features_[i])
                        : read_numbers(reader.read(query.columns[f]), features_[i]);
    });
  }

  /// to[p] = value_of(log odds), a matrix rows x labels, for the first prefixes[p] (ascending) of the features.
  template <class Value, class ValueOf>
  void fill(const std::vector<std::size_t>& prefixes, const std::vector<Value*>& to, double work_per_value,
            const Context& context, ValueOf value_of) const {
    const std::size_t q = model_.n_labels();
    double entries = 0;
    for (const Feature& feature : features_) entries += static_cast<double>(feature.rows.size());
    const double work =
        static_cast<double>(q) * (entries + static_cast<double>(n_rows_ * prefixes.size()) * work_per_value);
    const std::size_t workers = worker_count(context, q, work);
    const std::size_t width = std::max<std::size_t>(1, std::min<std::size_t>(64, (q + workers - 1) / workers));
    parallel_each(context, (q + width - 1) / width, work,
                  [&](std::size_t b) { fill_labels(b * width, std::min(q, (b + 1) * width), prefixes, to, value_of); });
  }

 private:
  static constexpr std::size_t rows_at_once = 256;

  struct Feature {
    std::size_t number = 0;  // in the model
    bool all_rows = false;
    std::vector<int> rows;      // rows that need a correction
    std::vector<int> level;     // of a counted feature, one for each of these rows
    std::vector<double> value;  // z of another
  };

  // Of one feature, for the labels of a block.
  struct Terms {
    LevelOdds levels;
    NormalOdds normal;
  };

  bool is_counted(const Feature& feature) const { return model_.counted[feature.number] != 0; }

  // Without smoothing a probability may be 0 and its log infinite, which no correction can undo.
  void read_levels(const Column& column, Feature& to) const {
    to.all_rows = model_.laplace == 0;
    FixedLevels levels = model_.counts.levels[to.number];
    if (to.all_rows) levels.implied = -1;
    visit_levels(column, n_rows_, levels, [&](int row, int level) {
      to.rows.push_back(row);
      to.level.push_back(level);
    });
  }

  void read_numbers(const Nonzeros& x, Feature& to) const {
    const NormalSums& normal = model_.sums.all[to.number];
    if (normal.constant) return;
    to.all_rows = !normal.from_zero || NormalOdds::zero_is_far(model_, to.number);
    normal.visit(x, n_rows_, to.all_rows, [&](int row, double z) {
      to.rows.push_back(row);
      to.value.push_back(z);
    });
  }

  // Computes the terms of a feature and adds to `base` what all rows share.
  void prepare(const Feature& feature, std::size_t first, std::size_t end, Terms& terms, double* base) const {
    if (is_counted(feature)) {
      terms.levels.prepare(model_, feature.number, feature.all_rows, first, end, base);
    } else if (!model_.sums.all[feature.number].constant) {
      terms.normal.prepare(model_, feature.number, feature.all_rows, first, end, base);
    }
  }

  // Adds the corrections of a feature for the rows before `end`, from entry `at` on.
  void correct(const Feature& feature, const Terms& terms, std::size_t width, std::size_t first, std::size_t end,
               std::size_t& at, double* corrections) const {
    const auto each_row = [&](auto add) {
      for (; at < feature.rows.size() && feature.rows[at] < static_cast<int>(end); ++at)
        add(corrections + (static_cast<std::size_t>(feature.rows[at]) - first) * width);
    };
    if (is_counted(feature)) {
      each_row([&](double* to) { terms.levels.add(feature.level[at], to); });
    } else {
      each_row([&](double* to) { terms.normal.add(feature.value[at], to); });
    }
  }

  // The columns of the labels first .. end - 1.
  template <class Value, class ValueOf>
  void fill_labels(std::size_t first, std::size_t end, const std::vector<std::size_t>& prefixes,
                   const std::vector<Value*>& to, ValueOf value_of) const {
    const std::size_t width = end - first, last = prefixes.back();
    std::vector<Terms> terms(last);
    std::vector<double> base(width), bases;
    for (std::size_t l = 0; l < width; ++l) base[l] = model_.log_prior_odds(first + l);
    std::size_t f = 0;  // position among these features
    for (const std::size_t prefix : prefixes) {
      for (; f < prefix; ++f) prepare(features_[f], first, end, terms[f], base.data());
      bases.insert(bases.end(), base.begin(), base.end());
    }
    std::vector<std::size_t> at(last, 0);
    std::vector<double> corrections(rows_at_once * width);
    for (std::size_t row = 0; row < n_rows_; row += rows_at_once) {
      const std::size_t stop = std::min(n_rows_, row + rows_at_once);
      std::fill(corrections.begin(), corrections.end(), 0.0);
      f = 0;
      for (std::size_t p = 0; p < prefixes.size(); ++p) {
        for (; f < prefixes[p]; ++f) correct(features_[f], terms[f], width, row, stop, at[f], corrections.data());
        for (std::size_t l = 0; l < width; ++l) {
          const double of_label = bases[p * width + l];
          Value* const column = to[p] + (first + l) * n_rows_;
          for (std::size_t i = row; i < stop; ++i) {
            column[i] = value_of(of_label + corrections[(i - row) * width + l]);
          }
        }
      }
    }
  }

  const NaiveBayes& model_;
  std::size_t n_rows_;
  std::vector<Feature> features_;
};

/// Posterior probability from log odds; 0 if they are NaN.
inline double posterior(double odds) {
  const double result = 1 / (1 + std::exp(-odds));
  return std::isnan(result) ? 0 : result;
}

/// The smallest log odds whose posterior reaches the threshold (0 < threshold <= 1).
inline double least_odds(double threshold) {
  double low = -800, high = 800;  // posterior(low) = 0, posterior(high) = 1
  for (double middle = 0; low < middle && middle < high; middle = low + (high - low) / 2) {
    (posterior(middle) >= threshold ? high : low) = middle;
  }
  return high;
}

/// Posteriors (for a joint model, log joint probabilities) from the first prefixes[p] (ascending) of the features
/// `numbers` as matrices rows x labels, to[p]. They equal those of a model of these features alone.
inline void naive_bayes_scores(const NaiveBayes& model, const Features& query, const std::vector<int>& numbers,
                               const std::vector<std::size_t>& prefixes, const std::vector<double*>& to,
                               const Context& context) {
  const bool joint = model.joint;
  NaiveBayesOdds(model, query, numbers, context).fill(prefixes, to, 20, context, [joint](double odds) {
    return joint ? odds : posterior(odds);
  });
}

/// Responses (posterior >= threshold) from the features `numbers` as a matrix rows x labels.
inline void naive_bayes_responses(const NaiveBayes& model, const Features& query, const std::vector<int>& numbers,
                                  double threshold, int* to, const Context& context) {
  const double least = threshold > 0 ? least_odds(threshold) : 0;
  NaiveBayesOdds(model, query, numbers, context)
      .fill({numbers.size()}, std::vector<int*>{to}, 2, context,
            [=](double odds) { return threshold <= 0 || odds >= least; });
}

}  // namespace mlsift
