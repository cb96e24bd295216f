// A directory of our own, gone with us.
#pragma once

#include <fmt/core.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "errors.hpp"

namespace telescope::lab {

class TemporaryDirectory {
 public:
  // In the system's temporary directory, if none is given.
  explicit TemporaryDirectory(const std::filesystem::path& given) {
    const auto parent = given.empty() ? std::filesystem::temp_directory_path() : given;
    std::string name = (parent / "telescope-lab-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw LabError(fmt::format("cannot make a directory in {}: try --directory", parent.string()));
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

}  // namespace telescope::lab
