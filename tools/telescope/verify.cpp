// telescope verify: every invariant of the filter, every member found, filter and store agree. 1 if something is wrong.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "io/program_name.hpp"
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
    out.line(fmt::format("{}: sound: the filter finds each of the {} members, and agrees with the store",
                         options.directory, with_commas(report.members)));
  } else {
    out.line(fmt::format("{}: NOT sound: the store has {} members, the filter {}; it does not find {} of them",
                         options.directory, with_commas(report.members), with_commas(report.slots_used),
                         with_commas(report.lost)));
    for (const std::string& problem : report.problems) out.line("  " + problem);
    out.line(fmt::format("Make the filter anew from the store: {} rebuild {}", program_name(), options.directory));
  }
  out.flush();
  if (!report.ok()) return kNo;
  close_set(guard, options.directory);
  return kYes;
}

}  // namespace telescope::tool
