#include "convert.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <mlsift/read/arff.h>
#include <mlsift/read/arff_write.h>
#include <mlsift/read/csv.h>
#include <mlsift/read/libsvm.h>

// Text files: from raw pieces to the parts of a task, and back.

namespace {

using mlsift_glue::each;
using Reader = mlsift::ArffReader;
using Pointer = Rcpp::XPtr<mlsift::RowReader>;
using Csv = mlsift::CsvReader;

template <class T>
T& as(SEXP reader) {
  return dynamic_cast<T&>(*Pointer(reader));
}

// Calls f(reader). NULL if there is no problem, else what is wrong and where; R turns this into an error.
template <class F>
SEXP told(SEXP reader, F f) {
  mlsift::RowReader& r = *Pointer(reader);
  const auto problem = [&](const char* what, const std::string& hint) {
    return Rcpp::List::create(Rcpp::_["line"] = static_cast<double>(r.line()), Rcpp::_["problem"] = what,
                              Rcpp::_["hint"] = hint);
  };
  try {
    f(r);
    return R_NilValue;
  } catch (const mlsift::ReadError& e) {
    return problem(e.what(), e.hint);
  } catch (const std::bad_alloc&) {
    return problem("there is not enough memory", "read_chunks() reads a file in chunks; a line must fit in memory.");
  }
}

Rcpp::String utf8(const std::string& text) { return Rcpp::String(text, CE_UTF8); }

Rcpp::CharacterVector utf8(const std::vector<std::string>& text) {
  return each<Rcpp::CharacterVector>(text, [](const std::string& one) { return utf8(one); });
}

// list(p, i, x), or without x if all values are 1 and `pattern` is set. `kept`: whether i and x are outside_vector().
Rcpp::List compressed(const mlsift::read_detail::SparseRows& rows, int width, bool pattern = false, bool kept = false) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  const std::size_t size = rows.size();
  if (size > most) Rcpp::stop("a sparse matrix of R cannot hold more than 2^31 - 1 values");
  const auto vector = [&](SEXPTYPE type, std::size_t n) {
    return kept ? mlsift_glue::outside_vector(type, n) : Rf_allocVector(type, static_cast<R_xlen_t>(n));
  };
  pattern = pattern && !rows.has_values();
  Rcpp::IntegerVector p(width + 1), i(vector(INTSXP, size));
  Rcpp::NumericVector x(vector(REALSXP, pattern ? 0 : size));
  rows.compress(static_cast<std::size_t>(width), p.begin(), i.begin(), pattern ? nullptr : x.begin());
  if (pattern) return Rcpp::List::create(Rcpp::_["p"] = p, Rcpp::_["i"] = i);
  return Rcpp::List::create(Rcpp::_["p"] = p, Rcpp::_["i"] = i, Rcpp::_["x"] = x);
}

// Where the numbers of a vector are, from one on: an ArffColumn or ArffValues.
template <class To>
To values_in(SEXP vector, std::size_t from = 0) {
  To to;
  if (TYPEOF(vector) == REALSXP) to.real = REAL(vector) + from;
  if (TYPEOF(vector) == INTSXP) to.integer = INTEGER(vector) + from;
  if (TYPEOF(vector) == LGLSXP) to.integer = LOGICAL(vector) + from;
  return to;
}

// One side as "sparse" (list p, i, x), "double" or "integer" matrix or as "list" of columns. Says in `columns` where
// the values of each attribute are still to go.
Rcpp::RObject allocate(const Reader& reader, Reader::Side side, const std::string& shape,
                       std::vector<mlsift::ArffColumn>& columns) {
  const int n = reader.n_rows();
  std::vector<std::size_t> mine;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    if (reader.side(a) == side) mine.push_back(a);
  }
  const int width = static_cast<int>(mine.size());
  if (shape == "sparse") return compressed(reader.sparse_rows(side), width);
  if (shape == "list") {
    return each<Rcpp::List>(mine, [&](std::size_t a) {
      const mlsift::ArffType type = reader.attributes()[a].type;
      const bool nominal = type >= mlsift::ArffType::nominal;
      const bool whole = nominal || (type == mlsift::ArffType::integer && reader.whole(a));
      const SEXP values = Rf_allocVector(whole ? INTSXP : REALSXP, n);
      columns[a] = values_in<mlsift::ArffColumn>(values);
      columns[a].shift = nominal ? 1 : 0;
      return values;
    });
  }
  const bool whole = std::all_of(mine.begin(), mine.end(), [&](std::size_t a) { return reader.whole(a); });
  const Rcpp::RObject values = Rf_allocMatrix(shape == "integer" && whole ? INTSXP : REALSXP, n, width);
  for (std::size_t j = 0; j < mine.size(); ++j) {
    columns[mine[j]] = values_in<mlsift::ArffColumn>(values, j * static_cast<std::size_t>(n));
  }
  return values;
}

