#include <fmt/core.h>
#include <fmt/ranges.h>

#include <telescope/any_filter.hpp>

#include "command_line.hpp"
#include "contestants/contestant.hpp"
#include "fpr/scene.hpp"

namespace telescope::lab {
namespace {

const CLI::Range kLoads(0.01, 1.0), kSeeds(1, 10000);

void add_trace_options(CLI::App* verb, TraceOptions& trace) {
  add_option(verb, "--format", trace.format, "of the trace; auto: u64 if its name ends so, else text")
      ->check(CLI::IsMember({"auto", "u64", "text"}));
}

void add_workload_options(CLI::App* verb, SceneOptions& scene) {
  verb->add_option("--slots", scene.slots,
                   "slots, a multiple of 64; by default 2^18, or what the members of a stream need")
      ->check(whole_blocks());
  add_option(verb, "--load", scene.load, "members per slot")->check(kLoads);
  verb->add_option("--passes", scene.passes,
                   "passes over the negatives (20), or over a stream (1); rounds of the adversary; replays for each "
                   "fresh query")
      ->check(CLI::Range(1, 1000000));
  verb->add_flag("--shuffled", scene.shuffled, "uniform: a new order in each pass");
  verb->add_option("--exponent", scene.exponent, "zipf: 1; active: POW_EXP, -0.5");
  verb->add_option("--queries", scene.queries, "zipf: passes x A; active, flows: 10 million; powerlaw: 50 million")
      ->check(CLI::PositiveNumber);
  verb->add_option("--members", scene.members,
                   "of a stream: fresh keys, or a partition of its own keys (the default for traces and flows)")
      ->check(CLI::IsMember({"fresh", "partition"}));
  add_trace_options(verb, scene.trace);
}

void add_fpr(CLI::App& app) {
  const auto [verb, options] =
      add_verb(app, "fpr", "false-positive rates under a workload, adapting on each false positive", fpr);
  add_option(verb, "--workload", options->workload,
             fmt::format("{}; trace takes a FILE", fmt::join(Stage::workloads(), ", ")))
      ->expected(1, 2);
  verb->add_option("--as", options->as, "A/S: unique negatives per member (1,10,20)")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  add_list(verb, "--filters", options->filters,
           fmt::format("{}; behind any +cache, or :reset for that --policy; or a peer's FILE.so",
                       fmt::join(contestant_names(), ", ")));
  add_workload_options(verb, options->scene);
  add_option(verb, "--policy", options->policy, "what to do when a code overflows")
      ->check(CLI::IsMember({"evict", "reset"}));
  add_option(verb, "--seeds", options->seeds, "how many seeds")->check(kSeeds);
  add_option(verb, "--seed", options->seed, "the first seed");
  add_json(verb, options->json);
}

void add_letters(CLI::App& app) {
  const auto [verb, options] =
      add_verb(app, "letters", "the selectors that a filter comes to hold, against the paper's lemma", letters);
  add_option(verb, "--filter", options->filter, "utaf, which has room for every selector, or taf")
      ->check(CLI::IsMember({"utaf", "taf"}));
  add_list(verb, "--widths", options->widths, "bits per remainder: eps is 2^-width")
      ->check(CLI::Range(AnyFilter::kMinWidth, AnyFilter::kMaxWidth));
  add_list(verb, "--as", options->as, "A/S: unique negatives per member")->check(CLI::PositiveNumber);
  add_option(verb, "--slots", options->slots, "slots, a multiple of 64")->check(whole_blocks());
  add_option(verb, "--load", options->load, "members per slot")->check(kLoads);
  add_option(verb, "--passes", options->passes, "passes over the negatives")->check(CLI::Range(1, 1000));
  add_option(verb, "--seeds", options->seeds, "how many seeds")->check(kSeeds);
  add_option(verb, "--seed", options->seed, "the first seed");
  add_json(verb, options->json);
}

void add_generate(CLI::App& app) {
  const auto [verb, options] = add_verb(
      app, "generate", "a FireHose stream, or packets of flows, to a .u64 file or only against the clock", generate);
  verb->add_option("generator", options->generator, "active, powerlaw or flows")
      ->required()
      ->check(CLI::IsMember({"active", "powerlaw", "flows"}));
  add_count(verb, "--keys", options->keys, "how many");
  add_option(verb, "--exponent", options->exponent, "active: POW_EXP");
  add_option(verb, "--seed", options->seed, "the generator's own");
  verb->add_option("--out", options->out, "file of little-endian 64-bit words");
  add_json(verb, options->json);
}

void add_trace(CLI::App& app) {
  const auto [verb, options] =
      add_verb(app, "trace", "describe a trace: accesses, keys, and how often a key comes again", describe_trace);
  verb->add_option("file", options->trace.file, "u64 or text")->required();
  add_trace_options(verb, options->trace);
  add_json(verb, options->json);
}

void add_reproduce(CLI::App& app) {
  const auto [verb, options] =
      add_verb(app, "reproduce", "the paper's figures and claims, measured and in one report", reproduce);
  add_option(verb, "what", options->what, "all, figures, claims, or names of some (--list)");
  add_option(verb, "--scale", options->scale, "quick: some minutes, 2 seeds; paper: hours, 10 seeds")
      ->check(CLI::IsMember({"quick", "paper"}));
  verb->add_option("--out", options->out, "directory; what is finished there is not run again (report-SCALE)");
  verb->add_option("--trace", options->traces, "a file for the figure of traces; may be given again")
      ->allow_extra_args(false)
      ->check(CLI::ExistingFile);
  verb->add_option("--jobs", options->at_once, "how many at once; those on the clock run alone")
      ->check(CLI::Range(1, 1024));
  verb->add_flag("--list", options->list, "what there is");
}

}  // namespace

void add_other_verbs(CLI::App& app) {
  add_fpr(app);
  add_letters(app);
  add_generate(app);
  add_trace(app);
  add_reproduce(app);
}

}  // namespace telescope::lab
