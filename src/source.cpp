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

using mlsift_glue::each;
using mlsift_glue::guarded;

// The numbers of Spread, and whether they are whole, by name.
template <class Visit>
void visit_spread(Visit visit) {
  using mlsift::Spread;
  visit("rows", &Spread::rows);
  visit("missing", &Spread::missing);
  visit("negative", &Spread::negative);
  visit("zero", &Spread::zero);
  visit("positive", &Spread::positive);
  visit("low", &Spread::low);
  visit("high", &Spread::high);
  visit("whole", &Spread::whole);
}

Rcpp::List spread_to_r(const std::vector<mlsift::Spread>& spread) {
  Rcpp::List result;
  visit_spread([&](const char* name, auto part) { result[name] = each<Rcpp::NumericVector>(spread, part); });
  result["distinct"] = each<Rcpp::List>(spread, &mlsift::Spread::distinct);
  return result;
}

mlsift::Spread spread_from_r(const Rcpp::List& from, R_xlen_t f) {
  mlsift::Spread spread;
  visit_spread([&](const char* name, auto part) { spread.*part = Rcpp::NumericVector(from[name])[f]; });
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

Rcpp::List summary_to_r(mlsift::ChunkSummary& all) {
  const auto itself = [](auto& one) -> auto& { return one; };
  const auto partitions = [&](const std::vector<mlsift::Partition>& found) {
    return mlsift_glue::partitions_to_r(found, all.rows, itself);
  };
  return Rcpp::List::create(
      Rcpp::_["spread"] = spread_to_r(all.spread),
      Rcpp::_["categories"] = Rcpp::LogicalVector(all.categories.begin(), all.categories.end()),
      Rcpp::_["counts"] = mlsift_glue::counts_to_r(all.counts), Rcpp::_["features"] = partitions(all.found.features),
      Rcpp::_["targets"] = partitions(all.found.targets), Rcpp::_["as_zero"] = partitions(all.found.as_zero),
      Rcpp::_["numbers"] = mlsift_glue::row_numbers_to_r(all.found.numbers, itself));
}

mlsift::ChunkSummary summary_from_bytes(const Rcpp::RawVector& from) {
  mlsift::ChunkSummary all;
  mlsift::ByteReader reader(from.begin(), static_cast<std::size_t>(from.size()));
  reader(all);
  return all;
}

// What a worker keeps to answer questions about pairs: see PairLayout. `bytes`: what the codes of rows may take.
struct KeptLayout {
  KeptLayout(const Rcpp::List& levels, const std::vector<int>& indicator, const std::vector<int>& target,
             std::size_t most_bytes)
      : tables(mlsift_glue::levels_from_r(levels), 0), layout{tables, indicator, target}, bytes(most_bytes) {
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
    guarded([&] { mlsift::code_chunks(part.chunks, layout, left, context); });
    bytes = left;
    return parts.emplace(name, std::move(part)).first->second;
  }

  mlsift::CountTables tables;
  mlsift::PairLayout layout;
  std::size_t bytes;
  std::map<std::string, Part> parts{};
};

}  // namespace

