// Suites that a header defines and a source instantiates: which source that is. GoogleTest knows the header alone.
#pragma once

#include <map>
#include <string>

namespace telescope::testing {

// By the prefix of the instantiation, which is the suite's name as far as the first slash.
inline std::map<std::string, std::string>& origins() {
  static std::map<std::string, std::string> sources;
  return sources;
}

struct Origin {
  Origin(const char* prefix, const char* source) { origins()[prefix] = source; }
};

}  // namespace telescope::testing
