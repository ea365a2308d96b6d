#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "number.h"
#include "stored_rows.h"

namespace mlsift {

/// Reads rows of separated values that are pushed in pieces of any size:
///
///   reader.feed(data, size) ...;  reader.finish();
///
/// From start() on it holds rows until it is full(), and keeps what is fed in the meantime. Text in double quotes may
/// have line breaks. The values are those of utils::read.table(). Where readers of separated values could disagree, it
/// only tells rows apart, and is not sure() of the values.
class CsvReader {
 public:
  enum Kind { left_out, number, logical, text, open };  ///< `open`: numbers, if all are, or text

  /// Decimal text to double, with a decimal point, and where it ends.
  using SlowNumber = double (*)(const char* begin, char** end);

  /// `words`: what is missing, which becomes the NaN `missing`. `wide`: whether `slow` calculates in long double.
  CsvReader(char separator, char decimal, std::vector<std::string> words, double missing, SlowNumber slow, bool wide)
      : separator_(separator),
        decimal_(decimal),
        words_(std::move(words)),
        missing_(missing),
        slow_(slow),
        wide_(wide) {
    for (const char c : {'\n', '\r', '\\', '#', '\0', '"'}) sign_[index(c)] = true;
    stop_ = sign_;
    stop_[index(separator)] = true;
    for (const std::string& word : words_) {
      number_words_ = number_words_ || word.find_first_of("0123456789+-.,") == 0;
    }
    const bool letter = (separator >= 'a' && separator <= 'z') || (separator >= 'A' && separator <= 'Z');
    odd_ = letter || number_detail::is_digit(separator) || separator == decimal || std::strchr("+-. ", separator) ||
           sign_[index(separator)];
  }

  /// Forgets the rows that it holds. `kinds`: of the columns of those that follow; without any, they are only told
  /// apart. `rows`, `bytes`: how many rows it may hold, and of how much text together.
  void start(std::vector<Kind> kinds, std::size_t rows, std::size_t bytes) {
    text_.erase(0, at_);
    at_ = first_begin_ = first_end_ = n_rows_ = 0;
    kinds_ = std::move(kinds);
    most_rows_ = rows;
    most_bytes_ = std::min<std::size_t>(bytes, most_text);
    const auto count = [&](auto of) {
      return static_cast<std::size_t>(std::count_if(kinds_.begin(), kinds_.end(), of));
    };
    row_.assign(count([](Kind kind) { return kind != left_out; }), 0);
    texts_.assign(count([](Kind kind) { return kind >= text; }), {});
    as_number_.assign(texts_.size(), {});
    cells_.clear();
    values_.clear();
    values_.start(row_.size());
    sure_ = !row_.empty() && !odd_;
    read();
  }

  void feed(const char* data, std::size_t size) {
    text_.append(data, size);
    read();
  }

  void finish() {
    ended_ = true;
    read();
  }

  bool full() const { return n_rows_ >= most_rows_ || (n_rows_ > 0 && at_ >= most_bytes_); }
  std::size_t n_rows() const { return n_rows_; }
  std::size_t rest() const { return text_.size() - at_; }  ///< bytes after the rows that it holds
  bool sure() const { return sure_; }

  std::string_view rows() const { return std::string_view(text_).substr(0, at_); }
  std::string_view first_row() const { return std::string_view(text_).substr(first_begin_, first_end_ - first_begin_); }

  // --- if it is sure(): the columns that are not left out ---

  /// Whether an open column, by its number among those of text and open ones, has numbers, and all of them whole.
  bool has_numbers(std::size_t column) const { return as_number_[column].any && as_number_[column].all; }
  bool whole(std::size_t column) const { return as_number_[column].whole; }

  /// The text of a cell, without data if it is missing.
  std::string_view cell(std::size_t row, std::size_t column) const {
    const Cell& cell = cells_[row * texts_.size() + column];
    return cell.size == Cell::missing ? std::string_view() : std::string_view(text_.data() + cell.begin, cell.size);
  }

  /// Copies the values of all columns, and frees them; nothing goes to columns of text.
  void take(const std::vector<ArffColumn>& columns) { values_.take(columns); }

 private:
  static constexpr std::size_t npos = std::string_view::npos;
  static constexpr std::size_t most_text = std::size_t{1} << 31;  // cells have positions of 32 bits

  struct Row {
    std::size_t end = npos;  // after its line break
    bool blank = true, plain = true;
  };

  struct Cell {
    static constexpr std::uint32_t missing = ~std::uint32_t{0};
    std::uint32_t begin = 0, size = missing;
  };

