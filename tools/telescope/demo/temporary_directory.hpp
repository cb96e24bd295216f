// A directory for stores that nobody keeps: gone when it goes out of scope, whatever the reason.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace telescope::contest {

class TemporaryDirectory {
 public:
  // In the system's temporary directory, if none is given. Throws std::runtime_error: one line, with the remedy.
  explicit TemporaryDirectory(const std::filesystem::path& given) {
    const auto parent = given.empty() ? std::filesystem::temp_directory_path() : given;
    std::string name = (parent / "telescope-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error(parent.string() +
                               ": cannot make a directory there: name another place with --directory");
    }
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace telescope::contest
