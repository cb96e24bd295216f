// telescope rebuild: the filter anew from the store, by one scan. What it had learned is forgotten.
#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {

ExitCode rebuild(const SetVerbOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Guard guard = open_set(options.directory);
  value_or_throw(guard.rebuild());
  const GuardInfo info = guard.info();
  close_set(guard, options.directory);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Output out;
  if (options.json) {
    out.json({{"members", info.members}, {"slots", info.slots}, {"seconds", seconds}});
  } else {
    out.line(fmt::format("{}: made the filter from {} members in {}", options.directory, with_commas(info.members),
                         seconds_text(seconds)));
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
