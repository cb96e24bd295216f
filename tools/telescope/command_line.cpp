#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <telescope/hash.hpp>

namespace telescope::tool {
namespace {

void add_demo(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("demo", "A short tour: build, find a false positive, adapt, replay");
  auto options = std::make_shared<DemoOptions>();
  verb->add_option("--keys", options->keys, "Members of the set")
      ->check(CLI::Range(1'000, 10'000'000))
      ->capture_default_str();
  verb->add_option("--passes", options->passes, "Times each false positive is asked for")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  CLI::Option* seed = verb->add_option("--seed", options->seed, "Make the run repeatable (default: random)");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->callback([options, seed, &exit_code] {
    if (seed->count() == 0) options->seed = Secret::random().words[0];
    exit_code = demo(*options);
  });
}

void add_version(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("version", "Print the version");
  auto options = std::make_shared<VersionOptions>();
  verb->add_flag("--json", options->json, "Print JSON");
  verb->callback([options, &exit_code] { exit_code = version(*options); });
}

}  // namespace

ExitCode run_command_line(int argc, char** argv) {
  CLI::App app{"Filters that repair their false positives.", "telescope"};
  app.set_version_flag("--version", "telescope " TELESCOPE_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 yes or done, 1 no, 2 error. `telescope <verb> --help` tells more.");

  ExitCode exit_code = kYes;
  add_demo(app, exit_code);
  add_version(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kYes : kError;  // CLI11 has a code of its own for each mistake
  }
  return exit_code;
}

}  // namespace telescope::tool
