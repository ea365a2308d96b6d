#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../data/label_sets.h"

namespace mlsift {

/// The label-space graph of Yan & Li (2016), ECML PKDD. Rows i and j are joined with weight
///
///   s(i, j) = sum_q n_q [both have q] / sum_q n_q [one of them has q],   0 where neither has a label;
///   A_ij = s(i, j), A_ii = 0
///
/// n_q        rows with label q, or 1 for plain Jaccard
/// groups     s depends only on the label sets, so it is stored between the G distinct sets and never between rows;
///            rows with the same nonempty set have s = 1 exactly
class LabelGraph {
 public:
  LabelGraph(const Targets& labels, bool by_count) : sets_(label_sets(labels)), weight_(sets_.size(), 0.0) {
    label_weight_.assign(labels.count.size(), 1.0);
    if (by_count) std::copy(labels.count.begin(), labels.count.end(), label_weight_.begin());
    with_.resize(labels.count.size());
    for (std::size_t g = 0; g < sets_.size(); ++g) {
      for (const int q : sets_.sets[g]) {
        weight_[g] += label_weight_[static_cast<std::size_t>(q)];
        with_[static_cast<std::size_t>(q)].push_back(static_cast<int>(g));
      }
    }
    rows_ = targets_of(size(), n_rows(), [&](std::size_t i, auto take) { take(sets_.of_row[i]); });
  }

  std::size_t size() const { return sets_.size(); }
  std::size_t n_rows() const { return sets_.of_row.size(); }
  std::size_t group(std::size_t row) const { return static_cast<std::size_t>(sets_.of_row[row]); }
  const LabelSets& sets() const { return sets_; }
  bool empty(std::size_t g) const { return sets_.sets[g].empty(); }
  double count(std::size_t g) const { return sets_.count[g]; }
  /// s between two rows of the set.
  double own(std::size_t g) const { return empty(g) ? 0 : 1; }

  /// An upper bound on the number of pairs of sets (including a set with itself) that share a label.
  double most_similarities() const {
    const double all = static_cast<double>(size()) * (static_cast<double>(size()) + 1) / 2;
    double pairs = 0;
    for (const std::vector<int>& sets : with_)
      pairs += static_cast<double>(sets.size()) * (static_cast<double>(sets.size()) + 1) / 2;
    return std::min(all, pairs);
  }

  /// The rows of a set, ascending.
  const int* rows_begin(std::size_t g) const { return rows_.begin(g); }
  const int* rows_end(std::size_t g) const { return rows_.end(g); }

 private:
  friend class SimilarityRow;
  LabelSets sets_;
  std::vector<double> weight_, label_weight_;  // of a set, of a label
  std::vector<std::vector<int>> with_;         // the sets that contain a label
  Targets rows_;                               // of each set, as if they were classes
};

/// One row of the G x G similarities. Scratch space of one thread.
class SimilarityRow {
 public:
  /// Sets, in the list of a row.
  struct Sets {
    const int *first, *last;
    const int* begin() const { return first; }
    const int* end() const { return last; }
  };

  explicit SimilarityRow(const LabelGraph& graph)
      : graph_(graph), value_(graph.size(), 0.0), touched_(graph.size() + 1) {}

  void load(std::size_t g) { load(g, graph_.size()); }

  /// Only with the sets 0 .. end - 1. `first`, unless null: for each set, the index (from 0) of the first label of g
  /// that they share; unchanged for sets that share none.
  void load(std::size_t g, std::size_t end, int* first = nullptr) {
    clear();
    touch(g, end);
    for (const int other : touched()) {
      double& s = value_[static_cast<std::size_t>(other)];
      s = similarity(g, other, s);
    }
    if (!first) return;
    for (std::size_t number = 0; number < reached_.size(); ++number) {
      for (std::size_t i = number == 0 ? 0 : reached_[number - 1]; i < reached_[number]; ++i)
        first[touched_[i]] = static_cast<int>(number);
    }
  }

  /// The same without storing it: visit(other, s) for the sets that touched() would list, in their order.
  template <class Visit>
  void visit(std::size_t g, std::size_t end, Visit visit) {
    clear();
    touch(g, end);
    const std::size_t n = n_touched_;
    n_touched_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t other = static_cast<std::size_t>(touched_[i]);
      const double shared = value_[other];
      value_[other] = 0;
      visit(other, similarity(g, touched_[i], shared));
    }
  }

  double operator[](std::size_t g) const { return value_[g]; }
  /// The sets that share a label with this one, itself included: by the first shared label, then ascending.
  Sets touched() const { return {touched_.data(), touched_.data() + n_touched_}; }

 private:
  void clear() {
    for (const int other : touched()) value_[static_cast<std::size_t>(other)] = 0;
    n_touched_ = 0;
  }

