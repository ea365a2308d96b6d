#include "chunks.h"
#include "context.h"
#include "counts.h"
#include "partitions.h"

#include <mlsift/core/bytes.h>
#include <mlsift/count/joint/kept_rows.h>
#include <mlsift/count/joint/rows_in_chunks.h>
#include <mlsift/read/long_rows.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

// Tables of joint counts, of rows in memory and of rows that come in chunks.

namespace {

Rcpp::List spread_to_r(const std::vector<mlsift::Spread>& spread) {
  using mlsift::Spread;
  const auto numbers = [&](auto Spread::*part) {
    return mlsift_glue::each<Rcpp::NumericVector>(spread,
                                                  [&](const Spread& s) { return static_cast<double>(s.*part); });
  };
  return Rcpp::List::create(Rcpp::_["rows"] = numbers(&Spread::rows), Rcpp::_["missing"] = numbers(&Spread::missing),
                            Rcpp::_["negative"] = numbers(&Spread::negative), Rcpp::_["zero"] = numbers(&Spread::zero),
                            Rcpp::_["positive"] = numbers(&Spread::positive), Rcpp::_["low"] = numbers(&Spread::low),
                            Rcpp::_["high"] = numbers(&Spread::high), Rcpp::_["whole"] = numbers(&Spread::whole),
                            Rcpp::_["distinct"] = mlsift_glue::each<Rcpp::List>(
                                spread, [](const Spread& s) { return Rcpp::wrap(s.distinct); }));
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

using LabelSetList = std::vector<std::vector<int>>;

LabelSetList sets_from_r(const Rcpp::List& tables) { return Rcpp::as<LabelSetList>(tables["sets"]); }

Rcpp::List with_sets(Rcpp::List tables, const LabelSetList& sets, bool given) {
  if (!given) return tables;
  tables["sets"] = Rcpp::List(sets.begin(), sets.end());
  return tables;
}

Rcpp::List counts_of(mlsift::ChunkReader& reader, const Rcpp::List& levels, std::size_t n_columns, bool sets,
                     int threads) {
  const auto fixed = mlsift_glue::levels_from_r(levels);
  const mlsift::Context context = mlsift_glue::context(threads);
  LabelSetList found;
  const mlsift::CountTables counts = mlsift_glue::guarded([&] {
    return sets ? mlsift::count_label_sets(reader, fixed, found, context)
                : mlsift::count_chunks(reader, fixed, n_columns, context);
  });
  return with_sets(mlsift_glue::counts_to_r(counts), found, sets);
}

// All that a pass over a source learns. `found`: what it looks for, without elements if nothing.
struct SourceSummary {
  mlsift::ChunkSummary summary;
  mlsift::Inspection found;

  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(summary);
    bytes(found);
  }
};

// See cpp_source_summary().
SourceSummary summary_of(const Rcpp::Function& open, int n_columns, const std::vector<int>& most, int most_levels,
                         const Rcpp::Nullable<Rcpp::List>& inspect, std::size_t before, int threads) {
  mlsift_glue::RChunks chunks(open, {n_columns, R_NilValue});
  SourceSummary all;
  mlsift::Inspection& found = all.found;
  if (inspect.isNotNull()) {
    const Rcpp::List wanted(inspect);
    const std::size_t n_targets = Rcpp::as<std::size_t>(wanted["n_targets"]);
    const mlsift::Partition empty(Rcpp::as<std::size_t>(wanted["most"]), Rcpp::as<bool>(wanted["values"]));
    found.target = mlsift_glue::from_zero(wanted["target"]);
    found.value = Rcpp::as<std::vector<double>>(wanted["value"]);
    found.features.assign(most.size(), empty);
    found.targets.assign(n_targets, mlsift::Partition(std::numeric_limits<std::size_t>::max()));
    found.as_zero = found.targets;
    found.numbers.resize(most.size());
  }
  all.summary = mlsift_glue::guarded([&] {
    return mlsift::summarize(chunks, static_cast<std::size_t>(n_columns), most, most_levels,
                             inspect.isNotNull() ? &found : nullptr, mlsift_glue::context(threads), before);
  });
  return all;
}

Rcpp::List summary_to_r(SourceSummary& all) {
  const mlsift::ChunkSummary& summary = all.summary;
  return Rcpp::List::create(
      Rcpp::_["spread"] = spread_to_r(summary.spread),
      Rcpp::_["categories"] = Rcpp::LogicalVector(summary.categories.begin(), summary.categories.end()),
      Rcpp::_["counts"] = mlsift_glue::counts_to_r(summary.counts),
      Rcpp::_["features"] = mlsift_glue::partitions_to_r(all.found.features, summary.rows),
      Rcpp::_["targets"] = mlsift_glue::partitions_to_r(all.found.targets, summary.rows),
      Rcpp::_["as_zero"] = mlsift_glue::partitions_to_r(all.found.as_zero, summary.rows),
      Rcpp::_["numbers"] = mlsift_glue::row_numbers_to_r(
          all.found.numbers, [](mlsift::RowNumbers& one) -> mlsift::RowNumbers& { return one; }));
}

SourceSummary summary_from_bytes(const Rcpp::RawVector& from) {
  SourceSummary all;
  mlsift::ByteReader reader(from.begin(), static_cast<std::size_t>(from.size()));
  reader(all);
  return all;
}

// What a worker keeps to answer questions about pairs: see PairLayout. `bytes`: what the codes of rows may take.
struct KeptLayout {
  KeptLayout(const Rcpp::List& levels, const Rcpp::IntegerVector& indicator, const Rcpp::IntegerVector& target,
             double most_bytes)
      : tables(mlsift_glue::levels_from_r(levels), 0),
        layout{tables, {indicator.begin(), indicator.end()}, {target.begin(), target.end()}},
        bytes(static_cast<std::size_t>(most_bytes)) {
    layout.number_indicators();
  }
  KeptLayout(const KeptLayout&) = delete;

