#include "convert.h"
#include "counted.h"

#include <mlsift/count/joint/rows_in_columns.h>
#include <mlsift/count/joint/rows_in_memory.h>
#include <mlsift/data/label_sets.h>
#include <mlsift/data/pair_columns.h>
#include <mlsift/data/scan.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

namespace {

using mlsift_glue::RowsToCount;

// The rows of a task, list(x, cuts, right, y, classes, weights). `y`: labels, list(values, unknown) if they are not
// known in all rows, or with `classes` codes of classes.
class TaskRows : public RowsToCount {
 public:
  explicit TaskRows(const Rcpp::List& parts)
      : parts_(parts),
        features_(mlsift_glue::features_of(parts["x"], parts["cuts"], Rcpp::as<bool>(parts["right"]))),
        weights_(mlsift_glue::weights_of(parts["weights"])) {
    const SEXP y = parts["y"];
    if (Rcpp::as<bool>(parts["classes"]) && TYPEOF(y) != VECSXP) {
      classes_ = mlsift::varying_indicators_of(mlsift_glue::features_of(y), weights_);
    } else {
      labels_ = mlsift_glue::LabelCells(y);
    }
  }

  std::size_t n_features() const override { return features_.size(); }

  std::vector<char> constant_features() const override {
    std::vector<char> constant;
    for (const mlsift::Column& column : features_.columns) {
      constant.push_back(mlsift::is_constant(column, features_.n_rows));
    }
    return constant;
  }

  mlsift::TargetMargins margins() const override {
    mlsift::TargetMargins all;
    all.n = n();
    all.some_unknown = labels_.some_unknown();
    for (int t = 0; t < classes_.n_variables(); ++t) all.classes.push_back(classes_.end(t) - classes_.begin(t));
    const int n_columns = of_labels() ? labels_.n_columns() : classes_.n_indicators();
    for (int c = 0; c < n_columns; ++c) {
      std::int64_t rows = 0;
      visit(c, [&](int row) { rows += weights_ ? weights_[row] : 1; });
      all.count.push_back(rows);
    }
    return all;
  }

  Counted with(const mlsift::ChosenTargets& targets) const override {
    return std::make_unique<mlsift::RowsInColumns>(features_, targets.columns, weights_,
                                                   [&](std::size_t c, auto take) { visit(targets.column[c], take); });
  }

  Counted with_classes(const mlsift::Targets& classes) const override {
    auto columns = mlsift::label_columns(n(), mlsift::counts_of_classes(classes, weights_));
    return std::make_unique<mlsift::RowsInColumns>(features_, std::move(columns), weights_, classes);
  }

  mlsift::Targets label_pairs(const std::vector<int>& labels) const override {
    const mlsift::Targets values = mlsift::targets_of(labels_.values, labels);
    if (!labels_.some_unknown()) return mlsift::pairs_of(values);
    return mlsift::pairs_of(mlsift::with_unknown(values, mlsift::targets_of(labels_.unknown, labels)));
  }

  mlsift::Targets labels() const override {
    return mlsift::weighed(mlsift_glue::occurring_labels(parts_["y"]), weights_);
  }
  const int* weights() const override { return weights_; }
  bool one_row_each() const override { return !weights_; }

  std::unique_ptr<mlsift::JointRows> joint(mlsift::WithTargets with, const mlsift::Context& context) const override {
    mlsift::Indicators targets = !of_labels() ? classes_
                                 : labels_.some_unknown()
                                     ? mlsift::known_indicators_of(labels_.values, labels_.unknown, weights_)
                                     : mlsift::varying_indicators_of(mlsift_glue::features_of(parts_["y"]), weights_);
    return mlsift::rows_in_memory(mlsift::indicators_of(features_, weights_), std::move(targets), with, context);
  }

 private:
  bool of_labels() const { return classes_.n_rows == 0; }

  std::int64_t n() const {
    if (!weights_) return static_cast<std::int64_t>(features_.n_rows);
    return std::accumulate(weights_, weights_ + features_.n_rows, std::int64_t{0});
  }

  template <class Take>
  void visit(int column, Take take) const {
    if (of_labels()) {
      labels_.visit(column, take);
    } else {
      classes_.visit_rows(column, take);
    }
  }

  Rcpp::List parts_;  // what the others look into
  mlsift::Features features_;
  const int* weights_;
  mlsift_glue::LabelCells labels_;
  mlsift::Indicators classes_;  // without rows for labels
};

}  // namespace

// The rows of a task, see TaskRows, for as long as R keeps the result.
// [[Rcpp::export(rng = false)]]
SEXP cpp_task_rows(const Rcpp::List& parts) { return Rcpp::XPtr<RowsToCount>(new TaskRows(parts), true); }

// Frees the memory of rows, which must not be used again.
// [[Rcpp::export(rng = false)]]
void cpp_end_rows(SEXP rows) { Rcpp::XPtr<RowsToCount>(rows).release(); }

// list(varying: numbers of the targets that vary in the rows in which they are known; n_labels: how many occur;
// unknown: whether some label is not known in some row; with, known: of labels, how many rows have each, and know it).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_rows_targets(SEXP rows) {
  const mlsift::TargetMargins all = mlsift_glue::rows_to_count(rows).margins();
  std::vector<double> with, known;
  for (int l = 0; all.classes.empty() && l < all.n_labels(); ++l) {
    with.push_back(static_cast<double>(all.count[static_cast<std::size_t>(l)]));
    known.push_back(static_cast<double>(all.n - all.missing(l)));
  }
  return Rcpp::List::create(Rcpp::_["varying"] = mlsift_glue::from_one(all.choose().target),
                            Rcpp::_["n_labels"] = static_cast<int>(all.occurring().size()),
                            Rcpp::_["unknown"] = all.any_missing(), Rcpp::_["with"] = with, Rcpp::_["known"] = known);
}

// Whether each feature has one level only.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_constant_features(SEXP rows) {
  const std::vector<char> constant = mlsift_glue::rows_to_count(rows).constant_features();
  return Rcpp::LogicalVector(constant.begin(), constant.end());
}
