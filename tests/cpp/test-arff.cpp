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

// What is wrong with a header and one row, "" for nothing.
std::string problem(const std::string& header, const std::string& row) {
  mlsift::ArffReader reader;
  const std::string text = header + "\n@data\n" + row + "\n";
  try {
    reader.feed(text.data(), text.size());
    reader.start(std::vector<mlsift::ArffReader::Side>(reader.attributes().size(), mlsift::ArffReader::target));
    reader.finish();
  } catch (const mlsift::ReadError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

int main() {
  check::test("sparse rows in a dense file may not fill the memory", [] {
    CHECK(!refused(1000, 10, 100, true));
    CHECK(refused(1000, 10, 101, true));
    CHECK(!refused(1000, 10, 5000, false));
  });
  check::test("rows may end with one comma, and types may have a range", [] {
    CHECK(problem("@attribute a real [0, 14]\n@attribute b integer[1,2]", "1,2,").empty());
    CHECK(problem("@attribute a real", "1, ").empty());
    CHECK(problem("@attribute a real", "1,,").find("more values") != std::string::npos);
    CHECK(problem("@attribute a real [0, 14", "1").find("no closing bracket") != std::string::npos);
  });
  check::test("a hierarchy has an attribute for each class", [] {
    const std::string tree = "@attribute x real\n@attribute c hierarchical a/b/c,d";
    mlsift::ArffReader reader;
    const std::string header = tree + "\n@data\n";
    reader.feed(header.data(), header.size());
    std::string names;
    for (std::size_t a = 0; a < reader.attributes().size(); ++a) {
      names += reader.attributes()[a].name + "=" + reader.field_name(reader.field(a)) + " ";
    }
    CHECK(names == "x=x a=c a/b=c a/b/c=c d=c ");
    CHECK(problem(tree, "1,a/b@d@d").empty());
    CHECK(problem(tree, "{1 a/b}").empty());
    CHECK(problem(tree, "1,b").find("the class \"b\"") != std::string::npos);
    CHECK(problem(tree, "1").find("attribute `c`") != std::string::npos);
  });
  return check::failed_tests;
}
