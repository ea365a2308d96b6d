#ifndef MLSIFT_SRC_COUNTED_H
#define MLSIFT_SRC_COUNTED_H

#include "convert.h"
#include "counts.h"
#include "rows.h"

#include <mlsift/core/xlogx.h>
#include <mlsift/count/joint/rows_in_columns.h>
#include <mlsift/count/joint/rows_in_tables.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// Counted rows as R gives them: those of a task, list(x, cuts, right, kind, y, weights), with `y` as in
// varying_targets() and `kind` "label" or "class"; or tables of counts, see counts_from_r(), which may have `unknown`
// (whether the second half of their columns are rows in which the labels are not known), `classes` (how many columns
// each target has) or `sets` (the label set of each column, by label numbers from 0).

namespace mlsift_glue {

inline bool has(const Rcpp::List& list, const char* name) { return !Rf_isNull(part(list, name)); }

inline bool are_tables(const Rcpp::List& rows) { return rows.containsElementNamed("in_level"); }

inline SEXP weights_in(const Rcpp::List& rows) { return part(rows, "weights"); }

inline mlsift::Features features_in(const Rcpp::List& rows) {
  return features_of(rows["x"], rows["cuts"], Rcpp::as<bool>(rows["right"]));
}

inline bool are_classes(const Rcpp::List& rows) {
  if (are_tables(rows)) return has(rows, "classes");
  return TYPEOF(rows["y"]) != VECSXP && Rcpp::as<std::string>(rows["kind"]) != "label";
}

// How many rows there are and have each label; then, unless all labels are known, in how many each is not known.
struct LabelMargins {
  std::int64_t n = 0;
  bool some_unknown = false;
  std::vector<std::int64_t> count;

  int n_labels() const { return static_cast<int>(count.size()) / (some_unknown ? 2 : 1); }
  int unknown_column(int l) const { return n_labels() + l; }
  std::int64_t missing(int l) const { return some_unknown ? count[static_cast<std::size_t>(unknown_column(l))] : 0; }

  std::vector<int> occurring() const {
    std::vector<int> labels;
    for (int l = 0; l < n_labels(); ++l) {
      if (count[static_cast<std::size_t>(l)] > 0) labels.push_back(l);
    }
    return labels;
  }
};

// Labels in memory, then the cells in which they are not known, if any. `y`: as in varying_targets().
class LabelParts {
 public:
  explicit LabelParts(SEXP y) {
    if (TYPEOF(y) != VECSXP) {
      parts_.push_back(labels_of(y));
    } else {
      const Rcpp::List both(y);
      parts_ = {labels_of(both["values"]), labels_of(both["unknown"])};
    }
  }

  std::size_t n_rows() const { return parts_[0].n_rows; }
  bool some_unknown() const { return parts_.size() == 2; }
  const mlsift::LabelMatrix& values() const { return parts_[0]; }
  const mlsift::LabelMatrix& unknown() const { return parts_[1]; }
  std::size_t n_columns() const { return parts_.size() * static_cast<std::size_t>(parts_[0].n_labels); }

  // Calls take(row) for the rows of a column.
  template <class Take>
  void visit(int column, Take take) const {
    const int q = parts_[0].n_labels;
    parts_[column < q ? 0 : 1].visit_column(column < q ? column : column - q, take);
  }

