// Feeds any bytes to the reader of ARFF files, in pieces, and takes the values out as src/read.cpp does.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <mlsift/read/arff.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  // The last byte decides the pieces, and which attributes are targets.
  const std::uint8_t choice = bytes[size - 1];
  const std::size_t piece = static_cast<std::size_t>(choice % 32) + 1;
  const bool first_target = (choice & 64) != 0;
  const char* const text = reinterpret_cast<const char*>(bytes);
  try {
    mlsift::ArffReader reader;
    bool started = false;
    const auto start = [&] {
      if (started || !reader.header_done()) return;
      using Reader = mlsift::ArffReader;
      std::vector<Reader::Side> sides(reader.attributes().size());
      for (std::size_t a = 0; a < sides.size(); ++a) {
        sides[a] = a % 5 == 4 ? Reader::left_out : (a % 2 == 0) == first_target ? Reader::target : Reader::feature;
      }
      started = true;
      reader.start(sides);
    };
    for (std::size_t at = 0; at < size; at += piece) {
      reader.feed(text + at, size - at < piece ? size - at : piece);
      start();
    }
    reader.finish();
    start();
    if (!started) return 0;
    const std::size_t n = static_cast<std::size_t>(reader.n_rows());
    const std::size_t d = reader.attributes().size();
    if (reader.sparse()) {
      for (const bool side : {false, true}) {
        std::size_t width = 0;
        for (std::size_t a = 0; a < d; ++a) width += reader.side(a) == static_cast<int>(side);
        const auto& rows = reader.sparse_rows(side);
        std::vector<int> p(width + 1), i(rows.size());
        std::vector<double> x(rows.size());
        rows.compress(width, p.data(), i.data(), x.data());
      }
    }
    std::vector<std::vector<double>> real(d);
    std::vector<std::vector<int>> integer(d);
    std::vector<mlsift::ArffColumn> columns(d);
    for (std::size_t a = 0; a < d; ++a) {
      const mlsift::ArffType type = reader.attributes()[a].type;
      if (type == mlsift::ArffType::nominal || (type == mlsift::ArffType::integer && reader.whole(a))) {
        integer[a].resize(n);
        columns[a].integer = integer[a].data();
        columns[a].shift = type == mlsift::ArffType::nominal ? 1 : 0;
      } else {
        real[a].resize(n);
        columns[a].real = real[a].data();
      }
    }
    reader.take(columns);
  } catch (const mlsift::ReadError&) {
    // What is wrong with a file is told, and nothing else may happen.
  }
  return 0;
}
