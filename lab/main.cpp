#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "command_line.hpp"
#include "io/errors.hpp"

namespace {

constexpr int kLawBroken = 1, kFailed = 2;

int run_command_line(int argc, char** argv) {
  CLI::App app{"Measures filters and reproduces the paper's experiments.", "telescope-lab"};
  app.require_subcommand(1);
  telescope::lab::add_bench_verbs(app);
  telescope::lab::add_other_verbs(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kFailed;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const telescope::lab::LawBroken& error) {
    fmt::print(stderr, "telescope-lab: {}\n", error.what());
    return kLawBroken;
  } catch (const std::exception& error) {
    fmt::print(stderr, "telescope-lab: {}\n", error.what());
    return kFailed;
  }
}
