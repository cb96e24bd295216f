// The main function of every test program: `frame_tests frame_test.cpp` runs the tests of that file, `frame_tests` all.
// Options of GoogleTest work as always.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>

#include "child.hpp"
#include "origins.hpp"

namespace {

// Whether one of the patterns, which colons part, matches.
bool matches(std::string patterns, const std::string& name) {
  std::replace(patterns.begin(), patterns.end(), ':', '\n');
  std::istringstream lines(patterns);
  for (std::string pattern; std::getline(lines, pattern);) {
    if (::fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
  }
  return false;
}

// Returns the name of the source that defines the test, or that instantiates its suite.
std::string source_of(const std::string& suite, const std::string& file) {
  const auto found = telescope::testing::origins().find(suite.substr(0, suite.find('/')));
  return std::filesystem::path(found == telescope::testing::origins().end() ? file : found->second).filename();
}

// The filter of GoogleTest that selects, among the tests that it selected so far, those which this source defines.
std::string filter_of(const std::string& source) {
  const std::string asked = ::testing::GTEST_FLAG(filter), wanted = asked.substr(0, asked.find('-')),
                    unwanted = asked.substr(std::min(asked.size(), wanted.size() + 1));
  std::string filter;
  const auto& unit = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < unit.total_test_suite_count(); ++s) {
    const auto& suite = *unit.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const auto& test = *suite.GetTestInfo(t);
      const std::string from = source_of(suite.name(), test.file());
      if (!from.ends_with("_test.cpp")) return "";  // no source would run it
      if (from != source) continue;
      const std::string name = std::string(suite.name()) + "." + test.name();
      if ((wanted.empty() || matches(wanted, name)) && !matches(unwanted, name)) filter += name + ":";
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
  if (count == 2) {
    ::testing::GTEST_FLAG(filter) = filter_of(arguments[1]);
    if (::testing::GTEST_FLAG(filter).empty()) {
      std::fprintf(stderr, "%s has no such tests of %s\n", arguments[0], arguments[1]);
      return 1;
    }
  }
  return RUN_ALL_TESTS();
}
