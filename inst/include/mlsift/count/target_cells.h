#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

#include "../core/xlogx.h"
#include "target_columns.h"

namespace mlsift {

/// Two features of one indicator each: how many of n rows have f, s and both, and how many of these each target column.
struct TwoFeatures {
  int n, n_f, n_s, n_fs;
  const int *f, *s, *fs;
};

/// What is summed over the cells of features with the targets, to whole numbers, which do not depend on the order of
/// cells. A policy has `width` sums, that start at 0, and
///
///   add()      adds a cell of features
///   add_two()  adds the four cells of two features at once; false where that is not faster
///
/// All threads share it. See cells_of() for those there are.
class TargetCells {
 public:
  /// Of which kind the sums are: kernels may have own ways to those of n log n, if all targets are known.
  enum class Kind { all_targets, by_target, other };

  TargetCells(Kind the_kind, std::size_t the_width) : kind(the_kind), width(the_width) {}
  virtual ~TargetCells() = default;

  /// Of n rows, of which the target columns have `with`.
  virtual void add(int n, const int* with, std::uint64_t* sums) const = 0;
  virtual bool add_two(const TwoFeatures&, std::uint64_t* /*sums*/) const { return false; }

  const Kind kind;
  const std::size_t width;
};

/// Gets, of feature f and a feature s, G(f, s) and the sums over their cells with the targets. Several threads may call
/// it, each for other features.
using TakeSums = std::function<void(std::size_t f, std::uint64_t pair, const std::uint64_t* sums)>;

/// The sum over all targets of G(f, s, t), where all are known. G: XLogX or XLogXOnDemand.
template <class G>
class AllTargetsCells : public TargetCells {
 public:
  AllTargetsCells(const TargetColumns& targets, const G& g)
      : TargetCells(Kind::all_targets, 1), t_(targets), g_(g), one_each_(targets.one_each()) {}

  void add(int n, const int* with, std::uint64_t* sums) const override {
    if (n == 0) return;
    if (one_each_) return add_labels(n, with, sums);
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int rest = n;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        sum += g_(with[c]);
        rest -= with[c];
      }
      sum += g_(rest);
    }
    *sums += sum;
  }

  bool add_two(const TwoFeatures& of, std::uint64_t* sums) const override {
    if (!one_each_) return false;
    const int f_only = of.n_f - of.n_fs, s_only = of.n_s - of.n_fs, neither = of.n - of.n_f - s_only;
    const std::uint64_t g_both = g_(of.n_fs), g_f = g_(f_only), g_s = g_(s_only);
    const auto split = [this](int n, int part, std::uint64_t g_n) { return part == 0 ? g_n : g_(part) + g_(n - part); };
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const int a = of.fs[t], b = of.f[t] - a, e = of.s[t] - a, rest = static_cast<int>(t_.count[t]) - b - e - a;
      sum += split(of.n_fs, a, g_both) + g_(rest) + g_(neither - rest);
      if (std::is_same<G, XLogX>::value) {
        sum += g_(b) + g_(f_only - b) + g_(e) + g_(s_only - e);  // a look-up is faster than a branch
      } else {
        sum += split(f_only, b, g_f) + split(s_only, e, g_s);
      }
    }
    *sums += sum;
    return true;
  }

 private:
  void add_labels(int n, const int* with, std::uint64_t* sums) const {
    const std::uint64_t g_n = g_(n);
    std::uint64_t sum = g_n * t_.size();
    for (std::size_t t = 0; t < t_.size(); ++t) {
      if (with[t] != 0) sum += g_(with[t]) + g_(n - with[t]) - g_n;
    }
    *sums += sum;
  }

  const TargetColumns& t_;
  const G& g_;
  bool one_each_;
};

/// By target t, the sum over cells of [sum over levels of t of g(rows with the level) - g(rows)], of the rows in which
/// t is known: G(f, s, t) - G(f, s). With `rows` followed by -G(f, s) of these rows, also by target.
template <class G>
class ByTargetCells : public TargetCells {
 public:
  ByTargetCells(const TargetColumns& targets, const G& g, bool rows)
      : TargetCells(rows || !targets.all_known() ? Kind::other : Kind::by_target, (rows ? 2 : 1) * targets.size()),
        t_(targets),
        g_(g),
        rows_(rows) {
    for (std::size_t t = 0; t < t_.size(); ++t) labels_ = labels_ && t_.end_of_levels(t) == t_.first[t] + 1;
  }

