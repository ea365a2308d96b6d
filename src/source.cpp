#include "chunks.h"
#include "context.h"
#include "counts.h"

#include <mlsift/count/rows_in_chunks.h>
#include <mlsift/criteria/ebls.h>
#include <mlsift/criteria/information_bias.h>
#include <mlsift/criteria/mim.h>
#include <mlsift/criteria/odds_ratio.h>
#include <mlsift/read/long_rows.h>

// Tables of joint counts, of rows in memory and of rows that come in chunks, and the scores that follow from them.

namespace {

template <class T, class Get>
Rcpp::NumericVector each_number(const std::vector<T>& from, Get get) {
  Rcpp::NumericVector to(static_cast<R_xlen_t>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[static_cast<R_xlen_t>(i)] = static_cast<double>(get(from[i]));
  return to;
}

Rcpp::List spread_to_r(const std::vector<mlsift::Spread>& spread) {
  using mlsift::Spread;
  Rcpp::List distinct(static_cast<R_xlen_t>(spread.size()));
  for (std::size_t f = 0; f < spread.size(); ++f) distinct[static_cast<R_xlen_t>(f)] = Rcpp::wrap(spread[f].distinct);
  return Rcpp::List::create(Rcpp::_["rows"] = each_number(spread, [](const Spread& s) { return s.rows; }),
                            Rcpp::_["missing"] = each_number(spread, [](const Spread& s) { return s.missing; }),
                            Rcpp::_["negative"] = each_number(spread, [](const Spread& s) { return s.negative; }),
                            Rcpp::_["zero"] = each_number(spread, [](const Spread& s) { return s.zero; }),
                            Rcpp::_["positive"] = each_number(spread, [](const Spread& s) { return s.positive; }),
                            Rcpp::_["low"] = each_number(spread, [](const Spread& s) { return s.low; }),
                            Rcpp::_["high"] = each_number(spread, [](const Spread& s) { return s.high; }),
                            Rcpp::_["distinct"] = distinct);
}

mlsift::Spread spread_from_r(const Rcpp::List& from, R_xlen_t f) {
  const auto number = [&](const char* what) { return Rcpp::NumericVector(from[what])[f]; };
  const auto rows = [&](const char* what) { return static_cast<std::size_t>(number(what)); };
  mlsift::Spread spread;
  spread.rows = rows("rows");
  spread.missing = rows("missing");
  spread.negative = rows("negative");
  spread.zero = rows("zero");
  spread.positive = rows("positive");
  spread.low = number("low");
  spread.high = number("high");
  spread.distinct = Rcpp::as<std::vector<double>>(Rcpp::List(from["distinct"])[f]);
  return spread;
}

}  // namespace

// The counts of rows in memory, at the levels that occur. `weights`: of the rows, whole numbers, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_counts_of_rows(SEXP x, SEXP cuts, bool right, SEXP y, SEXP weights, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::Targets labels = mlsift_glue::all_labels(y);
  const mlsift::Context context = mlsift_glue::context(threads);
  return mlsift_glue::counts_to_r(mlsift_glue::guarded([&] {
    return mlsift::count_joint(features, labels, mlsift::levels_of(features, context), context,
                               mlsift_glue::weights_of(weights));
  }));
}

// The same at fixed levels.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_joint_counts(SEXP x, SEXP y, Rcpp::List levels, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x);
  const mlsift::Targets labels = mlsift_glue::all_labels(y);
  const auto fixed = mlsift_glue::levels_from_r(levels);
  return mlsift_glue::counts_to_r(mlsift_glue::guarded(
      [&] { return mlsift::count_joint(features, labels, fixed, mlsift_glue::context(threads)); }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_add_counts(Rcpp::List a, Rcpp::List b) {
  mlsift::CountTables sum = mlsift_glue::counts_from_r(a);
  sum += mlsift_glue::counts_from_r(b);
  return mlsift_glue::counts_to_r(sum);
}

// The same where levels that are single values may differ; NULL where the tables cannot be added.
// [[Rcpp::export(rng = false)]]
SEXP cpp_add_aligned_counts(Rcpp::List a, Rcpp::List b) {
  mlsift::CountTables sum = mlsift_glue::counts_from_r(a);
  if (!mlsift::add_aligned(sum, mlsift_glue::counts_from_r(b))) return R_NilValue;
  return mlsift_glue::counts_to_r(sum);
}

// What one pass over a source finds out: list(spread, integers, counts); `most` and `most_integers` as
// for summarize().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_source_summary(Rcpp::Function open, int n_labels, const std::vector<int>& most, int most_integers,
                              int threads) {
  mlsift_glue::RChunks chunks(open);
  const mlsift::ChunkSummary summary = mlsift_glue::guarded([&] {
    return mlsift::summarize(chunks, static_cast<std::size_t>(n_labels), most, most_integers,
                             mlsift_glue::context(threads));
  });
  return Rcpp::List::create(Rcpp::_["spread"] = spread_to_r(summary.spread),
                            Rcpp::_["integers"] = Rcpp::LogicalVector(summary.integers.begin(), summary.integers.end()),
                            Rcpp::_["counts"] = mlsift_glue::counts_to_r(summary.counts));
}

// The cuts of the features marked in `continuous`, NULL for the others. kind: 0 equal width, 1 presence, 2 automatic.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_spread_cuts(const Rcpp::List& spread, const Rcpp::LogicalVector& continuous, int kind, int bins,
                           bool right, double zero_share) {
  Rcpp::List cuts(continuous.size());
  for (R_xlen_t f = 0; f < continuous.size(); ++f) {
    if (!continuous[f]) continue;
    const mlsift::Spread one = spread_from_r(spread, f);
    cuts[f] = Rcpp::wrap(kind == 0   ? mlsift::equal_width_cuts(one, bins, right)
                         : kind == 1 ? mlsift::presence_cuts(one)
                                     : mlsift::auto_cuts(one, bins, zero_share));
  }
  return cuts;
}

