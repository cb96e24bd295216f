// telescope version [--json]
#include <fmt/core.h>

#include <telescope/flavour.hpp>

#include "verbs.hpp"

namespace telescope::tool {

ExitCode version(const VersionOptions& options) {
  if (options.json) {
    fmt::print(R"({{"name":"telescope","version":"{}","flavour":"{}"}})"
               "\n",
               TELESCOPE_VERSION, to_string(flavour()));
  } else {
    fmt::print("telescope {} ({} instructions)\n", TELESCOPE_VERSION, to_string(flavour()));
  }
  return kYes;
}

}  // namespace telescope::tool
