#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "../core/bits.h"

namespace mlsift {

constexpr int int_missing = INT_MIN;

/// Cut points of a discretizer, increasing. The level is the number of cuts at or below the value; with `right`
/// (intervals closed on the right) the number of cuts below it.
struct Cuts {
  const double* at = nullptr;
  std::size_t size = 0;
  bool right = false;

  int level(double value) const {
    const double* end = at + size;
    return static_cast<int>((right ? std::lower_bound(at, end, value) : std::upper_bound(at, end, value)) - at);
  }
};

/// A read-only view of one feature; the memory belongs to the caller. Exactly one of `ints` (n values) and `reals` is
/// set; with `rows`, `reals` holds the `stored` values of those rows (ascending) and the other rows are 0.
struct Column {
  const int* ints = nullptr;
  const double* reals = nullptr;
  const int* rows = nullptr;
  std::size_t stored = 0;
  bool pattern = false;  ///< whether the stored values are known to be all 1
  bool cut = false;      ///< whether `cuts` turn the values into levels; otherwise every value is a level
  Cuts cuts;
  bool category = false;  ///< whether `ints` number categories, as those of a factor

  bool sparse() const { return rows != nullptr; }

  /// Stored value i as a number; NaN if it is missing.
  double number(std::size_t i) const {
    if (reals) return reals[i];
    return ints[i] == int_missing ? std::nan("") : static_cast<double>(ints[i]);
  }
};

/// Whether all values are 1, so that columns of them are patterns.
inline bool all_ones(const double* values, std::size_t n) {
  return n == 0 || (values[0] == 1.0 && std::memcmp(values, values + 1, (n - 1) * sizeof *values) == 0);
}

/// The features of a task.
struct Features {
  std::size_t n_rows = 0;
  std::vector<Column> columns;

  std::size_t size() const { return columns.size(); }

  /// For columns that have rows but no values because all are 1: gives all of them the same values.
  void share_ones() {
    std::size_t most = 1;
    for (const Column& column : columns) most = std::max(most, column.stored);
    ones_ = std::make_shared<const std::vector<double>>(most, 1.0);
    for (Column& column : columns) {
      column.reals = ones_->data();
      column.pattern = true;
    }
  }

 private:
  std::shared_ptr<const std::vector<double>> ones_;  // as many as the longest pattern needs
};

/// A feature as rows grouped by level. The reference level (the most frequent one, the lowest in case of ties) is
/// omitted; its rows are the remaining ones. Levels that do not occur are left out; the others are in increasing order.
struct LevelRows {
  std::vector<int> count;  ///< rows of each level, the reference included
  int reference = 0;       ///< which level is omitted
  std::vector<std::size_t>
      start;  ///< level v: rows[start[v]] .. rows[start[v + 1]] - 1, ascending; none for the reference
  const int* rows = nullptr;

  int n_levels() const { return static_cast<int>(count.size()); }
  const int* begin(int v) const { return rows + start[static_cast<std::size_t>(v)]; }
  const int* end(int v) const { return rows + start[static_cast<std::size_t>(v) + 1]; }
};

/// Turns columns into LevelRows. Scratch space of one thread: the result holds until the next call.
class LevelCoder {
 public:
  explicit LevelCoder(std::size_t n_rows) : n_(n_rows) {}

  const LevelRows& code(const Column& column) {
    if (is_pattern(column)) return from_pattern(column);
    const int* const integers = column.cut ? nullptr : integers_of(column);
    if (integers && !column.sparse() && pack(integers)) return from_bits();
    read_keys(column, integers);
    return group(column);
  }

 private:
  // Sparse ones, and no more of them than zeros: the column itself is the result.
  bool is_pattern(const Column& column) const {
    return column.sparse() && !column.cut && 2 * column.stored <= n_ &&
           (column.pattern ||
            std::all_of(column.reals, column.reals + column.stored, [](double v) { return v == 1.0; }));
  }

  const LevelRows& from_pattern(const Column& column) {
    const int ones = static_cast<int>(column.stored);
    result_.reference = 0;
    result_.rows = column.rows;
    if (ones == 0) {
      result_.count = {static_cast<int>(n_)};
      result_.start = {0, 0};
    } else {
      result_.count = {static_cast<int>(n_) - ones, ones};
      result_.start = {0, 0, column.stored};
    }
    return result_;
  }

