#ifndef MLSIFT_CRITERIA_RELEVANCE_H
#define MLSIFT_CRITERIA_RELEVANCE_H

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../core/bits.h"
#include "../core/xlogx.h"
#include "../count/count_tables.h"
#include "../data/targets.h"

namespace mlsift {

/// What RelevanceTerms remembers, by n_r.
using UnmetLabels = std::unordered_map<std::int64_t, std::uint64_t>;

/// R(f) = sum_l I(f; l), the summed mutual information of a feature with each label, as an XLogX sum, that is
/// N R(f).
///
/// With n_v, n_l, c_vl the rows of level v, label l and both, s_l the sum of c_vl over all levels but the reference r,
/// and g(n) = n log n (0 below 0),
///
///   N R(f) = sum_l [g(N) - g(n_r) + g(n_r - n_l) - g(N - n_l)]                               labels that f never meets
///          + sum_l sum_{v != r, c_vl > 0} [g(c_vl) + g(n_v - c_vl) - g(n_v)]
///          + sum_{l: s_l > 0} [g(n_l - s_l) - g(n_l) + g(n_r - n_l + s_l) - g(n_r - n_l)]    what meeting changes.
///
/// This class holds the terms. Whoever has the counts, from memory (Relevance) or from a table (relevances()), adds
/// them up. Sums of XLogX are exact, so any reference level and any order give the same bits.
template <class G>
class RelevanceTerms {
 public:
  using Unmet = UnmetLabels;

  /// `label_rows`: n_l of every label.
  template <class Count>
  RelevanceTerms(const std::vector<Count>& label_rows, const G& xlogx)
      : g_(xlogx), label_rows_(label_rows.begin(), label_rows.end()) {
    const std::int64_t n = static_cast<std::int64_t>(g_.n());
    std::map<std::int64_t, std::uint64_t> labels_with;
    for (const std::int64_t count : label_rows_) {
      ++labels_with[count];
      g_label_.push_back(g_(count));
      always_ -= g_(n - count);
    }
    label_counts_.assign(labels_with.begin(), labels_with.end());
  }

  /// The first sum, which depends on n_r alone and is remembered.
  std::uint64_t unmet(std::int64_t n_r, Unmet& known) const {
    const auto found = known.find(n_r);
    if (found != known.end()) return found->second;
    const std::uint64_t q = g_label_.size();
    std::uint64_t total = always_ + q * (g_(static_cast<std::int64_t>(g_.n())) - g_(n_r));
    for (const auto& entry : label_counts_) total += entry.second * g_.or_zero(n_r - entry.first);
    known.emplace(n_r, total);
    return total;
  }

  /// A term of the middle sum; `g_v` = g(n_v).
  std::uint64_t cell(std::int64_t c, std::int64_t n_v, std::uint64_t g_v) const { return g_(c) + g_(n_v - c) - g_v; }

  /// A term of the last sum.
  std::uint64_t met(std::size_t l, std::int64_t s, std::int64_t n_r) const {
    const std::int64_t n_l = label_rows_[l];
    return g_(n_l - s) - g_label_[l] + g_.or_zero(n_r - n_l + s) - g_.or_zero(n_r - n_l);
  }

  std::size_t n_labels() const { return g_label_.size(); }
  const G& xlogx() const { return g_; }

 private:
  const G& g_;
  std::vector<std::int64_t> label_rows_;
  std::vector<std::pair<std::int64_t, std::uint64_t>> label_counts_;  // (n, how many labels are on in n rows)
  std::vector<std::uint64_t> g_label_;
  std::uint64_t always_ = 0;
};

/// N R(f) from rows in memory. Only rows off the reference level and the labels they carry are counted:
/// O(sum over those rows of |labels|) for a feature, plus a look at each label.
class Relevance {
 public:
  struct Scratch {
    explicit Scratch(std::size_t n_rows) : coder(n_rows) {}
    LevelCoder coder;
    std::vector<int> count, met;
    UnmetLabels unmet;
  };

  Relevance(const Targets& labels, const XLogX& xlogx) : labels_(labels), g_(xlogx), terms_(labels.count, xlogx) {
    if (labels.n_classes != 1) return;
    only_.assign(1, labels.n_rows());
    for (std::size_t i = 0; i < labels.n_rows(); ++i) {
      if (labels.size(i) > 0) only_.set(0, i);
    }
  }

  /// N R(f) in the units of XLogX.
  std::uint64_t sum(const LevelRows& feature, Scratch& scratch) const {
    const int n_r = feature.count[static_cast<std::size_t>(feature.reference)];
    std::uint64_t total = terms_.unmet(n_r, scratch.unmet);
    if (feature.n_levels() == 1) return total;
    const std::size_t q = terms_.n_labels();
    scratch.count.resize(q, 0);
    scratch.met.resize(q, 0);
    const bool two = feature.n_levels() == 2;
    std::vector<int>& met = two ? scratch.count : scratch.met;
    for (int v = 0; v < feature.n_levels(); ++v) {
      if (v == feature.reference) continue;
      if (only_.words > 0) {
        scratch.count[0] += count_only(feature.begin(v), feature.end(v));
      } else {
        count_classes(feature.begin(v), feature.end(v), labels_, scratch.count.data());
      }
      const int n_v = feature.count[static_cast<std::size_t>(v)];
      if (two) {
        total += meet<true>(met, n_v, n_r);
      } else {
        total += add_level(feature.begin(v), feature.end(v), n_v, scratch);
      }
    }
    if (!two) total += meet<false>(met, 0, n_r);
    return total;
  }

