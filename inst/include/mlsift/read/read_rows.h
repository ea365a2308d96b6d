#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "number.h"
#include "stored_rows.h"

// Shared by the readers of text files: errors, lines, and rows in portions.

namespace mlsift {

/// An error in a file; the reader knows the line.
struct ReadError : std::runtime_error {
  explicit ReadError(const std::string& problem, const std::string& advice = "")
      : std::runtime_error(problem), hint(advice) {}
  std::string hint;
};

namespace read_detail {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Digits at p, as a number, of which 10^12 stands for all larger ones. Returns where they end, or p itself if there
/// are none.
inline const char* whole_number(const char* p, const char* end, long long& value) {
  value = 0;
  for (; p < end && number_detail::is_digit(*p); ++p) {
    if (value < 1000000000000LL) value = value * 10 + (*p - '0');
  }
  return p;
}

/// A position in a line, and what can be read from there.
struct Cursor {
  const char* p;
  const char* end;

  bool done() const { return p == end; }
  bool at(char c) const { return p < end && *p == c; }
  bool at_blank() const { return p < end && is_blank(*p); }
  void skip_blanks() {
    while (at_blank()) ++p;
  }
  std::string_view rest() const { return {p, static_cast<std::size_t>(end - p)}; }

  /// Bare text up to a blank or one of `stops`, unchanged.
  std::string_view bare(const char* stops) {
    const char* const begin = p;
    while (p < end && !is_blank(*p) && !std::strchr(stops, *p)) ++p;
    return {begin, static_cast<std::size_t>(p - begin)};
  }
};

/// For messages: the text in quotes, truncated if it is long.
inline std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return "\"" + std::string(text) + "\"";
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not inside a UTF-8 character
  return "\"" + std::string(text.substr(0, cut)) + "...\"";
}

}  // namespace read_detail

/// Reads a text file that is pushed in pieces of any size, line by line:
///
///   reader.feed(data, size) ...;  reader.finish();
///
/// After pause_at(rows) it stops when it holds that many rows, and keeps what is fed in the meantime. resume() discards
/// the rows and continues. Any error throws a ReadError; line() says where.
class RowReader {
 public:
  RowReader() = default;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;
  virtual ~RowReader() = default;

  void feed(const char* data, std::size_t size) {
    const char* p = data;
    const char* const end = data + size;
    while (p < end) {
      const auto left = static_cast<std::size_t>(end - p);
      const char* const newline = static_cast<const char*>(std::memchr(p, '\n', left));
      if (!newline || waits()) {
        rest_.append(p, end);
        return;
      }
      if (rest_.empty()) {
        take_line(p, newline);
      } else {
        rest_.append(p, newline);
        take_line(rest_.data(), rest_.data() + rest_.size());
        rest_.clear();
      }
      p = newline + 1;
    }
  }

  /// The end of the file; not to be called while rows are full().
  void finish() {
    if (!rest_.empty() && !waits()) {
      const std::string last(std::move(rest_));
      rest_.clear();
      take_line(last.data(), last.data() + last.size());
    }
    end_file();
  }

  /// `missing`: the NaN that represents missing values; `words`: what is missing besides the format's own sign.
  void set_missing(double missing, std::vector<std::string> words = {}) {
    missing_ = missing;
    missing_words_ = std::move(words);
  }

  void pause_at(int rows) { most_rows_ = rows; }
  bool full() const { return most_rows_ > 0 && n_rows() >= most_rows_; }

  void resume() {
    forget_rows();
    feed_rest();
  }

  long long line() const { return line_; }
  int n_rows() const { return n_rows_; }  ///< rows that are stored
  /// Sparse rows of the features (0), the targets (1), or what is known of rows (2).
  const read_detail::SparseRows& sparse_rows(int side) const { return sides_[side]; }

 protected:
  /// Reads what was kept.
  void feed_rest() {
    std::string rest;
    rest.swap(rest_);
    feed(rest.data(), rest.size());
  }

  virtual void read_line(const char* begin, const char* end) = 0;
  virtual void end_file() = 0;
  virtual bool waits() const { return full(); }
  virtual void forget_rows() {
    n_rows_ = 0;
    for (read_detail::SparseRows& side : sides_) side.clear();
  }

  double missing() const { return missing_; }
  bool any_missing_words() const { return !missing_words_.empty(); }
  bool is_missing(std::string_view text) const {
    return any_missing_words() && std::find(missing_words_.begin(), missing_words_.end(), text) != missing_words_.end();
  }

  void check_room() const {
    if (n_rows_ == std::numeric_limits<int>::max()) throw ReadError("more than 2^31 - 1 rows");
  }

  int n_rows_ = 0;
  read_detail::SparseRows sides_[3];

 private:
  void take_line(const char* begin, const char* end) {
    ++line_;
    if (end > begin && end[-1] == '\r') --end;
    if (line_ == 1 && end - begin >= 3 && std::memcmp(begin, "\xEF\xBB\xBF", 3) == 0) begin += 3;
    read_line(begin, end);
  }

  long long line_ = 0;
  std::string rest_;  // an unfinished line, or input that arrived during a pause
  int most_rows_ = 0;
  double missing_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> missing_words_;
};

}  // namespace mlsift
