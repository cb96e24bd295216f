// The verbs of the `telescope` program, one file each. A verb is a function of its options that returns the exit code.
// Only command_line.cpp knows how options are spelled: the parser is by far the slowest thing to compile here.
#pragma once

#include <cstdint>

namespace telescope::tool {

// What the program returns to the shell.
enum ExitCode : int {
  kYes = 0,    // yes, or done
  kNo = 1,     // no: the key is absent, the check failed
  kError = 2,  // wrong usage, or something could not be done
};

struct DemoOptions {
  std::uint64_t keys = 100'000;
  std::uint64_t seed = 0;
  unsigned false_positives = 1'000;
  unsigned passes = 100;
  bool json = false;
};
ExitCode demo(const DemoOptions& options);

struct VersionOptions {
  bool json = false;
};
ExitCode version(const VersionOptions& options);

}  // namespace telescope::tool
