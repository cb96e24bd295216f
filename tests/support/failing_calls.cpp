#include "support/failing_calls.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace telescope::testing {
namespace {

FailingCall plan;
std::array<char, 4096> below{};  // empty: nothing is watched
std::atomic<bool> armed = false, failed = false;
std::atomic<long> made = 0;
std::array<std::atomic<bool>, 4096> watched{};  // file descriptors below the directory

bool is_below(const char* path) noexcept {
  return below[0] != 0 && path != nullptr && std::strncmp(path, below.data(), std::strlen(below.data())) == 0;
}
// The C library may have closed the file, and opened another under its number, without a call that comes here.
bool is_watched(int file) noexcept {
  const auto index = static_cast<std::size_t>(file);
  if (file < 0 || index >= watched.size() || !watched[index]) return false;
  std::array<char, 32> link{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", file);
  std::array<char, 4096> path{};
  return ::readlink(link.data(), path.data(), path.size() - 1) < 0 || is_below(path.data());
}

// Returns whether it is this call's turn to fail.
bool fails(bool concerned, bool syncs = false) noexcept {
  if (!concerned || !armed || (plan.syncs && !syncs)) return false;
  const long call = made++;
  if (call < plan.after || (call > plan.after && !plan.lasts)) return false;
  failed = true;
  return true;
}
long refuse() noexcept {
  errno = plan.error;
  return -1;
}

std::atomic<int> notes_file = -1;

// A file is known by its inode, since it may be renamed.
long noted(int file, bool emptied, long result) noexcept {
  struct stat status {};
  if (notes_file < 0 || result != 0 || !is_watched(file) || ::fstat(file, &status) != 0) return result;
  std::array<char, 64> line{};
  const long size = emptied ? 0 : static_cast<long>(status.st_size);
  const int length =
      std::snprintf(line.data(), line.size(), "%lu %ld\n", static_cast<unsigned long>(status.st_ino), size);
  (void)::syscall(SYS_write, notes_file.load(), line.data(), static_cast<std::size_t>(length));
  return result;
}

}  // namespace

void watch_calls_below(const std::string& directory) {
  below.fill(0);
  directory.copy(below.data(), below.size() - 1);
}
void fail_call(const FailingCall& call) {
  plan = call;
  made = 0;
  failed = false;
  armed = true;
}
void fail_no_call() { armed = false; }
bool call_failed() { return failed; }

void note_syncs(const std::string& notes) {
  const int flags = O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC;
  notes_file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, notes.c_str(), flags, 0600));
}
void drop_unsynced(const std::string& directory, const std::string& notes) {
  std::map<std::uint64_t, std::uint64_t> synced;
  std::ifstream file(notes);
  for (std::uint64_t inode = 0, size = 0; file >> inode >> size;) synced[inode] = size;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    struct stat status {};
    if (!entry.is_regular_file() || ::stat(entry.path().c_str(), &status) != 0) continue;
    const auto at = synced.find(status.st_ino);
    if (at == synced.end() || at->second >= static_cast<std::uint64_t>(status.st_size)) continue;
    std::filesystem::resize_file(entry.path(), at->second);
  }
}

}  // namespace telescope::testing

using telescope::testing::fails;
using telescope::testing::is_below;
using telescope::testing::is_watched;
using telescope::testing::noted;
using telescope::testing::plan;
using telescope::testing::refuse;
using telescope::testing::watched;

// In the order of unistd.h and fcntl.h. What the C library calls within itself does not come here.
extern "C" {

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    std::va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  const bool concerned = is_below(path);
  if (fails(concerned)) return static_cast<int>(refuse());
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (file >= 0 && file < static_cast<long>(watched.size())) watched[static_cast<std::size_t>(file)] = concerned;
  if (file >= 0 && (flags & O_CREAT) != 0) (void)noted(static_cast<int>(file), (flags & O_TRUNC) != 0, 0);
  return static_cast<int>(file);
}

int close(int file) {
  if (is_watched(file)) watched[static_cast<std::size_t>(file)] = false;
  return static_cast<int>(::syscall(SYS_close, file));
}
ssize_t write(int file, const void* bytes, std::size_t count) {
  if (fails(is_watched(file))) {
    if (plan.halfway && count > 1) (void)::syscall(SYS_write, file, bytes, count / 2);
    return refuse();
  }
  return ::syscall(SYS_write, file, bytes, count);
}
ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t at) {
  if (fails(is_watched(file))) {
    if (plan.halfway && count > 1) (void)::syscall(SYS_pwrite64, file, bytes, count / 2, at);
    return refuse();
  }
  return ::syscall(SYS_pwrite64, file, bytes, count, at);
}
int fsync(int file) {
  return static_cast<int>(fails(is_watched(file), true) ? refuse() : noted(file, false, ::syscall(SYS_fsync, file)));
}
int fdatasync(int file) {
  if (fails(is_watched(file), true)) return static_cast<int>(refuse());
  return static_cast<int>(noted(file, false, ::syscall(SYS_fdatasync, file)));
}
int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(fails(is_watched(file)) ? refuse() : ::syscall(SYS_ftruncate, file, size));
}
int fallocate(int file, int mode, off_t at, off_t size) {
  return static_cast<int>(fails(is_watched(file)) ? refuse() : ::syscall(SYS_fallocate, file, mode, at, size));
}
// Without flags it does nothing, and cannot fail: RocksDB asks in this way whether there is such a call.
int sync_file_range(int file, off64_t at, off64_t size, unsigned flags) {
  if (flags != 0 && fails(is_watched(file))) return static_cast<int>(refuse());
  return static_cast<int>(::syscall(SYS_sync_file_range, file, at, size, flags));
}
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(fails(is_below(from)) ? refuse() : ::syscall(SYS_rename, from, to));
}
int unlink(const char* path) noexcept {
  return static_cast<int>(fails(is_below(path)) ? refuse() : ::syscall(SYS_unlink, path));
}
int mkdir(const char* path, mode_t mode) noexcept {
  return static_cast<int>(fails(is_below(path)) ? refuse() : ::syscall(SYS_mkdir, path, mode));
}
int link(const char* from, const char* to) noexcept {
  return static_cast<int>(fails(is_below(from)) ? refuse() : ::syscall(SYS_link, from, to));
}
}
