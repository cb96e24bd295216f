#include "set.hpp"

#include <fmt/core.h>

#include <exception>
#include <memory>
#include <system_error>
#include <telescope/rocksdb_store.hpp>
#include <utility>

#include "io/errors.hpp"
#include "io/program_name.hpp"

namespace telescope::tool {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const std::string& directory, const std::string& what) {
  throw ToolError(fmt::format("{}: {}", directory, what));
}

template <class T>
T value_or_fail(Result<T, Failure> outcome, const std::string& directory) {
  if (outcome) return std::move(*outcome);
  if (outcome.error().code == Error::in_use)
    fail(directory, "another process has the set open: wait until it ends, or stop it");
  fail(directory, describe(outcome.error()));
}

GuardOptions guard_options(const std::string& directory) {
  GuardOptions options;
  options.snapshot = snapshot_of(directory);
  auto bar = std::make_shared<Progress>("reading the store");
  options.progress = [bar](const RebuildProgress& state) { bar->show(state.members, state.done); };
  return options;
}

AnyStore open_store(const std::string& directory, bool create) {
  RocksDbOptions options;
  options.create_if_missing = create;
  return value_or_fail(RocksDbStore::open(store_of(directory), options), directory);
}

}  // namespace

fs::path store_of(const std::string& directory) { return fs::path(directory) / "store"; }
fs::path snapshot_of(const std::string& directory) { return fs::path(directory) / "filter.tsnap"; }

bool holds_set(const std::string& directory) {
  std::error_code ignored;
  return fs::exists(store_of(directory) / "CURRENT", ignored);
}

Guard create_set(const std::string& directory, const SetOptions& set) {
  std::error_code error;
  // A store without a set in it is what a create that was killed leaves behind: then we go on from there.
  if (fs::exists(directory, error) && !holds_set(directory)) {
    if (!fs::is_directory(directory, error)) fail(directory, "is not a directory: choose another name");
    if (!fs::is_empty(directory, error)) fail(directory, "is not empty: choose another directory");
  }
  const bool new_directory = !fs::exists(directory, error), new_store = !holds_set(directory);
  fs::create_directories(directory, error);
  if (error) fail(directory, "cannot be made: " + error.message());
  try {
    return value_or_fail(Guard::create(open_store(directory, true), set, guard_options(directory)), directory);
  } catch (...) {
    if (new_store) fs::remove_all(new_directory ? fs::path(directory) : store_of(directory), error);
    throw;
  }
}

Guard open_set(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (fs::exists(status) && !fs::is_directory(status))
    fail(directory, "is not a directory: name the directory of a set");
  if (status.type() == fs::file_type::none) fail(directory, "cannot be read: " + error.message());
  if (!holds_set(directory)) {
    fail(directory, fmt::format("holds no set: make one with `{} create {}`", program_name(), directory));
  }
  return value_or_fail(Guard::open(open_store(directory, false), guard_options(directory)), directory);
}

void for_each_member(Guard& guard, const std::function<bool(const Entry&)>& visit) {
  std::exception_ptr trouble;
  value_or_throw(guard.each([&](const Entry& entry) {
    try {
      return visit(entry);
    } catch (...) {
      trouble = std::current_exception();
      return false;
    }
  }));
  if (trouble) std::rethrow_exception(trouble);
}

void close_set(Guard& guard, const std::string& directory) {
  if (const auto closed = guard.close(); !closed) fail(directory, describe(closed.error()));
}

}  // namespace telescope::tool
