#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "number.h"

namespace mlsift {

/// One column to write: doubles (NaN is missing) or ints (the smallest is missing). Ints may be codes from 1 of
/// `words`, which are written to the file unchanged.
struct ArffValues {
  const double* real = nullptr;
  const int* integer = nullptr;
  const std::vector<std::string>* words = nullptr;

  /// The value that a sparse row omits: 0, or the first nominal value.
  bool absent(std::size_t row) const { return real ? real[row] == 0 : integer[row] == (words ? 1 : 0); }

  void append(std::string& out, std::size_t row) const {
    if (real ? real[row] != real[row] : integer[row] == std::numeric_limits<int>::min()) {
      out += '?';
    } else if (real) {
      append_number(out, real[row]);
    } else if (words) {
      out += (*words)[static_cast<std::size_t>(integer[row] - 1)];
    } else {
      out += std::to_string(integer[row]);
    }
  }
};

/// Features or targets as columns, or as compressed rows (row starts, columns in ascending order, values).
struct ArffSide {
  std::size_t width = 0;
  std::vector<ArffValues> columns;
  const int* start = nullptr;
  const int* index = nullptr;
  ArffValues values;

  /// Calls f(column, source, place) for every value that a sparse row must give.
  template <class F>
  void each_present(std::size_t row, F f) const {
    if (start) {
      for (auto at = static_cast<std::size_t>(start[row]); at < static_cast<std::size_t>(start[row + 1]); ++at) {
        if (!values.absent(at)) f(static_cast<std::size_t>(index[at]), values, at);
      }
    } else {
      for (std::size_t c = 0; c < width; ++c) {
        if (!columns[c].absent(row)) f(c, columns[c], row);
      }
    }
  }

  void append_dense(std::string& out, std::size_t row) const {
    std::size_t next = 0;
    auto zeros = [&](std::size_t until) {
      for (; next < until; ++next) out += "0,";
    };
    if (start) {
      each_present(row, [&](std::size_t column, const ArffValues& from, std::size_t at) {
        zeros(column);
        from.append(out, at);
        out += ',';
        ++next;
      });
      return zeros(width);
    }
    for (const ArffValues& column : columns) {
      column.append(out, row);
      out += ',';
    }
  }
};

/// Appends one row, features then targets, and a newline.
inline void append_row(std::string& out, const ArffSide& x, const ArffSide& y, std::size_t row, bool sparse) {
  if (!sparse) {
    x.append_dense(out, row);
    y.append_dense(out, row);
    out.back() = '\n';
    return;
  }
  out += '{';
  const std::size_t begin = out.size();
  std::size_t offset = 0;
  for (const ArffSide* side : {&x, &y}) {
    side->each_present(row, [&](std::size_t column, const ArffValues& from, std::size_t at) {
      if (out.size() > begin) out += ',';
      out += std::to_string(offset + column);
      out += ' ';
      from.append(out, at);
    });
    offset += side->width;
  }
  out += "}\n";
}

}  // namespace mlsift
