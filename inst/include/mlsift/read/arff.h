#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "arff_header.h"
#include "number.h"
#include "read_rows.h"

namespace mlsift {

/// Reads an ARFF file that is pushed in pieces of any size. After @data it waits for start(), which says which
/// attributes are features, targets, known of rows or left out. Data fed in the meantime is kept.
///
///   reader.feed(data, size) until header_done();  reader.start(sides);  reader.feed(...) ...;  reader.finish();
///
/// A file whose first row is sparse, {index value, ...}, is kept sparse, with the sides apart. Nominal
/// values become codes from 0 in declared order, but attributes with only the values 0 and 1 keep these numbers. A
/// field of a row is the value of one attribute, or a list of classes of a hierarchy, which has an attribute {0, 1} for
/// each class. Any error throws a ReadError; line() says where.
class ArffReader : public RowReader {
 public:
  /// `most_expanded`: how many values of sparse rows a file whose first row is dense may hold (512 MB).
  explicit ArffReader(std::size_t most_expanded = std::size_t{1} << 26) : most_expanded_(most_expanded) {}

  bool header_done() const { return phase_ != Phase::header; }

  enum Side : char { feature, target, of_rows, left_out };

  /// One side for each attribute.
  void start(const std::vector<Side>& sides) {
    const std::size_t d = attributes_.size();
    side_ = sides;
    place_.resize(d);
    whole_.assign(d, 1);
    int next[4] = {0, 0, 0, 0};
    for (std::size_t a = 0; a < d; ++a) {
      place_[a] = next[side_[a]]++;
      if (side_[a] != left_out && default_value(a) != 0) ones_.push_back(a);
    }
    seen_.assign(ones_.empty() ? 0 : d, 0);
    phase_ = Phase::data;
    feed_rest();
  }

