// telescope resize: the filter in more slots or in fewer. What it has learned is kept.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

// Whole blocks, and at least one.
std::uint64_t wanted_slots(const ResizeOptions& options, const GuardInfo& info) {
  if (options.slots) return std::max<std::uint64_t>(64, (*options.slots + 63) / 64 * 64);
  return FilterOptions::for_members(options.capacity.value_or(info.members)).slots;
}

}  // namespace

ExitCode resize(const ResizeOptions& options) {
  Guard guard = open_set(options.directory);
  const GuardInfo before = guard.info();
  const std::uint64_t slots = wanted_slots(options, before);
  if (slots < before.members) {
    throw ToolError(fmt::format("{}: {} slots are too few for {} members: ask for {} or more", options.directory,
                                with_commas(slots), with_commas(before.members),
                                with_commas(FilterOptions::for_members(before.members).slots)));
  }
  value_or_throw(guard.resize(slots));
  const GuardInfo after = guard.info();
  close_set(guard, options.directory);

  Output out;
  if (options.json) {
    out.json({{"members", after.members},
              {"slots_before", before.slots},
              {"slots", after.slots},
              {"load", after.load},
              {"filter_bytes", after.filter_bytes}});
  } else {
    out.line(fmt::format("{}: the filter had {} slots and now has {}: {:.1f} % of them are in use, {} of memory",
                         options.directory, with_commas(before.slots), with_commas(after.slots), 100 * after.load,
                         bytes_text(static_cast<double>(after.filter_bytes))));
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
