// Feeds any bytes to the reader of CSV files, in pieces and by portions of rows, and takes the values out as
// src/read.cpp does.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include <mlsift/read/csv.h>

namespace {

using mlsift::CsvReader;

void take(CsvReader& reader, const std::vector<CsvReader::Kind>& kinds) {
  reader.first_row();
  reader.rows();
  if (!reader.sure()) return;
  std::vector<std::vector<double>> values;
  std::size_t n_texts = 0, bytes = 0;
  for (const CsvReader::Kind kind : kinds) {
    if (kind == CsvReader::left_out) continue;
    values.emplace_back(reader.n_rows());
    if (kind < CsvReader::text) continue;
    for (std::size_t i = 0; i < reader.n_rows(); ++i) bytes += reader.cell(i, n_texts).size();
    if (reader.has_numbers(n_texts)) bytes += reader.whole(n_texts);
    ++n_texts;
  }
  if (bytes > reader.rows().size() + n_texts) std::abort();
  std::vector<mlsift::ArffColumn> to(values.size());
  for (std::size_t c = 0; c < to.size(); ++c) to[c].real = values[c].data();
  reader.take(to);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // The last bytes decide the columns and the pieces.
  const unsigned columns = bytes[size - 1], choice = bytes[size - 2];
  const char* const text = reinterpret_cast<const char*>(bytes);
  const std::size_t piece = choice % 16 + 1;
  const double missing = std::numeric_limits<double>::quiet_NaN();
  CsvReader reader((choice & 64) ? ';' : ',', (choice & 128) ? ',' : '.', {"NA", "", "-1"}, missing, &std::strtod,
                   true);
  std::vector<CsvReader::Kind> kinds;
  for (unsigned rest = columns; rest > 0; rest /= 5) kinds.push_back(static_cast<CsvReader::Kind>(rest % 5));
  std::size_t at = 0;
  reader.start({}, 1, size);
  for (bool ended = false;; reader.start(kinds, choice % 3 + 1, size)) {
    while (!reader.full() && !ended) {
      const std::size_t n = size - at < piece ? size - at : piece;
      ended = n == 0;
      if (ended) {
        reader.finish();
      } else {
        reader.feed(text + at, n);
      }
      at += n;
    }
    if (reader.n_rows() == 0) return 0;
    take(reader, kinds);
  }
}
