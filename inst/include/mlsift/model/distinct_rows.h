#ifndef MLSIFT_MODEL_DISTINCT_ROWS_H
#define MLSIFT_MODEL_DISTINCT_ROWS_H

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "design.h"

namespace mlsift {

/// The rows of a design that differ in its first k columns. Few 0/1 columns have few of them, and a model needs only
/// how often each occurs.
///
/// Where that would save less than a quarter of the rows, each row stays one of its own.
class DistinctRows {
 public:
  explicit DistinctRows(const Design& all) : all_(all), hash_(all.n_rows(), 0), of_row_(all.n_rows()) { keep_all(); }

  /// Only towards more columns.
  void set_columns(std::size_t k) {
    if (too_many_) return;
    all_.add_to_hashes(k_, k, hash_);
    k_ = k;
    // With equal hashes the first row stands for the others, if they are indeed equal.
    std::unordered_map<std::uint64_t, std::size_t> known;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < all_.n_rows(); ++i) {
      const auto found = known.emplace(hash_[i], first.size());
      const bool repeated = !found.second && all_.equal_rows(first[found.first->second], i, k);
      of_row_[i] = repeated ? found.first->second : first.size();
      if (!repeated) first.push_back(i);
    }
    too_many_ = 4 * first.size() > 3 * all_.n_rows();
    if (too_many_) return keep_all();
    some_.emplace(all_, first, k);
    count_.assign(first.size(), 0.0);
    for (const std::size_t r : of_row_) ++count_[r];
  }

  const Design& design() const { return some_ ? *some_ : all_; }
  /// How often each row of design() occurs.
  const std::vector<double>& count() const { return count_; }
  /// The row of design() that stands for each row.
  const std::vector<std::size_t>& of_row() const { return of_row_; }

 private:
  void keep_all() {
    some_.reset();
    count_.assign(all_.n_rows(), 1.0);
    std::iota(of_row_.begin(), of_row_.end(), std::size_t{0});
  }

  const Design& all_;
  std::size_t k_ = 0;
  bool too_many_ = false;
  std::vector<std::uint64_t> hash_;  // of the first k_ columns
  std::vector<std::size_t> of_row_;
  std::vector<double> count_;
  std::optional<Design> some_;
};

}  // namespace mlsift

#endif
