#ifndef MLSIFT_TESTS_CHECK_H
#define MLSIFT_TESTS_CHECK_H

#include <cstdio>

// A test program prints "ok NAME" or "not ok NAME: what, where" for each of its tests and returns the number that
// failed.

namespace check {

inline const char* current = "";
inline int failures = 0, failed_tests = 0;

template <class Body>
void test(const char* name, Body body) {
  current = name;
  failures = 0;
  body();
  if (failures == 0) std::printf("ok %s\n", name);
  failed_tests += failures > 0;
}

}  // namespace check

#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::printf("not ok %s: %s, %s:%d\n", check::current, #condition, __FILE__, __LINE__); \
      ++check::failures;                                                                     \
    }                                                                                        \
  } while (false)

#endif
