// Lines for people: titles, bars, colours if the output is a terminal.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include "io/output.hpp"

namespace telescope::tool {

class Printer {
 public:
  explicit Printer(Output& out);

  void title(std::string_view text) const { out_.line(fmt::format("\n{}", paint("1", text))); }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) const {
    out_.line("  " + fmt::format(format, std::forward<Args>(args)...));
  }

  std::string good(std::string_view text) const { return paint("32", text); }
  std::string bad(std::string_view text) const { return paint("31", text); }
  std::string strong(std::string_view text) const { return paint("1", text); }
  // "[#########.....]": so many cells, the given part of them full.
  static std::string bar(double part, unsigned cells);

 private:
  std::string paint(std::string_view code, std::string_view text) const;

  Output& out_;
  bool colour_;
};

}  // namespace telescope::tool
