// telescope version [--json]
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <telescope/flavour.hpp>

#include "io/output.hpp"
#include "verbs.hpp"

namespace telescope::tool {

ExitCode version(const VersionOptions& options) {
  Output out;
  if (options.json) {
    out.json_line({{"name", "telescope"}, {"version", TELESCOPE_VERSION}, {"flavour", to_string(flavour())}});
  } else {
    out.line(fmt::format("telescope {} ({} instructions)", TELESCOPE_VERSION, to_string(flavour())));
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
