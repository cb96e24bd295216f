#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "io/errors.hpp"
#include "verbs.hpp"

namespace {

constexpr int kLawBroken = 1;
constexpr int kFailed = 2;

int run(int argc, char** argv) {
  CLI::App app{"Measures filters and reproduces the paper's experiments.", "telescope-lab"};
  app.require_subcommand(1);
  CLI::App* bench = app.add_subcommand("bench", "throughput, every contestant in one interleaved run");
  bench->require_subcommand(1);
  telescope::lab::add_bench_filters(*bench);
  telescope::lab::add_bench_codes(*bench);
  telescope::lab::add_bench_guard(*bench);
  telescope::lab::add_bench_life(*bench);
  telescope::lab::add_bench_loads(*bench);
  telescope::lab::add_bench_rivals(*bench);
  telescope::lab::add_bench_roofline(*bench);
  telescope::lab::add_bench_scale(*bench);
  telescope::lab::add_bench_speed(*bench);
  telescope::lab::add_fpr(app);
  telescope::lab::add_generate(app);
  telescope::lab::add_trace(app);
  telescope::lab::add_letters(app);
  telescope::lab::add_reproduce(app);
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
    return run(argc, argv);
  } catch (const telescope::lab::LawBroken& error) {
    fmt::print(stderr, "telescope-lab: {}\n", error.what());
    return kLawBroken;
  } catch (const std::exception& error) {
    fmt::print(stderr, "telescope-lab: {}\n", error.what());
    return kFailed;
  }
}