  // Whether all values are 0 or 1. If so, they are stored in bits_.
  bool pack(const int* values) {
    bits_.assign(1, n_);
    std::uint64_t* to = bits_.column(0);
    for (std::size_t begin = 0; begin < n_; begin += 64) {
      const std::size_t end = std::min(n_, begin + 64);
      std::uint64_t word = 0;
      unsigned any = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const unsigned value = static_cast<unsigned>(values[i]);
        any |= value;
        word |= std::uint64_t{value} << (i - begin);
      }
      if (any > 1) return false;
      *to++ = word;
    }
    return true;
  }

  const LevelRows& from_bits() {
    std::size_t ones = 0;
    for (const std::uint64_t word : bits_.bits) ones += static_cast<std::size_t>(popcount(word));
    if (ones == 0 || ones == n_) {
      result_.count = {static_cast<int>(n_)};
      result_.reference = 0;
      result_.start = {0, 0};
      return result_;
    }
    result_.count = {static_cast<int>(n_ - ones), static_cast<int>(ones)};
    result_.reference = 2 * ones > n_ ? 1 : 0;
    const std::size_t off = std::min(ones, n_ - ones);
    result_.start = {0, result_.reference == 0 ? 0 : off, off};
    rows_.resize(off);
    int* to = rows_.data();
    for (std::size_t w = 0; w < bits_.words; ++w) {
      const std::size_t first = 64 * w;
      const std::uint64_t in_word = n_ - first < 64 ? (std::uint64_t{1} << (n_ - first)) - 1 : ~std::uint64_t{0};
      const std::uint64_t word = result_.reference == 0 ? bits_.bits[w] : ~bits_.bits[w] & in_word;
      visit_ones(word, first, [&](std::size_t row) { *to++ = static_cast<int>(row); });
    }
    result_.rows = rows_.data();
    return result_;
  }

  // The values as integers, or null if one of them is too large or not an integer.
  const int* integers_of(const Column& column) {
    if (column.ints) return column.ints;
    const std::size_t m = column.sparse() ? column.stored : n_;
    as_integers_.resize(m);
    int* const to = as_integers_.data();
    for (std::size_t i = 0; i < m; ++i) {
      const double value = column.reals[i];
      const bool small = std::fabs(value) < 32768;
      to[i] = small ? static_cast<int>(value) : int_missing;
      if (small ? to[i] != value : !std::isnan(value)) return nullptr;
    }
    return to;
  }

  // keys_: a number from 0 for each (stored) value, in increasing order of values; missing values get the last one.
  // `integers`: the values, or null if they are not integers.
  void read_keys(const Column& column, const int* integers) {
    const std::size_t m = column.sparse() ? column.stored : n_;
    keys_.resize(m);
    if (column.cut) {
      n_keys_ = static_cast<int>(column.cuts.size) + 2;
      zero_key_ = column.cuts.level(0);
      for (std::size_t i = 0; i < m; ++i) {
        const double value = column.number(i);
        keys_[i] = std::isnan(value) ? n_keys_ - 1 : column.cuts.level(value);
      }
      return;
    }
    if (!integers || !key_integers(integers, m, column.sparse())) key_distinct(column, m);
  }

  // Whether the values are close enough together to serve as their own keys.
  bool key_integers(const int* values, std::size_t m, bool with_zero) {
    int least = with_zero ? 0 : INT_MAX, most = with_zero ? 0 : INT_MIN;
    for (std::size_t i = 0; i < m; ++i) {
      least = std::min(least, values[i] == int_missing ? INT_MAX : values[i]);
      most = std::max(most, values[i]);
    }
    if (least > most) least = most = 0;
    const std::int64_t low = least, high = most;
    if (high - low > 65536 + 4 * static_cast<std::int64_t>(n_)) return false;
    n_keys_ = static_cast<int>(high - low) + 2;
    zero_key_ = static_cast<int>(-low);
    int* const keys = keys_.data();
    const int missing = n_keys_ - 1;
    for (std::size_t i = 0; i < m; ++i) keys[i] = values[i] == int_missing ? missing : values[i] - least;
    return true;
  }

