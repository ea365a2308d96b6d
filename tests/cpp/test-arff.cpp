// The reader of ARFF files where R has no part in it.
#include <string>

#include <mlsift/read/arff.h>

#include "check.h"

namespace {

// Reads a file of `d` attributes, one dense row and `n` empty sparse rows; whether it was refused.
bool refused(std::size_t most_expanded, int d, int n, bool dense_first) {
  std::string text = "@relation r\n";
  for (int a = 0; a < d; ++a) text += "@attribute a" + std::to_string(a) + " numeric\n";
  text += "@data\n";
  if (dense_first) {
    for (int a = 0; a < d; ++a) text += a + 1 < d ? "1," : "1\n";
  }
  for (int i = 0; i < n; ++i) text += "{}\n";
  mlsift::ArffReader reader(most_expanded);
  reader.set_missing(0);
  try {
    // As a file arrives: the header first.
    const std::size_t data = text.find("@data\n") + 6;
    reader.feed(text.data(), data);
    reader.start({static_cast<std::size_t>(d), mlsift::ArffReader::feature});
    reader.feed(text.data() + data, text.size() - data);
    reader.finish();
  } catch (const mlsift::ReadError& error) {
    CHECK(std::string(error.what()).find("first row is dense") != std::string::npos);
    return true;
  }
  CHECK(reader.n_rows() == n + dense_first);
  return false;
}

}  // namespace

int main() {
  check::test("sparse rows in a dense file may not fill the memory", [] {
    CHECK(!refused(1000, 10, 100, true));
    CHECK(refused(1000, 10, 101, true));
    CHECK(!refused(1000, 10, 5000, false));
  });
  return check::failed_tests;
}
