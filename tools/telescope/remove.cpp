// telescope remove: keys out of a set. 1 if none of them was there.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "batches.hpp"
#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "io/stop.hpp"
#include "set.hpp"

namespace telescope::tool {

ExitCode remove(const KeyOptions& options) {
  const StopSignals signals;
  Guard guard = open_set(options.directory);
  std::uint64_t removed = 0;
  const BatchesReport report = for_each_batch(
      guard, options, "removing", {}, [&](Batch& batch) { removed += value_or_throw(guard.erase(batch.keys())); });

  Output out;
  if (options.json) {
    out.json({{"keys", report.keys},
              {"removed", removed},
              {"members", report.members},
              {"interrupted", report.signal != 0},
              {"seconds", report.seconds}});
  } else {
    out.line(fmt::format("{} keys read: {} removed, {} were not there; the set now has {}", with_commas(report.keys),
                         with_commas(removed), with_commas(report.keys - removed), with_commas(report.members)));
  }
  out.flush();
  return exit_code_of(report, removed > 0 || report.keys == 0 ? kYes : kNo);
}

}  // namespace telescope::tool
