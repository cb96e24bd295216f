#include "io/write_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "io/errors.hpp"

namespace telescope::lab {
namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& text) {
  const fs::path draft = file.parent_path() / fmt::format(".{}.{}", file.filename().string(), ::getpid());
  std::error_code error;
  errno = 0;
  std::ofstream out(draft, std::ios::binary);
  out << text;
  out.close();
  if (!out) error.assign(errno == 0 ? EIO : errno, std::generic_category());
  if (!error) fs::rename(draft, file, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw LabError(fmt::format("cannot write {}: {}", file.string(), error.message()));
}

}  // namespace telescope::lab
