// The verbs about a set as a whole.
#include "command_line_parts.hpp"

namespace telescope::tool {
namespace {

void add_create(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "create", "Make an empty set in a new directory", create, "The directory to make");
  add_count(verb, "--capacity", options->capacity, "Keys that the filter has room for before it grows")
      ->default_str("65536");
  add_rate(verb, options->width);
  verb->add_option_function<std::string>(
          "--hash", [&hash = options->hash](const std::string& name) { hash = *parse_hash_kind(name); },
          "xxh3: the fastest; siphash: if others choose the keys and may be hostile")
      ->check(CLI::IsMember({"xxh3", "siphash"}))
      ->default_str("xxh3");
  add_filter_kind(verb, options->filter);
  add_json(verb, options->json);
}

void add_stat(Program& program) {
  const auto [verb, options] = add_verb_of_set(
      program, "stat", "Print how many keys there are, how much memory they take, and what the filter has learned",
      stat);
  CLI::Option* prometheus = verb->add_flag("--prometheus", options->prometheus, "Print in Prometheus's text format");
  verb->add_flag("--json", options->json, "Print JSON")->excludes(prometheus);
}

void add_verify(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "verify", "Check the filter and that it agrees with the store; 1 if not", verify);
  add_json(verb, options->json);
}

void add_rebuild(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "rebuild", "Make the filter anew from the store; what it has learned is lost", rebuild);
  add_json(verb, options->json);
}

void add_resize(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "resize", "Make the filter larger, or as small as its keys allow", resize);
  CLI::Option* slots =
      add_count(verb, "--slots", options->slots, "How many slots, rounded up to a multiple of 64; each holds one key");
  add_count(verb, "--capacity", options->capacity, "How many keys to have room for")->excludes(slots);
  add_json(verb, options->json);
}

void add_snapshot(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "snapshot", "Save the filter beside the store", snapshot);
  verb->add_option("--to", options->to, "Copy it to this file, too")->type_name("FILE");
  add_json(verb, options->json);
}

}  // namespace

void add_set_verbs(Program& program) {
  add_create(program);
  add_stat(program);
  add_verify(program);
  add_rebuild(program);
  add_resize(program);
  add_snapshot(program);
}

}  // namespace telescope::tool
