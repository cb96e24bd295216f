// Test programs start themselves again as children, which are killed: `child <role> <argument>`.
#pragma once

#include <map>
#include <string>

namespace telescope::testing {

using ChildRole = int (*)(const char* argument);  // returns the exit status

inline std::map<std::string, ChildRole>& child_roles() {
  static std::map<std::string, ChildRole> roles;
  return roles;
}

}  // namespace telescope::testing
