#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "number.h"
#include "read_rows.h"

namespace mlsift {

/// The range of feature or label numbers in a file.
struct IndexRange {
  long long highest = -1;
  long long highest_line = 0;
  long long zero_line = 0;  ///< the first line with number 0, or 0 for none
};

/// Reads rows `label,label number:value number:value ... # comment`, as written by LIBSVM, SVMlight and the extreme
/// classification repository. A first line of three integers gives the sizes: rows, features, labels. Numbers are kept
/// unchanged, whether they start at 0 or at 1. An empty line is a row without labels and features if there is a line of
/// sizes; otherwise it is ignored. In a pair of files, both have a first line of two sizes, rows and columns, and rows
/// `number:value ...` of features in one and of labels in the other.
class LibsvmReader : public RowReader {
 public:
  enum Layout { whole, features_of_pair, labels_of_pair };

  /// `keep`: if false, only checks numbers and counts rows. Both files of a pair are kept as features.
  explicit LibsvmReader(bool keep = true, Layout layout = whole) : keep_(keep), layout_(layout) {}

  bool has_sizes() const { return has_sizes_; }
  long long size(int which) const { return sizes_[which]; }  ///< 0 rows, 1 features, 2 labels
  long long total_rows() const { return total_rows_; }       ///< rows read, whether stored or not
  const IndexRange& range(bool labels) const { return range_[labels]; }

 private:
  using Cursor = read_detail::Cursor;

  void read_line(const char* begin, const char* end) override {
    const void* const comment = std::memchr(begin, '#', static_cast<std::size_t>(end - begin));
    Cursor in{begin, comment ? static_cast<const char*>(comment) : end};
    in.skip_blanks();
    if (comment && in.done()) return;
    if (std::memchr(in.p, 0, in.rest().size())) {
      throw ReadError("the line holds zero bytes", "A file of this format is plain text (also gzipped).");
    }
    if (in.done()) {
      if (!has_sizes_ || total_rows_ == sizes_[0]) return;
    } else if (!begun_) {
      begun_ = true;
      if (read_sizes(in)) return;
      if (layout_ != whole) {
        throw ReadError("the first line must be two sizes: rows and " + std::string(word_of(false)) + "s",
                        "Both files of a pair begin with such a line.");
      }
    }
    if (has_sizes_ && total_rows_ == sizes_[0]) {
      throw ReadError("there are more rows than the " + std::to_string(sizes_[0]) + " of the first line");
    }
    check_room();
    if (layout_ == whole) read_labels(in);
    read_features(in);
    if (keep_) {
      for (read_detail::SparseRows& side : sides_) side.end_row();
      ++n_rows_;
    }
    ++total_rows_;
  }

  void end_file() override {
    if (has_sizes_ && total_rows_ < sizes_[0]) {
      throw ReadError(
          "there are " + std::to_string(total_rows_) + " rows, and the first line says " + std::to_string(sizes_[0]),
          "The file may have been cut off.");
    }
  }

  // Up to the next blank.
  static std::string word(Cursor in) { return read_detail::shown(in.bare("")); }

  // Moves past digits, and says whether there were any.
  static bool take_number(Cursor& in, long long& value) {
    const char* const begin = in.p;
    in.p = read_detail::whole_number(in.p, in.end, value);
    return in.p > begin;
  }

  bool read_sizes(Cursor in) {
    long long sizes[3] = {0, 0, 0};
    for (int s = 0; s < (layout_ == whole ? 3 : 2); ++s) {
      in.skip_blanks();
      if (!take_number(in, sizes[s]) || !(in.done() || in.at_blank())) return false;
    }
    in.skip_blanks();
    if (!in.done()) return false;
    std::copy(sizes, sizes + 3, sizes_);
    return has_sizes_ = true;
  }