  // A part as coded chunks. R keeps its `rows` for as long as they are in use.
  struct Part {
    Rcpp::List rows;
    std::vector<mlsift::KeptChunk> chunks{};
  };

  const Part& part(const std::string& name, const Rcpp::List& rows, const mlsift::Context& context) {
    const auto found = parts.find(name);
    if (found != parts.end()) return found->second;
    Part part{rows};
    const mlsift_glue::ChunkColumns columns(static_cast<int>(layout.target.size()), R_NilValue);
    for (R_xlen_t i = 0; i < rows.size(); ++i) part.chunks.emplace_back(mlsift_glue::chunk_of(rows[i], columns));
    // An interrupt leaves nothing behind.
    std::size_t left = bytes;
    mlsift_glue::guarded([&] { mlsift::code_chunks(part.chunks, layout, left, context); });
    bytes = left;
    return parts.emplace(name, std::move(part)).first->second;
  }

  mlsift::CountTables tables;
  mlsift::PairLayout layout;
  std::size_t bytes;
  std::map<std::string, Part> parts{};
};

class OneChunk : public mlsift::ChunkReader {
 public:
  explicit OneChunk(mlsift::Chunk chunk) : chunk_(std::move(chunk)) {}
  void pass(const Take& take) override { take(chunk_); }

 private:
  mlsift::Chunk chunk_;
};

}  // namespace

// The counts of a chunk at fixed levels, see counts_to_r() and chunk_of(): of `n_columns` columns, of label sets,
// or of the pairs of the labels `pairs`, NULL for none.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_joint_counts(const Rcpp::List& chunk, Rcpp::List levels, int n_columns, bool sets, SEXP pairs,
                            int threads) {
  const mlsift_glue::ChunkColumns columns(n_columns, pairs);
  OneChunk reader(mlsift_glue::chunk_of(chunk, columns));
  return counts_of(reader, levels, columns.size(), sets, threads);
}

// The sum of two tables. `aligned`: levels that are single values may differ. NULL where the tables cannot be added.
// [[Rcpp::export(rng = false)]]
SEXP cpp_add_counts(Rcpp::List a, Rcpp::List b, bool aligned) {
  mlsift::CountTables sum = mlsift_glue::counts_from_r(a), more = mlsift_glue::counts_from_r(b);
  LabelSetList sets;
  if (a.containsElementNamed("sets")) sets = mlsift::join_label_sets(sum, sets_from_r(a), more, sets_from_r(b));
  if (!aligned) {
    sum += more;
  } else if (!mlsift::add_aligned(sum, more)) {
    return R_NilValue;
  }
  return with_sets(mlsift_glue::counts_to_r(sum), sets, a.containsElementNamed("sets"));
}

// What one pass over a source learns: list(spread, categories, counts, features, targets, as_zero, numbers); `most` and
// `most_levels` as for summarize(), `n_columns`: of the targets. `inspect`: NULL, or list(target, value,
// n_targets, most, values): of each target column, see Inspection, and how partitions are told apart; the last four
// parts are then as cpp_partitions() and cpp_row_numbers() give them.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_source_summary(Rcpp::Function open, int n_columns, const std::vector<int>& most, int most_levels,
                              Rcpp::Nullable<Rcpp::List> inspect, int threads) {
  SourceSummary all = summary_of(open, n_columns, most, most_levels, inspect, 0, threads);
  return summary_to_r(all);
}

// The same for a part of a source, as bytes for cpp_join_summaries(). `before`: the rows of all parts before it;
// `n_rows`: of all parts.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_part_summary(Rcpp::Function open, int n_columns, const std::vector<int>& most, int most_levels,
                                 Rcpp::Nullable<Rcpp::List> inspect, double before, double n_rows, int threads) {
  SourceSummary all =
      summary_of(open, n_columns, most, most_levels, inspect, static_cast<std::size_t>(before), threads);
  for (mlsift::RowNumbers& one : all.found.numbers) one.shorten(static_cast<std::size_t>(n_rows));
  mlsift::ByteWriter writer;
  writer(all);
  return Rcpp::RawVector(writer.bytes.begin(), writer.bytes.end());
}