  const std::string& relation() const { return relation_; }
  const std::deque<ArffAttribute>& attributes() const { return attributes_; }
  const std::vector<std::string>& notes() const { return notes_; }  ///< header comments that begin with %mlsift
  const std::vector<std::string>& listed(bool outputs) const { return listed_[outputs]; }  ///< @inputs or @outputs
  /// The field of an attribute, from 0, and the name that the file has for it.
  std::size_t field(std::size_t a) const {
    return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), a) - first_.begin()) - 1;
  }
  const std::string& field_name(std::size_t f) const {
    const std::size_t a = first_[f];
    return attributes_[a].is_class ? hierarchies_.at(a).name : attributes_[a].name;
  }
  Side side(std::size_t a) const { return side_[a]; }
  bool sparse() const { return sparse_; }
  bool whole(std::size_t a) const { return whole_[a] != 0; }  ///< an integer attribute that held only ints

  /// Fills the columns, one entry for each attribute. Rows of a dense file are freed along the way: call it once.
  void take(const std::vector<ArffColumn>& columns) {
    if (!sparse_) return dense_.take(columns);
    std::vector<ArffColumn> side[3];
    for (std::size_t a = 0; a < columns.size(); ++a) {
      if (side_[a] != left_out) side[side_[a]].push_back(columns[a]);
    }
    for (int t = 0; t < 3; ++t) sides_[t].take(side[t]);
  }

 private:
  enum class Phase { header, waiting, data };
  struct Hierarchy {
    std::string name;
    std::unordered_map<std::string, std::size_t> place;  // the attribute of each class
  };
  using Cursor = arff_detail::Cursor;

  bool waits() const override { return phase_ == Phase::waiting || full(); }

  void end_file() override {
    if (phase_ == Phase::header) throw ReadError("the file ends without @data");
  }

  // Remembers whether integer attributes held only ints.
  void forget_rows() override {
    RowReader::forget_rows();
    expanded_ = 0;
    dense_.clear();
    std::fill(seen_.begin(), seen_.end(), 0);
  }

  void read_line(const char* begin, const char* end) override {
    Cursor in{{begin, end}};
    if (phase_ == Phase::header) {
      read_header_line(in);
    } else if (!in.at_end()) {
      read_row(in);
    }
  }

  // --- header ---

  void read_header_line(Cursor& in) {
    using arff_detail::same_word;
    if (std::memchr(in.p, 0, static_cast<std::size_t>(in.end - in.p))) {
      throw ReadError("the line holds zero bytes",
                      "An ARFF file is plain text (also gzipped), in ASCII, UTF-8 or Latin-1.");
    }
    in.skip_blanks();
    if (in.rest().substr(0, 8) == "%mlsift ") notes_.emplace_back(in.rest().substr(8));
    if (in.at_end()) return;
    const std::string_view keyword = in.bare("%");
    if (same_word(keyword, "@relation")) {
      in.skip_blanks();
      relation_ = in.at_quote() ? in.quoted() : std::string(in.rest());
    } else if (same_word(keyword, "@attribute")) {
      add_attribute(arff_detail::read_attribute(in));
    } else if (same_word(keyword, "@inputs") || same_word(keyword, "@input")) {
      read_names(in, listed_[0]);
    } else if (same_word(keyword, "@outputs") || same_word(keyword, "@output")) {
      read_names(in, listed_[1]);
    } else if (same_word(keyword, "@data")) {
      if (!in.at_end()) throw ReadError("unexpected text after @data: " + arff_detail::shown(in.rest()));
      if (attributes_.empty()) throw ReadError("@data comes before any @attribute");
      phase_ = Phase::waiting;
      names_.clear();
    } else {
      const std::string_view text(keyword.data(), static_cast<std::size_t>(in.end - keyword.data()));
      throw ReadError("expected @relation, @attribute or @data, not " + arff_detail::shown(text),
                      relation_.empty() && attributes_.empty() ? "Is this an ARFF file?" : "");
    }
  }

  void add_attribute(ArffAttribute attribute) {
    first_.push_back(attributes_.size());
    add_name(attribute.name);
    if (attribute.type != ArffType::hierarchical) {
      attributes_.push_back(std::move(attribute));
      return;
    }
    Hierarchy& hierarchy = hierarchies_[attributes_.size()];
    hierarchy.name = attribute.name;
    for (const std::string& name : attribute.levels) {
      add_name(name);
      hierarchy.place.emplace(name, attributes_.size());
      ArffAttribute& one = attributes_.emplace_back();
      one.name = name;
      one.type = ArffType::binary;
      one.levels = {"0", "1"};
      one.is_class = true;
    }
  }

  void add_name(const std::string& name) {
    if (!names_.insert(name).second) throw ReadError("a second attribute has the name `" + name + "`");
  }

  // The names after @inputs or @outputs of KEEL.
  static void read_names(Cursor& in, std::vector<std::string>& names) {
    in.skip_blanks();
    while (!in.at_end()) {
      names.push_back(in.word(","));
      in.skip_blanks();
      if (in.at(',')) ++in.p;
      in.skip_blanks();
    }
  }

  // --- rows ---

  void read_row(Cursor& in) {
    const bool sparse = in.at('{');
    if (!started_) {
      started_ = true;
      sparse_ = sparse;
      if (!sparse) dense_.start(attributes_.size());
    }
    check_room();
    if (!sparse_) row_ = dense_.add_row();
    if (!sparse_ && sparse) {
      // A sparse row of two characters expands to any width, so a small file could fill the memory.
      expanded_ += attributes_.size();
      if (expanded_ > most_expanded_) {
        throw ReadError("sparse rows in a file whose first row is dense would take " +
                            std::to_string(expanded_ * sizeof(double) >> 20) + " MB and more",
                        "Write all rows as {index value, ...}, the first one too.");
      }
      for (const std::size_t a : ones_) row_[a] = 1;
    }
    if (sparse) {
      read_sparse(in);
    } else {
      read_dense(in);
    }
    if (in.at(',')) ++in.p;
    if (!in.at_end()) {
      if (in.at('{')) {
        throw ReadError("an instance weight stands after the row: " + arff_detail::shown(in.rest()),
                        "Make the weights an attribute, which `mltask(weights = )` can name.");
      }
      throw ReadError("unexpected text after the row: " + arff_detail::shown(in.rest()));
    }
    if (sparse_) end_sparse_row();
    ++n_rows_;
  }

  void read_dense(Cursor& in) {
    const std::size_t d = first_.size();
    for (std::size_t f = 0;; ++f) {
      read_value(in, first_[f], ",");
      const bool blank = in.at_blank();
      in.skip_blanks();
      if (f + 1 == d) return end_dense(in);
      const bool comma = in.at(',');
      if (comma) ++in.p;
      in.skip_blanks();
      if (in.at_end() ? !comma : !comma && !blank) throw too_few(f + 1);
      if (in.at_end()) throw empty_value(first_[f + 1]);
    }
  }

  void end_dense(Cursor& in) const {
    if (in.at_end()) return;
    Cursor after = in;
    if (after.at(',')) ++after.p;
    if (after.at_end() || after.at('{')) return;
    throw ReadError("the row has more values than the " + std::to_string(first_.size()) + " attributes; left over is " +
                    arff_detail::shown(in.rest()));
  }

  void read_sparse(Cursor& in) {
    ++in.p;
    in.skip_blanks();
    long long last = -1;
    while (!in.at('}')) {
      last = read_index(in, last);
      const std::size_t a = first_[static_cast<std::size_t>(last)];
      read_value(in, a, ",}");
      in.skip_blanks();
      if (in.at(',')) {
        ++in.p;
        in.skip_blanks();
      } else if (!in.at('}')) {
        if (in.done()) throw ReadError("the sparse row has no closing brace");
        throw ReadError("expected a comma or a closing brace after the value of " + named(a) + ", not " +
                        arff_detail::shown(in.rest()));
      }
    }
    ++in.p;
  }

  long long read_index(Cursor& in, long long last) const {
    if (in.done()) throw ReadError("the sparse row has no closing brace");
    const char* const begin = in.p;
    long long index = 0;
    in.p = read_detail::whole_number(in.p, in.end, index);
    const std::string_view text(begin, static_cast<std::size_t>(in.p - begin));
    if (in.p == begin || !in.at_blank()) {
      throw ReadError("expected the number of an attribute and its value, not " +
                      arff_detail::shown({begin, static_cast<std::size_t>(in.end - begin)}));
    }
    const long long d = static_cast<long long>(first_.size());
    if (index >= d) {
      throw ReadError("attribute number " + std::string(text) + " is out of range",
                      "Attributes are numbered from 0 to " + std::to_string(d - 1) + ".");
    }
    if (index == last) throw ReadError(named(first_[static_cast<std::size_t>(index)]) + " stands twice in the row");
    if (index < last) {
      throw ReadError("attribute number " + std::string(text) + " comes after " + std::to_string(last),
                      "The numbers in a sparse row must increase.");
    }
    in.skip_blanks();
    return index;
  }

  void read_value(Cursor& in, std::size_t a, const char* stops) {
    const ArffAttribute& attribute = attributes_[a];
    if (attribute.is_class) return read_classes(in, a, stops);
    if (side_[a] == left_out) return skip_value(in, a, stops);
    if (any_missing_words()) return read_any_value(in, a, stops);
    if (attribute.type == ArffType::real || attribute.type == ArffType::integer) {
      double value = 0;
      const char* after = parse_number(in.p, in.end, value);
      const bool whole_word = after && (after == in.end || arff_detail::is_blank(*after) || std::strchr(stops, *after));
      if (whole_word && std::isfinite(value)) {
        in.p = after;
        return store(a, value);
      }
    } else if (attribute.type == ArffType::binary && in.end - in.p >= 2 && (*in.p == '0' || *in.p == '1') &&
               (in.p[1] == stops[0] || in.p[1] == stops[1])) {
      const double value = *in.p - '0';
      if (attribute.levels.size() == 2 || value == default_value(a)) {
        ++in.p;
        return store(a, value);
      }
    }
    read_any_value(in, a, stops);
  }

  // `a/b@c`, classes of the hierarchy that begins with attribute a. A row has their ancestors too.
  void read_classes(Cursor& in, std::size_t a, const char* stops) {
    const Hierarchy& hierarchy = hierarchies_.at(a);
    const bool quoted = in.at_quote();
    const std::string text = in.word(stops);
    if (text.empty()) throw empty_value(a);
    if ((!quoted && text == "?") || is_missing(text)) {
      for (std::size_t one = a; one < a + hierarchy.place.size(); ++one) keep_class(one, missing());
      return;
    }
    classes_.clear();
    arff_detail::each_piece(text, '@', [&](std::string_view path) {
      if (hierarchy.place.count(std::string(path)) == 0) {
        throw ReadError(
            named(a) + " has the class " + arff_detail::shown(path) + ", which its declaration does not list",
            "Classes are written with all their ancestors, a/b/c, and several of them as a/b@c.");
      }
      arff_detail::each_ancestor(
          path, [&](std::string_view one) { classes_.push_back(hierarchy.place.at(std::string(one))); });
    });
    std::sort(classes_.begin(), classes_.end());
    classes_.erase(std::unique(classes_.begin(), classes_.end()), classes_.end());
    for (const std::size_t one : classes_) keep_class(one, 1);
  }

  void keep_class(std::size_t a, double value) {
    if (side_[a] != left_out) keep(a, value);
  }

  void skip_value(Cursor& in, std::size_t a, const char* stops) const {
    if (in.at_quote()) {
      in.word(stops);
    } else if (in.bare(stops).empty()) {
      throw empty_value(a);
    }
  }

  // Missing, quoted or nominal values, and all errors.
  void read_any_value(Cursor& in, std::size_t a, const char* stops) {
    const ArffAttribute& attribute = attributes_[a];
    const bool quoted = in.at_quote();
    std::string unquoted;
    std::string_view text;
    if (quoted) {
      unquoted = in.word(stops);
      text = unquoted;
    } else {
      text = in.bare(stops);
      if (text.empty()) throw empty_value(a);
      if (text == "?") return keep(a, missing());
    }
    if (is_missing(text)) return keep(a, missing());
    if (attribute.type == ArffType::real || attribute.type == ArffType::integer) {
      double value = 0;
      const char* const end = text.data() + text.size();
      if (parse_number(text.data(), end, value) != end) {
        throw ReadError(named(a) + " must be a number, not " + arff_detail::shown(text),
                        "A missing value is written ?.");
      }
      if (!std::isfinite(value)) throw ReadError(named(a) + " is too large a number: " + arff_detail::shown(text));
      return store(a, value);
    }
    if (attribute.type == ArffType::string || attribute.type == ArffType::date) return keep(a, word_number(a, text));
    const int level = attribute.level(text);
    if (level < 0) {
      std::string list;
      for (std::size_t l = 0; l < attribute.levels.size() && l < 5; ++l) list += (l ? ", " : "") + attribute.levels[l];
      throw ReadError(named(a) + " has the value " + arff_detail::shown(text) + ", which its declaration does not list",
                      "Its values are {" + list + (attribute.levels.size() > 5 ? ", ...}." : "}."));
    }
    const bool binary = attribute.type == ArffType::binary;
    store(a, binary ? (attribute.levels[static_cast<std::size_t>(level)] == "1" ? 1 : 0) : level);
  }

  // Texts become levels in order of appearance.
  int word_number(std::size_t a, std::string_view text) {
    std::vector<std::string>& levels = attributes_[a].levels;
    const auto found = words_[a].emplace(text, static_cast<int>(levels.size()));
    if (found.second) levels.emplace_back(text);
    return found.first->second;
  }

  void store(std::size_t a, double value) {
    const bool is_int = value == std::floor(value) && std::fabs(value) <= std::numeric_limits<int>::max();
    if (attributes_[a].type == ArffType::integer && !is_int) whole_[a] = 0;
    keep(a, value);
  }

  void keep(std::size_t a, double value) {
    if (sparse_) {
      sides_[side_[a]].add(place_[a], value);
      if (!seen_.empty()) seen_[a] = n_rows_ + 1;
    } else {
      row_[a] = value;
    }
  }

  // Attributes {1, 0} are 1 where a sparse row omits them.
  void end_sparse_row() {
    for (const std::size_t a : ones_) {
      if (seen_[a] != n_rows_ + 1) sides_[side_[a]].add(place_[a], 1);
    }
    for (read_detail::SparseRows& side : sides_) side.end_row();
  }

  double default_value(std::size_t a) const {
    return attributes_[a].type == ArffType::binary && attributes_[a].levels[0] == "1" ? 1 : 0;
  }

  std::string named(std::size_t a) const { return "attribute `" + field_name(field(a)) + "`"; }

  ReadError too_few(std::size_t f) const {
    return ReadError("the row has only " + std::to_string(f) + " of " + std::to_string(first_.size()) +
                     " values; the first without one is " + named(first_[f]));
  }

  ReadError empty_value(std::size_t a) const {
    return ReadError(named(a) + " has an empty value", "A missing value is written ?.");
  }

  Phase phase_ = Phase::header;
  std::string relation_;
  std::deque<ArffAttribute> attributes_;  // a deque: lookup tables point into them
  std::vector<std::size_t> first_;        // for each field, its attribute, or the first one of a hierarchy
  std::unordered_map<std::size_t, Hierarchy> hierarchies_;                       // by first attribute
  std::unordered_map<std::size_t, std::unordered_map<std::string, int>> words_;  // of attributes of text
  std::unordered_set<std::string> names_;
  std::vector<std::string> listed_[2];  // of @inputs and @outputs
  std::vector<std::string> notes_;

  std::vector<Side> side_;
  std::vector<int> place_;         // column of the attribute on its side
  std::vector<std::size_t> ones_;  // attributes whose absent values are 1
  std::vector<int> seen_;          // for them: the last row (from 1) that gave a value
  std::vector<char> whole_;
  bool started_ = false, sparse_ = false;
  std::size_t expanded_ = 0;  // values of sparse rows that are held dense
  std::size_t most_expanded_;
  std::vector<std::size_t> classes_;  // of the row
  double* row_ = nullptr;
  read_detail::DenseRows dense_;
};

}  // namespace mlsift
