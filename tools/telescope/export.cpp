// telescope export: all members and values, byte for byte, as text that `telescope import` reads on any machine.
//
//   JSON lines   {"telescope":"export","members":3,"filter":"taf","width":8,"hash":"xxh3"}
//                {"key":"text","value":"text"}    bytes that are no UTF-8: "key_hex", "value_hex"
//                {"telescope":"end","members":3}  without it the file was cut off
//   --tsv        hex of the key TAB hex of the value
#include <nlohmann/json.hpp>

#include "io/output.hpp"
#include "io/progress.hpp"
#include "io/stop.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

void write_member(const ExportOptions& options, const Entry& entry, Output& out) {
  if (options.tsv) {
    out.write(to_hex(entry.key) + '\t' + to_hex(entry.value) + '\n');
    return;
  }
  Json row;
  put_bytes(row, "key", entry.key);
  if (!entry.value.empty()) put_bytes(row, "value", entry.value);
  out.json_line(row);
}

}  // namespace

ExitCode export_members(const ExportOptions& options) {
  const StopSignals signals;
  Guard guard = open_set(options.directory);
  const GuardInfo info = guard.info();
  Output out;
  if (!options.tsv) {
    out.json_line({{"telescope", "export"},
                   {"members", info.members},
                   {"filter", to_string(info.set.filter)},
                   {"width", info.set.width},
                   {"hash", to_string(info.set.hash)}});
  }
  Progress progress("exporting");
  std::uint64_t members = 0;
  for_each_member(guard, [&](const Entry& entry) {
    write_member(options, entry, out);
    ++members;
    progress.show(members, static_cast<double>(members) / static_cast<double>(info.members));
    return !stop_requested();
  });
  if (!options.tsv && !stop_requested()) out.json_line({{"telescope", "end"}, {"members", members}});
  out.flush();
  close_set(guard, options.directory);
  return stop_requested() ? stopped_by(stop_signal()) : kYes;
}

}  // namespace telescope::tool