  void read_labels(Cursor& in) {
    long long label = 0;
    Cursor ahead = in;
    if (in.done() || (take_number(ahead, label) && ahead.at(':'))) return;  // no labels
    labels_.clear();
    while (true) {
      ahead = in;
      if (!take_number(in, label) || !(in.done() || in.at(',') || in.at_blank())) throw bad_label(ahead);
      meet(true, label);
      labels_.push_back(static_cast<int>(label));
      if (!in.at(',')) break;
      ++in.p;
      in.skip_blanks();
    }
    std::sort(labels_.begin(), labels_.end());
    const auto twice = std::adjacent_find(labels_.begin(), labels_.end());
    if (twice != labels_.end()) throw ReadError("label " + std::to_string(*twice) + " stands twice in the row");
    if (keep_) {
      for (const int l : labels_) sides_[1].add(l, 1);
    }
  }

  void read_features(Cursor& in) {
    long long last = -1, index = 0;
    for (in.skip_blanks(); !in.done(); in.skip_blanks()) {
      const Cursor entry = in;
      if (!take_number(in, index) || !in.at(':')) throw bad_feature(entry);
      ++in.p;
      double value = 0;
      if (!take_value(in, value)) {
        throw ReadError(named(index) + " must have a finite number, not in " + word(entry));
      }
      if (layout_ == labels_of_pair && value != 0 && value != 1) {
        throw ReadError(named(index) + " must have the value 1, not in " + word(entry));
      }
      if (index == last) throw ReadError(named(index) + " stands twice in the row");
      if (index < last) {
        throw ReadError(named(index) + " comes after " + std::to_string(last),
                        "The numbers of " + std::string(word_of(false)) + "s must increase in a row.");
      }
      meet(false, index);
      if (keep_) sides_[0].add(static_cast<int>(index), value);
      last = index;
    }
  }

  // A finite number or a word for a missing value, up to the next blank.
  bool take_value(Cursor& in, double& value) const {
    Cursor ahead = in;
    if (any_missing_words() && is_missing(ahead.bare(""))) {
      value = missing();
      in = ahead;
      return true;
    }
    const char* const after = parse_number(in.p, in.end, value);
    if (!after || (after < in.end && !read_detail::is_blank(*after)) || !std::isfinite(value)) return false;
    in.p = after;
    return true;
  }

  void meet(bool label, long long index) {
    IndexRange& range = range_[label];
    const long long most = has_sizes_ ? sizes_[label ? 2 : 1] : std::numeric_limits<int>::max() - 1;
    if (index > most) {
      throw ReadError(std::string(word_of(label)) + " " + std::to_string(index) + " is out of range",
                      has_sizes_ ? "The first line says that there are " + std::to_string(most) + "."
                                 : "Numbers above 2^31 - 2 cannot be read.");
    }
    if (index > range.highest) {
      range.highest = index;
      range.highest_line = line();
    }
    if (index == 0 && range.zero_line == 0) range.zero_line = line();
  }

  const char* word_of(bool label) const { return label || layout_ == labels_of_pair ? "label" : "feature"; }
  std::string named(long long index) const { return std::string(word_of(false)) + " " + std::to_string(index); }

  static ReadError bad_label(const Cursor& in) {
    Cursor ahead = in;
    long long number = 0;
    if (in.done() || (take_number(ahead, number) && ahead.at(':')))
      return ReadError("a label is missing after the comma");
    return ReadError("a label must be a whole number, 0 or more, not in " + word(in),
                     "A row begins with the numbers of its labels, separated by commas.");
  }

  ReadError bad_feature(const Cursor& in) const {
    if (layout_ == whole && total_rows_ == 0) {
      Cursor ahead = in;
      long long number = 0;
      if (take_number(ahead, number) && ahead.done()) {
        return ReadError("expected number:value, not " + word(in),
                         "If these are the two sizes of a file of features, give the file of labels in `labels`.");
      }
    }
    if (in.rest().substr(0, 4) == "qid:") {
      return ReadError("the row has a query, " + word(in), "Queries of ranking problems are not supported.");
    }
    return ReadError("expected number:value, not " + word(in),
                     "Numbers of features are whole, 0 or more, and a row has one list of labels, without blanks.");
  }

  bool keep_;
  Layout layout_;
  bool begun_ = false, has_sizes_ = false;
  long long sizes_[3] = {0, 0, 0};
  long long total_rows_ = 0;
  IndexRange range_[2];
  std::vector<int> labels_;
};

}  // namespace mlsift
