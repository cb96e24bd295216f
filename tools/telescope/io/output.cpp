#include "output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "progress.hpp"

namespace telescope::tool {
namespace {

constexpr std::size_t kFull = std::size_t{1} << 16;

}  // namespace

Output::Output() : at_terminal_(isatty(STDOUT_FILENO) != 0) {}

Output::~Output() {
  try {
    flush();
  } catch (...) {
  }
}

void Output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kFull) flush();
}

void Output::line(std::string_view text) {
  write(text);
  write("\n");
  if (at_terminal_) flush();
}

void Output::json_line(const Json& object) { line(object.dump()); }
void Output::json(const Json& object) { line(object.dump(2)); }

void Output::flush() {
  if (at_terminal_) clear_progress();
  std::string_view left = buffer_;
  while (!left.empty()) {
    const auto written = ::write(STDOUT_FILENO, left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      buffer_.clear();
      if (errno == EPIPE) throw OutputClosed();
      throw ToolError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    }
  }
  buffer_.clear();
}

void put_bytes(Json& object, const std::string& name, std::string_view bytes, KeyForm form) {
  if (form == KeyForm::u64) {
    std::string digits;
    spell_key(bytes, form, digits);
    std::uint64_t word = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), word);
    object[name] = word;
  } else if (form == KeyForm::text && is_utf8(bytes)) {
    object[name] = bytes;
  } else {
    object[name + "_hex"] = to_hex(bytes);
  }
}

}  // namespace telescope::tool
