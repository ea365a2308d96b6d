#ifndef MLSIFT_READ_CSV_ROWS_H
#define MLSIFT_READ_CSV_ROWS_H

#include <cstddef>
#include <string>
#include <string_view>

namespace mlsift {

/// The first rows of a text of separated values.
struct CsvRows {
  std::size_t rows = 0;   ///< how many are complete; a line of spaces is no row
  std::size_t bytes = 0;  ///< where the last of them ends
  bool plain = true;      ///< whether all readers of separated values agree about them
};

/// Finds rows of separated values. Text in double quotes may have line breaks. What readers do not agree about are
/// quotes within a value, quoted text that is empty, could be read as a number or a logical value, or has line breaks,
/// backslashes, the sign # of the errors of spreadsheets, lines of spaces, and returns without line feeds.
class CsvScan {
 public:
  /// `ended`: whether the last line may lack its end.
  CsvScan(std::string_view text, char separator, bool ended) : text_(text), separator_(separator), ended_(ended) {}

  CsvRows first(std::size_t most) const {
    CsvRows found;
    for (std::size_t at = 0; found.rows < most && at < text_.size();) {
      Row row = row_at(at);
      if (row.end == npos) break;
      if (!row.blank) {
        ++found.rows;
        found.bytes = row.end;
      }
      found.plain = found.plain && row.plain;
      at = row.end;
    }
    return found;
  }

 private:
  static constexpr std::size_t npos = std::string_view::npos;

  struct Row {
    std::size_t end = npos;  // after its line break
    bool blank = true, plain = true;
  };

  // Most characters are none of those that matter.
  struct Signs {
    Signs() {
      for (const char c : {'\n', '\r', '\\', '#', '\0', '"'}) matter[static_cast<unsigned char>(c)] = true;
    }
    bool operator[](char c) const { return matter[static_cast<unsigned char>(c)]; }
    bool matter[256] = {};
  };

  Row row_at(std::size_t at) const {
    static const Signs signs;
    Row row;
    const std::size_t begin = at;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    row.blank = at == text_.size() || ends_line(at);
    for (;; ++at) {
      while (at < text_.size() && !signs[text_[at]]) ++at;
      if (at == text_.size()) break;
      const char c = text_[at];
      if (ends_line(at)) {
        const bool two = text_.substr(at, 2) == "\r\n";
        if ((row.blank && at > begin) || (c == '\r' && !two)) row.plain = false;
        row.end = at + (two ? 2 : 1);
        return row;
      }
      if (c == '\\' || c == '#' || c == '\0') row.plain = false;
      if (c != '"') continue;
      const std::size_t close = text_.find('"', at + 1);
      if (close == npos || !plain_quotes(at, close)) row.plain = false;
      if (close == npos) break;
      at = close;
    }
    if (ended_) row.end = text_.size();
    return row;
  }

  bool ends_line(std::size_t at) const { return text_[at] == '\n' || (text_[at] == '\r' && at + 1 < text_.size()); }

  bool plain_quotes(std::size_t open, std::size_t close) const {
    const auto borders = [&](char c) { return c == separator_ || c == '\n' || c == '\r'; };
    if (open > 0 && !borders(text_[open - 1])) return false;
    if (close + 1 < text_.size() && !borders(text_[close + 1])) return false;
    const std::string_view value = text_.substr(open + 1, close - open - 1);
    return !value.empty() && !like_number(value) && value.find_first_of("\r\n\\#") == npos;
  }

  // Whether a reader might take quoted text for a number, a logical value or a missing one.
  static bool like_number(std::string_view value) {
    const char c = value.front();
    if ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == ' ' || c == '\t') return true;
    if (value.size() > 8) return false;
    std::string word(value);
    for (char& letter : word) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    for (const char* known : {"t", "f", "true", "false", "na", "nan", "inf", "infinity"}) {
      if (word == known) return true;
    }
    return false;
  }

  std::string_view text_;
  char separator_;
  bool ended_;
};

}  // namespace mlsift

#endif
