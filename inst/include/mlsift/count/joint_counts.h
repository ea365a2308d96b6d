#ifndef MLSIFT_COUNT_JOINT_COUNTS_H
#define MLSIFT_COUNT_JOINT_COUNTS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../core/xlogx.h"
#include "../data/indicators.h"
#include "target_columns.h"

namespace mlsift {

/// G(f), G(f, s) and the sum over targets t of G(f, s, t) of one feature f, see JointCounts.
struct JointSums {
  int feature = 0;
  std::uint64_t alone = 0, pair = 0, triple = 0;
};

/// The cells of a table of two variables of one indicator each, in n rows. `g`: XLogX or XLogXOnDemand.
template <class G>
std::uint64_t four_cells(const G& g, int n, int n_f, int n_s, int n_fs) {
  return g(n_fs) + g(n_f - n_fs) + g(n_s - n_fs) + g(n - n_f - n_s + n_fs);
}

/// The same of all targets together. n_f, n_s, n_fs: rows of f, s and both; f, s, fs: how many of them have each target
/// indicator; null for fs: none.
template <class G>
std::uint64_t four_cells(const G& g, const Block& targets, int n, int n_f, const int* f, int n_s, const int* s,
                         int n_fs, const int* fs) {
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    int rest_f = n_f, rest_s = n_s, rest_fs = n_fs, rest = n;
    for (std::size_t c = targets.first[t]; c < targets.first[t + 1]; ++c) {
      const int both = fs ? fs[c] : 0;
      sum += four_cells(g, targets.count[c], f[c], s[c], both);
      rest_f -= f[c];
      rest_s -= s[c];
      rest_fs -= both;
      rest -= targets.count[c];
    }
    sum += four_cells(g, rest, rest_f, rest_s, rest_fs);
  }
  return sum;
}

/// What OtherCells sums over targets.
enum class Measure { information, per_root_of_entropies, per_joint_entropy, impurity };

/// Sums of n log n over the cells of joint tables (integers of XLogX), which give all informations: with G(A) the sum
/// for A, N H(A) = g(N) - G(A).
///
/// Tables of (f, s) and of (f, s, t) for one variable s against every variable f of a block and every target t. Sums of
/// whole numbers, so every way of counting gives the same bits:
///
/// TableCounts  by rows, with a table of features x targets: cheap where few rows are off the reference levels
/// GroupCounts  by the targets' groups of rows: cheap where targets have very many levels
/// BitCounts    by bit columns: cheap where features and targets have few levels, of any frequency
class JointCounts {
 public:
  virtual ~JointCounts() = default;

  /// pair[f] = G(f, s) for every f of the block, numbered as in the whole set.
  virtual void pairs(int s, std::uint64_t* pair) = 0;

  /// The same, and triple[f] = sum over targets t of G(f, s, t); each[f * targets + t] = G(f, s, t) unless null.
  virtual void triples(int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) = 0;

  /// The same for variable `i` of the block alone. Other variables may get their answers too.
  virtual void triples_of(std::size_t, int s, std::uint64_t* pair, std::uint64_t* triple, std::uint64_t* each) {
    triples(s, pair, triple, each);
  }

  /// pair[f] = G(f, s), and other[f] = the sum of OtherCells over the cells of f and s.
  virtual void other_cells(int s, Measure measure, std::uint64_t* pair, std::uint64_t* other) = 0;

  /// The same as triples_of().
  virtual void other_cells_of(std::size_t, int s, Measure measure, std::uint64_t* pair, std::uint64_t* other) {
    other_cells(s, measure, pair, other);
  }

  /// What indicator c of the block counts with each target indicator, or null where that is not kept.
  virtual const int* with_targets(std::size_t) const { return nullptr; }
};

/// The sums over the cells of some rows with every target. G: XLogX or XLogXOnDemand.
template <class G>
class TargetCells {
 public:
  TargetCells(const Block& targets, const G& g) : t_(targets), g_(g), one_each_(t_.n_indicators() == t_.size()) {}

  bool one_each() const { return one_each_; }  ///< whether all targets have one indicator (they vary)

  /// Whether sums by target are needed, for the caller or for total(); sums_of() says where, of each of the features
  /// that start() announced; total() is what is still to be added from them.
  bool by_target(const std::uint64_t* each) const { return each != nullptr; }
  void start(std::size_t) {}
  std::uint64_t* sums_of(std::size_t, std::uint64_t* each) { return each; }
  std::uint64_t total(const std::uint64_t*) const { return 0; }