// The counts of one pass at fixed levels, see counts_to_r(), RChunks and chunk_of(): of `n_columns` columns, of label
// sets, or of the pairs of the labels `pairs`, NULL for none.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_source_counts(const Rcpp::Function& open, const Rcpp::List& levels, int n_columns, bool sets, SEXP pairs,
                             const mlsift::Context& context) {
  const mlsift_glue::ChunkColumns columns(n_columns, pairs);
  mlsift_glue::RChunks reader(open, columns);
  const auto fixed = mlsift_glue::levels_from_r(levels);
  LabelSetList found;
  const mlsift::CountTables counts = guarded([&] {
    return sets ? mlsift::count_label_sets(reader, fixed, found, context)
                : mlsift::count_chunks(reader, fixed, columns.size(), context);
  });
  return with_sets(mlsift_glue::counts_to_r(counts), found, sets);
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
// parts are then as cpp_partitions() and cpp_row_numbers() give them. `part`: numeric(), or of a part of a source, how
// many rows are in all parts before it, and in all parts; the result is then bytes for cpp_join_summaries().
// [[Rcpp::export(rng = false)]]
SEXP cpp_source_summary(const Rcpp::Function& open, int n_columns, const std::vector<int>& most, int most_levels,
                        SEXP inspect, const std::vector<std::size_t>& part, const mlsift::Context& context) {
  mlsift_glue::RChunks chunks(open, {n_columns, R_NilValue});
  mlsift::Inspection found;
  if (!Rf_isNull(inspect)) {
    const Rcpp::List wanted(inspect);
    const mlsift::Partition empty(Rcpp::as<std::size_t>(wanted["most"]), Rcpp::as<bool>(wanted["values"]));
    found.target = mlsift_glue::from_zero(wanted["target"]);
    found.value = Rcpp::as<std::vector<double>>(wanted["value"]);
    found.features.assign(most.size(), empty);
    found.targets.assign(wanted["n_targets"], mlsift::Partition(std::numeric_limits<std::size_t>::max()));
    found.as_zero = found.targets;
    found.numbers.resize(most.size());
  }
  mlsift::ChunkSummary all = guarded([&] {
    return mlsift::summarize(chunks, static_cast<std::size_t>(n_columns), most, most_levels, std::move(found), context,
                             part.empty() ? 0 : part[0]);
  });
  if (part.empty()) return summary_to_r(all);
  for (mlsift::RowNumbers& one : all.found.numbers) one.shorten(part[1]);
  mlsift::ByteWriter writer;
  writer(all);
  return Rcpp::wrap(writer.bytes);
}

// By which the rows of a part that is read again are known, see rows_hash(): eight bytes.
// [[Rcpp::export(rng = false)]]
std::vector<unsigned char> cpp_rows_hash(const Rcpp::Function& open, int n_columns) {
  mlsift_glue::RChunks chunks(open, {n_columns, R_NilValue});
  mlsift::ByteWriter writer;
  std::uint64_t hash = guarded([&] { return mlsift::rows_hash(chunks); });
  writer(hash);
  return writer.bytes;
}

// The summary of all parts, as cpp_source_summary() gives it.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_join_summaries(const Rcpp::List& parts, const std::vector<int>& most, int most_levels) {
  mlsift::ChunkSummary all = summary_from_bytes(parts[0]);
  for (R_xlen_t i = 1; i < parts.size(); ++i) all.join(summary_from_bytes(parts[i]), most, most_levels);
  return summary_to_r(all);
}

// A layout of pairs for cpp_part_pairs(), which R keeps; see KeptLayout.
// [[Rcpp::export(rng = false)]]
SEXP cpp_pair_layout(const Rcpp::List& levels, const std::vector<int>& indicator, const std::vector<int>& target,
                     std::size_t most_bytes) {
  return Rcpp::XPtr<KeptLayout>(new KeptLayout(levels, indicator, target, most_bytes), true);
}

// [[Rcpp::export(rng = false)]]
void cpp_drop_layout(SEXP layout) { Rcpp::XPtr<KeptLayout>(layout).release(); }

// The table of a question about pairs in some parts, see PairQuestion; all numbers from 0. `parts`: by name, their
// chunks, which are coded when they are seen first.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_part_pairs(const Rcpp::List& parts, SEXP layout, int s, std::size_t begin, std::size_t end,
                                   std::size_t sides, const mlsift::Context& context) {
  KeptLayout& kept = *Rcpp::XPtr<KeptLayout>(layout);
  const mlsift::PairQuestion question(kept.layout, s, begin, end, sides);
  Rcpp::IntegerVector table(static_cast<R_xlen_t>(question.cells(kept.layout)));
  int* const cells = table.begin();
  const Rcpp::CharacterVector names(parts.names());
  for (R_xlen_t i = 0; i < parts.size(); ++i) {
    const KeptLayout::Part& part = kept.part(Rcpp::as<std::string>(names[i]), parts[i], context);
    guarded([&] {
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
