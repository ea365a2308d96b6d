#ifndef MLSIFT_DATA_COLUMN_H
#define MLSIFT_DATA_COLUMN_H

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlsift {

constexpr int int_missing = INT_MIN;

/// Cut points of a discretizer, increasing. Level = number of cuts at or below the value; with `right` (intervals
/// closed on the right) the number of cuts below it.
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
  bool cut = false;  ///< whether `cuts` turn the values into levels; otherwise every value is a level
  Cuts cuts;

  bool sparse() const { return rows != nullptr; }

  /// Value (stored value) i as a number; NaN where it is missing.
  double number(std::size_t i) const {
    if (reals) return reals[i];
    return ints[i] == int_missing ? std::nan("") : static_cast<double>(ints[i]);
  }
};

/// The features of a task.
struct Features {
  std::size_t n_rows = 0;
  std::vector<Column> columns;

  std::size_t size() const { return columns.size(); }
};

/// A feature as rows grouped by level, all levels but the reference (the most frequent one, the lowest of several),
/// whose rows are what is left. Levels that do not occur are left out; the others stand in increasing order.
struct LevelRows {
  std::vector<int> count;  ///< rows of each level, the reference included
  int reference = 0;       ///< which level is left out
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
    read_keys(column);
    return column.sparse() ? group(column, [&](auto visit) { visit_sparse(column, visit); })
                           : group(column, [&](auto visit) { visit_dense(visit); });
  }

 private:
  // Sparse ones, and not more of them than zeros: the column is its own answer.
  bool is_pattern(const Column& column) const {
    return column.sparse() && !column.cut && 2 * column.stored <= n_ &&
           std::all_of(column.reals, column.reals + column.stored, [](double v) { return v == 1.0; });
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

  // keys_: a number from 0 for each (stored) value, in increasing order of values; missing values get the last one.
  void read_keys(const Column& column) {
    const std::size_t m = column.sparse() ? column.stored : n_;
    keys_.resize(m);
    if (column.ints && !column.cut) {
      key_integers(
          m, [&](std::size_t i) { return column.ints[i] == int_missing; },
          [&](std::size_t i) { return static_cast<std::int64_t>(column.ints[i]); }, false);
    } else if (column.cut) {
      n_keys_ = static_cast<int>(column.cuts.size) + 2;
      zero_key_ = column.cuts.level(0);
      for (std::size_t i = 0; i < m; ++i) {
        const double value = column.number(i);
        keys_[i] = std::isnan(value) ? n_keys_ - 1 : column.cuts.level(value);
      }
    } else if (small_integers(column.reals, m)) {
      key_integers(
          m, [&](std::size_t i) { return std::isnan(column.reals[i]); },
          [&](std::size_t i) { return static_cast<std::int64_t>(column.reals[i]); }, column.sparse());
    } else {
      key_distinct(column.reals, m, column.sparse());
    }
  }

  static bool small_integers(const double* values, std::size_t m) {
    return std::all_of(values, values + m,
                       [](double v) { return std::isnan(v) || (std::fabs(v) < 32768 && v == std::floor(v)); });
  }

  template <class Missing, class Value>
  void key_integers(std::size_t m, Missing missing, Value value, bool with_zero) {
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    if (with_zero) low = high = 0;
    for (std::size_t i = 0; i < m; ++i) {
      if (missing(i)) continue;
      low = std::min(low, value(i));
      high = std::max(high, value(i));
    }
    if (low > high) low = high = 0;
    if (high - low > 65536 + 4 * static_cast<std::int64_t>(n_)) {
      as_reals_.resize(m);
      for (std::size_t i = 0; i < m; ++i) as_reals_[i] = missing(i) ? std::nan("") : static_cast<double>(value(i));
      key_distinct(as_reals_.data(), m, with_zero);
      return;
    }
    n_keys_ = static_cast<int>(high - low) + 2;
    zero_key_ = static_cast<int>(-low);
    for (std::size_t i = 0; i < m; ++i) keys_[i] = missing(i) ? n_keys_ - 1 : static_cast<int>(value(i) - low);
  }

  void key_distinct(const double* values, std::size_t m, bool with_zero) {
    distinct_.clear();
    if (with_zero) distinct_.push_back(0);
    for (std::size_t i = 0; i < m; ++i) {
      if (!std::isnan(values[i])) distinct_.push_back(values[i]);
    }
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    n_keys_ = static_cast<int>(distinct_.size()) + 1;
    const auto key = [&](double v) {
      return static_cast<int>(std::lower_bound(distinct_.begin(), distinct_.end(), v) - distinct_.begin());
    };
    zero_key_ = key(0);
    for (std::size_t i = 0; i < m; ++i) keys_[i] = std::isnan(values[i]) ? n_keys_ - 1 : key(values[i]);
  }

  template <class Visit>
  void visit_dense(Visit visit) const {
    for (std::size_t i = 0; i < n_; ++i) visit(static_cast<int>(i), keys_[i]);
  }

  // Rows of a sparse column whose level is not the reference; the implicit zeros only when they are not the reference.
  template <class Visit>
  void visit_sparse(const Column& column, Visit visit) const {
    if (reference_key_ == zero_key_) {
      for (std::size_t s = 0; s < column.stored; ++s) visit(column.rows[s], keys_[s]);
      return;
    }
    std::size_t s = 0;
    for (int i = 0; i < static_cast<int>(n_); ++i) {
      const bool here = s < column.stored && column.rows[s] == i;
      visit(i, here ? keys_[s++] : zero_key_);
    }
  }

  template <class Rows>
  const LevelRows& group(const Column& column, Rows rows) {
    key_count_.assign(static_cast<std::size_t>(n_keys_), 0);
    for (const int key : keys_) ++key_count_[static_cast<std::size_t>(key)];
    if (column.sparse()) key_count_[static_cast<std::size_t>(zero_key_)] += static_cast<int>(n_ - column.stored);
    reference_key_ = static_cast<int>(std::max_element(key_count_.begin(), key_count_.end()) - key_count_.begin());

    result_.count.clear();
    result_.start.assign(1, 0);
    key_slot_.assign(static_cast<std::size_t>(n_keys_), 0);
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
    rows_.resize(next);
    rows([&](int row, int key) {
      if (key != reference_key_) rows_[key_slot_[static_cast<std::size_t>(key)]++] = row;
    });
    result_.rows = rows_.data();
    return result_;
  }

  std::size_t n_;
  LevelRows result_;
  std::vector<int> keys_, key_count_, rows_;
  std::vector<std::size_t> key_slot_;
  std::vector<double> distinct_, as_reals_;
  int n_keys_ = 0, zero_key_ = 0, reference_key_ = 0;
};

/// Values to look at in all columns, for estimates of work.
inline double stored_values(const Features& features) {
  double total = 0;
  for (const Column& column : features.columns) {
    total += static_cast<double>(column.sparse() ? column.stored : features.n_rows);
  }
  return total;
}

}  // namespace mlsift

#endif
