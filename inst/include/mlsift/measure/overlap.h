#ifndef MLSIFT_MEASURE_OVERLAP_H
#define MLSIFT_MEASURE_OVERLAP_H

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// Weights of rows, 1 each if there are none. Cells of matrices with `rows` rows, stored by column, have the weights of
/// their rows.
class Weights {
 public:
  Weights() = default;
  Weights(const double* values, std::size_t rows) : values_(values), rows_(rows) {}

  bool given() const { return values_ != nullptr; }
  double operator[](std::size_t row) const { return values_ ? values_[row] : 1; }
  double of_cell(std::size_t cell) const { return values_ ? values_[cell % rows_] : 1; }
  /// The total weight of the first n rows, or of n cells.
  double total(std::size_t n) const {
    if (!values_) return static_cast<double>(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += of_cell(i);
    return sum;
  }

 private:
  const double* values_ = nullptr;
  std::size_t rows_ = 0;
};

/// Sizes of true sets, predicted sets and their intersections: one entry for each row, or for each label. Those of
/// labels are sums of weights, which are integers if there are no weights.
template <class Number>
struct Overlap {
  std::vector<Number> truth, response, both;

  explicit Overlap(std::size_t n) : truth(n, 0), response(n, 0), both(n, 0) {}
  std::size_t size() const { return truth.size(); }
};

struct Overlaps {
  Overlap<int> rows;
  Overlap<double> labels;
};

/// One pass over two 0/1 matrices, n x q, stored by column.
inline Overlaps count_overlaps(const int* truth, const int* response, std::size_t n, std::size_t q,
                               const Weights& weights = {}) {
  Overlaps result{Overlap<int>(n), Overlap<double>(q)};
  for (std::size_t l = 0; l < q; ++l) {
    const int* t = truth + l * n;
    const int* r = response + l * n;
    int n_truth = 0, n_response = 0, n_both = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const int both = t[i] & r[i];
      result.rows.truth[i] += t[i];
      result.rows.response[i] += r[i];
      result.rows.both[i] += both;
      n_truth += t[i];
      n_response += r[i];
      n_both += both;
    }
    result.labels.truth[l] = n_truth;
    result.labels.response[l] = n_response;
    result.labels.both[l] = n_both;
    if (!weights.given()) continue;
    double truth_sum = 0, response_sum = 0, both_sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      truth_sum += weights[i] * t[i];
      response_sum += weights[i] * r[i];
      both_sum += weights[i] * (t[i] & r[i]);
    }
    result.labels.truth[l] = truth_sum;
    result.labels.response[l] = response_sum;
    result.labels.both[l] = both_sum;
  }
  return result;
}

/// The value of a measure of two sets if its ratio is not defined.
struct OverlapRules {
  double empty = 1;          ///< value if nothing is true and nothing predicted; NaN drops the row or label
  double smooth = 0;         ///< added to both parts of each ratio (the CAU programs: 0.001)
  bool f1_of_means = false;  ///< example-based F1 from mean precision and mean recall (the CAU programs)
  double undefined = 0;      ///< value if only the denominator is 0; NaN drops the row or label
  double beta = 2;           ///< of F-beta; with 0, example-based F-beta is left out, which saves time
};

/// part / whole by these rules.
inline double share(double part, double whole, bool nothing, const OverlapRules& rules) {
  if (nothing) return rules.empty;
  const double denominator = whole + rules.smooth;
  return denominator > 0 ? (part + rules.smooth) / denominator : rules.undefined;
}

/// Precision TP / (TP + FP), recall TP / (TP + FN), F1 2 TP / (2 TP + FP + FN), F-beta (1 + b^2) TP / ((1 + b^2) TP +
/// b^2 FN + FP), Jaccard TP / (TP + FP + FN) and specificity TN / (TN + FP). If TP + FP + FN = 0, all but the last have
/// the value `rules.empty`; any other zero denominator gives `rules.undefined`. Specificity is NaN if its denominator
/// is 0.
struct OverlapValues {
  double precision = 0, recall = 0, f1 = 0, fbeta = 0, specificity = 0, jaccard = 0;
};

/// Values of a label, of a row, or from sums over them: of `cells`, `truth` are true, `response` are predicted, and
/// `both` are both.
inline OverlapValues overlap_values(double cells, double truth, double response, double both,
                                    const OverlapRules& rules) {
  const bool nothing = truth + response == 0;
  const double squared = rules.beta * rules.beta, off = cells - truth;
  OverlapValues result;
  result.precision = share(both, response, nothing, rules);
  result.recall = share(both, truth, nothing, rules);
  result.f1 = share(2 * both, truth + response, nothing, rules);
  result.fbeta = share((1 + squared) * both, squared * truth + response, nothing, rules);
  result.specificity = off > 0 ? (off - (response - both)) / off : std::numeric_limits<double>::quiet_NaN();
  result.jaccard = share(both, truth + response - both, nothing, rules);
  return result;
}

/// Weighted mean of the values that are not NaN, added up in the given order; NaN if there are none.
class Mean {
 public:
  void add(double value, double weight = 1) {
    if (std::isnan(value)) return;
    sum_ += weight * value;
    total_ += weight;
  }
  double value() const { return total_ > 0 ? sum_ / total_ : std::numeric_limits<double>::quiet_NaN(); }

 private:
  double sum_ = 0, total_ = 0;
};

}  // namespace mlsift

#endif
