// telescope get: the values of keys. One key by --key: its value alone. More: key TAB value, those that are there.
#include <nlohmann/json.hpp>

#include "batches.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "io/stop.hpp"
#include "set.hpp"

namespace telescope::tool {
namespace {

void print_value(const KeyOptions& options, std::string_view key, bool present, const std::string& value, Output& out) {
  if (options.json) {
    Json row;
    put_bytes(row, "key", key, options.source.form);
    row["present"] = present;
    if (present) put_bytes(row, "value", value);
    out.json_line(row);
    return;
  }
  if (!present) return;
  std::string line;
  if (options.keys.size() != 1) {
    spell_key(key, options.source.form, line);
    line += '\t';
  }
  line += options.source.form == KeyForm::hex ? to_hex(value) : value;
  line += options.source.null ? '\0' : '\n';
  out.write(line);
}

}  // namespace

ExitCode get(const KeyOptions& options) {
  const StopSignals signals;
  Guard guard = open_set(options.directory);
  Output out;
  bool any = false;
  std::vector<std::uint8_t> present;
  std::vector<std::string> values;
  const auto ask = [&](Batch& batch) {
    const auto keys = batch.keys();
    present.resize(keys.size());
    values.resize(keys.size());
    value_or_throw(guard.get(keys, values, present));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      any = any || present[i] != 0;
      print_value(options, keys[i], present[i] != 0, values[i], out);
    }
    out.flush();
  };
  const BatchesReport report = for_each_batch(guard, options, "reading", {}, ask);
  return exit_code_of(report, any ? kYes : kNo);
}

}  // namespace telescope::tool
