#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
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

/// Sizes of true sets, predicted sets, their intersections, and of what is known: one entry for each row, or for each
/// label. Those of labels are sums of weights, which are integers if there are no weights.
template <class Number>
struct Overlap {
  std::vector<Number> truth, response, both, known;

  explicit Overlap(std::size_t n) : truth(n, 0), response(n, 0), both(n, 0), known(n, 0) {}
  std::size_t size() const { return truth.size(); }
};

struct Overlaps {
  Overlap<int> rows;
  Overlap<double> labels;
  double n_rows = 0;          ///< the number, or the weight, of the rows in which some label is known
  double labels_per_row = 0;  ///< the mean number of known labels of these rows
};

/// One pass over two 0/1 matrices, n x q, stored by column. A negative truth is unknown: its cell is left out.
inline Overlaps count_overlaps(const int* truth, const int* response, std::size_t n, std::size_t q,
                               const Weights& weights = {}) {
  Overlaps result{Overlap<int>(n), Overlap<double>(q)};
  for (std::size_t l = 0; l < q; ++l) {
    const int* t = truth + l * n;
    const int* r = response + l * n;
    int n_truth = 0, n_response = 0, n_both = 0, n_known = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const int known = t[i] >= 0, is = t[i] & known, said = r[i] & known;
      result.rows.truth[i] += is;
      result.rows.response[i] += said;
      result.rows.both[i] += is & said;
      result.rows.known[i] += known;
      n_truth += is;
      n_response += said;
      n_both += is & said;
      n_known += known;
    }
    double truth_sum = n_truth, response_sum = n_response, both_sum = n_both, known_sum = n_known;
    if (weights.given()) {
      truth_sum = response_sum = both_sum = known_sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const int known = t[i] >= 0, is = t[i] & known, said = r[i] & known;
        truth_sum += weights[i] * is;
        response_sum += weights[i] * said;
        both_sum += weights[i] * (is & said);
        known_sum += weights[i] * known;
      }
    }
    result.labels.truth[l] = truth_sum;
    result.labels.response[l] = response_sum;
    result.labels.both[l] = both_sum;
    result.labels.known[l] = known_sum;
  }
  std::size_t whole = 0;  // rows in which all labels are known
  for (std::size_t i = 0; i < n; ++i) {
    if (result.rows.known[i] > 0) result.n_rows += weights[i];
    whole += static_cast<std::size_t>(result.rows.known[i]) == q;
  }
  const double cells = std::accumulate(result.labels.known.begin(), result.labels.known.end(), 0.0);
  result.labels_per_row = whole == n ? static_cast<double>(q) : cells / result.n_rows;
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