// list(width, p, j, x): compressed rows; list(width, matrix); or list(width, columns, words): vectors, and for each the
// words of its codes or NULL.
mlsift::ArffSide side_of(const Rcpp::List& from, std::deque<std::vector<std::string>>& words) {
  mlsift::ArffSide side;
  side.width = from["width"];
  if (from.containsElementNamed("p")) {
    side.start = INTEGER(from["p"]);
    side.index = INTEGER(from["j"]);
    side.values = values_in<mlsift::ArffValues>(from["x"]);
  } else if (from.containsElementNamed("matrix")) {
    SEXP values = from["matrix"];
    const auto n = static_cast<std::size_t>(Rf_nrows(values));
    for (std::size_t c = 0; c < side.width; ++c) side.columns.push_back(values_in<mlsift::ArffValues>(values, c * n));
  } else {
    const Rcpp::List columns = from["columns"], levels = from["words"];
    for (R_xlen_t c = 0; c < columns.size(); ++c) {
      side.columns.push_back(values_in<mlsift::ArffValues>(columns[c]));
      if (Rf_isNull(levels[c])) continue;
      words.push_back(Rcpp::as<std::vector<std::string>>(levels[c]));
      side.columns.back().words = &words.back();
    }
  }
  return side;
}

// The name in the file of the attribute that each column belongs to.
std::vector<std::string> attributes_of(const Reader& reader) {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < reader.attributes().size(); ++a) names.push_back(reader.field_name(reader.field(a)));
  return names;
}

// `na`: words for missing values, or NULL.
SEXP opened(mlsift::RowReader* reader, SEXP na) {
  Pointer result(reader, true);
  std::vector<std::string> words;
  if (!Rf_isNull(na)) words = Rcpp::as<std::vector<std::string>>(na);
  reader->set_missing(NA_REAL, words);
  return result;
}

// A plain file that is read into the same bytes again and again: new ones make R collect garbage.
struct PlainFile {
  std::ifstream in;
  Rcpp::RawVector bytes;
};

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP cpp_arff_open(SEXP na = R_NilValue) { return opened(new Reader, na); }

// --- every reader ---

// `name`: in the native encoding.
// [[Rcpp::export(rng = false)]]
SEXP cpp_open_file(const std::string& name, double size) {
  Rcpp::XPtr<PlainFile> file(new PlainFile, true);
  file->in.open(name, std::ios::binary);
  if (!file->in) Rcpp::stop("cannot open file '%s'", name);
  file->bytes = Rcpp::RawVector(static_cast<R_xlen_t>(size));
  return file;
}

// Bytes that change with the next call; none at the end.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_next_bytes(SEXP file) {
  PlainFile& from = *Rcpp::XPtr<PlainFile>(file);
  from.in.read(reinterpret_cast<char*>(from.bytes.begin()), from.bytes.size());
  const R_xlen_t n = static_cast<R_xlen_t>(from.in.gcount());
  return n == from.bytes.size() ? from.bytes : Rcpp::RawVector(from.bytes.begin(), from.bytes.begin() + n);
}

// [[Rcpp::export(rng = false)]]
void cpp_close_file(SEXP file) { Rcpp::XPtr<PlainFile>(file).release(); }

// `piece`: NULL at the end.
// [[Rcpp::export(rng = false)]]
SEXP cpp_read_feed(SEXP reader, SEXP piece) {
  return told(reader, [&](mlsift::RowReader& r) {
    if (Rf_isNull(piece)) return r.finish();
    r.feed(reinterpret_cast<const char*>(RAW(piece)), static_cast<std::size_t>(Rf_xlength(piece)));
  });
}

// From now on the reader holds at most this many rows.
// [[Rcpp::export(rng = false)]]
void cpp_read_pause(SEXP reader, int rows) { Pointer(reader)->pause_at(rows); }

// [[Rcpp::export(rng = false)]]
bool cpp_read_full(SEXP reader) { return Pointer(reader)->full(); }

// Drops the rows that it holds.
// [[Rcpp::export(rng = false)]]
SEXP cpp_read_resume(SEXP reader) {
  return told(reader, [](mlsift::RowReader& r) { r.resume(); });
}

