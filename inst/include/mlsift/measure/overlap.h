#ifndef MLSIFT_MEASURE_OVERLAP_H
#define MLSIFT_MEASURE_OVERLAP_H

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace mlsift {

/// Sizes of true sets, predicted sets and what they share: one entry for each row, or for each label.
struct Overlap {
  std::vector<int> truth, response, both;

  explicit Overlap(std::size_t n) : truth(n, 0), response(n, 0), both(n, 0) {}
  std::size_t size() const { return truth.size(); }
};

struct Overlaps {
  Overlap rows, labels;
};

/// One pass over two 0/1 matrices, n x q, stored by column.
inline Overlaps count_overlaps(const int* truth, const int* response, std::size_t n, std::size_t q) {
  Overlaps result{Overlap(n), Overlap(q)};
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
  }
  return result;
}

/// What a measure of two sets does where its ratio is not defined.
struct OverlapRules {
  double empty = 1;          ///< value where nothing is true and nothing predicted; NaN drops the row or label
  double smooth = 0;         ///< added to both parts of each ratio (the CAU programs: 0.001)
  bool f1_of_means = false;  ///< example-based F1 from mean precision and mean recall (the CAU programs)
  double undefined = 0;      ///< value where only the denominator is 0; NaN drops the row or label
  double beta = 2;           ///< of F-beta; with 0, example-based F-beta is left out, which saves time
};

/// part / whole by these rules.
inline double share(double part, double whole, bool nothing, const OverlapRules& rules) {
  if (nothing) return rules.empty;
  const double denominator = whole + rules.smooth;
  return denominator > 0 ? (part + rules.smooth) / denominator : rules.undefined;
}

/// Mean of the values that are not NaN, added up in the order given; NaN when there are none.
class Mean {
 public:
  void add(double value) {
    if (std::isnan(value)) return;
    sum_ += value;
    ++n_;
  }
  double value() const { return n_ > 0 ? sum_ / static_cast<double>(n_) : std::numeric_limits<double>::quiet_NaN(); }

 private:
  double sum_ = 0;
  std::size_t n_ = 0;
};

}  // namespace mlsift

#endif
