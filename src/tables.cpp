#include "chunks.h"
#include "convert.h"
#include "counted.h"
#include "counts.h"

#include <mlsift/count/joint/rows_elsewhere.h>
#include <mlsift/count/joint/rows_in_chunks.h>
#include <mlsift/count/joint/rows_in_tables.h>
#include <mlsift/data/label_sets.h>
#include <mlsift/data/pair_columns.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace {

using mlsift_glue::part;

// How the rows behind tables are counted together, by a list that has one of three R functions:
// open()                     passes over chunks, see RChunks
// ones(s, labels)            list(feature, count), the number of rows that have ones in `feature` and in s, numbered
//                            from 1; with `labels` also list(.., triple = list(feature, label, count))
// parts(indicator, target)   a function of s, begin, end and sides, see PairLayout and PairQuestion; all numbers from
//                            0. It gives a list of tables, which are added.
// FALSE in place of an answer: it was interrupted.
Rcpp::RObject answer_of(const Rcpp::RObject& told) {
  if (mlsift_glue::says_interrupted(told)) throw mlsift::Interrupted();
  return told;
}

mlsift::CountOnes count_ones(const Rcpp::Function& ones) {
  return [ones](int s, bool labels, const mlsift::TakePair& pair, const mlsift::TakeTriple& triple) {
    const Rcpp::List found(answer_of(ones(s + 1, labels)));
    const Rcpp::IntegerVector feature = found["feature"];
    const Rcpp::NumericVector count = found["count"];
    for (R_xlen_t i = 0; i < feature.size(); ++i) pair(feature[i] - 1, static_cast<std::int64_t>(count[i]));
    if (!labels) return;
    const Rcpp::List triples = found["triple"];
    const Rcpp::IntegerVector f = triples["feature"], l = triples["label"];
    const Rcpp::NumericVector rows = triples["count"];
    for (R_xlen_t i = 0; i < f.size(); ++i) triple(f[i] - 1, l[i] - 1, static_cast<std::int64_t>(rows[i]));
  };
}

mlsift::RowsElsewhere::Ask pairs_in_parts(const Rcpp::Function& parts) {
  Rcpp::RObject ask;
  return [parts, ask](const mlsift::PairLayout& layout, const mlsift::PairQuestion& question, int* table) mutable {
    if (ask.isNULL()) {
      ask = answer_of(parts(Rcpp::IntegerVector(layout.indicator.begin(), layout.indicator.end()),
                            Rcpp::IntegerVector(layout.target.begin(), layout.target.end())));
    }
    const Rcpp::List tables(
        answer_of(Rcpp::Function(ask)(question.s, static_cast<double>(question.begin),
                                      static_cast<double>(question.end), static_cast<double>(question.sides))));
    const std::size_t cells = question.cells(layout);
    for (R_xlen_t i = 0; i < tables.size(); ++i) {
      const Rcpp::IntegerVector more = tables[i];
      if (static_cast<std::size_t>(more.size()) != cells) throw std::runtime_error("A part gave another table.");
      std::transform(more.begin(), more.end(), table, table, std::plus<int>());
    }
  };
}

mlsift::RowsElsewhere::Ask ask_for_pairs(const Rcpp::List& parts, int n_columns, const mlsift::Context& context) {
  if (!Rf_isNull(part(parts, "ones"))) return mlsift::pairs_of_ones(count_ones(parts["ones"]));
  if (!Rf_isNull(part(parts, "parts"))) return pairs_in_parts(parts["parts"]);
  return mlsift::pairs_in_chunks(
      std::make_shared<mlsift_glue::RChunks>(parts["open"], mlsift_glue::ChunkColumns(n_columns, R_NilValue)), context);
}

// The rows behind tables of counts, see counts_from_r(), which may have `unknown` (whether the second half of their
// columns are rows in which the labels are not known), `classes` (how many columns each target has), `sets` (the label
// set of each column, by label numbers from 0) or `pairs` (whether columns are pairs of the others, see pair_column()).
// For joint counts they come with what ask_for_pairs() takes, and with `most_bytes`, the limit for the table of one
// answer.
class TabledRows : public mlsift_glue::RowsToCount {
 public:
  explicit TabledRows(const Rcpp::List& parts) : parts_(parts), tables_(mlsift_glue::counts_from_r(parts)) {
    if (!Rf_isNull(part(parts, "sets"))) {
      sets_ = mlsift::targets_of_sets(Rcpp::as<std::vector<std::vector<int>>>(parts["sets"]));
    } else if (!Rf_isNull(part(parts, "pairs"))) {
      n_paired_ = mlsift::labels_in_pairs(tables_.in_target.size());
      LabelSetList alone(tables_.in_target.size());
      for (std::size_t l = 0; l < n_paired_; ++l) alone[mlsift::pair_column(l, l)] = {static_cast<int>(l)};
      sets_ = mlsift::targets_of_sets(alone);
    } else {
      return;
    }
    of_set_.assign(tables_.in_target.begin(), tables_.in_target.end());
  }

  std::size_t n_features() const override { return tables_.size(); }
  std::vector<char> constant_features() const override { return tables_.of_one_level(); }

