// telescope version [--json]
#include <cstdio>

#include "verbs.hpp"

namespace telescope::tool {

ExitCode version(const VersionOptions& options) {
  std::puts(options.json ? R"({"name":"telescope","version":")" TELESCOPE_VERSION R"("})"
                         : "telescope " TELESCOPE_VERSION);
  return kYes;
}

}  // namespace telescope::tool
