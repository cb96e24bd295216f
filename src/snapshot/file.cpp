#include "telescope/detail/snapshot/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "format.hpp"
#include "telescope/hash.hpp"

namespace telescope::inline v1::detail {
namespace {

template <class Call>
auto retried(Call call) noexcept {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

}  // namespace

Failure io_error(const char* what, const std::string& path, int reason) noexcept {
  try {
    return make_failure(Error::io_failed, "cannot ", what, " ", path, ": ", std::generic_category().message(reason));
  } catch (...) {
    return {Error::io_failed, {}};
  }
}

bool Descriptor::close() noexcept {
  const int fd = std::exchange(fd_, -1);
  return fd == -1 || ::close(fd) == 0;
}

Outcome<InputFile> InputFile::open(const std::filesystem::path& path) noexcept try {
  std::string name = path.string();
  // O_NONBLOCK, so that a pipe does not wait for its writer.
  Descriptor file(retried([&] { return ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (file.get() == -1) return io_error("open", name, errno);
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return io_error("stat", name, errno);
  if (S_ISDIR(about.st_mode)) return io_error("read", name, EISDIR);
  if (!S_ISREG(about.st_mode)) return make_failure(Error::foreign, name, ": not a regular file; check the path");
  return InputFile(std::move(file), static_cast<std::uint64_t>(about.st_size), std::move(name));
} catch (...) {
  return Failure{Error::no_memory, {}};
}

Outcome<void> InputFile::read(std::uint64_t offset, std::span<std::byte> into) const noexcept {
  while (!into.empty()) {
    const auto got =
        retried([&] { return ::pread(file_.get(), into.data(), into.size(), static_cast<off_t>(offset)); });
    if (got == -1) return io_error("read", path_, errno);
    if (got == 0) {
      return make_failure(Error::corrupt, path_, ": truncated while it was read: ends at byte ", offset);
    }
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

Outcome<AtomicFile> AtomicFile::create(const std::filesystem::path& target, bool owner_only) noexcept try {
  std::string name = target.string();
  // A random name, so that processes that save at the same time do not collide, nor with the remains of one that died.
  for (int attempt = 0;; ++attempt) {
    char suffix[32];
    (void)std::snprintf(suffix, sizeof suffix, ".%016llx.tmp",
                        static_cast<unsigned long long>(Secret::random().words[0]));
    std::string temporary = name + suffix;
    const mode_t mode = owner_only ? 0600 : 0666;
    Descriptor file(retried([&] { return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); }));
    if (file.get() != -1) return AtomicFile(std::move(file), std::move(temporary), std::move(name));
    if (errno != EEXIST || attempt == 100) return io_error("create", temporary, errno);
  }
} catch (...) {
  return Failure{Error::no_memory, {}};
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

Outcome<void> AtomicFile::write(std::uint64_t offset, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto put =
        retried([&] { return ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (put == -1) return io_error("write", temporary_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

Outcome<void> AtomicFile::commit(bool sync) noexcept {
  if (sync && retried([&] { return ::fsync(file_.get()); }) != 0) return io_error("sync", temporary_, errno);
  if (!file_.close()) return io_error("close", temporary_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return io_error("rename to", target_, errno);
  temporary_.clear();
  if (!sync) return {};
  try {
    const std::string directory = target_.substr(0, target_.rfind('/') + 1) + ".";
    const Descriptor opened(retried([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (opened.get() == -1 || retried([&] { return ::fsync(opened.get()); }) != 0) {
      return io_error("sync the directory (the new snapshot is in place)", directory, errno);
    }
    return {};
  } catch (...) {
    return Failure{Error::no_memory, {}};
  }
}

}  // namespace telescope::inline v1::detail
