#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "design.h"

namespace mlsift {

/// The distinct rows of a design in its first k columns. Few 0/1 columns have few distinct rows, and a model needs only
/// how often each occurs, or the sum of its weights.
///
/// If that would save less than a quarter of the rows, all rows are kept separate.
class DistinctRows {
 public:
  /// `weights`: of rows, or null.
  DistinctRows(const Design& all, const double* weights)
      : all_(all), weights_(weights), hash_(all.n_rows(), 0), of_row_(all.n_rows()) {
    keep_all();
  }

  /// The number of columns can only grow.
  void set_columns(std::size_t k) {
    if (too_many_) return;
    all_.add_to_hashes(k_, k, hash_);
    k_ = k;
    // Among rows with equal hashes, the first stands for the others if they are indeed equal.
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
    for (std::size_t i = 0; i < of_row_.size(); ++i) count_[of_row_[i]] += weight(i);
  }

  const Design& design() const { return some_ ? *some_ : all_; }
  /// How often each row of design() occurs, or the sum of the weights of its rows.
  const std::vector<double>& count() const { return count_; }
  double weight(std::size_t row) const { return weights_ ? weights_[row] : 1; }
  /// The row of design() that represents each row.
  const std::vector<std::size_t>& of_row() const { return of_row_; }

 private:
  void keep_all() {
    some_.reset();
    if (weights_) {
      count_.assign(weights_, weights_ + all_.n_rows());
    } else {
      count_.assign(all_.n_rows(), 1.0);
    }
    std::iota(of_row_.begin(), of_row_.end(), std::size_t{0});
  }

  const Design& all_;
  const double* weights_;
  std::size_t k_ = 0;
  bool too_many_ = false;
  std::vector<std::uint64_t> hash_;  // of the first k_ columns
  std::vector<std::size_t> of_row_;
  std::vector<double> count_;
  std::optional<Design> some_;
};

}  // namespace mlsift
