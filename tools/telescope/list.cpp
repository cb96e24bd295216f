// telescope list: every member, in the order of the store (that of the hash's position word).
#include <exception>
#include <nlohmann/json.hpp>

#include "io/errors.hpp"
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
  std::exception_ptr trouble;  // must not fly through the store
  value_or_throw(guard.each([&](const Entry& entry) {
    if (left == 0 || stop_requested()) return false;
    --left;
    try {
      print_member(options, entry, out);
    } catch (...) {
      trouble = std::current_exception();
    }
    return trouble == nullptr;
  }));
  if (trouble) std::rethrow_exception(trouble);
  out.flush();
  close_set(guard, options.directory);
  return stop_requested() ? static_cast<ExitCode>(128 + stop_signal()) : kYes;
}

}  // namespace telescope::tool