  void key_distinct(const Column& column, std::size_t m) {
    distinct_.clear();
    if (column.sparse()) distinct_.push_back(0);
    for (std::size_t i = 0; i < m; ++i) {
      if (!std::isnan(column.number(i))) distinct_.push_back(column.number(i));
    }
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    n_keys_ = static_cast<int>(distinct_.size()) + 1;
    const auto key = [&](double v) {
      return static_cast<int>(std::lower_bound(distinct_.begin(), distinct_.end(), v) - distinct_.begin());
    };
    zero_key_ = key(0);
    for (std::size_t i = 0; i < m; ++i) keys_[i] = std::isnan(column.number(i)) ? n_keys_ - 1 : key(column.number(i));
  }

  const LevelRows& group(const Column& column) {
    count_keys();
    if (column.sparse()) key_count_[static_cast<std::size_t>(zero_key_)] += static_cast<int>(n_ - column.stored);
    reference_key_ = static_cast<int>(std::max_element(key_count_.begin(), key_count_.end()) - key_count_.begin());
    const int* rows = column.rows;
    if (rows && reference_key_ != zero_key_) {  // the rows that are not stored form a level of their own
      keys_of_all_.assign(n_, zero_key_);
      for (std::size_t i = 0; i < column.stored; ++i) keys_of_all_[static_cast<std::size_t>(rows[i])] = keys_[i];
      keys_.swap(keys_of_all_);
      rows = nullptr;
    }
    result_.count.clear();
    result_.start.assign(1, 0);
    key_slot_.assign(key_count_.size(), 0);
    std::size_t next = 0;
    for (std::size_t key = 0; key < key_count_.size(); ++key) {
      if (key_count_[key] == 0) continue;
      const bool is_reference = static_cast<int>(key) == reference_key_;
      if (is_reference) result_.reference = result_.n_levels();
      result_.count.push_back(key_count_[key]);
      key_slot_[key] = next;
      if (!is_reference) next += static_cast<std::size_t>(key_count_[key]);
      result_.start.push_back(next);
    }
    list_off(next);
    rows_.resize(next);
    const int* const keys = keys_.data();
    int* const to = rows_.data();
    std::size_t* const slot = key_slot_.data();
    for (std::size_t i = 0; i < next; ++i) to[slot[keys[off_[i]]]++] = rows ? rows[off_[i]] : off_[i];
    result_.rows = to;
    return result_;
  }

  // Equal keys often follow each other. Few keys are counted in alternating tables, so that no count waits for the
  // previous one.
  void count_keys() {
    const std::size_t n = static_cast<std::size_t>(n_keys_), m = keys_.size(), turns = n <= 256 ? 4 : 1;
    key_count_.assign(turns * n, 0);
    const int* const keys = keys_.data();
    int* const count = key_count_.data();
    std::size_t i = 0;
    for (; turns == 4 && i + 4 <= m; i += 4) {
      ++count[keys[i]];
      ++count[n + static_cast<std::size_t>(keys[i + 1])];
      ++count[2 * n + static_cast<std::size_t>(keys[i + 2])];
      ++count[3 * n + static_cast<std::size_t>(keys[i + 3])];
    }
    for (; i < m; ++i) ++count[keys[i]];
    for (std::size_t turn = 1; turn < turns; ++turn) {
      for (std::size_t key = 0; key < n; ++key) count[key] += count[turn * n + key];
    }
    key_count_.resize(n);
  }

  // off_: the positions of the `n_off` keys other than the reference. Branch-free, because a branch would often be
  // mispredicted.
  void list_off(std::size_t n_off) {
    off_.resize(n_off + 1);
    const int m = static_cast<int>(keys_.size()), reference = reference_key_;
    const int* const keys = keys_.data();
    int* to = off_.data();
    for (int i = 0; i < m; ++i) {
      *to = i;
      to += keys[i] != reference;
    }
  }

  std::size_t n_;
  LevelRows result_;
  std::vector<int> keys_, keys_of_all_, key_count_, as_integers_, off_, rows_;
  std::vector<std::size_t> key_slot_;
  std::vector<double> distinct_;
  BitColumns bits_;
  int n_keys_ = 0, zero_key_ = 0, reference_key_ = 0;
};

/// The number of values to read in all columns, for estimates of work.
inline double stored_values(const Features& features) {
  double total = 0;
  for (const Column& column : features.columns) {
    total += static_cast<double>(column.sparse() ? column.stored : features.n_rows);
  }
  return total;
}

}  // namespace mlsift
