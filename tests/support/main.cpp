// The main function of every test program: `frame_tests frame_test.cpp` runs the tests of that file, `frame_tests` all.
// Options of GoogleTest work as always.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "child.hpp"

namespace {

// The filter of GoogleTest that selects the tests which this source defines.
std::string filter_of(const std::string& source) {
  std::string filter;
  const auto& unit = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < unit.total_test_suite_count(); ++s) {
    const auto& suite = *unit.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const auto& test = *suite.GetTestInfo(t);
      if (std::filesystem::path(test.file()).filename() != source) continue;
      if (!filter.empty()) filter += ':';
      filter.append(suite.name()).append(".").append(test.name());
    }
  }
  return filter;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::string(arguments[0]) == "child") {
    return telescope::testing::child_roles().at(arguments[1])(arguments[2]);
  }
  ::testing::InitGoogleTest(&count, arguments);
  if (count == 2 && ::testing::GTEST_FLAG(filter) == "*") {
    ::testing::GTEST_FLAG(filter) = filter_of(arguments[1]);
    if (::testing::GTEST_FLAG(filter).empty()) {
      std::fprintf(stderr, "%s has no tests of %s\n", arguments[0], arguments[1]);
      return 1;
    }
  }
  return RUN_ALL_TESTS();
}
