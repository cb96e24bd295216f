// telescope list: every member, in the order of the store (that of the hash's position word).
#include <nlohmann/json.hpp>

#include "io/output.hpp"
#include "io/stop.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

void print_member(const ListOptions& options, const Entry& entry, Output& out) {
  if (options.json) {
    Json row;
    put_bytes(row, "key", entry.key, options.form);
    if (options.values) put_bytes(row, "value", entry.value);
    out.json_line(row);
    return;
  }
  std::string line;
  spell_key(entry.key, options.form, line);
  if (options.values) {
    line += '\t';
    line += options.form == KeyForm::hex ? to_hex(entry.value) : std::string(entry.value);
  }
  line += options.null ? '\0' : '\n';
  out.write(line);
}

}  // namespace

ExitCode list(const ListOptions& options) {
  const StopSignals signals;
  Guard guard = open_set(options.directory);
  Output out;
  std::uint64_t left = options.limit;
  for_each_member(guard, [&](const Entry& entry) {
    if (left == 0 || stop_requested()) return false;
    --left;
    print_member(options, entry, out);
    return true;
  });
  out.flush();
  close_set(guard, options.directory);
  return stop_requested() ? stopped_by(stop_signal()) : kYes;
}

}  // namespace telescope::tool
