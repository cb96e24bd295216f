// The verbs of the `telescope` program, one file each. A verb is a function of its options that returns the exit code.
// Only command_line*.cpp know how options are spelled: the parser is by far the slowest thing to compile here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <telescope/hash.hpp>
#include <telescope/kind.hpp>
#include <vector>

#include "io/key_reader.hpp"

namespace telescope::tool {

// What the program returns to the shell, as grep does. A verb that Ctrl-C or SIGTERM stopped returns 128 + the signal's
// number, one whose reader has gone away 141, as the shell would say of them.
enum ExitCode : int {
  kYes = 0,      // yes, or done
  kNo = 1,       // no: the key is absent, the check failed
  kError = 2,    // wrong usage, or something could not be done
  kClosed = 141  // 128 + SIGPIPE
};
constexpr ExitCode stopped_by(int signal) noexcept { return static_cast<ExitCode>(128 + signal); }

struct CreateOptions {
  std::string directory;
  std::uint64_t capacity = 1 << 16;
  unsigned width = 8;
  HashKind hash = HashKind::xxh3;
  FilterKind filter = FilterKind::taf;
  bool json = false;
};
ExitCode create(const CreateOptions& options);

// Keys out of a file, or a few that were given as arguments.
struct KeyOptions {
  std::string directory;
  KeySource source;
  std::vector<std::string> keys;  // if there are any, no file is read
  bool save = true;               // what was learned, or written, into the snapshot
  bool json = false;
};

struct AddOptions : KeyOptions {
  std::string value;  // of keys given as arguments
};
ExitCode add(const AddOptions& options);

struct CheckOptions : KeyOptions {
  bool only_present = false, only_absent = false;
  bool count = false;
  bool quiet = false;
};
ExitCode check(const CheckOptions& options);

ExitCode get(const KeyOptions& options);
ExitCode remove(const KeyOptions& options);

struct ListOptions {
  std::string directory;
  KeyForm form = KeyForm::text;
  bool null = false;
  bool values = false;
  std::uint64_t limit = UINT64_MAX;
  bool json = false;
};
ExitCode list(const ListOptions& options);

struct StatOptions {
  std::string directory;
  bool json = false;
  bool prometheus = false;
};
ExitCode stat(const StatOptions& options);

struct SetVerbOptions {
  std::string directory;
  bool json = false;
};
ExitCode verify(const SetVerbOptions& options);
ExitCode rebuild(const SetVerbOptions& options);

struct ResizeOptions {
  std::string directory;
  std::optional<std::uint64_t> slots, capacity;  // neither: as small as the members allow
  bool json = false;
};
ExitCode resize(const ResizeOptions& options);

struct SnapshotOptions {
  std::string directory;
  std::string to;  // a copy, if not empty
  bool json = false;
};
ExitCode snapshot(const SnapshotOptions& options);

struct ExportOptions {
  std::string directory;
  bool tsv = false;
};
ExitCode export_members(const ExportOptions& options);

struct ImportOptions {
  std::string directory;
  std::string file = "-";
  bool tsv = false;
  bool json = false;
};
ExitCode import_members(const ImportOptions& options);

struct PlanOptions {
  std::uint64_t keys = 0;
  unsigned width = 8;
  FilterKind filter = FilterKind::taf;
  double load = 0.95;
  std::uint64_t unique_negatives = 0;
  std::uint64_t queries = 0;  // for absent keys; 0: ten for each unique negative
  double store_read_us = 100;
  std::uint64_t key_bytes = 16, value_bytes = 100;
  bool json = false;
};
ExitCode plan(const PlanOptions& options);

struct DemoOptions {
  std::uint64_t keys = 1'000'000;
  std::uint64_t seed = 0;
  std::string directory;  // for the sets while it runs; empty: the system's temporary one
  bool json = false;
};
ExitCode demo(const DemoOptions& options);

struct VersionOptions {
  bool json = false;
};
ExitCode version(const VersionOptions& options);

}  // namespace telescope::tool