// The counts of one pass, at fixed levels.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_source_counts(Rcpp::Function open, Rcpp::List levels, int n_labels, int threads) {
  mlsift_glue::RChunks chunks(open);
  const auto fixed = mlsift_glue::levels_from_r(levels);
  return mlsift_glue::counts_to_r(mlsift_glue::guarded([&] {
    return mlsift::count_chunks(chunks, fixed, static_cast<std::size_t>(n_labels), mlsift_glue::context(threads));
  }));
}

// The scores of criteria that count each feature with the labels once.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_mim_of_counts(Rcpp::List counts) {
  return Rcpp::wrap(mlsift::mim_scores(mlsift::CountedRows(mlsift_glue::counts_from_r(counts))));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_ebls_of_counts(Rcpp::List counts, int n_labels, bool largest) {
  return Rcpp::wrap(mlsift::ebls_scores(mlsift::CountedRows(mlsift_glue::counts_from_r(counts)),
                                        static_cast<std::size_t>(n_labels), largest));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_odds_ratio_of_counts(Rcpp::List counts, double h, bool raw, bool by_prior) {
  return Rcpp::wrap(
      mlsift::odds_ratio_scores(mlsift::CountedRows(mlsift_glue::counts_from_r(counts)), {h, raw, by_prior}));
}

namespace {

// `targets`: the columns of each target, from 1; labels are targets of one column.
std::vector<double> information_bias(const mlsift::CountTables& table, const Rcpp::List& targets, bool labels,
                                     bool chance) {
  mlsift::TargetColumns of;
  of.labels = labels;
  for (const SEXP columns : targets) {
    of.columns.push_back(Rcpp::as<std::vector<int>>(columns));
    for (int& column : of.columns.back()) --column;
  }
  return chance ? mlsift::chance_informations(table, of) : mlsift::miller_madow_biases(table, of);
}

}  // namespace

// What summed informations are too large by, in bits: by chance, or after Miller and Madow.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_bias_of_counts(Rcpp::List counts, const Rcpp::List& targets, bool labels, bool chance) {
  return Rcpp::wrap(information_bias(mlsift_glue::counts_from_r(counts), targets, labels, chance));
}

// The same of rows in memory. `y`: 0/1 columns.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_information_bias(SEXP x, SEXP cuts, bool right, SEXP y, const Rcpp::List& targets, bool labels,
                                         bool chance, int threads) {
  const mlsift::Features features = mlsift_glue::features_of(x, cuts, right);
  const mlsift::Targets columns = mlsift_glue::all_labels(y);
  const mlsift::Context context = mlsift_glue::context(threads);
  return Rcpp::wrap(mlsift_glue::guarded([&] {
    const mlsift::CountTables table =
        mlsift::count_joint(features, columns, mlsift::levels_of(features, context), context);
    return information_bias(table, targets, labels, chance);
  }));
}

// Cells of a long table, rows and columns from 1, rows ascending, as list(p, i, x); `value`: of each cell, or empty for
// ones. A number instead: the first cell, from 1, that repeats an earlier one.
// [[Rcpp::export(rng = false)]]
SEXP cpp_long_rows(const Rcpp::IntegerVector& row, const Rcpp::IntegerVector& column, const Rcpp::NumericVector& value,
                   int n_columns) {
  const std::size_t n = static_cast<std::size_t>(row.size());
  std::vector<int> from_zero(row.begin(), row.end()), columns(column.begin(), column.end());
  for (int& r : from_zero) --r;
  for (int& c : columns) --c;
  Rcpp::IntegerVector p(n_columns + 1), i(row.size());
  Rcpp::NumericVector x(row.size(), 1.0);
  std::vector<std::size_t> place(value.size() > 0 ? n : 0);
  const std::size_t twice =
      mlsift::compress_cells(from_zero.data(), columns.data(), n, static_cast<std::size_t>(n_columns), p.begin(),
                             i.begin(), place.empty() ? nullptr : place.data());
  if (twice < n) return Rcpp::wrap(static_cast<double>(twice) + 1);
  for (std::size_t cell = 0; cell < place.size(); ++cell) {
    x[static_cast<R_xlen_t>(place[cell])] = value[static_cast<R_xlen_t>(cell)];
  }
  return Rcpp::List::create(Rcpp::_["p"] = p, Rcpp::_["i"] = i, Rcpp::_["x"] = x);
}
