#include "printer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace telescope::tool {

Printer::Printer(Output& out) : out_(out), colour_(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

std::string Printer::paint(std::string_view code, std::string_view text) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string Printer::bar(double part, unsigned cells) {
  const auto full = static_cast<unsigned>(std::lround(std::clamp(part, 0.0, 1.0) * cells));
  return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", cells - full);
}

}  // namespace telescope::tool