// --- LIBSVM ---

// [[Rcpp::export(rng = false)]]
SEXP cpp_libsvm_open(bool keep, SEXP na = R_NilValue, int layout = 0) {
  return opened(new mlsift::LibsvmReader(keep, static_cast<mlsift::LibsvmReader::Layout>(layout)), na);
}

// What is known so far. list(held, rows, sizes, features, labels): rows that are held and all rows; the sizes of the
// first line or NULL; (highest number, its line, line of the first 0 or 0).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_libsvm_summary(SEXP reader) {
  const auto& r = as<mlsift::LibsvmReader>(reader);
  const auto doubles = [](auto... one) { return Rcpp::NumericVector::create(static_cast<double>(one)...); };
  const auto range = [&](bool labels) {
    const mlsift::IndexRange& one = r.range(labels);
    return doubles(one.highest, one.highest_line, one.zero_line);
  };
  Rcpp::RObject sizes = R_NilValue;
  if (r.has_sizes()) sizes = doubles(r.size(0), r.size(1), r.size(2));
  return Rcpp::List::create(Rcpp::_["held"] = r.n_rows(), Rcpp::_["rows"] = static_cast<double>(r.total_rows()),
                            Rcpp::_["sizes"] = sizes, Rcpp::_["features"] = range(false),
                            Rcpp::_["labels"] = range(true));
}

// The rows that are held, of features or of labels, as compressed() gives them, with a column for each number from 0 to
// the highest seen so far.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_libsvm_take(SEXP reader, bool labels, bool pattern, bool kept) {
  const auto& r = as<mlsift::LibsvmReader>(reader);
  return compressed(r.sparse_rows(labels), static_cast<int>(r.range(labels).highest + 1), pattern, kept);
}

// --- ARFF ---

// The header, or NULL until it is complete.
// [[Rcpp::export(rng = false)]]
SEXP cpp_arff_header(SEXP reader) {
  Reader* const r = &as<Reader>(reader);
  if (!r->header_done()) return R_NilValue;
  static const char* const types[] = {"real", "integer", "binary", "nominal", "string", "date"};
  using Attribute = mlsift::ArffAttribute;
  const auto strings_of = [&](auto get) { return each<Rcpp::CharacterVector>(r->attributes(), get); };
  return Rcpp::List::create(
      Rcpp::_["relation"] = utf8(r->relation()),
      Rcpp::_["name"] = strings_of([](const Attribute& a) { return utf8(a.name); }),
      Rcpp::_["type"] = strings_of([](const Attribute& a) { return types[static_cast<int>(a.type)]; }),
      Rcpp::_["levels"] = each<Rcpp::List>(r->attributes(),
                                           [](const Attribute& a) -> Rcpp::RObject {
                                             if (a.type < mlsift::ArffType::binary) return R_NilValue;
                                             return utf8(a.levels);
                                           }),
      Rcpp::_["notes"] = utf8(r->notes()), Rcpp::_["attribute"] = utf8(attributes_of(*r)),
      Rcpp::_["inputs"] = utf8(r->listed(false)), Rcpp::_["outputs"] = utf8(r->listed(true)));
}

// `sides`: 0 for features, 1 for targets, 2 for what is known of rows, 3 for attributes that are left out.
// [[Rcpp::export(rng = false)]]
SEXP cpp_arff_start(SEXP reader, const Rcpp::IntegerVector& sides) {
  std::vector<Reader::Side> given;
  for (const int side : sides) given.push_back(static_cast<Reader::Side>(side));
  return told(reader, [&](mlsift::RowReader&) { as<Reader>(reader).start(given); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_arff_size(SEXP reader) {
  const Reader& r = as<Reader>(reader);
  return Rcpp::List::create(Rcpp::_["n"] = r.n_rows(), Rcpp::_["sparse"] = r.sparse());
}

// The values, once: features and targets as in allocate(), and what is known of rows as a "list", which has doubles,
// ints and codes of nominal values and texts from 1; `words`: the texts.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_arff_take(SEXP reader, const std::string& features, const std::string& targets) {
  Reader* const r = &as<Reader>(reader);
  std::vector<mlsift::ArffColumn> columns(r->attributes().size());
  const Rcpp::RObject x = allocate(*r, Reader::feature, features, columns);
  const Rcpp::RObject y = allocate(*r, Reader::target, targets, columns);
  const Rcpp::RObject rows = allocate(*r, Reader::of_rows, "list", columns);
  r->take(columns);
  Rcpp::List words;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    if (r->side(a) == Reader::of_rows) words.push_back(utf8(r->attributes()[a].levels));
  }
  return Rcpp::List::create(Rcpp::_["x"] = x, Rcpp::_["y"] = y, Rcpp::_["rows"] = rows, Rcpp::_["words"] = words);
}

// Text of the rows from + 1 .. to.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_arff_rows(const Rcpp::List& x, const Rcpp::List& y, bool sparse, std::size_t from, std::size_t to) {
  std::deque<std::vector<std::string>> words;
  const mlsift::ArffSide features = side_of(x, words), targets = side_of(y, words);
  std::string text;
  for (std::size_t row = from; row < to; ++row) mlsift::append_row(text, features, targets, row, sparse);
  return Rcpp::RawVector(text.begin(), text.end());
}

