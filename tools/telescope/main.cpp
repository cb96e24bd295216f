// telescope <verb> [options]: the command line of the library.
#include <csignal>
#include <cstdio>
#include <exception>

#include "command_line.hpp"
#include "io/errors.hpp"
#include "io/progress.hpp"

int main(int argc, char** argv) try {
  std::signal(SIGPIPE, SIG_IGN);  // told by write() instead, so that the set is saved first
  return telescope::tool::run_command_line(argc, argv);
} catch (const telescope::tool::OutputClosed&) {
  return telescope::tool::kClosed;
} catch (const std::exception& error) {
  telescope::tool::clear_progress();
  std::fprintf(stderr, "telescope: %s\n", error.what());
  return telescope::tool::kError;
}