  mlsift::TargetMargins margins() const override {
    mlsift::TargetMargins all;
    all.n = tables_.n;
    all.some_unknown = !Rf_isNull(part(parts_, "unknown"));
    all.count = of_set_.empty() ? tables_.in_target : mlsift::weighted_count(sets_, tables_.in_target.data());
    const SEXP classes = part(parts_, "classes");
    if (Rf_isNull(classes)) return all;
    all.classes = Rcpp::as<std::vector<int>>(classes);
    all.count.resize(static_cast<std::size_t>(std::accumulate(all.classes.begin(), all.classes.end(), 0)));
    return all;
  }

  Counted with(const mlsift::ChosenTargets& targets) const override {
    mlsift::ColumnMap to = map_of(targets);
    if (!of_set_.empty()) {
      const mlsift::ColumnMap of_label = std::move(to);
      to = mlsift::ColumnMap(of_set_.size());
      for (std::size_t set = 0; set < to.size(); ++set) {
        for (const int* l = sets_.begin(set); l != sets_.end(set); ++l) {
          const std::vector<int>& columns = of_label[static_cast<std::size_t>(*l)];
          to[set].insert(to[set].end(), columns.begin(), columns.end());
        }
      }
    }
    return std::make_unique<mlsift::RowsInTables>(tables_, std::move(to), targets.columns);
  }

  Counted with_classes(const mlsift::Targets& classes) const override {
    mlsift::ColumnMap to;
    for (std::size_t set = 0; set < classes.n_rows(); ++set) to.emplace_back(classes.begin(set), classes.end(set));
    auto columns = mlsift::label_columns(tables_.n, mlsift::counts_of_classes(classes, weights()));
    return std::make_unique<mlsift::RowsInTables>(tables_, std::move(to), std::move(columns));
  }

  mlsift::Targets label_pairs(const std::vector<int>& labels) const override {
    const mlsift::TargetMargins all = margins();
    std::vector<int> place(all.count.size(), -1);  // of a column: its number among those that are paired
    for (std::size_t i = 0; i < labels.size(); ++i) {
      place[static_cast<std::size_t>(labels[i])] = static_cast<int>(i);
      if (all.some_unknown) {
        place[static_cast<std::size_t>(all.unknown_column(labels[i]))] = static_cast<int>(labels.size() + i);
      }
    }
    const std::size_t n = labels.size() * (all.some_unknown ? 2 : 1);
    if (n_paired_ > 0) return pairs_of_pairs(place, n);
    LabelSetList sets(of_set_.size());
    for (std::size_t set = 0; set < sets.size(); ++set) {
      for (const int* l = sets_.begin(set); l != sets_.end(set); ++l) {
        const int to = place[static_cast<std::size_t>(*l)];
        if (to >= 0) sets[set].push_back(to);
      }
    }
    return mlsift::pairs_of(mlsift::targets_of_sets(sets, static_cast<int>(n)));
  }

  mlsift::Targets labels() const override { return mlsift::weighed(mlsift::without_absent(sets_), weights()); }
  const int* weights() const override { return of_set_.data(); }
  bool one_row_each() const override { return false; }

  std::unique_ptr<mlsift::JointRows> joint(mlsift::WithTargets, const mlsift::Context& context) const override {
    const mlsift::ChosenTargets targets = margins().choose();
    const mlsift::ColumnMap to = map_of(targets);
    auto ask = ask_for_pairs(parts_, static_cast<int>(tables_.in_target.size()), context);
    return std::make_unique<mlsift::RowsElsewhere>(std::move(ask), tables_, targets.columns, to,
                                                   Rcpp::as<std::size_t>(parts_["most_bytes"]));
  }

 private:
  using LabelSetList = std::vector<std::vector<int>>;

  // Of each column that is a pair: the pair of the numbers in `place`, which are below n.
  mlsift::Targets pairs_of_pairs(const std::vector<int>& place, std::size_t n) const {
    LabelSetList columns(of_set_.size());
    for (std::size_t m = 0; m < n_paired_; ++m) {
      for (std::size_t l = 0; l <= m; ++l) {
        if (place[l] < 0 || place[m] < 0) continue;
        const std::size_t a = static_cast<std::size_t>(place[l]), b = static_cast<std::size_t>(place[m]);
        columns[mlsift::pair_column(l, m)] = {static_cast<int>(mlsift::pair_column(a, b))};
      }
    }
    return mlsift::targets_of_sets(columns, static_cast<int>(mlsift::n_pair_columns(n)));
  }

  mlsift::ColumnMap map_of(const mlsift::ChosenTargets& targets) const {
    mlsift::ColumnMap to(margins().count.size());
    for (std::size_t c = 0; c < targets.column.size(); ++c) {
      to[static_cast<std::size_t>(targets.column[c])] = {static_cast<int>(c)};
    }
    return to;
  }

  Rcpp::List parts_;
  mlsift::CountTables tables_;
  mlsift::Targets sets_;      // none: columns are labels or classes; of pairs: the labels alone
  std::vector<int> of_set_;   // how many rows have each
  std::size_t n_paired_ = 0;  // how many labels are paired, or 0
};

}  // namespace

// The rows behind tables of counts, see TabledRows, for as long as R keeps the result.
// [[Rcpp::export(rng = false)]]
SEXP cpp_tabled_rows(const Rcpp::List& parts) {
  return Rcpp::XPtr<mlsift_glue::RowsToCount>(new TabledRows(parts), true);
}
