#ifndef MLSIFT_LEARN_NAIVE_BAYES_H
#define MLSIFT_LEARN_NAIVE_BAYES_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "../core/parallel.h"
#include "../count/count_joint.h"
#include "../data/numbers.h"
#include "../data/standardized.h"
#include "../data/targets.h"

namespace mlsift {

/// What the normal densities of one feature are made of: for each label, the sum and the sum of squares over the rows
/// that have it of z = (x - shift) / scale. Where half of the values or more are 0, the shift is 0 and only the others
/// are visited; elsewhere it is the mean. So sums lose no digits that matter.
struct NormalSums {
  bool constant = true, from_zero = true;
  double shift = 0, scale = 1;
  double sum = 0, squares = 0;  ///< over all rows
};

/// Naive Bayes for each label: a label's log odds are
///
///   log P(l) / P(not l) + sum_f log p(x_f | l) / p(x_f | not l).
///
/// Or, for labels that are the categories of a class, its log joint probability, up to what all categories share:
///
///   log P(l) + sum_f log p(x_f | l).
///
/// Features are of two kinds, those whose levels are counted and those with normal densities.
struct NaiveBayes {
  explicit NaiveBayes(CountTables table) : counts(std::move(table)) {}

  CountTables counts;                            ///< features that are not counted have no levels here
  std::vector<char> counted;                     ///< by feature
  std::vector<NormalSums> normal;                ///< by feature
  std::vector<double> label_sum, label_squares;  ///< [position among the features not counted][label]

  double laplace = 1;          ///< p(v | l) = (n_vl + laplace) / (n_l + laplace * levels that occur in training)
  double prior_smoothing = 0;  ///< P(l) = (s + n_l) / (2 s + n)
  /// Added to every density: log(p + density_offset). With 0 the log density has a closed form.
  double density_offset = 0;
  bool standardized = false;  ///< densities of z instead of x
  double unit = 1;            ///< how many rows one of the counts stands for, where rows have weights
  bool joint = false;         ///< log joint probabilities instead of log odds; without density_offset

  /// Standard deviations are at least this share of the feature's overall one.
  static constexpr double least_deviation = 1e-3;

  std::size_t n_labels() const { return counts.in_target.size(); }
};

namespace detail {

/// The z of a feature's rows, ascending: all rows, or those that are not 0.
template <class Visit>
void visit_standardized(const Nonzeros& x, std::size_t n, const NormalSums& normal, bool all_rows, Visit visit) {
  if (!all_rows) {
    for (std::size_t i = 0; i < x.size; ++i) visit(x.rows[i], x.values[i] / normal.scale);
    return;
  }
  const double zero = -normal.shift / normal.scale;
  std::size_t s = 0;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const bool here = s < x.size && x.rows[s] == i;
    visit(i, here ? (x.values[s++] - normal.shift) / normal.scale : zero);
  }
}

}  // namespace detail

/// Sums of the features that are not counted. The order of additions is that of the rows.
inline void add_normal_sums(const Features& features, const Targets& labels, NaiveBayes& model, const int* weights,
                            const Context& context) {
  const std::size_t q = model.n_labels(), n = features.n_rows;
  std::vector<std::size_t> columns;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (!model.counted[f]) columns.push_back(f);
  }
  model.normal.assign(features.size(), {});
  model.label_sum.assign(columns.size() * q, 0);
  model.label_squares.assign(columns.size() * q, 0);
  const double per_row = static_cast<double>(labels.ids.size()) / static_cast<double>(n);
  parallel_for(context, columns.size(), stored_values(features) * (2 + per_row),
               [&](int, std::size_t begin, std::size_t end) {
                 NumberReader reader(n);
                 for (std::size_t c = begin; c < end; ++c) {
                   const Nonzeros x = reader.read(features.columns[columns[c]]);
                   const Standardized standard = standardize(x, n, weights);
                   NormalSums& to = model.normal[columns[c]];
                   to.constant = standard.constant;
                   if (to.constant) continue;
                   to.from_zero = 2 * x.size <= n;
                   to.shift = to.from_zero ? 0 : standard.mean;
                   to.scale = standard.scale;
                   double* sum = model.label_sum.data() + c * q;
                   double* squares = model.label_squares.data() + c * q;
                   detail::visit_standardized(x, n, to, !to.from_zero, [&](int row, double z) {
                     const std::size_t i = static_cast<std::size_t>(row);
                     const double one = weights ? weights[i] * z : z, square = one * z;
                     to.sum += one;
                     to.squares += square;
                     for (const int* l = labels.begin(i); l != labels.end(i); ++l) {
                       sum[*l] += one;
                       squares[*l] += square;
                     }
                   });
                 }
               });
}

