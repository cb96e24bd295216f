// telescope import: what `telescope export` wrote, into a set; into a new one of the same kind if there is none.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "io/batch.hpp"
#include "io/errors.hpp"
#include "io/input.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "io/program_name.hpp"
#include "io/progress.hpp"
#include "io/stop.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

// The lines of an export, one by one.
class ExportReader {
 public:
  explicit ExportReader(const ImportOptions& options) : options_(options), input_(options.file) {}

  // The next member. False at the end; throws if that is not where the export ended.
  bool next() {
    while (const auto line = read_line()) {
      if (options_.tsv ? parse_tsv(*line) : parse_json(*line)) {
        ++members_;
        return true;
      }
    }
    if (begun_ && !ended_ && !stop_requested()) {
      throw ToolError(fmt::format("{}: cut off after line {}: the last line of the export is missing. Export again",
                                  input_.name(), line_));
    }
    return false;
  }

  const std::string& key() const { return key_; }
  const std::string& value() const { return value_; }
  const SetOptions& set() const { return set_; }  // what the first line says; known after the first next()
  std::uint64_t members() const { return members_; }
  double part_done() const {
    return input_.size() == 0 ? -1 : static_cast<double>(input_.consumed()) / static_cast<double>(input_.size());
  }

 private:
  std::optional<std::string_view> read_line() {
    auto line = input_.until('\n');
    if (!line) return line;
    ++line_;
    if (ended_) fail("comes after the last line of the export: import one file at a time");
    if (line->ends_with('\r')) line->remove_suffix(1);
    return line;
  }

  bool parse_tsv(std::string_view line) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    if (!from_hex(line.substr(0, tab), key_) || !from_hex(line.substr(std::min(tab + 1, line.size())), value_)) {
      fail("is not hexadecimal TAB hexadecimal: drop --tsv for JSON lines, or use `" + program_name() +
           " add --tsv` for text");
    }
    return true;
  }

  // False for lines about the export itself.
  bool parse_json(std::string_view line) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object()) fail("is not a JSON object: use --tsv, or `" + program_name() + " add` for plain keys");
    if (const auto about = row.find("telescope"); about != row.end()) {
      about_export(row, *about);
      return false;
    }
    if (!read_bytes(row, "key", key_)) fail("has no \"key\" or \"key_hex\"");
    if (!read_bytes(row, "value", value_)) value_.clear();
    return true;
  }

  void about_export(const Json& row, const Json& about) {
    const std::uint64_t members = row.value("members", std::uint64_t{0});
    if (about == "end") {
      ended_ = true;
      if (members != members_)
        fail(fmt::format("says that there are {} members, and {} were read: export again", members, members_));
      return;
    }
    begun_ = true;
    set_.capacity = std::max<std::uint64_t>(members, 1);
    set_.width = row.value("width", set_.width);
    set_.filter = parse_filter_kind(row.value("filter", std::string("taf"))).value_or(FilterKind::taf);
    set_.hash = parse_hash_kind(row.value("hash", std::string("xxh3"))).value_or(HashKind::xxh3);
  }

  bool read_bytes(const Json& row, const std::string& name, std::string& bytes) const {
    if (const auto text = row.find(name); text != row.end()) {
      if (!text->is_string()) fail(fmt::format("\"{}\" is not a string", name));
      bytes = text->get_ref<const std::string&>();
      return true;
    }
    const auto hex = row.find(name + "_hex");
    if (hex == row.end()) return false;
    if (!hex->is_string() || !from_hex(hex->get_ref<const std::string&>(), bytes)) {
      fail(fmt::format("\"{}_hex\" is not hexadecimal", name));
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw ToolError(fmt::format("{}:{}: {}", input_.name(), line_, what));
  }

  const ImportOptions& options_;
  Input input_;
  std::uint64_t line_ = 0, members_ = 0;
  bool begun_ = false, ended_ = false;
  std::string key_, value_;
  SetOptions set_;
};

struct Imported {
  std::uint64_t members = 0, added = 0;
};

void import_all(ExportReader& reader, bool more, Guard& guard, Imported& imported) {
  Progress progress("importing");
  Batch batch;
  const auto finish_batch = [&] {
    if (batch.empty()) return;
    imported.added += value_or_throw(guard.insert(batch.entries()));
    imported.members += batch.size();
    batch.clear();
    progress.show(imported.members, reader.part_done());
  };
  try {
    for (; more; more = !stop_requested() && reader.next()) {
      batch.add(reader.key(), reader.value());
      if (batch.full()) finish_batch();
    }
  } catch (const ToolError&) {
    finish_batch();
    throw;
  }
  finish_batch();
}

}  // namespace

ExitCode import_members(const ImportOptions& options) {
  const StopSignals signals;
  ExportReader reader(options);
  const bool more = reader.next();
  Guard guard =
      holds_set(options.directory) ? open_set(options.directory) : create_set(options.directory, reader.set());
  Imported imported;
  try {
    import_all(reader, more, guard, imported);
  } catch (const ToolError& trouble) {
    close_set(guard, options.directory);
    throw ToolError(
        fmt::format("{} ({} members before it were imported)", trouble.what(), with_commas(imported.members)));
  }
  const std::uint64_t members = guard.info().members;
  close_set(guard, options.directory);

  Output out;
  if (options.json) {
    out.json({{"read", imported.members},
              {"added", imported.added},
              {"replaced", imported.members - imported.added},
              {"members", members},
              {"interrupted", stop_requested()}});
  } else {
    out.line(fmt::format("{} members read: {} added, {} had their value replaced; the set now has {}",
                         with_commas(imported.members), with_commas(imported.added),
                         with_commas(imported.members - imported.added), with_commas(members)));
  }
  out.flush();
  return stop_requested() ? stopped_by(stop_signal()) : kYes;
}

}  // namespace telescope::tool