  void add(int n, const int* with, std::uint64_t* sums) const override {
    if (n == 0) return;
    const int* const unknown = t_.all_known() ? nullptr : t_.unknown.data();
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const int known = unknown && unknown[t] >= 0 ? n - with[unknown[t]] : n;
      const std::uint64_t g_known = g_(known);
      if (rows_) sums[t_.size() + t] -= g_known;
      if (labels_) {
        const int ones = with[t_.first[t]];
        sums[t] += g_(ones) + g_(known - ones) - g_known;
        continue;
      }
      int rest = known;
      std::uint64_t sum = 0 - g_known;
      for (std::size_t c = t_.first[t], end = t_.end_of_levels(t); c < end; ++c) {
        sum += g_(with[c]);
        rest -= with[c];
      }
      sums[t] += sum + g_(rest);
    }
  }

  bool add_two(const TwoFeatures& of, std::uint64_t* sums) const override {
    if (rows_ || !labels_) return false;
    const int f_only = of.n_f - of.n_fs, s_only = of.n_s - of.n_fs, neither = of.n - of.n_f - s_only;
    const int* const unknown = t_.all_known() ? nullptr : t_.unknown.data();
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int known_fs = of.n_fs, known_f = f_only, known_s = s_only, known = neither;
      if (unknown && unknown[t] >= 0) {
        const std::size_t u = static_cast<std::size_t>(unknown[t]);
        const int f = of.f[u] - of.fs[u];
        known_fs -= of.fs[u];
        known_f -= f;
        known_s -= of.s[u] - of.fs[u];
        known -= static_cast<int>(t_.count[u]) - f - of.s[u];
      }
      const std::size_t one = t_.first[t];
      const int both = of.fs[one], f = of.f[one] - both;
      std::uint64_t sum = label(f, known_f) + label(of.s[one] - both, known_s) +
                          label(static_cast<int>(t_.count[one]) - f - of.s[one], known);
      if (both != 0) sum += label(both, known_fs);
      sums[t] += sum;
    }
    return true;
  }

 private:
  std::uint64_t label(int ones, int known) const { return g_(ones) + g_(known - ones) - g_(known); }

  const TargetColumns& t_;
  const G& g_;
  bool rows_, labels_ = true;
};

/// The sum over targets of the squares of the rows in their levels: with n_y of n rows of a cell in level y,
///
///   sum over targets and y of n_y^2 / n
///
/// as an integer of XLogX. Where some targets are not known in all rows, n and n_y count the rows of the cell in which
/// label t is known, and the sum over all cells is N less for each label, so that a cell in which it does not vary adds
/// 0:
///
///   sum over t of N / N_t (sum over y of n_y^2 / n - n)
class SquareCells : public TargetCells {
 public:
  SquareCells(const TargetColumns& targets, const XLogXScale& scale)
      : TargetCells(Kind::other, 1), t_(targets), scale_(scale), twice_(2 * static_cast<double>(scale.ratio(1, 1))) {}

  void add(int n, const int* with, std::uint64_t* sums) const override {
    if (n == 0) return;
    if (!t_.all_known()) return add_known(n, with, sums);
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int rest = n;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        sum += square(with[c]);
        rest -= with[c];
      }
      sum += square(rest);
      if (sum < most) continue;
      *sums += scale_.ratio(sum, n);
      sum = 0;
    }
    *sums += scale_.ratio(sum, n);
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;  // of a sum, so that it does not overflow

  static std::uint64_t square(int count) {
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(count);
  }

  void add_known(int n, const int* with, std::uint64_t* sums) const {
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const int ones = with[t_.first[t]], known = t_.known(t, n, with);
      if (ones == 0 || ones == known) continue;
      *sums -= nearest(static_cast<double>(ones) * (known - ones) / known * twice_ * t_.share[t]);
    }
  }

  const TargetColumns& t_;
  const XLogXScale& scale_;
  double twice_;  // what represents 2
};

/// What may be summed: G(f, s, t) over targets that are all known; G(f, s, t) - G(f, s) of each target, with or without
/// its rows; squares.
enum class CellSums { all_targets, by_target, by_target_with_rows, squares };

template <class G>
std::unique_ptr<TargetCells> cells_of(CellSums what, const TargetColumns& targets, const G& g) {
  if (what == CellSums::squares) return std::make_unique<SquareCells>(targets, g);
  if (what == CellSums::all_targets) return std::make_unique<AllTargetsCells<G>>(targets, g);
  return std::make_unique<ByTargetCells<G>>(targets, g, what == CellSums::by_target_with_rows);
}

}  // namespace mlsift
