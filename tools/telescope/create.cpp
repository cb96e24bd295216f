// telescope create: an empty set in a new directory.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/numbers.hpp"
#include "io/output.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {

ExitCode create(const CreateOptions& options) {
  SetOptions set;
  set.filter = options.filter;
  set.width = options.width;
  set.hash = options.hash;
  set.capacity = options.capacity;
  Guard guard = create_set(options.directory, set);
  const GuardInfo info = guard.info();
  close_set(guard, options.directory);

  Output out;
  if (options.json) {
    out.json({{"directory", options.directory},
              {"filter", to_string(info.set.filter)},
              {"width", info.set.width},
              {"hash", to_string(info.set.hash)},
              {"capacity", options.capacity},
              {"slots", info.slots},
              {"filter_bytes", info.filter_bytes}});
  } else {
    out.line(
        fmt::format("{}: made, with a {} filter of width {}: room for {} keys in {} of memory, and it grows by itself",
                    options.directory, to_string(info.set.filter), info.set.width, with_commas(options.capacity),
                    bytes_text(static_cast<double>(info.filter_bytes))));
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