  // The weight of the labels that each set shares with g. A set is written to the list for every shared label, but the
  // list grows only the first time. This is faster than a branch that is hard to predict.
  void touch(std::size_t g, std::size_t end) {
    reached_.clear();
    double* const value = value_.data();
    int* to = touched_.data();
    for (const int q : graph_.sets_.sets[g]) {
      const double weight = graph_.label_weight_[static_cast<std::size_t>(q)];
      const std::vector<int>& with = graph_.with_[static_cast<std::size_t>(q)];
      const int *other = with.data(), *last = other + with.size();
      if (end < graph_.size()) last = std::lower_bound(other, last, static_cast<int>(end));
      for (; other != last; ++other) {
        const double shared = value[*other];
        *to = *other;
        to += shared > 0 ? 0 : 1;
        value[*other] = shared + weight;
      }
      reached_.push_back(static_cast<std::size_t>(to - touched_.data()));
    }
    n_touched_ = reached_.empty() ? 0 : reached_.back();
  }

  double similarity(std::size_t g, int other, double shared) const {
    return shared / (graph_.weight_[g] + graph_.weight_[static_cast<std::size_t>(other)] - shared);
  }

  const LabelGraph& graph_;
  std::vector<double> value_;
  std::vector<int> touched_;  // room for all, and one more
  std::size_t n_touched_ = 0;
  std::vector<std::size_t> reached_;  // by label of the set: how many sets are touched by then
};

/// The nonzero similarities among some sets: the upper triangle by columns, in the given order of the sets.
struct Similarities {
  std::vector<std::size_t> start{0};
  std::vector<int> set;
  std::vector<double> value;
};

/// `most`: if there are more, none are stored (`start` is then empty).
inline Similarities similarities(const LabelGraph& graph, const std::vector<int>& sets, double most,
                                 const Context& context) {
  Poll poll(context);
  SimilarityRow row(graph);
  std::vector<int> place(graph.size(), -1), kept;
  for (std::size_t p = 0; p < sets.size(); ++p) place[static_cast<std::size_t>(sets[p])] = static_cast<int>(p);
  Similarities result;
  for (std::size_t p = 0; p < sets.size(); ++p) {
    poll(p, sets.size());
    row.load(static_cast<std::size_t>(sets[p]));
    kept.clear();
    for (const int other : row.touched()) {
      const int at = place[static_cast<std::size_t>(other)];
      if (at >= 0 && static_cast<std::size_t>(at) <= p) kept.push_back(at);
    }
    if (static_cast<double>(result.set.size() + kept.size()) > most) return {{}, {}, {}};
    std::sort(kept.begin(), kept.end());
    for (const int at : kept) {
      result.set.push_back(at);
      result.value.push_back(row[static_cast<std::size_t>(sets[static_cast<std::size_t>(at)])]);
    }
    result.start.push_back(result.set.size());
  }
  return result;
}

/// Visits S set by set. It is stored if that takes at most `most_bytes` (12 for a pair of sets that share a label), and
/// otherwise recomputed at each visit.
class SimilarityTable {
 public:
  SimilarityTable(const LabelGraph& graph, double most_bytes, const Context& context) {
    if (graph.most_similarities() * 12 > most_bytes) return;
    std::vector<int> all(graph.size());
    for (std::size_t g = 0; g < all.size(); ++g) all[g] = static_cast<int>(g);
    kept_ = similarities(graph, all, graph.most_similarities(), context);
  }

  /// visit(other, s) for the sets up to g that share a label with it.
  template <class Visit>
  void visit(std::size_t g, SimilarityRow& scratch, Visit visit) const {
    if (!kept_.set.empty()) {
      for (std::size_t e = kept_.start[g]; e < kept_.start[g + 1]; ++e)
        visit(static_cast<std::size_t>(kept_.set[e]), kept_.value[e]);
      return;
    }
    scratch.visit(g, g + 1, visit);
  }

  bool kept() const { return !kept_.set.empty(); }

 private:
  Similarities kept_;
};

/// d_i = sum_j A_ij of the rows of each set, from a sum over sets. Exactly 0 for rows without a neighbor.
inline std::vector<double> degrees(const LabelGraph& graph, const Context& context) {
  const double work = 2 * graph.most_similarities();
  std::vector<double> result(graph.size(), 0.0);
  const auto make = [&] { return SimilarityRow(graph); };
  parallel_each(context, graph.size(), work, make, [&](SimilarityRow& row, std::size_t g) {
    double sum = graph.own(g) * (graph.count(g) - 1);
    row.visit(g, graph.size(), [&](std::size_t other, double similarity) {
      if (other != g) sum += similarity * graph.count(other);
    });
    result[g] = sum;
  });
  return result;
}

}  // namespace mlsift
