// telescope add: keys, with or without values, into a set.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "batches.hpp"
#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "io/stop.hpp"
#include "set.hpp"

namespace telescope::tool {

ExitCode add(const AddOptions& options) {
  const StopSignals signals;
  Guard guard = open_set(options.directory);
  std::uint64_t added = 0;
  const BatchesReport report = for_each_batch(guard, options, "adding", options.value, [&](Batch& batch) {
    added += value_or_throw(guard.insert(batch.entries()));
  });

  Output out;
  if (options.json) {
    out.json({{"keys", report.keys},
              {"added", added},
              {"replaced", report.keys - added},
              {"members", report.members},
              {"interrupted", report.signal != 0},
              {"seconds", report.seconds}});
  } else {
    out.line(fmt::format("{} keys read: {} added, {} had their value replaced; the set now has {}",
                         with_commas(report.keys), with_commas(added), with_commas(report.keys - added),
                         with_commas(report.members)));
  }
  out.flush();
  return exit_code_of(report, kYes);
}

}  // namespace telescope::tool
