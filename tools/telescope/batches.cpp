#include "batches.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/progress.hpp"
#include "io/stop.hpp"
#include "set.hpp"

namespace telescope::tool {
namespace {

double part_done(const KeyReader& reader) {
  if (reader.bytes_total() == 0) return -1;
  return static_cast<double>(reader.bytes_read()) / static_cast<double>(reader.bytes_total());
}

// Fills the batch. False if that was all.
bool fill(Batch& batch, KeyReader& reader) {
  batch.clear();
  while (!batch.full()) {
    if (!reader.next()) return false;
    batch.add(reader.key(), reader.value());
  }
  return true;
}

void read_file(const KeySource& source, const char* doing, BatchesReport& report,
               const std::function<void(Batch&)>& work) {
  if (source.file == "-" && isatty(STDIN_FILENO) != 0) {
    fmt::print(stderr, "telescope: type one key on each line; Ctrl-D ends the input\n");
  }
  KeyReader reader(source);
  Progress progress(doing);
  Batch batch;
  const auto finish_batch = [&] {
    if (!batch.empty()) work(batch);
    report.keys += batch.size();
    progress.show(report.keys, part_done(reader));
  };
  bool more = true;
  while (more && !stop_requested()) {
    try {
      more = fill(batch, reader);
    } catch (const ToolError& bad_record) {
      finish_batch();
      if (report.keys == 0) throw;
      throw ToolError(
          fmt::format("{} ({} keys before it were processed)", bad_record.what(), with_commas(report.keys)));
    }
    finish_batch();
  }
}

void use_arguments(const KeyOptions& options, std::string_view value, BatchesReport& report,
                   const std::function<void(Batch&)>& work) {
  Batch batch;
  for (const std::string& key : options.keys) batch.add(key_argument(key, options.source.form), value);
  work(batch);
  report.keys = batch.size();
}

}  // namespace

BatchesReport for_each_batch(Guard& guard, const KeyOptions& options, const char* doing, std::string_view value,
                             const std::function<void(Batch&)>& work) {
  const auto start = std::chrono::steady_clock::now();
  BatchesReport report;
  try {
    if (options.keys.empty()) {
      read_file(options.source, doing, report, work);
    } else {
      use_arguments(options, value, report, work);
    }
  } catch (...) {
    if (options.save) static_cast<void>(guard.close());  // there is worse to tell than that this failed
    throw;
  }
  report.signal = stop_signal();
  report.members = guard.info().members;
  if (options.save) close_set(guard, options.directory);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

ExitCode exit_code_of(const BatchesReport& report, ExitCode code) {
  if (report.signal == 0) return code;
  clear_progress();
  fmt::print(stderr, "telescope: stopped by a signal after {} keys, which are kept\n", with_commas(report.keys));
  return stopped_by(report.signal);
}

}  // namespace telescope::tool