  /// Of n rows in which the target indicators count `with`. each[t]: grows by what target t adds, unless null.
  std::uint64_t operator()(const int* with, int n, std::uint64_t* each) const {
    if (n == 0) return 0;
    if (one_each_ && !each) return of_two(with, n);
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int rest = n;
      std::uint64_t cells = 0;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        cells += g_(with[c]);
        rest -= with[c];
      }
      cells += g_(rest);
      if (each) each[t] += cells;
      sum += cells;
    }
    return sum;
  }

  /// All cells of 2 x 2 x 2 tables of two features and each target, in n rows: n_f, n_s and n_fs have f, s and both,
  /// and of these f, s and fs each target.
  std::uint64_t of_two(int n, int n_f, const int* f, int n_s, const int* s, int n_fs, const int* fs) const {
    const int f_only = n_f - n_fs, s_only = n_s - n_fs, neither = n - n_f - s_only;
    const std::uint64_t g_both = g_(n_fs), g_f = g_(f_only), g_s = g_(s_only);
    const auto split = [this](int n, int part, std::uint64_t g_n) { return part == 0 ? g_n : g_(part) + g_(n - part); };
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const int a = fs[t], b = f[t] - a, e = s[t] - a, rest = t_.count[t] - b - e - a;
      sum += split(n_fs, a, g_both) + g_(rest) + g_(neither - rest);
      if (std::is_same<G, XLogX>::value) {
        sum += g_(b) + g_(f_only - b) + g_(e) + g_(s_only - e);  // a look-up is faster than a branch
      } else {
        sum += split(f_only, b, g_f) + split(s_only, e, g_s);
      }
    }
    return sum;
  }

 private:
  std::uint64_t of_two(const int* with, int n) const {
    const std::uint64_t g_n = g_(n);
    std::uint64_t sum = g_n * t_.size();
    for (std::size_t t = 0; t < t_.size(); ++t) {
      if (with[t] != 0) sum += g_(with[t]) + g_(n - with[t]) - g_n;
    }
    return sum;
  }

  const Block& t_;
  const G& g_;
  bool one_each_;
};

/// The same with squares in place of n log n: with n rows in a cell of features, n_y of them in level y of a target,
///
///   sum over targets and y of n_y^2 / n
///
/// as integers of XLogX. Where labels are not known in all N rows, n and n_y count the rows of the cell in which label
/// t is known, of N_t in all, and the sum is
///
///   sum over t of N / N_t (sum over y of n_y^2 / n - n)
///
/// Over all cells, each label adds N less. A cell in which it does not vary adds 0.
class Squares {
 public:
  Squares(const Block& targets, const XLogXScale& scale) : t_(targets), scale_(scale) {
    const double n = static_cast<double>(scale.n()), two = 2 * static_cast<double>(scale.ratio(1, 1));
    for (const int at : t_.unknown)
      twice_.push_back(two * n / (at < 0 ? n : n - t_.count[static_cast<std::size_t>(at)]));
  }

  std::uint64_t operator()(const int* with, int n, std::uint64_t*) const {
    if (n == 0) return 0;
    if (!t_.unknown.empty()) return of_known(with, n);
    std::uint64_t total = 0, sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int rest = n;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        sum += square(with[c]);
        rest -= with[c];
      }
      sum += square(rest);
      if (sum < most) continue;
      total += scale_.ratio(sum, n);
      sum = 0;
    }
    return total + scale_.ratio(sum, n);
  }

 private:
  std::uint64_t of_known(const int* with, int n) const {
    std::uint64_t total = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const int at = t_.unknown[t], ones = with[t_.first[t]], known = at < 0 ? n : n - with[at];
      if (ones == 0 || ones == known) continue;
      const double less = static_cast<double>(ones) * (known - ones) / known * twice_[t];
      total -= static_cast<std::uint64_t>(less + 0.5);
    }
    return total;
  }

  static constexpr std::uint64_t most = std::uint64_t{1} << 62;  // of a sum, so that it does not overflow

  static std::uint64_t square(int count) {
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(count);
  }

  const Block& t_;
  const XLogXScale& scale_;
  std::vector<double> twice_;  // where labels are not known in all rows, what represents 2 N / N_t
};

/// For labels that are unknown in some rows, with the cells of (f, s): N times the sum over t of I((f, s); t), see
/// KnownInformations, or of I((f, s); t) / sqrt(H(f, s) H(t)) or I((f, s); t) / H(f, s, t), a term with divisor 0 left
/// out, as integers of XLogX. What a label adds is rounded, so any order of labels gives the same sum.
template <class G>
class KnownCells {
 public:
  KnownCells(const Block& targets, const G& g)
      : t_(targets),
        g_(g),
        whole_(whole(g.ratio(g.n(), 1))),
        information_(targets, static_cast<std::int64_t>(g.n()), g) {
    for (std::size_t t = 0; t < t_.unknown.size(); ++t)
      g_known_.push_back(g_(known_of(t, t_.count.data(), static_cast<int>(g.n()))));
  }

