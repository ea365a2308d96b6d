#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "read_rows.h"

// The tokens of an ARFF file and its header: names, types and nominal values of the attributes.

namespace mlsift {

/// Attributes of type string or date are neither features nor targets. The rows of the file give their levels.
enum class ArffType { real, integer, binary, nominal, string, date, hierarchical };

struct ArffAttribute {
  std::string name;
  ArffType type = ArffType::real;
  std::vector<std::string> levels;                     ///< nominal values in declared order; also of a binary attribute
  bool is_class = false;                               ///< one class of a hierarchy, with 1 where a row has it
  std::unordered_map<std::string_view, int> lookup{};  ///< points into levels; filled if there are many

  /// The position of a nominal value, or -1 if it is not declared.
  int level(std::string_view value) const {
    if (!lookup.empty()) {
      const auto found = lookup.find(value);
      return found == lookup.end() ? -1 : found->second;
    }
    const auto found = std::find(levels.begin(), levels.end(), value);
    return found == levels.end() ? -1 : static_cast<int>(found - levels.begin());
  }
};

namespace arff_detail {

using read_detail::is_blank;
using read_detail::shown;

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

/// With quotes and comments.
struct Cursor : read_detail::Cursor {
  bool at_quote() const { return at('\'') || at('"'); }
  bool at_end() {  // nothing more, or a comment
    skip_blanks();
    return done() || *p == '%';
  }

  /// Text in '..' or "..", without the quotes. A backslash escapes the next character, or forms \n, \r, \t.
  std::string quoted() {
    const char* const begin = p;
    const char quote = *p++;
    std::string text;
    for (; p < end && *p != quote; ++p) {
      if (*p == '\\' && p + 1 < end) {
        ++p;
        text += *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p == 't' ? '\t' : *p;
      } else {
        text += *p;
      }
    }
    if (p == end) {
      throw ReadError("a quote is not closed: " + shown({begin, static_cast<std::size_t>(end - begin)}),
                      std::string("A quote inside a quoted name or value is written \\") + quote + ".");
    }
    ++p;
    return text;
  }

