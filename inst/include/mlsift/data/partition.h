#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "column.h"

// Which rows of a column share a value, and whether two columns agree in that.

namespace mlsift {

namespace partition_detail {

inline std::uint64_t mixed(std::uint64_t z) {  // the last steps of splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// The same bits for equal values: -0 is 0, and all missing values are one.
inline std::uint64_t bits_of(double value) {
  if (std::isnan(value)) return ~std::uint64_t{0};
  value += 0.0;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace partition_detail

/// A hash of the values of each row, the same for all ways to store them. A missing value is a value.
inline std::vector<std::uint64_t> row_hashes(const Features& features) {
  std::vector<std::uint64_t> hash(features.n_rows);
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Column& column = features.columns[f];
    const std::uint64_t key = partition_detail::mixed((f + 1) * 0x9e3779b97f4a7c15ULL);
    const std::size_t m = column.sparse() ? column.stored : features.n_rows;
    std::uint64_t last = 0, term = 0;  // 0 adds nothing, as where it is not stored
    for (std::size_t i = 0; i < m; ++i) {
      const std::uint64_t bits = partition_detail::bits_of(column.number(i));
      if (bits != last) {
        last = bits;
        term = bits == 0 ? 0 : partition_detail::mixed(bits + key);
      }
      hash[column.sparse() ? static_cast<std::size_t>(column.rows[i]) : i] += term;
    }
  }
  return hash;
}

/// Pseudo-random numbers of rows. Their sums, modulo 2^64, tell sets of rows apart.
struct RowKeys {
  std::vector<std::uint64_t> of_row;
  std::uint64_t total = 0;

  /// Of the rows first, first + 1, ...
  void set(std::size_t first, std::size_t n_rows) {
    of_row.resize(n_rows);
    total = 0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      of_row[i] = partition_detail::mixed((first + i + 1) * 0x9e3779b97f4a7c15ULL);
      total += of_row[i];
    }
  }
};

/// Hashes of a column from rows that come in any chunks. Columns that are equal up to a one-to-one recoding of their
/// values have the same alike(), and equal ones the same values(), whatever their storage. A missing value is a value.
class Partition {
 public:
  /// More than `most` different values are not told apart; `with_values`: whether values() is wanted then.
  explicit Partition(std::size_t most = 0, bool with_values = true) : most_(most), with_values_(with_values) {}

  void add(const Column& column, const RowKeys& keys) {
    const std::size_t n = keys.of_row.size(), m = column.sparse() ? column.stored : n;
    if (many_ && !with_values_) return;
    std::uint64_t rest = keys.total;
    for (std::size_t i = 0, next; i < m; i = next) {
      const double value = column.number(i);
      std::uint64_t sum = 0;
      for (next = i; next < m && same(column.number(next), value); ++next) {
        sum += keys.of_row[column.sparse() ? static_cast<std::size_t>(column.rows[next]) : next];
      }
      rest -= sum;
      add_rows(value, sum);
      if (many_ && !with_values_) return;
    }
    if (m < n) add_rows(0, rest);
  }

  /// Rows with a value; `sum`: of their keys.
  void add_rows(double value, std::uint64_t sum) { add_class(partition_detail::bits_of(value), sum); }

  /// Adds what was found in other rows.
  void join(const Partition& other) {
    if (other.many_) {
      if (!many_) forget();
      values_ += other.values_;
    }
    for (const auto& one : other.classes_) add_class(one.first, one.second);
  }

  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(most_);
    bytes(with_values_);
    bytes(many_);
    bytes(values_);
    bytes(classes_);
    last_ = 0;
    place_.clear();
    for (std::size_t at = 0; classes_.size() > 8 && at < classes_.size(); ++at) place_[classes_[at].first] = at;
  }

  bool many() const { return many_; }
  std::size_t size() const { return classes_.size(); }

  std::uint64_t alike() const {
    std::uint64_t hash = 0;
    for (const auto& one : classes_) hash += partition_detail::mixed(one.second);
    return partition_detail::mixed(hash);
  }

