// Lines for people: titles, colours if the output is a terminal, thousands apart.
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace telescope::tool {

class Printer {
 public:
  Printer() : colour_(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

  void title(std::string_view text) const { fmt::print("\n{}\n", paint("1", text)); }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) const {
    fmt::print("  {}\n", fmt::format(format, std::forward<Args>(args)...));
  }

  std::string good(std::string_view text) const { return paint("32", text); }
  std::string bad(std::string_view text) const { return paint("31", text); }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  bool colour_;
};

inline std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

}  // namespace telescope::tool
