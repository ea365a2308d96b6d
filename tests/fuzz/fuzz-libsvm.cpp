// Feeds any bytes to the reader of LIBSVM files, in pieces and by portions of rows, and takes the values out as
// src/read.cpp does.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <mlsift/read/libsvm.h>

namespace {

void take(const mlsift::LibsvmReader& reader) {
  for (const bool labels : {false, true}) {
    const auto& rows = reader.sparse_rows(labels);
    const long long highest = reader.range(labels).highest;
    if (highest > 100000) continue;
    const std::size_t width = static_cast<std::size_t>(highest + 1);
    std::vector<int> p(width + 1), i(rows.size());
    std::vector<double> x(rows.has_values() ? rows.size() : 0);
    rows.compress(width, p.data(), i.data(), rows.has_values() ? x.data() : nullptr);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  // The last byte decides the pieces, and how many rows are held at once.
  const std::uint8_t choice = bytes[size - 1];
  const std::size_t piece = static_cast<std::size_t>(choice % 32) + 1;
  const char* const text = reinterpret_cast<const char*>(bytes);
  try {
    mlsift::LibsvmReader reader(true, static_cast<mlsift::LibsvmReader::Layout>(choice % 8 < 3 ? choice % 8 : 0));
    if (choice & 64) reader.pause_at(choice % 3 + 1);
    for (std::size_t at = 0; at < size; at += piece) {
      reader.feed(text + at, size - at < piece ? size - at : piece);
      while (reader.full()) {
        take(reader);
        reader.resume();
      }
    }
    reader.finish();
    take(reader);
  } catch (const mlsift::ReadError&) {
    // What is wrong with a file is told, and nothing else may happen.
  }
  return 0;
}