/// Counts and sums of the training rows. `counted`: by feature, whether its levels are counted; `weights`: how many
/// rows each counts for, null for 1.
inline NaiveBayes fit_naive_bayes(const Features& features, const Targets& labels, const std::vector<char>& counted,
                                  const Context& context, const int* weights = nullptr) {
  std::vector<FixedLevels> levels(features.size());
  parallel_for(context, features.size(), 4 * stored_values(features), [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      if (counted[f]) levels[f] = levels_of(features.columns[f], features.n_rows);
    }
  });
  NaiveBayes model(count_joint(features, labels, std::move(levels), context, weights));
  model.counted = counted;
  add_normal_sums(features, labels, model, weights, context);
  return model;
}

namespace detail {

struct Normal {
  double mean = 0, deviation = 1;
};

// Mean and standard deviation (n - 1) of a class; the deviation is at least `least`, as it is with one row.
inline Normal normal_of(double n, double sum, double squares, double least) {
  Normal result{sum / n, 0};
  if (n > 1) result.deviation = std::sqrt(std::max(0.0, (squares - sum * result.mean) / (n - 1)));
  result.deviation = std::max(result.deviation, least);
  return result;
}

/// Some features of the model (`numbers`, in the order in which they are added up) and the rows to predict, made ready
/// for additions: each feature adds to the log odds of a label something that all rows share, and each row that is not
/// at the feature's implied value a correction.
class NaiveBayesOdds {
 public:
  NaiveBayesOdds(const NaiveBayes& model, const Features& query, const std::vector<int>& numbers,
                 const Context& context)
      : model_(model), n_rows_(query.n_rows), features_(numbers.size()) {
    std::vector<std::size_t> normals(model.counted.size(), 0);
    for (std::size_t f = 1; f < normals.size(); ++f) normals[f] = normals[f - 1] + (model_.counted[f - 1] ? 0 : 1);
    double stored = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      features_[i].number = static_cast<std::size_t>(numbers[i]);
      features_[i].normal = normals[features_[i].number];
      const Column& column = query.columns[features_[i].number];
      stored += static_cast<double>(column.rows ? column.stored : n_rows_);
    }
    parallel_for(context, features_.size(), 4 * stored, [&](int, std::size_t begin, std::size_t end) {
      NumberReader reader(n_rows_);
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t f = features_[i].number;
        model_.counted[f] ? read_levels(i, query.columns[f]) : read_numbers(i, reader.read(query.columns[f]));
      }
    });
  }

  double entries() const {
    double total = 0;
    for (const Feature& feature : features_) total += static_cast<double>(feature.rows.size());
    return total;
  }

  /// Calls visit(prefix number, first row, end row, first label, end label, base, corrections) for blocks of rows and
  /// labels. The log odds of row i and label l are base[l - first label] + corrections[(i - first row) * width +
  /// l - first label].
  template <class Visit>
  void visit_odds(const std::vector<std::size_t>& prefixes, const Context& context, double work_per_score,
                  Visit visit) const {
    const std::size_t q = model_.n_labels();
    const double work =
        static_cast<double>(q) * (entries() + static_cast<double>(n_rows_ * prefixes.size()) * work_per_score);
    const std::size_t workers = worker_count(context, q, work);
    const std::size_t width = std::max<std::size_t>(1, std::min<std::size_t>(64, (q + workers - 1) / workers));
    parallel_for(context, (q + width - 1) / width, work, [&](int, std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        visit_labels(b * width, std::min(q, (b + 1) * width), prefixes, visit);
      }
    });
  }

  static constexpr std::size_t rows_at_once = 256;

 private:
  struct Feature {
    std::size_t number = 0;  // in the model
    bool all_rows = false;
    std::size_t normal = 0;     // position among the features that are not counted
    std::vector<int> rows;      // that need a correction
    std::vector<int> level;     // of a counted feature, one for each of these rows
    std::vector<double> value;  // z of another
  };

  // Of one feature, for the labels of a block.
  struct Terms {
    std::vector<double> table;                                       // counted: [level][label]
    std::vector<double> mean1, mean0, inverse1, inverse0, constant;  // normal: by label
  };

  // Without smoothing a probability may be 0 and its log infinite, which no correction takes back.
  void read_levels(std::size_t i, const Column& column) {
    Feature& to = features_[i];
    to.all_rows = model_.laplace == 0;
    FixedLevels levels = model_.counts.levels[to.number];
    if (to.all_rows) levels.implied = -1;
    visit_levels(column, n_rows_, levels, [&](int row, int level) {
      to.rows.push_back(row);
      to.level.push_back(level);
    });
  }

  void read_numbers(std::size_t i, const Nonzeros& x) {
    Feature& to = features_[i];
    const NormalSums& normal = model_.normal[to.number];
    if (normal.constant) return;
    to.all_rows = !normal.from_zero || zero_is_far(to);
    visit_standardized(x, n_rows_, normal, to.all_rows, [&](int row, double z) {
      to.rows.push_back(row);
      to.value.push_back(z);
    });
  }

  // Whether 0 is so unlikely for some label that adding and subtracting its log density would lose digits.
  bool zero_is_far(const Feature& feature) const {
    if (model_.density_offset > 0) return false;
    for (std::size_t l = 0; l < model_.n_labels(); ++l) {
      if (is_constant(l)) continue;
      for (const bool with : {false, true}) {
        if (model_.joint && !with) continue;
        const Normal normal = class_normal(feature, l, with);
        if (std::fabs(normal.mean) > 1e4 * normal.deviation) return true;
      }
    }
    return false;
  }

  double rows_with(std::size_t l) const { return static_cast<double>(model_.counts.in_target[l]); }
  double rows_without(std::size_t l) const { return static_cast<double>(model_.counts.n - model_.counts.in_target[l]); }
  bool is_constant(std::size_t l) const { return rows_with(l) == 0 || (rows_without(l) == 0 && !model_.joint); }

  Normal class_normal(const Feature& feature, std::size_t l, bool with) const {
    const NormalSums& all = model_.normal[feature.number];
    const std::size_t at = feature.normal * model_.n_labels() + l;
    const double unit = model_.unit, n = static_cast<double>(model_.counts.n) * unit;
    const double least = NaiveBayes::least_deviation * std::sqrt(n / (n - 1));
    const double sum = model_.label_sum[at] * unit, squares = model_.label_squares[at] * unit;
    if (with) return normal_of(rows_with(l) * unit, sum, squares, least);
    return normal_of(rows_without(l) * unit, all.sum * unit - sum, all.squares * unit - squares, least);
  }

  double log_prior_odds(std::size_t l) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (rows_with(l) == 0) return -infinite;
    if (model_.joint) return std::log(model_.prior_smoothing + rows_with(l));
    if (rows_without(l) == 0) return infinite;
    return std::log(model_.prior_smoothing + rows_with(l)) - std::log(model_.prior_smoothing + rows_without(l));
  }

  // Log density ratio of a normal feature with an offset.
  double offset_odds(const Terms& terms, std::size_t l, double z, double unit) const {
    const double z1 = (z - terms.mean1[l]) * terms.inverse1[l], z0 = (z - terms.mean0[l]) * terms.inverse0[l];
    const double p1 = terms.inverse1[l] * unit * std::exp(-0.5 * z1 * z1);
    const double p0 = terms.inverse0[l] * unit * std::exp(-0.5 * z0 * z0);
    return std::log(p1 + model_.density_offset) - std::log(p0 + model_.density_offset);
  }

  // 1 / sqrt(2 pi), and the change of the density by the scale of z.
  double density_unit(const Feature& feature) const {
    return 0.3989422804014326779 / (model_.standardized ? 1 : model_.normal[feature.number].scale);
  }

  // Fills the terms of a feature and adds to `base` what all rows share.
  void prepare(const Feature& feature, std::size_t first, std::size_t end, Terms& terms, double* base) const {
    if (model_.counted[feature.number]) return prepare_levels(feature, first, end, terms, base);
    if (model_.normal[feature.number].constant) return;
    const std::size_t width = end - first;
    for (auto* values : {&terms.mean1, &terms.mean0, &terms.inverse1, &terms.inverse0, &terms.constant}) {
      values->assign(width, 0);
    }
    for (std::size_t l = 0; l < width; ++l) {
      if (is_constant(first + l)) continue;
      // The other rows drop out of a joint probability: a density of 1 everywhere.
      const Normal with = class_normal(feature, first + l, true);
      const Normal without = model_.joint ? Normal{} : class_normal(feature, first + l, false);
      terms.mean1[l] = with.mean;
      terms.mean0[l] = without.mean;
      terms.inverse1[l] = 1 / with.deviation;
      terms.inverse0[l] = model_.joint ? 0 : 1 / without.deviation;
      double shared = 0;
      if (model_.density_offset > 0) {
        if (!feature.all_rows) shared = offset_odds(terms, l, 0, density_unit(feature));
        terms.constant[l] = -shared;
      } else {
        const double z1 = with.mean / with.deviation, z0 = without.mean / without.deviation;
        terms.constant[l] = std::log(without.deviation / with.deviation);
        if (!feature.all_rows) {
          shared = terms.constant[l] + 0.5 * (z0 * z0 - z1 * z1);
          terms.constant[l] = 0.5 * (z1 * z1 - z0 * z0);
        }
      }
      base[l] += shared;
    }
  }

  void prepare_levels(const Feature& feature, std::size_t first, std::size_t end, Terms& terms, double* base) const {
    const std::size_t f = feature.number;
    const CountTables& counts = model_.counts;
    const FixedLevels& levels = counts.levels[f];
    const std::size_t width = end - first, slots = levels.slots(), implied = static_cast<std::size_t>(levels.implied);
    terms.table.assign(slots * width, 0);
    double* const rest = terms.table.data() + implied * width;
    for (std::size_t l = 0; l < width; ++l) rest[l] = rows_with(first + l);
    for (std::size_t v = 0; v < slots; ++v) {
      const auto begin = counts.target.begin();
      const auto stop = begin + static_cast<std::ptrdiff_t>(counts.cell[counts.slot[f] + v + 1]);
      auto at = std::lower_bound(begin + static_cast<std::ptrdiff_t>(counts.cell[counts.slot[f] + v]), stop,
                                 static_cast<int>(first));
      for (; at != stop && *at < static_cast<int>(end); ++at) {
        const double count = static_cast<double>(counts.count[static_cast<std::size_t>(at - begin)]);
        const std::size_t l = static_cast<std::size_t>(*at) - first;
        terms.table[v * width + l] = count;
        rest[l] -= count;
      }
    }
    const double smoothing = model_.laplace * static_cast<double>(levels.size());
    for (std::size_t l = 0; l < width; ++l) {
      const bool none = is_constant(first + l);
      const double others = model_.joint ? 0 : std::log(rows_without(first + l) + smoothing);
      const double totals = others - std::log(rows_with(first + l) + smoothing);
      for (std::size_t v = 0; v < slots; ++v) {
        double& odds = terms.table[v * width + l];
        const double without = static_cast<double>(counts.in_level[counts.slot[f] + v]) - odds;
        const double other = model_.joint ? 0 : std::log(without + model_.laplace);
        odds = none ? 0 : std::log(odds + model_.laplace) - other + totals;
      }
    }
    if (feature.all_rows) return;
    for (std::size_t l = 0; l < width; ++l) base[l] += rest[l];
    for (std::size_t v = 0; v < slots; ++v) {
      if (v == implied) continue;
      for (std::size_t l = 0; l < width; ++l) terms.table[v * width + l] -= rest[l];
    }
  }

  // Adds the corrections of a feature for the rows before `end`, from entry `at` on.
  void correct(const Feature& feature, const Terms& terms, std::size_t width, std::size_t first, std::size_t end,
               std::size_t& at, double* corrections) const {
    const double unit = model_.density_offset > 0 ? density_unit(feature) : 0;
    for (; at < feature.rows.size() && feature.rows[at] < static_cast<int>(end); ++at) {
      double* to = corrections + (static_cast<std::size_t>(feature.rows[at]) - first) * width;
      if (model_.counted[feature.number]) {
        const double* from = terms.table.data() + static_cast<std::size_t>(feature.level[at]) * width;
        for (std::size_t l = 0; l < width; ++l) to[l] += from[l];
        continue;
      }
      const double z = feature.value[at];
      if (model_.density_offset > 0) {
        for (std::size_t l = 0; l < width; ++l) {
          if (terms.inverse1[l] > 0) to[l] += terms.constant[l] + offset_odds(terms, l, z, unit);
        }
        continue;
      }
      const double *mean1 = terms.mean1.data(), *mean0 = terms.mean0.data(), *inverse1 = terms.inverse1.data(),
                   *inverse0 = terms.inverse0.data(), *constant = terms.constant.data();
      for (std::size_t l = 0; l < width; ++l) {
        const double z1 = (z - mean1[l]) * inverse1[l], z0 = (z - mean0[l]) * inverse0[l];
        to[l] += constant[l] + 0.5 * (z0 * z0 - z1 * z1);
      }
    }
  }

  template <class Visit>
  void visit_labels(std::size_t first, std::size_t end, const std::vector<std::size_t>& prefixes, Visit visit) const {
    const std::size_t width = end - first, last = prefixes.back();
    std::vector<Terms> terms(last);
    std::vector<double> base(width), bases;
    for (std::size_t l = 0; l < width; ++l) base[l] = log_prior_odds(first + l);
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
        visit(p, row, stop, first, end, bases.data() + p * width, corrections.data());
      }
    }
  }

  const NaiveBayes& model_;
  std::size_t n_rows_;
  std::vector<Feature> features_;
};

}  // namespace detail