  /// N H(f).
  std::uint64_t entropy(const LevelRows& feature) const {
    std::uint64_t total = g_(static_cast<std::int64_t>(g_.n()));
    for (const int count : feature.count) total -= g_(count);
    return total;
  }

  double work(const Features& features) const {
    const double per_row = static_cast<double>(labels_.ids.size()) / static_cast<double>(features.n_rows);
    return stored_values(features) * (1 + per_row) + static_cast<double>(features.size() * terms_.n_labels());
  }

  const XLogX& xlogx() const { return g_; }

 private:
  // The last sum; with `own_level` (a feature of two levels, met = count) the middle one too. Clears what it reads.
  template <bool own_level>
  std::uint64_t meet(std::vector<int>& met, int n_v, int n_r) const {
    std::uint64_t total = 0;
    const std::uint64_t g_v = own_level ? g_(n_v) : 0;
    for (std::size_t l = 0; l < terms_.n_labels(); ++l) {
      const int s = met[l];
      if (s == 0) continue;
      met[l] = 0;
      total += terms_.met(l, s, n_r);
      if (own_level) total += terms_.cell(s, n_v, g_v);
    }
    return total;
  }

  // The middle sum for one level of many. Visits all labels, or those of its rows, whichever are fewer.
  std::uint64_t add_level(const int* row, const int* end, int n_v, Scratch& scratch) const {
    std::uint64_t total = 0;
    const std::uint64_t g_v = g_(n_v);
    const auto take = [&](std::size_t l) {
      int& c = scratch.count[l];
      if (c == 0) return;
      total += terms_.cell(c, n_v, g_v);
      scratch.met[l] += c;
      c = 0;
    };
    if (static_cast<std::size_t>(end - row) >= terms_.n_labels()) {
      for (std::size_t l = 0; l < terms_.n_labels(); ++l) take(l);
      return total;
    }
    for (; row != end; ++row) {
      const std::size_t i = static_cast<std::size_t>(*row);
      for (const int* l = labels_.begin(i); l != labels_.end(i); ++l) take(static_cast<std::size_t>(*l));
    }
    return total;
  }

  // Rows that carry the only label.
  int count_only(const int* row, const int* end) const {
    const std::uint64_t* const words = only_.column(0);
    unsigned count = 0;
    for (; row != end; ++row) {
      const unsigned i = static_cast<unsigned>(*row);
      count += static_cast<unsigned>(words[i >> 6] >> (i & 63)) & 1U;
    }
    return static_cast<int>(count);
  }

  const Targets& labels_;
  const XLogX& g_;
  RelevanceTerms<XLogX> terms_;
  BitColumns only_;  // of the rows with the label, where there is only one
};

/// N R(f) of every feature from a table of counts, over the labels `labels`.
template <class G>
std::vector<std::uint64_t> relevances(const CountTables& table, const std::vector<int>& labels, const G& g) {
  std::vector<std::int64_t> label_rows;
  std::vector<int> place(table.in_target.size(), -1);
  for (const int l : labels) {
    place[static_cast<std::size_t>(l)] = static_cast<int>(label_rows.size());
    label_rows.push_back(table.in_target[static_cast<std::size_t>(l)]);
  }
  const RelevanceTerms<G> terms(label_rows, g);
  UnmetLabels unmet;
  std::vector<std::int64_t> met(label_rows.size(), 0);
  std::vector<std::uint64_t> sums;
  for (std::size_t f = 0; f < table.size(); ++f) {
    const std::int64_t n_r = table.in_level[table.slot[f] + static_cast<std::size_t>(table.levels[f].implied)];
    std::uint64_t total = terms.unmet(n_r, unmet);
    for (std::size_t v = table.slot[f]; v < table.slot[f + 1]; ++v) {
      const std::uint64_t g_v = g(table.in_level[v]);
      for (std::size_t c = table.cell[v]; c < table.cell[v + 1]; ++c) {
        const int l = place[static_cast<std::size_t>(table.target[c])];
        if (l < 0) continue;
        total += terms.cell(table.count[c], table.in_level[v], g_v);
        met[static_cast<std::size_t>(l)] += table.count[c];
      }
    }
    for (std::size_t l = 0; l < met.size(); ++l) {
      if (met[l] > 0) total += terms.met(l, met[l], n_r);
      met[l] = 0;
    }
    sums.push_back(total);
  }
  return sums;
}

/// N H(f) of feature f, from a table of counts.
template <class G>
std::uint64_t entropy_sum(const CountTables& table, std::size_t f, const G& g) {
  std::uint64_t total = g(static_cast<std::int64_t>(g.n()));
  for (std::size_t v = table.slot[f]; v < table.slot[f + 1]; ++v) total -= g(table.in_level[v]);
  return total;
}

/// The labels of a table that some row has.
inline std::vector<int> labels_that_occur(const CountTables& table) {
  std::vector<int> labels;
  for (std::size_t l = 0; l < table.in_target.size(); ++l) {
    if (table.in_target[l] > 0) labels.push_back(static_cast<int>(l));
  }
  return labels;
}

}  // namespace mlsift

#endif
