#ifndef MLSIFT_READ_LIBSVM_H
#define MLSIFT_READ_LIBSVM_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
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
/// sizes; otherwise it is ignored.
class LibsvmReader : public RowReader {
 public:
  /// `keep`: if false, only checks numbers and counts rows.
  explicit LibsvmReader(bool keep = true) : keep_(keep) {}

  bool has_sizes() const { return has_sizes_; }
  long long size(int which) const { return sizes_[which]; }  ///< 0 rows, 1 features, 2 labels
  long long total_rows() const { return total_rows_; }       ///< rows read, whether stored or not
  const IndexRange& range(bool labels) const { return range_[labels]; }

 private:
  void read_line(const char* p, const char* end) override {
    if (const void* comment = std::memchr(p, '#', static_cast<std::size_t>(end - p))) {
      end = static_cast<const char*>(comment);
      if (blank(p, end)) return;
    }
    if (std::memchr(p, 0, static_cast<std::size_t>(end - p))) {
      throw ReadError("the line holds zero bytes", "A file of this format is plain text (also gzipped).");
    }
    if (blank(p, end)) {
      if (!has_sizes_ || total_rows_ == sizes_[0]) return;
    } else if (!begun_) {
      begun_ = true;
      if (read_sizes(p, end)) return;
    }
    if (has_sizes_ && total_rows_ == sizes_[0]) {
      throw ReadError("there are more rows than the " + std::to_string(sizes_[0]) + " of the first line");
    }
    check_room();
    read_features(read_labels(skip(p, end), end), end);
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

  static const char* skip(const char* p, const char* end) {
    while (p < end && read_detail::is_blank(*p)) ++p;
    return p;
  }

  static bool blank(const char* p, const char* end) { return skip(p, end) == end; }

  // Up to the next blank.
  static std::string word(const char* p, const char* end) {
    const char* q = p;
    while (q < end && !read_detail::is_blank(*q)) ++q;
    return read_detail::shown({p, static_cast<std::size_t>(q - p)});
  }

  bool read_sizes(const char* p, const char* end) {
    long long sizes[3];
    for (long long& size : sizes) {
      const char* const begin = skip(p, end);
      p = read_detail::whole_number(begin, end, size);
      if (p == begin || (p < end && !read_detail::is_blank(*p))) return false;
    }
    if (!blank(p, end)) return false;
    std::copy(sizes, sizes + 3, sizes_);
    return has_sizes_ = true;
  }

  const char* read_labels(const char* p, const char* end) {
    long long label = 0;
    const char* after = read_detail::whole_number(p, end, label);
    if (p == end || (after > p && after < end && *after == ':')) return p;  // no labels
    labels_.clear();
    while (true) {
      after = read_detail::whole_number(p, end, label);
      if (after == p || (after < end && *after != ',' && !read_detail::is_blank(*after))) throw bad_label(p, end);
      meet(true, label);
      labels_.push_back(static_cast<int>(label));
      p = after;
      if (p == end || *p != ',') break;
      ++p;
    }
    std::sort(labels_.begin(), labels_.end());
    const auto twice = std::adjacent_find(labels_.begin(), labels_.end());
    if (twice != labels_.end()) throw ReadError("label " + std::to_string(*twice) + " stands twice in the row");
    if (keep_) {
      for (const int l : labels_) sides_[1].add(l, 1);
    }
    return p;
  }

  void read_features(const char* p, const char* end) {
    long long last = -1, index = 0;
    while ((p = skip(p, end)) < end) {
      const char* const begin = p;
      p = read_detail::whole_number(p, end, index);
      if (p == begin || p == end || *p != ':') throw bad_feature(begin, end);
      double value = 0;
      p = parse_number(p + 1, end, value);
      if (!p || (p < end && !read_detail::is_blank(*p)) || !std::isfinite(value)) {
        throw ReadError("feature " + std::to_string(index) + " must have a finite number, not in " + word(begin, end));
      }
      if (index == last) throw ReadError("feature " + std::to_string(index) + " stands twice in the row");
      if (index < last) {
        throw ReadError("feature " + std::to_string(index) + " comes after " + std::to_string(last),
                        "The numbers of features must increase in a row.");
      }
      meet(false, index);
      if (keep_) sides_[0].add(static_cast<int>(index), value);
      last = index;
    }
  }

  void meet(bool label, long long index) {
    IndexRange& range = range_[label];
    const long long most = has_sizes_ ? sizes_[label ? 2 : 1] : std::numeric_limits<int>::max() - 1;
    if (index > most) {
      throw ReadError((label ? "label " : "feature ") + std::to_string(index) + " is out of range",
                      has_sizes_ ? "The first line says that there are " + std::to_string(most) + "."
                                 : "Numbers above 2^31 - 2 cannot be read.");
    }
    if (index > range.highest) {
      range.highest = index;
      range.highest_line = line();
    }
    if (index == 0 && range.zero_line == 0) range.zero_line = line();
  }

  static ReadError bad_label(const char* p, const char* end) {
    if (p == end || read_detail::is_blank(*p)) return ReadError("a label is missing after the comma");
    return ReadError("a label must be a whole number, 0 or more, not in " + word(p, end),
                     "A row begins with the numbers of its labels, separated by commas.");
  }

  static ReadError bad_feature(const char* p, const char* end) {
    if (end - p >= 4 && std::memcmp(p, "qid:", 4) == 0) {
      return ReadError("the row has a query, " + word(p, end), "Queries of ranking problems are not supported.");
    }
    return ReadError("expected number:value, not " + word(p, end),
                     "Numbers of features are whole, 0 or more, and a row has one list of labels, without blanks.");
  }

  bool keep_, begun_ = false, has_sizes_ = false;
  long long sizes_[3] = {0, 0, 0};
  long long total_rows_ = 0;
  IndexRange range_[2];
  std::vector<int> labels_;
};

}  // namespace mlsift

#endif