 private:
  std::vector<mlsift::LabelMatrix> parts_;
};

inline std::int64_t total_of(const int* weights, std::size_t n_rows) {
  if (!weights) return static_cast<std::int64_t>(n_rows);
  return std::accumulate(weights, weights + n_rows, std::int64_t{0});
}

// How many rows a column has, or their weight. visit(c, take): calls take(row) for each of them.
template <class Visit>
std::int64_t rows_of(std::size_t c, const Visit& visit, const int* weights) {
  std::int64_t count = 0;
  if (weights) {
    visit(c, [&](int row) { count += weights[row]; });
  } else {
    visit(c, [&](int) { ++count; });
  }
  return count;
}

inline LabelMargins table_margins(const Rcpp::List& tables) {
  LabelMargins margins;
  const Rcpp::NumericVector in_target = tables["in_target"];
  margins.n = static_cast<std::int64_t>(Rcpp::as<double>(tables["n"]));
  if (!has(tables, "sets")) {
    margins.some_unknown = has(tables, "unknown");
    margins.count.assign(in_target.begin(), in_target.end());
    return margins;
  }
  const Rcpp::List sets = tables["sets"];
  for (R_xlen_t i = 0; i < sets.size(); ++i) {
    for (const int l : Rcpp::IntegerVector(sets[i])) {
      margins.count.resize(std::max(margins.count.size(), static_cast<std::size_t>(l) + 1), 0);
      margins.count[static_cast<std::size_t>(l)] += static_cast<std::int64_t>(in_target[i]);
    }
  }
  return margins;
}

inline LabelMargins label_margins(const Rcpp::List& rows) {
  if (are_tables(rows)) return table_margins(rows);
  LabelMargins margins;
  const LabelParts labels(rows["y"]);
  const int* const weights = weights_of(weights_in(rows));
  margins.n = total_of(weights, labels.n_rows());
  margins.some_unknown = labels.some_unknown();
  const auto visit = [&](std::size_t c, auto take) { labels.visit(static_cast<int>(c), take); };
  for (std::size_t c = 0; c < labels.n_columns(); ++c) margins.count.push_back(rows_of(c, visit, weights));
  return margins;
}

// Tables with other target columns. `to`: by label, or class, what it becomes; a label set becomes what its labels do.
inline std::unique_ptr<mlsift::CountedRows> table_rows(const Rcpp::List& tables, const mlsift::ColumnMap& to,
                                                       mlsift::TargetColumns targets) {
  mlsift::ColumnMap by_column = to;
  if (has(tables, "sets")) {
    by_column.clear();
    for (const SEXP set : Rcpp::List(tables["sets"])) {
      by_column.emplace_back();
      for (const int l : Rcpp::IntegerVector(set)) {
        const std::vector<int>& columns = to[static_cast<std::size_t>(l)];
        by_column.back().insert(by_column.back().end(), columns.begin(), columns.end());
      }
    }
  }
  return std::make_unique<mlsift::RowsInTables>(counts_from_r(tables), std::move(by_column), std::move(targets));
}

// For the columns of tables with these margins: which of `names`, numbers of such columns, each is.
inline mlsift::ColumnMap columns_named(const LabelMargins& margins, const std::vector<int>& names) {
  mlsift::ColumnMap to(margins.count.size());
  for (std::size_t c = 0; c < names.size(); ++c) to[static_cast<std::size_t>(names[c])] = {static_cast<int>(c)};
  return to;
}

// Rows in memory. `in_rows`: which rows have the columns of targets, see RowsInColumns.
template <class InRows>
std::unique_ptr<mlsift::CountedRows> column_rows(const Rcpp::List& rows, mlsift::TargetColumns targets,
                                                 const InRows& in_rows) {
  return std::make_unique<mlsift::RowsInColumns>(features_in(rows), std::move(targets), weights_of(weights_in(rows)),
                                                 in_rows);
}

// The same with some columns of `margins` as targets. `names`: their numbers, in the order of `columns`.
inline std::unique_ptr<mlsift::CountedRows> rows_with_labels(const Rcpp::List& rows, const LabelMargins& margins,
                                                             const std::vector<int>& names,
                                                             mlsift::TargetColumns columns) {
  if (!are_tables(rows)) {
    const LabelParts labels(rows["y"]);
    const auto visit = [&](std::size_t c, auto take) { labels.visit(names[c], take); };
    return column_rows(rows, std::move(columns), visit);
  }
  return table_rows(rows, columns_named(margins, names), std::move(columns));
}

// The labels that occur. Those that are not known in all rows, and without `constants` all, must vary where they are
// known. `names`: by target column, its number in LabelMargins.
struct LabelTargets {
  std::vector<int> names;
  mlsift::TargetColumns columns;
};

inline LabelTargets label_targets(const LabelMargins& margins, bool constants) {
  LabelTargets result{{}, mlsift::TargetColumns(margins.n)};
  for (const int l : margins.occurring()) {
    const std::int64_t ones = margins.count[static_cast<std::size_t>(l)], missing = margins.missing(l);
    if (!constants && ones == margins.n - missing) continue;
    result.names.push_back(l);
    if (missing > 0) result.names.push_back(margins.unknown_column(l));
    if (margins.some_unknown) {
      result.columns.add_label(ones, missing);
    } else {
      result.columns.add({ones});
    }
  }
  return result;
}

// The targets of tables that vary: classes, or labels.
struct TableTargets {
  mlsift::ColumnMap to;
  mlsift::TargetColumns columns;
};

inline TableTargets varying_table_targets(const Rcpp::List& rows) {
  const LabelMargins margins = label_margins(rows);
  TableTargets result{mlsift::ColumnMap(margins.count.size()), mlsift::TargetColumns(margins.n)};
  if (!has(rows, "classes")) {
    LabelTargets labels = label_targets(margins, false);
    return {columns_named(margins, labels.names), std::move(labels.columns)};
  }
  std::size_t first = 0;
  for (const int size : Rcpp::as<std::vector<int>>(rows["classes"])) {
    const auto begin = margins.count.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::int64_t> count(begin, begin + size);
    if (*std::max_element(count.begin(), count.end()) < margins.n) {
      for (std::size_t c = 0; c < count.size(); ++c) {
        result.to[first + c] = {static_cast<int>(result.columns.n_columns() + c)};
      }
      result.columns.add(count);
    }
    first += count.size();
  }
  return result;
}

// Labels that occur; of classes, and where labels are not known in all rows, the targets that vary.
inline std::unique_ptr<mlsift::CountedRows> counted_rows(const Rcpp::List& rows) {
  if (!are_classes(rows)) {
    const LabelMargins margins = label_margins(rows);
    LabelTargets targets = label_targets(margins, !margins.some_unknown);
    return rows_with_labels(rows, margins, targets.names, std::move(targets.columns));
  }
  if (are_tables(rows)) {
    TableTargets targets = varying_table_targets(rows);
    return table_rows(rows, targets.to, std::move(targets.columns));
  }
  const mlsift::Indicators indicators = varying_targets(rows["y"]);
  const auto visit = [&](std::size_t c, auto take) { indicators.visit_rows(static_cast<int>(c), take); };
  const int* const weights = weights_of(weights_in(rows));
  std::vector<std::int64_t> count(static_cast<std::size_t>(indicators.n_indicators()));
  for (std::size_t c = 0; c < count.size(); ++c) count[c] = rows_of(c, visit, weights);
  return column_rows(rows, mlsift::target_columns(total_of(weights, indicators.n_rows), indicators.first, {}, count),
                     visit);
}

// What carries a label set and can be transformed: the rows of a task, or the label sets of tables, each of which
// stands for as many rows as have it.
class LabeledRows {
 public:
  explicit LabeledRows(const Rcpp::List& rows) : rows_(rows) {
    if (are_tables(rows)) {
      of_sets();
    } else {
      labels_ = occurring_labels(rows["y"]);
      weights_ = weights_of(weights_in(rows));
      n_features_ = static_cast<R_xlen_t>(features_in(rows).size());
      n_ = total_of(weights_, labels_.n_rows());
    }
    if (!weights_) return;
    const std::vector<std::int64_t> count = mlsift::counts_of_classes(labels_, weights_);
    labels_.count.assign(count.begin(), count.end());
  }

