#include "command_line.hpp"

#include <fmt/core.h>

#include <cmath>
#include <telescope/any_filter.hpp>

#include "command_line_parts.hpp"
#include "io/numbers.hpp"
#include "io/program_name.hpp"

namespace telescope::tool {
namespace {

// The smallest width whose rate is the given one or less.
unsigned width_for(const std::string& text) {
  const auto rate = parse_rate(text);
  if (!rate) throw CLI::ValidationError("--fpr", fmt::format("\"{}\" is not a rate: write 1/256, 0.004 or 0.4%", text));
  const double width = std::ceil(-std::log2(*rate) - 1e-9);
  if (width > AnyFilter::kMaxWidth) {
    throw CLI::ValidationError(
        "--fpr", fmt::format("no filter has so few false positives: ask for 2^-{} or more", AnyFilter::kMaxWidth));
  }
  return std::max(AnyFilter::kMinWidth, static_cast<unsigned>(width));
}

}  // namespace

std::uint64_t count_or_throw(const std::string& name, const std::string& text) {
  const auto count = parse_count(text);
  if (!count)
    throw CLI::ValidationError(name, fmt::format("\"{}\" is not a count: write 1000000, 1e6, 10M or 2^20", text));
  return *count;
}

void add_rate(CLI::App* verb, unsigned& width) {
  CLI::Option* rate =
      verb->add_option_function<std::string>(
              "--fpr", [&width](const std::string& text) { width = width_for(text); },
              "Highest share of absent keys, each asked for once, that reach the store: 1/256, 0.004, 0.4%")
          ->type_name("RATE");
  verb->add_option("--width", width,
                   "The same as a number of bits: the rate is 2^-WIDTH, and a key takes WIDTH + 3 bits")
      ->check(CLI::Range(AnyFilter::kMinWidth, AnyFilter::kMaxWidth))
      ->excludes(rate)
      ->capture_default_str();
}

void add_filter_kind(CLI::App* verb, FilterKind& kind) {
  verb->add_option_function<std::string>(
          "--filter", [&kind](const std::string& name) { kind = *parse_filter_kind(name); },
          "taf: repairs its false positives; exaf, utaf: other ways to do so; rsqf: repairs none")
      ->check(CLI::IsMember({"taf", "exaf", "utaf", "rsqf"}))
      ->default_str("taf");
}

ExitCode run_command_line(int argc, char** argv) {
  const std::string name = program_name();
  Program program{CLI::App("Sets of keys on the disk, behind a filter that repairs its false positives.", name)};
  CLI::App& app = program.app;
  app.set_version_flag("--version", "telescope " TELESCOPE_VERSION);
  app.require_subcommand(1);
  app.footer(fmt::format("Exit codes: 0 yes or done, 1 no or absent, 2 error. For more: `{} VERB --help`, `{}`.", name,
                         name == "telescope" ? "man telescope" : name + " --man"));
  app.failure_message([name](const CLI::App* at, const CLI::Error& error) {
    std::string verb = name;
    for (const CLI::App* chosen : at->get_subcommands()) verb += " " + chosen->get_name();
    return fmt::format("telescope: {} ({} --help tells more)\n", error.what(), verb);
  });

  add_set_verbs(program);
  add_key_verbs(program);
  add_other_verbs(program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kYes : kError;  // CLI11 has a code of its own for each mistake
  }
  return program.exit_code;
}

}  // namespace telescope::tool
