#include "reproduce/journal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "io/errors.hpp"
#include "io/write_file.hpp"

namespace telescope::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournal = "journal.jsonl";

[[noreturn]] void fail(const fs::path& file, int error) {
  throw LabError(fmt::format("cannot write {}: {}: give another --out", file.string(), std::strerror(error)));
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) fail(directory, error.value());
}

// Its first line is the manifest; of a file that is no journal, an empty one.
Row manifest_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  Row manifest = Row::parse(line, nullptr, false);
  return manifest.is_object() ? manifest : Row::object();
}

// Whether results of one may stand beside results of the other: the same program on the same machine, to the same
// scale.
bool same_measurer(const Row& a, const Row& b) {
  constexpr std::array kFields = {"build", "cpu", "scale"};
  return std::all_of(kFields.begin(), kFields.end(),
                     [&](const char* field) { return a.contains(field) && b.contains(field) && a[field] == b[field]; });
}

// A whole line in one write, and then on disk: a line that was torn by a crash is no JSON and is not read.
void append(int file, const fs::path& path, const Row& row) {
  const std::string line = row.dump() + '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t size = write(file, line.data() + done, line.size() - done);
    if (size < 0 && errno != EINTR) fail(path, errno);
    if (size > 0) done += static_cast<std::size_t>(size);
  }
  if (fdatasync(file) != 0) fail(path, errno);
}

}  // namespace

Journal::Journal(fs::path directory, const Row& manifest) : directory_(std::move(directory)) {
  make_directory(directory_);
  const fs::path path = directory_ / kJournal;
  std::error_code error;
  if (fs::exists(path, error)) {
    const Row before = manifest_of(path);
    if (same_measurer(before, manifest)) {
      read(path);
    } else {
      was_another_ = true;
      fs::rename(path, directory_ / fmt::format("journal-{}.jsonl", before.value("build", "broken")), error);
      if (error) fail(path, error.value());
    }
  }
  const bool fresh = !fs::exists(path, error);
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path, errno);
  append(file_, path, fresh ? manifest : Row::object());  // {} ends a line that was torn
}

Journal::~Journal() {
  if (file_ >= 0) close(file_);
}

void Journal::read(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const Row row = Row::parse(line, nullptr, false);
    if (row.is_discarded() || !row.contains("command")) continue;
    results_.add(row["command"], row["rows"].get<std::vector<Row>>());
  }
}

void Journal::add(const std::string& command, const std::vector<Row>& rows, double seconds) {
  Row line;
  line["command"] = command;
  line["seconds"] = seconds;
  line["rows"] = rows;
  append(file_, directory_ / kJournal, line);
  results_.add(command, rows);
}

void Journal::write_points() const {
  std::string text;
  for (const auto& [command, rows] : results_.all()) {
    for (Row row : rows) {
      row["command"] = to_rerun(command);
      text += row.dump() + '\n';
    }
  }
  write_file(directory_ / "points.jsonl", text);
}

}  // namespace telescope::lab
