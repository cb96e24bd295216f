#include "command_line.hpp"

namespace telescope::lab {
namespace {

const CLI::Range kRepetitions(1, 10000);

void add_speed(CLI::App& bench) {
  const auto [verb, options] =
      add_verb(bench, "speed", "every contestant in one interleaved run, with ratios", bench_speed);
  add_list(verb, "--slots,--sizes", options->slots, "slots of each filter, multiples of 64; each a run of its own")
      ->check(whole_blocks());
  add_list(verb, "--loads,--load", options->loads, "members per slot; filters stop at each load to be queried")
      ->check(CLI::Range(0.01, 1.0));
  add_list(
      verb, "--filters,--contestants", options->filters,
      "rsqf, taf, utaf, exaf; taf:any:WIDTH, through AnyFilter; taf-shift, with the paper's coder, and taf-decode, "
      "which decodes in every query; rivals (docs/lab.md)");
  verb->add_option("--peer", options->peers, "shared object of a peer (docs/peers.md); may be given again")
      ->allow_extra_args(false);
  add_list(verb, "--operations", options->operations,
           "some of insert, insert_batch, negative, positive, "
           "negative_batch, adapt; all if not given")
      ->check(CLI::IsMember({"insert", "insert_batch", "negative", "positive", "negative_batch", "adapt"}));
  add_option(verb, "--queries", options->queries, "negatives: fresh keys, or the stream of the active set")
      ->check(CLI::IsMember({"fresh", "active"}));
  add_option(verb, "--reps", options->reps, "repetitions; the median counts")->check(kRepetitions);
  add_option(verb, "--unique-negatives", options->unique_negatives, "unique negatives per member to adapt on")
      ->check(CLI::NonNegativeNumber);
  add_count(verb, "--probes", options->probes, "queries per operation");
  add_option(verb, "--seed", options->seed, "first seed; each repetition takes the next");
  add_json(verb, options->json);
}

void add_codes(CLI::App& bench) {
  const auto [verb, options] =
      add_verb(bench, "codes", "decode, encode and overflows of our code and of the paper's two", bench_codes);
  add_option(verb, "--blocks", options->blocks, "sampled blocks per A/S")->check(CLI::Range(64, 1 << 24));
  add_option(verb, "--reps", options->reps, "repetitions; the median counts")->check(kRepetitions);
  add_option(verb, "--seed", options->seed, "seed of the sampled blocks");
  add_json(verb, options->json);
}

template <class Options>
void add_parts(CLI::App* verb, Options& options, const std::vector<std::string>& names, const std::string& help) {
  verb->add_option("parts", options.parts, help + "; all if none is named")->check(CLI::IsMember(names));
  verb->add_option("--directory", options.directory, "where files are written; the system's temporary one if not given")
      ->check(CLI::ExistingDirectory);
  add_json(verb, options.json);
}

void add_life(CLI::App& bench) {
  const auto [verb, life] =
      add_verb(bench, "life", "bulk load, growth, snapshots and threads, as ratios from one run", bench_life);
  add_parts(verb, *life, {"load", "growth", "snapshots", "threads"}, "load, growth, snapshots, threads");
  add_option(verb, "--slots", life->slots, "slots of the filters that are loaded and saved")->check(whole_blocks());
  add_count(verb, "--members", life->members, "members of the filter that grows");
  add_option(verb, "--thread-slots", life->thread_slots, "slots of the filters that threads share")
      ->check(whole_blocks());
  add_count(verb, "--operations", life->operations, "operations of each thread");
  add_option(verb, "--load", life->load, "members per slot")->check(CLI::Range(0.1, 0.98));
  add_count(verb, "--unique-negatives", life->unique_negatives, "unique negatives per member, before growing");
  add_option(verb, "--reps", life->reps, "repetitions; the median counts")->check(kRepetitions);
  add_option(verb, "--seed", life->seed, "first seed; each repetition takes the next");
}

void add_guard(CLI::App& bench) {
  const auto [verb, guard] =
      add_verb(bench, "guard", "a guard over RocksDB, against RocksDB's own filter and none", bench_guard);
  add_parts(verb, *guard, {"adversary", "skewed", "clock", "add"}, "adversary, skewed, clock, add");
  add_count(verb, "--keys", guard->keys, "members, but for `add`");
  add_count(verb, "--many", guard->many, "members that `add` adds");
  add_count(verb, "--replays", guard->replays, "queries of the adversary after its warm-up");
  add_count(verb, "--asked", guard->asked, "queries of each stream on the clock");
  add_count(verb, "--unique-negatives", guard->unique_negatives, "unique negatives per member");
  add_option(verb, "--value-bytes", guard->value_bytes, "bytes of each value");
  add_count(verb, "--batch", guard->batch, "records per write of `add`");
  add_option(verb, "--seed", guard->seed, "of keys and hashes");
}

}  // namespace

void add_bench_verbs(CLI::App& app) {
  CLI::App* const bench = app.add_subcommand("bench", "speed, against other filters in the same minutes");
  bench->require_subcommand(1);
  add_speed(*bench);
  add_codes(*bench);
  add_life(*bench);
  add_guard(*bench);
}

}  // namespace telescope::lab
