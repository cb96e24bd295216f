// A directory for one test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

namespace telescope::testing {

// Where files need no disk, if there is such a place: for tests that write thousands of them.
inline std::filesystem::path memory_path() {
  std::error_code none;
  return std::filesystem::is_directory("/dev/shm", none) ? "/dev/shm" : std::filesystem::temp_directory_path();
}

// A directory for one test, and nothing left of it.
class Directory {
 public:
  explicit Directory(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "telescope.XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace telescope::testing
