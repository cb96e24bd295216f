#include "input.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "errors.hpp"
#include "stop.hpp"

namespace telescope::tool {
namespace {

constexpr std::size_t kRead = std::size_t{1} << 18;

}  // namespace

Input::Input(const std::string& path) : name_(path == "-" ? "stdin" : path) {
  descriptor_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw ToolError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  struct stat about {};
  if (fstat(descriptor_, &about) == 0) {
    if (S_ISDIR(about.st_mode)) {
      close(descriptor_);
      throw ToolError(fmt::format("{}: is a directory: name a file of keys", path));
    }
    if (S_ISREG(about.st_mode)) size_ = static_cast<std::uint64_t>(about.st_size);
    pollable_ = !S_ISREG(about.st_mode);
  }
  buffer_.resize(kRead);
}

Input::~Input() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

bool Input::fill() {
  if (end_) return false;
  if (first_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + first_, last_ - first_);
    last_ -= first_;
    first_ = 0;
  }
  if (last_ == buffer_.size()) {
    if (buffer_.size() > kMaxRecord) {
      throw ToolError(fmt::format("{}: more than {} MB without an end of record: is it a file of another format?",
                                  name_, kMaxRecord >> 20));
    }
    buffer_.resize(2 * buffer_.size());
  }
  for (;;) {
    if (pollable_) wait_readable(descriptor_);
    if (stop_requested()) break;
    const auto got = read(descriptor_, buffer_.data() + last_, buffer_.size() - last_);
    if (got > 0) {
      last_ += static_cast<std::size_t>(got);
      return true;
    }
    if (got == 0) break;
    if (errno != EINTR && errno != EAGAIN) {
      throw ToolError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    }
  }
  end_ = true;
  return false;
}

std::string_view Input::consume(std::size_t bytes, std::size_t delimiter) {
  const std::string_view record(buffer_.data() + first_, bytes);
  first_ += bytes + delimiter;
  consumed_ += bytes + delimiter;
  return record;
}

std::optional<std::string_view> Input::until(char delimiter) {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t length = last_ - first_;
    const char* begin = buffer_.data() + first_;
    if (const void* found = length > searched ? std::memchr(begin + searched, delimiter, length - searched) : nullptr) {
      return consume(static_cast<std::size_t>(static_cast<const char*>(found) - begin), 1);
    }
    searched = length;
    if (fill()) continue;
    // Half a record is no record when it was us who stopped reading.
    if (length == 0 || stop_requested()) return std::nullopt;
    return consume(length, 0);
  }
}

std::string_view Input::take(std::size_t size) {
  while (last_ - first_ < size && fill()) {
  }
  return consume(std::min(size, last_ - first_), 0);
}

}  // namespace telescope::tool
