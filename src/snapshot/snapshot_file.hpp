// Files of the operating system, with errors as values that name the file and the reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "telescope/snapshot_types.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// "cannot <what> <path>: <reason>"
SnapshotError io_error(const char* what, const std::string& path, int reason) noexcept;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { (void)close(); }

  int get() const noexcept { return fd_; }
  bool close() noexcept;

 private:
  int fd_;
};

// A regular file, opened to read.
class InputFile {
 public:
  static SnapshotResult<InputFile> open(const std::filesystem::path& path) noexcept;

  std::uint64_t bytes() const noexcept { return bytes_; }
  const std::string& path() const noexcept { return path_; }
  int descriptor() const noexcept { return file_.get(); }
  // All of `into`, or an error.
  SnapshotStatus read(std::uint64_t offset, std::span<std::byte> into) const noexcept;

 private:
  InputFile(Descriptor file, std::uint64_t bytes, std::string path) noexcept
      : file_(std::move(file)), bytes_(bytes), path_(std::move(path)) {}

  Descriptor file_;
  std::uint64_t bytes_;
  std::string path_;
};

// A file that is there under its name completely, or not at all: written under another name in the same directory, and
// renamed by commit(). Without a commit nothing is left of it, and what was there before is untouched.
class AtomicFile {
 public:
  static SnapshotResult<AtomicFile> create(const std::filesystem::path& target, bool owner_only) noexcept;
  AtomicFile(AtomicFile&& other) noexcept = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  SnapshotStatus write(std::uint64_t offset, std::span<const std::byte> bytes) noexcept;
  // `sync`: the bytes are on the disk before the name is, and the name when this returns.
  SnapshotStatus commit(bool sync) noexcept;

 private:
  AtomicFile(Descriptor file, std::string temporary, std::string target) noexcept
      : file_(std::move(file)), temporary_(std::move(temporary)), target_(std::move(target)) {}

  Descriptor file_;
  std::string temporary_;  // empty once it is not there any more
  std::string target_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