// By which the rows of a part that is read again are known, see rows_hash(): eight bytes.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_rows_hash(Rcpp::Function open, int n_columns) {
  mlsift_glue::RChunks chunks(open, {n_columns, R_NilValue});
  mlsift::ByteWriter writer;
  std::uint64_t hash = mlsift_glue::guarded([&] { return mlsift::rows_hash(chunks); });
  writer(hash);
  return Rcpp::RawVector(writer.bytes.begin(), writer.bytes.end());
}

// The summary of all parts, as cpp_source_summary() gives it.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_join_summaries(const Rcpp::List& parts, const std::vector<int>& most, int most_levels) {
  SourceSummary all = summary_from_bytes(parts[0]);
  for (R_xlen_t i = 1; i < parts.size(); ++i) {
    const SourceSummary more = summary_from_bytes(parts[i]);
    all.summary.join(more.summary, most, most_levels);
    all.found.join(more.found);
  }
  return summary_to_r(all);
}

// A layout of pairs for cpp_part_pairs(), which R keeps; see KeptLayout.
// [[Rcpp::export(rng = false)]]
SEXP cpp_pair_layout(const Rcpp::List& levels, const Rcpp::IntegerVector& indicator, const Rcpp::IntegerVector& target,
                     double most_bytes) {
  return Rcpp::XPtr<KeptLayout>(new KeptLayout(levels, indicator, target, most_bytes), true);
}

// [[Rcpp::export(rng = false)]]
void cpp_drop_layout(SEXP layout) { Rcpp::XPtr<KeptLayout>(layout).release(); }

// The table of a question about pairs in some parts, see PairQuestion; all numbers from 0. `parts`: by name, their
// chunks, which are coded when they are seen first.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_part_pairs(const Rcpp::List& parts, SEXP layout, int s, int begin, int end, int sides,
                                   int threads) {
  KeptLayout& kept = *Rcpp::XPtr<KeptLayout>(layout);
  const mlsift::PairQuestion question(kept.layout, s, static_cast<std::size_t>(begin), static_cast<std::size_t>(end),
                                      static_cast<std::size_t>(sides));
  Rcpp::IntegerVector table(static_cast<R_xlen_t>(question.cells(kept.layout)));
  int* const cells = table.begin();
  const mlsift::Context context = mlsift_glue::context(threads);
  const Rcpp::CharacterVector names(parts.names());
  for (R_xlen_t i = 0; i < parts.size(); ++i) {
    const KeptLayout::Part& part = kept.part(Rcpp::as<std::string>(names[i]), parts[i], context);
    mlsift_glue::guarded([&] {
      for (const mlsift::KeptChunk& chunk : part.chunks) chunk.count(kept.layout, question, cells, context);
    });
  }
  return table;
}

// The cuts of the features marked in `continuous`, NULL for the others, as in cpp_auto_cuts().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_spread_cuts(const Rcpp::List& spread, const Rcpp::LogicalVector& continuous, int bins, bool right,
                           double zero_share) {
  Rcpp::List cuts(continuous.size());
  for (R_xlen_t f = 0; f < continuous.size(); ++f) {
    if (continuous[f]) cuts[f] = Rcpp::wrap(mlsift::auto_cuts(spread_from_r(spread, f), bins, right, zero_share));
  }
  return cuts;
}

// The same of all chunks, in one pass.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_source_counts(Rcpp::Function open, Rcpp::List levels, int n_columns, bool sets, SEXP pairs,
                             int threads) {
  const mlsift_glue::ChunkColumns columns(n_columns, pairs);
  mlsift_glue::RChunks chunks(open, columns);
  return counts_of(chunks, levels, columns.size(), sets, threads);
}

// Cells of a long table, rows and columns from 1, rows ascending, as list(p, i, x); `value`: of each cell, or empty for
// ones. A number instead: the first cell, from 1, that repeats an earlier one.
// [[Rcpp::export(rng = false)]]
SEXP cpp_long_rows(const Rcpp::IntegerVector& row, const Rcpp::IntegerVector& column, const Rcpp::NumericVector& value,
                   int n_columns) {
  const std::size_t n = static_cast<std::size_t>(row.size());
  const std::vector<int> rows = mlsift_glue::from_zero(row), columns = mlsift_glue::from_zero(column);
  Rcpp::IntegerVector p(n_columns + 1), i(row.size());
  Rcpp::NumericVector x(row.size(), 1.0);
  std::vector<std::size_t> place(value.size() > 0 ? n : 0);
  const std::size_t twice = mlsift::compress_cells(rows.data(), columns.data(), n, static_cast<std::size_t>(n_columns),
                                                   p.begin(), i.begin(), place.empty() ? nullptr : place.data());
  if (twice < n) return Rcpp::wrap(static_cast<double>(twice) + 1);
  for (std::size_t cell = 0; cell < place.size(); ++cell) {
    x[static_cast<R_xlen_t>(place[cell])] = value[static_cast<R_xlen_t>(cell)];
  }
  return Rcpp::List::create(Rcpp::_["p"] = p, Rcpp::_["i"] = i, Rcpp::_["x"] = x);
}