  std::uint64_t values() const { return partition_detail::mixed(values_ + weighted()); }

  /// Whether all values are 0, 1 or missing.
  bool zero_one() const {
    for (const auto& one : classes_) {
      if (one.first != 0 && one.first != partition_detail::bits_of(1) && one.first != ~std::uint64_t{0}) return false;
    }
    return !many_;
  }

 private:
  static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

  // 0 for the value 0, so that rows which are not stored add nothing.
  static std::uint64_t weight(std::uint64_t bits) { return bits == 0 ? 0 : partition_detail::mixed(bits); }

  std::uint64_t weighted() const {
    std::uint64_t sum = 0;
    for (const auto& one : classes_) sum += weight(one.first) * one.second;
    return sum;
  }

  void add_class(std::uint64_t bits, std::uint64_t sum) {
    if (many_) {
      values_ += weight(bits) * sum;
    } else if (last_ < classes_.size() && classes_[last_].first == bits) {
      classes_[last_].second += sum;
    } else {
      find(bits);
      if (!many_)
        classes_[last_].second += sum;
      else
        values_ += weight(bits) * sum;
    }
  }

  // Sets last_ to the class of a value, which may be new.
  void find(std::uint64_t bits) {
    const auto found = [&](std::size_t at) {
      last_ = at;
      return classes_[at].first == bits;
    };
    if (classes_.size() <= 8) {
      for (std::size_t at = 0; at < classes_.size(); ++at) {
        if (found(at)) return;
      }
    } else {
      const auto at = place_.find(bits);
      if (at != place_.end()) {
        last_ = at->second;
        return;
      }
    }
    if (classes_.size() == most_) return forget();
    last_ = classes_.size();
    classes_.emplace_back(bits, 0);
    if (classes_.size() == 9) {
      for (std::size_t at = 0; at < 9; ++at) place_[classes_[at].first] = at;
    } else if (classes_.size() > 9) {
      place_[bits] = last_;
    }
  }

  void forget() {
    many_ = true;
    values_ = weighted();
    std::vector<std::pair<std::uint64_t, std::uint64_t>>().swap(classes_);
    place_.clear();
  }

  std::size_t most_ = 0, last_ = 0;
  bool with_values_ = true, many_ = false;
  std::uint64_t values_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> classes_;  // a value, and the sum of the keys of its rows
  std::unordered_map<std::uint64_t, std::size_t> place_;          // of a value among many classes
};

/// Whether two columns are equal, or with `recoded` equal up to a one-to-one recoding of their values.
inline bool same_partition(const Column& a, const Column& b, std::size_t n_rows, bool recoded) {
  std::unordered_map<std::uint64_t, std::uint64_t> to, from;
  std::uint64_t last_a = 0, last_b = 0;
  bool begun = false;
  const auto fits = [&](double u, double v) {
    const std::uint64_t in_a = partition_detail::bits_of(u), in_b = partition_detail::bits_of(v);
    if (begun && in_a == last_a && in_b == last_b) return true;
    begun = true;
    last_a = in_a;
    last_b = in_b;
    if (!recoded) return in_a == in_b;
    return to.emplace(in_a, in_b).first->second == in_b && from.emplace(in_b, in_a).first->second == in_a;
  };
  const std::size_t none = std::numeric_limits<std::size_t>::max();
  const auto row_at = [&](const Column& column, std::size_t at) {
    if (!column.sparse()) return at < n_rows ? at : none;
    return at < column.stored ? static_cast<std::size_t>(column.rows[at]) : none;
  };
  std::size_t visited = 0;
  for (std::size_t i = 0, j = 0;; ++visited) {
    const std::size_t row_a = row_at(a, i), row_b = row_at(b, j);
    if (row_a == none && row_b == none) break;
    const double u = row_a <= row_b ? a.number(i++) : 0, v = row_b <= row_a ? b.number(j++) : 0;
    if (!fits(u, v)) return false;
  }
  return visited == n_rows || fits(0, 0);
}

}  // namespace mlsift
