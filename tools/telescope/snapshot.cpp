// telescope snapshot: writes the filter beside the store, and a copy where it is asked for.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace fs = std::filesystem;
namespace {

// Under another name first, so that nobody ever sees half of it.
void copy_atomically(const fs::path& from, const fs::path& to) {
  const fs::path draft = to.string() + ".tmp";
  std::error_code error;
  fs::copy_file(from, draft, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(draft, to, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw ToolError(fmt::format("{}: cannot be written: {}", to.string(), error.message()));
}

}  // namespace

ExitCode snapshot(const SnapshotOptions& options) {
  Guard guard = open_set(options.directory);
  const std::uint64_t members = guard.info().members;
  close_set(guard, options.directory);
  fs::path file = snapshot_of(options.directory);
  if (!options.to.empty()) {
    copy_atomically(file, options.to);
    file = options.to;
  }
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  if (error) throw ToolError(fmt::format("{}: cannot be read: {}", file.string(), error.message()));

  Output out;
  if (options.json) {
    out.json({{"file", file.string()}, {"bytes", bytes}, {"members", members}});
  } else {
    out.line(fmt::format("{}: saved the filter of {} members in {}", file.string(), with_commas(members),
                         bytes_text(static_cast<double>(bytes))));
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