  struct Found {
    bool any = false, all = true, whole = true;
  };

  struct Signs {
    bool operator[](std::size_t i) const { return on[i]; }
    bool& operator[](std::size_t i) { return on[i]; }
    bool on[256] = {};
  };

  static std::size_t index(char c) { return static_cast<unsigned char>(c); }

  void read() {
    while (!full() && at_ < text_.size()) {
      std::size_t end = sure_ ? parse_row() : npos;
      if (end == npos) {
        const Row row = row_at(at_);
        if (row.end == npos) return;
        if (row.blank) {
          sure_ = sure_ && row.plain;
          at_ = row.end;
          continue;
        }
        sure_ = false;
        end = row.end;
      }
      if (n_rows_++ == 0) {
        first_begin_ = at_;
        first_end_ = end;
      }
      at_ = end;
    }
  }

  // --- values ---

  // Where the row at at_ ends, whose values it stores; npos if it is not sure of them.
  std::size_t parse_row() {
    const char* p = text_.data() + at_;
    std::size_t slot = 0, of_text = 0;
    for (std::size_t c = 0; c < kinds_.size(); ++c) {
      if (c > 0 && *p++ != separator_) return npos;
      const Kind kind = kinds_[c];
      if (kind == number && !number_words_ && simple_number(p, row_[slot])) {
        if (*p == separator_ || line_end(p) >= 0) {
          ++slot;
          continue;
        }
        return npos;
      }
      bool quoted = false;
      std::string_view value;
      if (!field(p, value, quoted)) return npos;
      if (kind == left_out) continue;
      const bool is_missing = std::find(words_.begin(), words_.end(), value) != words_.end();
      if (is_missing && quoted) return npos;
      double& to = row_[slot++];
      to = missing_;
      if (kind >= text) {
        Cell& cell = texts_[of_text];
        cell.begin = static_cast<std::uint32_t>(value.data() - text_.data());
        cell.size = is_missing ? Cell::missing : static_cast<std::uint32_t>(value.size());
      }
      if (kind == open && !is_missing) {
        Found& found = as_number_[of_text];
        found.any = true;
        found.all = found.all && !quoted && any_number(value, to);
        found.whole = found.whole && value.find_first_of(".,eE") == npos && to >= -most_whole && to <= most_whole;
      }
      of_text += kind >= text;
      if (is_missing) continue;
      if ((kind == number || kind == logical) && quoted) return npos;
      if (kind == number && !any_number(value, to)) return npos;
      if (kind == logical && !truth(value, to)) return npos;
    }
    const int line_break = line_end(p);
    if (line_break < 0) return npos;
    std::copy(row_.begin(), row_.end(), values_.add_row());
    cells_.insert(cells_.end(), texts_.begin(), texts_.end());
    return static_cast<std::size_t>(p - text_.data()) + static_cast<std::size_t>(line_break);
  }

  // How many bytes end a line at p, where the text may end; -1 for none.
  int line_end(const char* p) const {
    if (*p == '\n') return 1;
    const bool last = p + 1 >= text_.data() + text_.size() && ended_;
    if (*p == '\r') return p[1] == '\n' ? 2 : last ? 1 : -1;
    return ended_ && p == text_.data() + text_.size() ? 0 : -1;
  }

  // A field without blanks around it, and the quotes around it; false if readers might disagree.
  bool field(const char*& p, std::string_view& value, bool& quoted) const {
    while ((*p == ' ' || *p == '\t') && *p != separator_) ++p;
    const char* const begin = p;
    if (*p == '"') {
      const std::size_t start = static_cast<std::size_t>(p - text_.data()), close = text_.find('"', start + 1);
      if (close == npos || !plain_quotes(start, close)) return false;
      quoted = true;
      value = std::string_view(text_).substr(start + 1, close - start - 1);
      p = text_.data() + close + 1;
      return value.back() != ' ' && value.back() != '\t' && (*p == separator_ || line_end(p) >= 0);
    }
    while (!stop_[index(*p)]) ++p;
    if (*p != separator_ && line_end(p) < 0) return false;
    const char* end = p;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) --end;
    value = {begin, static_cast<std::size_t>(end - begin)};
    return true;
  }

