// The verbs about a set as a whole.
#include "command_line_parts.hpp"

namespace telescope::tool {
namespace {

void add_create(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "create", "Make an empty set in a new directory", create, "The directory to make");
  add_count(verb, "--capacity", options->capacity, "Keys that the filter has room for before it grows")
      ->default_str("65536");
  add_rate(verb, options->bits);
  verb->add_option_function<std::string>(
          "--hash", [&hash = options->hash](const std::string& name) { hash = *parse_hash_kind(name); },
          "xxh3: fastest; siphash: for callers who may be hostile")
      ->check(CLI::IsMember({"xxh3", "siphash"}))
      ->default_str("xxh3");
  add_filter_kind(verb, options->filter);
  add_json(verb, options->json);
}

void add_stat(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "stat", "Members, memory, load, letters", stat);
  CLI::Option* prometheus = verb->add_flag("--prometheus", options->prometheus, "Print in Prometheus's text format");
  verb->add_flag("--json", options->json, "Print JSON")->excludes(prometheus);
}

void add_verify(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "verify", "Check every invariant, and that filter and store agree; 1 if not", verify);
  add_json(verb, options->json);
}

void add_rebuild(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "rebuild", "Make the filter anew from the store", rebuild);
  add_json(verb, options->json);
}

void add_resize(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "resize", "Give the filter more slots, or as few as its members need", resize);
  CLI::Option* slots = add_count(verb, "--slots", options->slots, "Slots, rounded up to blocks of 64");
  add_count(verb, "--capacity", options->capacity, "Keys to have room for")->excludes(slots);
  add_json(verb, options->json);
}

void add_snapshot(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "snapshot", "Save the filter beside the store", snapshot);
  verb->add_option("--to", options->to, "And a copy to this file")->type_name("FILE");
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
