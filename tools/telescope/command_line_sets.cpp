// The verbs about a set as a whole.
#include "command_line_parts.hpp"

namespace telescope::tool {
namespace {

void add_create(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("create", "Make an empty set in a new directory");
  const auto options = on_parsed<CreateOptions>(verb, exit_code, create);
  add_directory(verb, options->directory, "The directory to make");
  add_count(verb, "--capacity", options->capacity, "Keys that the filter has room for before it grows")
      ->default_str("65536");
  add_rate(verb, options->bits);
  verb->add_option_function<std::string>(
          "--hash", [options](const std::string& name) { options->hash = *parse_hash_kind(name); },
          "xxh3: fastest; siphash: for callers who may be hostile; murmur3: the paper's")
      ->check(CLI::IsMember({"xxh3", "murmur3", "siphash"}))
      ->default_str("xxh3");
  add_filter_kind(verb, options->filter);
  add_json(verb, options->json);
}

void add_stat(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("stat", "Members, memory, load, letters");
  const auto options = on_parsed<StatOptions>(verb, exit_code, stat);
  add_directory(verb, options->directory);
  CLI::Option* prometheus = verb->add_flag("--prometheus", options->prometheus, "Print in Prometheus's text format");
  verb->add_flag("--json", options->json, "Print JSON")->excludes(prometheus);
}

void add_verify(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("verify", "Check every invariant, and that filter and store agree; 1 if not");
  const auto options = on_parsed<SetVerbOptions>(verb, exit_code, verify);
  add_directory(verb, options->directory);
  add_json(verb, options->json);
}

void add_rebuild(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("rebuild", "Make the filter anew from the store");
  const auto options = on_parsed<SetVerbOptions>(verb, exit_code, rebuild);
  add_directory(verb, options->directory);
  add_json(verb, options->json);
}

void add_resize(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("resize", "Give the filter more slots, or as few as its members need");
  const auto options = on_parsed<ResizeOptions>(verb, exit_code, resize);
  add_directory(verb, options->directory);
  CLI::Option* slots = add_count(verb, "--slots", options->slots, "Slots, rounded up to blocks of 64");
  add_count(verb, "--capacity", options->capacity, "Keys to have room for")->excludes(slots);
  add_json(verb, options->json);
}

void add_snapshot(CLI::App& app, ExitCode& exit_code) {
  CLI::App* verb = app.add_subcommand("snapshot", "Save the filter beside the store");
  const auto options = on_parsed<SnapshotOptions>(verb, exit_code, snapshot);
  add_directory(verb, options->directory);
  verb->add_option("--to", options->to, "And a copy to this file")->type_name("FILE");
  add_json(verb, options->json);
}

}  // namespace

void add_set_verbs(CLI::App& app, ExitCode& exit_code) {
  add_create(app, exit_code);
  add_stat(app, exit_code);
  add_verify(app, exit_code);
  add_rebuild(app, exit_code);
  add_resize(app, exit_code);
  add_snapshot(app, exit_code);
}

}  // namespace telescope::tool