  // A number with digits and a decimal sign alone. Both are exact, and so is what utils::read.table() divides.
  bool simple_number(const char*& p, double& value) const {
    const char* at = p;
    const bool negative = *at == '-';
    if (negative || *at == '+') ++at;
    const char* const begin = at;
    std::uint64_t digits = 0;
    for (; number_detail::is_digit(*at); ++at) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
    std::ptrdiff_t n = at - begin, decimals = 0;
    if (*at == decimal_) {
      const char* const point = at++;
      for (; number_detail::is_digit(*at); ++at) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
      decimals = at - point - 1;
      n += decimals;
    }
    if (n == 0 || n > 18 || digits > (std::uint64_t{1} << 53) || !stop_[index(*at)]) return false;
    const double power = number_detail::powers_of_ten[decimals];
    double size = static_cast<double>(digits);
    if (decimals > most_short) {
      if (!wide_) return false;
      size = static_cast<double>(static_cast<long double>(digits) / static_cast<long double>(power));
    } else if (decimals > 0) {
      size /= power;
    }
    value = negative ? -size : size;
    p = at;
    return true;
  }

  // A number as simple_number(), or with any digits and exponent.
  bool any_number(std::string_view text, double& value) {
    const char* p = text.data();
    if (text.empty()) return false;
    if (simple_number(p, value)) return p == text.data() + text.size();
    if (text.find_first_not_of("0123456789+-.,eE") != npos) return false;
    buffer_ = text;
    for (char& c : buffer_) {
      if (c == '.' || c == ',') {
        if (c != decimal_) return false;
        c = '.';
      }
    }
    char* end = nullptr;
    value = slow_(buffer_.c_str(), &end);
    return end == buffer_.c_str() + buffer_.size();
  }

  static bool truth(std::string_view text, double& value) {
    const bool on = text == "T" || text == "TRUE";
    value = on;
    return on || text == "F" || text == "FALSE";
  }

  // --- rows ---

  Row row_at(std::size_t at) const {
    Row row;
    const std::size_t begin = at;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    row.blank = at == text_.size() || ends_line(at);
    for (;; ++at) {
      while (at < text_.size() && !sign_[index(text_[at])]) ++at;
      if (at == text_.size()) break;
      const char c = text_[at];
      if (ends_line(at)) {
        const bool two = c == '\r' && text_[at + 1] == '\n';
        if ((row.blank && at > begin) || (c == '\r' && !two)) row.plain = false;
        row.end = at + (two ? 2 : 1);
        return row;
      }
      if (c != '"') continue;
      at = text_.find('"', at + 1);
      if (at == npos) break;
    }
    if (ended_) row.end = text_.size();
    return row;
  }

  bool ends_line(std::size_t at) const { return text_[at] == '\n' || (text_[at] == '\r' && at + 1 < text_.size()); }

  // What readers do not agree about are quotes within a value, and quoted text that is empty, could be read as a number
  // or a logical value, or has line breaks, backslashes, or the sign # of the errors of spreadsheets.
  bool plain_quotes(std::size_t open, std::size_t close) const {
    const auto borders = [&](char c) { return c == separator_ || c == '\n' || c == '\r'; };
    if (open > 0 && !borders(text_[open - 1])) return false;
    if (close + 1 < text_.size() && !borders(text_[close + 1])) return false;
    const std::string_view value = std::string_view(text_).substr(open + 1, close - open - 1);
    return !value.empty() && !like_number(value) && value.find_first_of("\r\n\\#") == npos;
  }

  // Whether a reader might take quoted text for a number, a logical value or a missing one.
  static bool like_number(std::string_view value) {
    if (value.empty()) return false;
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

  // The quotient of a whole number and 10^k is no closer than 1 / 5^k to the middle between two doubles, in units of
  // 1 / 2 of their distance. A quotient of 64 bits or more is off by at most 1 / 2^11, so up to here it rounds alike.
  static constexpr std::ptrdiff_t most_short = 4;
  static constexpr double most_whole = std::numeric_limits<int>::max();

  char separator_, decimal_;
  std::vector<std::string> words_;
  double missing_;
  SlowNumber slow_;
  bool wide_;
  bool number_words_ = false;  // whether a missing word may look like a number
  bool odd_ = false;           // whether the separator may be part of a value
  Signs sign_, stop_;          // characters that matter; those that end a field as well

  std::string text_;    // the rows that it holds, and the rest
  std::size_t at_ = 0;  // where the rest begins
  std::size_t first_begin_ = 0, first_end_ = 0;
  std::size_t n_rows_ = 0, most_rows_ = 0, most_bytes_ = 0;
  bool ended_ = false, sure_ = false;

  std::vector<Kind> kinds_;
  std::vector<double> row_;  // the row that is read: values
  std::vector<Cell> texts_;  // and texts
  std::vector<Found> as_number_;
  read_detail::DenseRows values_;
  std::vector<Cell> cells_;
  std::string buffer_;
};

}  // namespace mlsift
