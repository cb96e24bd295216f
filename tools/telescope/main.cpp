// telescope <verb> [options]: the command line of the library.
#include <cstdio>
#include <exception>

#include "command_line.hpp"

int main(int argc, char** argv) try {
  return telescope::tool::run_command_line(argc, argv);
} catch (const std::exception& error) {
  std::fprintf(stderr, "telescope: %s\n", error.what());
  return telescope::tool::kError;
}
