// telescope verify: every invariant of the filter, every member found, filter and store agree. 1 if something is wrong.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {

ExitCode verify(const SetVerbOptions& options) {
  Guard guard = open_set(options.directory);
  const VerifyReport report = value_or_throw(guard.verify());
  Output out;
  if (options.json) {
    out.json({{"ok", report.ok()},
              {"members", report.members},
              {"slots_used", report.slots_used},
              {"lost", report.lost},
              {"problems", report.problems},
              {"opened", guard.info().opened}});
  } else if (report.ok()) {
    out.line(fmt::format("{}: sound: {} members, each is found; filter and store agree", options.directory,
                         with_commas(report.members)));
  } else {
    out.line(fmt::format("{}: NOT sound: {} members in the store, {} slots in use, {} members lost", options.directory,
                         with_commas(report.members), with_commas(report.slots_used), with_commas(report.lost)));
    for (const std::string& problem : report.problems) out.line("  " + problem);
    out.line(fmt::format("make the filter anew from the store: telescope rebuild {}", options.directory));
  }
  out.flush();
  if (!report.ok()) return kNo;
  close_set(guard, options.directory);
  return kYes;
}

}  // namespace telescope::tool
