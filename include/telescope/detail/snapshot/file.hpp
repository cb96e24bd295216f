// Files of the operating system. Errors are values that name the file and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "telescope/failure.hpp"

namespace telescope::inline v1::detail {

// Returns the failure io_failed: "cannot <what> <path>: <text of errno value `reason`>".
Failure io_error(const char* what, const std::string& path, int reason) noexcept;

// Owns a file descriptor, or none (-1).
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
  // Returns false if the system reports an error that was held back until now.
  bool close() noexcept;

 private:
  int fd_;
};

// A regular file, open for reading. Any number of threads may read at once.
class InputFile {
 public:
  // Fails with io_failed, or with foreign if the path names something else than a regular file.
  static Outcome<InputFile> open(const std::filesystem::path& path) noexcept;

  std::uint64_t bytes() const noexcept { return bytes_; }
  const std::string& path() const noexcept { return path_; }
  int descriptor() const noexcept { return file_.get(); }
  // Fills `into` from byte `offset` on. Fails with io_failed, or with corrupt if the file ends before.
  Outcome<void> read(std::uint64_t offset, std::span<std::byte> into) const noexcept;

 private:
  InputFile(Descriptor file, std::uint64_t bytes, std::string path) noexcept
      : file_(std::move(file)), bytes_(bytes), path_(std::move(path)) {}

  Descriptor file_;
  std::uint64_t bytes_;
  std::string path_;
};

// A file that appears under its name completely, or not at all: it is written under a temporary name in the same
// directory, and commit() renames it. Without a commit the destructor removes it, and what was there before stays.
class AtomicFile {
 public:
  static Outcome<AtomicFile> create(const std::filesystem::path& target, bool owner_only) noexcept;
  AtomicFile(AtomicFile&& other) noexcept = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Outcome<void> write(std::uint64_t offset, std::span<const std::byte> bytes) noexcept;
  // If `sync`, the bytes are on the disk before the rename, and the new name is when this returns.
  Outcome<void> commit(bool sync) noexcept;

 private:
  AtomicFile(Descriptor file, std::string temporary, std::string target) noexcept
      : file_(std::move(file)), temporary_(std::move(temporary)), target_(std::move(target)) {}

  Descriptor file_;
  std::string temporary_;  // empty once it has been renamed
  std::string target_;
};

}  // namespace telescope::inline v1::detail
