// The verbs that take keys or print them.
#include "command_line_parts.hpp"

namespace telescope::tool {
namespace {

// --u64 and --hex, of which one at most is given.
CLI::Option* add_form(CLI::App* verb, KeyForm& form) {
  CLI::Option* words = verb->add_flag_callback(
      "--u64", [&form] { form = KeyForm::u64; },
      "Keys are integers, decimal or 0x hexadecimal; stored as 8 little-endian bytes");
  return verb
      ->add_flag_callback(
          "--hex", [&form] { form = KeyForm::hex; }, "Keys (and values) are hexadecimal, two digits for each byte")
      ->excludes(words);
}

struct SourceFlags {
  CLI::Option *file, *csv, *null;
};

SourceFlags add_source(CLI::App* verb, KeyOptions& options) {
  KeySource& source = options.source;
  SourceFlags flags{};
  flags.file = verb->add_option("FILE", source.file, "File of keys, one on each line; - is standard input")
                   ->capture_default_str();
  CLI::Option* hex = add_form(verb, source.form);
  flags.null = verb->add_flag("-0,--null", source.null, "Records end with NUL instead of a newline");
  flags.csv =
      verb->add_option("--csv", source.csv_column, "Keys are in this column of a CSV file: its name or its number")
          ->type_name("COLUMN")
          ->excludes(flags.null);
  verb->add_option("--separator", source.separator, "Character between CSV fields")
      ->needs(flags.csv)
      ->capture_default_str();
  verb->add_flag("--u64le", source.words, "The file is a stream of 8-byte little-endian words")
      ->excludes(hex)
      ->excludes(flags.null)
      ->excludes(flags.csv)
      ->each([&source](const std::string&) { source.form = KeyForm::u64; });
  verb->add_option("--key", options.keys, "This key instead of a file; may be repeated")
      ->type_name("KEY")
      ->allow_extra_args(false)
      ->excludes(flags.file)
      ->excludes(flags.csv);
  verb->add_flag("!--no-save", options.save,
                 "Do not save the filter: the next command reads all of the store to make it");
  return flags;
}

void add_add(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "add", "Add keys, or replace their values", add);
  const SourceFlags flags = add_source(verb, *options);
  verb->add_flag("--tsv", options->source.tab_values, "Lines are key TAB value")->excludes(flags.csv);
  verb->add_option("--value-column", options->source.value_column, "Values are in this column, with --csv")
      ->type_name("COLUMN")
      ->needs(flags.csv);
  verb->add_option("--value", options->value, "The value of each --key")->needs(verb->get_option("--key"));
  add_json(verb, options->json);
}

void add_check(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "check", "Tell which keys are in the set; exit code 0 if any is, 1 if none is", check);
  add_source(verb, *options);
  CLI::Option* present =
      verb->add_flag("--only-present", options->only_present, "Print only the keys that are in the set");
  verb->add_flag("--only-absent", options->only_absent, "Print only the keys that are not")->excludes(present);
  verb->add_flag("-c,--count", options->count, "Print how many, instead of which");
  verb->add_flag("-q,--quiet", options->quiet, "Print nothing: the exit code tells");
  add_json(verb, options->json, "Print a JSON object for each key");
}

void add_get(Program& program) {
  const auto [verb, options] = add_verb_of_set(
      program, "get", "Print values: that of one --key, or lines of key TAB value; 1 if none is there", get);
  add_source(verb, *options);
  add_json(verb, options->json, "Print a JSON object for each key");
}

void add_remove(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "remove", "Remove keys; 1 if none was there", remove);
  add_source(verb, *options);
  add_json(verb, options->json);
}

void add_list(Program& program) {
  const auto [verb, options] = add_verb_of_set(program, "list", "Print all keys, in the order of their hashes", list);
  add_form(verb, options->form);
  verb->add_flag("-0,--null", options->null, "End records with NUL instead of a newline");
  verb->add_flag("--values", options->values, "Print key TAB value");
  add_count(verb, "--limit", options->limit, "Print at most this many");
  add_json(verb, options->json, "Print a JSON object for each key");
}

void add_export(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "export", "Print all keys and values, byte for byte, for import", export_members);
  CLI::Option* tsv =
      verb->add_flag("--tsv", options->tsv, "Hex of the key TAB hex of the value, instead of JSON lines");
  verb->add_flag_callback(
          "--json", [] {}, "Print JSON lines: the default")
      ->excludes(tsv);
}

void add_import(Program& program) {
  const auto [verb, options] =
      add_verb_of_set(program, "import", "Add what export printed; make the set if there is none", import_members);
  verb->add_option("FILE", options->file, "File that export printed; - is standard input")->capture_default_str();
  verb->add_flag("--tsv", options->tsv, "The file was written with --tsv");
  add_json(verb, options->json);
}

}  // namespace

void add_key_verbs(Program& program) {
  add_add(program);
  add_check(program);
  add_get(program);
  add_remove(program);
  add_list(program);
  add_export(program);
  add_import(program);
}

}  // namespace telescope::tool