/// Posterior probability from log odds; 0 where these are not a number.
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

/// Posteriors (of a joint model, log joint probabilities) from the first prefixes[p] (ascending) of the features
/// `numbers` as matrices rows x labels, to[p]. They are those of a model of these features alone.
inline void naive_bayes_scores(const NaiveBayes& model, const Features& query, const std::vector<int>& numbers,
                               const std::vector<std::size_t>& prefixes, const std::vector<double*>& to,
                               const Context& context) {
  const detail::NaiveBayesOdds odds(model, query, numbers, context);
  odds.visit_odds(prefixes, context, 20,
                  [&](std::size_t p, std::size_t row, std::size_t stop, std::size_t first, std::size_t end,
                      const double* base, const double* corrections) {
                    const std::size_t width = end - first;
                    for (std::size_t l = 0; l < width; ++l) {
                      double* column = to[p] + (first + l) * query.n_rows;
                      for (std::size_t i = row; i < stop; ++i) {
                        const double value = base[l] + corrections[(i - row) * width + l];
                        column[i] = model.joint ? value : posterior(value);
                      }
                    }
                  });
}

/// Responses (posterior >= threshold) from the features `numbers` as a matrix rows x labels.
inline void naive_bayes_responses(const NaiveBayes& model, const Features& query, const std::vector<int>& numbers,
                                  double threshold, int* to, const Context& context) {
  const double least = threshold > 0 ? least_odds(threshold) : 0;
  const detail::NaiveBayesOdds odds(model, query, numbers, context);
  odds.visit_odds({numbers.size()}, context, 2,
                  [&](std::size_t, std::size_t row, std::size_t stop, std::size_t first, std::size_t end,
                      const double* base, const double* corrections) {
                    const std::size_t width = end - first;
                    for (std::size_t l = 0; l < width; ++l) {
                      int* column = to + (first + l) * query.n_rows;
                      for (std::size_t i = row; i < stop; ++i) {
                        column[i] = threshold <= 0 || base[l] + corrections[(i - row) * width + l] >= least;
                      }
                    }
                  });
}

}  // namespace mlsift

#endif