  const mlsift::Targets& labels() const { return labels_; }
  const int* weights() const { return weights_; }
  R_xlen_t n_features() const { return n_features_; }

  // The rows with a transformation of their label sets as targets.
  std::unique_ptr<mlsift::CountedRows> with_classes(mlsift::Targets classes) const {
    mlsift::TargetColumns columns = mlsift::label_columns(n_, mlsift::counts_of_classes(classes, weights_));
    if (!are_tables(rows_)) return column_rows(rows_, std::move(columns), classes);
    mlsift::ColumnMap to;
    for (std::size_t set = 0; set < classes.n_rows(); ++set) to.emplace_back(classes.begin(set), classes.end(set));
    return std::make_unique<mlsift::RowsInTables>(counts_from_r(rows_), std::move(to), std::move(columns));
  }

 private:
  void of_sets() {
    const Rcpp::NumericVector in_target = rows_["in_target"];
    n_ = static_cast<std::int64_t>(Rcpp::as<double>(rows_["n"]));
    n_features_ = Rf_xlength(Rcpp::List(rows_["levels"])["at"]);
    labels_.start.assign(1, 0);
    for (const SEXP set : Rcpp::List(rows_["sets"])) {
      const Rcpp::IntegerVector labels(set);
      labels_.ids.insert(labels_.ids.end(), labels.begin(), labels.end());
      labels_.start.push_back(labels_.ids.size());
    }
    // Labels that no row has are left out, and the others are renumbered.
    std::vector<int> all(labels_.ids);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (int& l : labels_.ids) l = static_cast<int>(std::lower_bound(all.begin(), all.end(), l) - all.begin());
    labels_.n_classes = static_cast<int>(all.size());
    labels_.count.assign(all.size(), 0);
    of_set_.assign(in_target.begin(), in_target.end());
    weights_ = of_set_.data();
  }

  Rcpp::List rows_;
  mlsift::Targets labels_;
  std::vector<int> of_set_;  // rows of each label set
  const int* weights_ = nullptr;
  std::int64_t n_ = 0;
  R_xlen_t n_features_ = 0;
};

// Calls f(n log n) for sums of so many informations. A table of all values takes 8 bytes for each row, which rows in
// memory are worth.
template <class F>
auto with_xlogx(const Rcpp::List& rows, std::int64_t n, std::size_t terms, F f) {
  const std::size_t count = static_cast<std::size_t>(n);
  if (are_tables(rows) || has(rows, "weights")) return f(mlsift::XLogXOnDemand(count, static_cast<double>(terms)));
  return f(mlsift::XLogX(count, static_cast<double>(terms)));
}

}  // namespace mlsift_glue

#endif
