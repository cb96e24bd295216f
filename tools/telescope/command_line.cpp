#include "command_line.hpp"

#include <fmt/core.h>

#include <cmath>

#include "command_line_parts.hpp"
#include "io/numbers.hpp"

namespace telescope::tool {
namespace {

unsigned bits_for(const std::string& text) {
  const auto rate = parse_rate(text);
  if (!rate) throw CLI::ValidationError("--fpr", fmt::format("\"{}\" is no rate: write 1/256, 0.004 or 0.4%", text));
  const double bits = std::ceil(-std::log2(*rate) - 1e-9);
  if (bits > 16) throw CLI::ValidationError("--fpr", "remainders have 16 bits at most: ask for 1/65536 or more");
  return std::max(4u, static_cast<unsigned>(bits));
}

}  // namespace

std::uint64_t count_or_throw(const std::string& name, const std::string& text) {
  const auto count = parse_count(text);
  if (!count)
    throw CLI::ValidationError(name, fmt::format("\"{}\" is no count: write 1000000, 1e6, 10M or 2^20", text));
  return *count;
}

void add_rate(CLI::App* verb, unsigned& bits) {
  CLI::Option* rate = verb->add_option_function<std::string>(
                              "--fpr", [&bits](const std::string& text) { bits = bits_for(text); },
                              "Highest rate of false positives among fresh negatives: 1/256, 0.004, 0.4%")
                          ->type_name("RATE");
  verb->add_option("--bits", bits, "Bits of a remainder: the rate is 2^-BITS")
      ->check(CLI::Range(4, 16))
      ->excludes(rate)
      ->capture_default_str();
}

void add_filter_kind(CLI::App* verb, FilterKind& kind) {
  verb->add_option_function<std::string>(
          "--filter", [&kind](const std::string& name) { kind = *parse_filter_kind(name); },
          "taf: selectors; exaf: extensions; utaf: raw selectors; rsqf: does not adapt")
      ->check(CLI::IsMember({"taf", "exaf", "utaf", "rsqf"}))
      ->default_str("taf");
}

ExitCode run_command_line(int argc, char** argv) {
  Program program{CLI::App("Sets on the disk, guarded by a filter that repairs its false positives.", "telescope")};
  CLI::App& app = program.app;
  app.set_version_flag("--version", "telescope " TELESCOPE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 yes or done, 1 no or absent, 2 error. `telescope <verb> --help` tells more; so does "
      "`man telescope`.");
  app.failure_message([](const CLI::App* at, const CLI::Error& error) {
    std::string verb = "telescope";
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