  std::string word(const char* stops) {
    if (!at_quote()) return std::string(bare(stops));
    std::string text = quoted();
    if (!done() && !is_blank(*p) && !std::strchr(stops, *p)) {
      throw ReadError("text follows right after the closing quote: " + shown(rest()));
    }
    return text;
  }
};

/// {a, 'b c', d}, with the cursor at the opening brace.
inline std::vector<std::string> read_levels(Cursor& in, const std::string& name) {
  const char* const begin = in.p++;
  std::vector<std::string> levels;
  auto broken = [&](const std::string& what) {
    const std::string list = shown({begin, static_cast<std::size_t>(in.end - begin)});
    return ReadError("the values of attribute `" + name + "` " + what + ": " + list,
                     "They are written {a, b, 'c d'}, in one line, with quotes around values that hold blanks.");
  };
  in.skip_blanks();
  while (!in.at('}')) {
    if (in.done()) throw broken("have no closing brace");
    if (!in.at_quote() && in.at(',')) throw broken("have an empty one");
    levels.push_back(in.word(",}"));
    in.skip_blanks();
    if (in.at(',')) {
      ++in.p;
      in.skip_blanks();
      if (in.at('}')) throw broken("have an empty one");
    } else if (!in.at('}')) {
      throw broken(in.done() ? "have no closing brace" : "are not separated by commas");
    }
  }
  ++in.p;
  if (levels.empty()) throw broken("are missing");
  return levels;
}

inline void index_levels(ArffAttribute& attribute) {
  std::unordered_map<std::string_view, int> seen;
  for (const std::string& level : attribute.levels) {
    if (!seen.emplace(level, static_cast<int>(seen.size())).second) {
      throw ReadError("attribute `" + attribute.name + "` declares the value " + shown(level) + " twice");
    }
  }
  const bool binary = std::all_of(attribute.levels.begin(), attribute.levels.end(),
                                  [](const std::string& level) { return level == "0" || level == "1"; });
  attribute.type = binary && !attribute.levels.empty() ? ArffType::binary : ArffType::nominal;
  if (seen.size() > 8) attribute.lookup = std::move(seen);
}

/// `a/b/c` begins with the classes a and a/b: calls f for each of them and for the class itself.
template <class F>
void each_ancestor(std::string_view path, F f) {
  for (std::size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/', end + 1)) {
    f(path.substr(0, end));
  }
  f(path);
}

/// Calls f for each piece of the text between separators.
template <class F>
void each_piece(std::string_view text, char separator, F f) {
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find(separator, begin);
    f(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
}

/// The classes of a hierarchy as Clus declares them, `a,a/b,c/d`, each after its ancestors, also undeclared ones.
inline std::vector<std::string> read_hierarchy(Cursor& in, const std::string& name) {
  in.skip_blanks();
  const std::string_view list = in.bare("%");
  if (list.empty()) throw ReadError("the classes of attribute `" + name + "` are missing");
  std::vector<std::string> classes;
  std::unordered_set<std::string> seen;
  bool pairs = true, rooted = false;
  each_piece(list, ',', [&](std::string_view path) {
    if (path.empty() || path.front() == '/' || path.back() == '/' || path.find("//") != std::string_view::npos) {
      throw ReadError("attribute `" + name + "` declares a class without a name: " + shown(path),
                      "Classes are written a,a/b,a/c without blanks.");
    }
    pairs = pairs && std::count(path.begin(), path.end(), '/') == 1;
    rooted = rooted || path.substr(0, 5) == "root/";
    each_ancestor(path, [&](std::string_view one) {
      if (seen.emplace(one).second) classes.emplace_back(one);
    });
  });
  if (pairs && rooted) {
    throw ReadError("attribute `" + name + "` declares a graph of classes, as pairs of a parent and a child",
                    "Only trees are read, whose classes are written with all their ancestors: a,a/b,a/b/c.");
  }
  return classes;
}

/// [0, 14], the range that KEEL writes after a type.
inline void skip_range(Cursor& in, const std::string& name) {
  in.skip_blanks();
  if (!in.at('[')) return;
  const std::size_t end = in.rest().find(']');
  if (end == std::string_view::npos) throw ReadError("the range of attribute `" + name + "` has no closing bracket");
  in.p += end + 1;
}

inline ArffAttribute read_attribute(Cursor& in) {
  ArffAttribute attribute;
  in.skip_blanks();
  if (in.done()) throw ReadError("@attribute without a name");
  attribute.name = in.word("{");
  if (attribute.name.empty()) throw ReadError("@attribute with an empty name");
  in.skip_blanks();
  if (in.at('{')) {
    attribute.levels = read_levels(in, attribute.name);
    index_levels(attribute);
  } else {
    const std::string_view type = in.bare("%[");
    if (same_word(type, "integer")) {
      attribute.type = ArffType::integer;
    } else if (same_word(type, "string")) {
      attribute.type = ArffType::string;
    } else if (same_word(type, "date")) {
      attribute.type = ArffType::date;
      in.skip_blanks();
      if (in.at_quote()) in.quoted();  // the format
    } else if (same_word(type, "hierarchical")) {
      attribute.type = ArffType::hierarchical;
      attribute.levels = read_hierarchy(in, attribute.name);
    } else if (!same_word(type, "numeric") && !same_word(type, "real")) {
      const bool known = same_word(type, "relational");
      const std::string what = known ? " is of type " : " has the unknown type ";
      throw ReadError("attribute `" + attribute.name + "`" + (type.empty() ? " has no type" : what + shown(type)),
                      known ? "Attributes must be numeric, real, integer or nominal: remove or recode this one first."
                            : "The type is numeric, real, integer or the list of nominal values, {a, b}.");
    }
    if (attribute.type == ArffType::real || attribute.type == ArffType::integer) skip_range(in, attribute.name);
  }
  if (!in.at_end()) {
    throw ReadError("unexpected text after the type of attribute `" + attribute.name + "`: " + shown(in.rest()));
  }
  return attribute;
}

}  // namespace arff_detail

}  // namespace mlsift