  /// Adds the cell of n rows to the sums over cells by label.
  void add(const int* with, int n, std::uint64_t* by_label) const {
    if (n == 0) return;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const int unknown = t_.unknown[t];
      by_label[t] += cell(with[t_.first[t]], unknown < 0 ? n : n - with[unknown]);
    }
  }

  /// Adds g of the known rows of the cell, for total_per_entropy().
  void add_rows(const int* with, int n, std::uint64_t* rows) const {
    if (n == 0) return;
    for (std::size_t t = 0; t < t_.size(); ++t) rows[t] += g_(known_of(t, with, n));
  }

  /// The sum over labels of informations divided by entropies, from the sums of add() and add_rows().
  std::uint64_t total_per_entropy(const std::uint64_t* by_label, const std::uint64_t* rows, bool joint) const {
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      const std::uint64_t all = information_.whole(t);
      const double information = whole(by_label[t] - all), entropy = whole(g_known_[t] - rows[t]);
      const double by = joint ? whole(g_known_[t] - rows[t] - by_label[t]) : std::sqrt(entropy * -whole(all));
      if (by > 0) sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(information / by * whole_ + 0.5));
    }
    return sum;
  }

  /// The sum over labels.
  std::uint64_t total(const std::uint64_t* by_label) const {
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) sum += information_(t, by_label[t]);
    return sum;
  }

  /// All cells of two features of two levels. n: rows of the cells of both features, f alone, s alone and neither; fs,
  /// f, s: what both, f and s count with each target indicator.
  std::uint64_t of_two(const int* n, const int* fs, const int* f, const int* s) const {
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int known_fs = n[0], known_f = n[1], known_s = n[2], known = n[3];
      if (t_.unknown[t] >= 0) {
        const std::size_t u = static_cast<std::size_t>(t_.unknown[t]);
        const int f_only = f[u] - fs[u];
        known_fs -= fs[u];
        known_f -= f_only;
        known_s -= s[u] - fs[u];
        known -= t_.count[u] - f_only - s[u];
      }
      const std::size_t one = t_.first[t];
      const int both = fs[one], f_only = f[one] - both;
      std::uint64_t cells =
          cell(f_only, known_f) + cell(s[one] - both, known_s) + cell(t_.count[one] - f_only - s[one], known);
      if (both != 0) cells += cell(both, known_fs);
      sum += information_(t, cells);
    }
    return sum;
  }

 private:
  // Of n rows, those in which label t is known.
  int known_of(std::size_t t, const int* with, int n) const { return t_.unknown[t] < 0 ? n : n - with[t_.unknown[t]]; }

  static double whole(std::uint64_t sum) { return static_cast<double>(static_cast<std::int64_t>(sum)); }

  std::uint64_t cell(int ones, int known) const { return KnownInformations::cell(g_, ones, known); }

  const Block& t_;
  const G& g_;
  double whole_;  // what represents N
  KnownInformations information_;
  std::vector<std::uint64_t> g_known_;  // g(N_t)
};

/// What is summed over cells in place of n log n: Squares for impurity, else KnownCells, which are for targets that are
/// not known in all rows.
template <class G>
class OtherCells {
 public:
  OtherCells(const Block& targets, const G& g) : t_(targets), squares_(targets, g), known_(targets, g) {}

  /// From now on sums this.
  OtherCells& of(Measure measure) {
    measure_ = measure;
    return *this;
  }

  /// As in TargetCells, see there.
  bool by_target(const std::uint64_t*) const { return measure_ != Measure::impurity; }
  void start(std::size_t features) { by_label_.assign(by_target(nullptr) ? features * width() : 0, 0); }
  std::uint64_t* sums_of(std::size_t feature, std::uint64_t*) {
    return by_label_.empty() ? nullptr : by_label_.data() + feature * width();
  }
  std::uint64_t total(const std::uint64_t* by_label) const {
    if (measure_ == Measure::impurity) return 0;
    if (measure_ == Measure::information) return known_.total(by_label);
    return known_.total_per_entropy(by_label, by_label + t_.size(), measure_ == Measure::per_joint_entropy);
  }

  std::uint64_t operator()(const int* with, int n, std::uint64_t* each) const {
    if (measure_ == Measure::impurity) return squares_(with, n, each);
    known_.add(with, n, each);
    if (measure_ != Measure::information) known_.add_rows(with, n, each + t_.size());
    return 0;
  }

  bool in_one_pass() const { return measure_ == Measure::information; }  ///< whether known().of_two() gives the sums
  const KnownCells<G>& known() const { return known_; }

 private:
  std::size_t width() const { return (measure_ == Measure::information ? 1 : 2) * t_.size(); }

  const Block& t_;
  Squares squares_;
  KnownCells<G> known_;
  Measure measure_ = Measure::impurity;
  std::vector<std::uint64_t> by_label_;
};

}  // namespace mlsift

#endif