// --- separated values, see CsvReader ---

// `words`: for missing values; `wide`: whether R reads numbers in long double.
// [[Rcpp::export(rng = false)]]
SEXP cpp_csv_open(const std::string& separator, const std::string& decimal, const std::vector<std::string>& words,
                  bool wide) {
  const auto slow = [](const char* begin, char** end) { return R_strtod(begin, end); };
  return Rcpp::XPtr<Csv>(new Csv(separator[0], decimal[0], words, NA_REAL, slow, wide), true);
}

// `kinds`: as Csv::Kind, or none.
// [[Rcpp::export(rng = false)]]
void cpp_csv_start(SEXP reader, const std::vector<int>& kinds, std::size_t rows, std::size_t bytes) {
  std::vector<Csv::Kind> all;
  for (const int kind : kinds) all.push_back(static_cast<Csv::Kind>(kind));
  Rcpp::XPtr<Csv>(reader)->start(std::move(all), rows, bytes);
}

// `piece`: NULL at the end.
// [[Rcpp::export(rng = false)]]
void cpp_csv_feed(SEXP reader, SEXP piece) {
  Rcpp::XPtr<Csv> r(reader);
  if (Rf_isNull(piece)) return r->finish();
  r->feed(reinterpret_cast<const char*>(RAW(piece)), static_cast<std::size_t>(Rf_xlength(piece)));
}

// list(full, rows, rest).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_csv_held(SEXP reader) {
  Rcpp::XPtr<Csv> r(reader);
  return Rcpp::List::create(Rcpp::_["full"] = r->full(), Rcpp::_["rows"] = static_cast<double>(r->n_rows()),
                            Rcpp::_["rest"] = static_cast<double>(r->rest()));
}

// The text of the rows that are held, or of the first.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_csv_text(SEXP reader, bool first) {
  Rcpp::XPtr<Csv> r(reader);
  const std::string_view text = first ? r->first_row() : r->rows();
  return Rcpp::RawVector(text.begin(), text.end());
}

// The columns of `kinds` that are not left out, once; NULL if the reader is not sure of them.
// [[Rcpp::export(rng = false)]]
SEXP cpp_csv_take(SEXP reader, const std::vector<int>& kinds) {
  Rcpp::XPtr<Csv> r(reader);
  if (!r->sure()) return R_NilValue;
  const R_xlen_t n = static_cast<R_xlen_t>(r->n_rows());
  std::vector<mlsift::ArffColumn> to;
  std::size_t n_texts = 0;
  Rcpp::List held(static_cast<R_xlen_t>(std::count_if(kinds.begin(), kinds.end(), [](int kind) { return kind > 0; })));
  for (const int kind : kinds) {
    if (kind == Csv::left_out) continue;
    const std::size_t column = n_texts;
    n_texts += kind >= Csv::text;
    const bool numbers = kind == Csv::number || (kind == Csv::open && r->has_numbers(column));
    const bool whole = kind == Csv::open && numbers && r->whole(column);
    const SEXP values = Rf_allocVector(kind == Csv::logical ? LGLSXP : whole ? INTSXP : numbers ? REALSXP : STRSXP, n);
    held[static_cast<R_xlen_t>(to.size())] = values;
    to.push_back(values_in<mlsift::ArffColumn>(values));
    for (R_xlen_t i = 0; TYPEOF(values) == STRSXP && i < n; ++i) {
      const std::string_view text = r->cell(static_cast<std::size_t>(i), column);
      SET_STRING_ELT(values, i,
                     text.data() ? Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_NATIVE) : NA_STRING);
    }
  }
  r->take(to);
  return held;
}
