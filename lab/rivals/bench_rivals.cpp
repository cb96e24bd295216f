// telescope-lab bench rivals
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
#include <vector>

#include "../bench/interleaved.hpp"
#include "../bench/run_options.hpp"
#include "../errors.hpp"
#include "../make_filter.hpp"
#include "../output.hpp"
#include "../verbs.hpp"
#include "rivals.hpp"

namespace telescope::lab {
namespace {

template <class R>
class RivalContestant final : public Contestant {
 public:
  RivalContestant(std::uint64_t slots, std::uint64_t seed) : slots_(slots), rival_(slots, experiment_hash(seed)) {}

  void fill(std::span<const std::uint64_t> keys) override {
    for (const std::uint64_t key : keys) {
      if (!rival_.insert(key)) throw LabError(fmt::format("{} is full: lower the load", R::kName));
    }
  }

  std::uint64_t count(std::span<const std::uint64_t> keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += rival_.contains(key);
    return hits;
  }

  // Members are in memory, so the whole of an adapt is on the clock.
  AdaptCost adapt_on(const Negatives& negatives, const MemberIndex&, const Counters& counters) override {
    AdaptCost adapted;
    if constexpr (R::kAdapts) {
      for (std::uint64_t i = 0; i < negatives.count; i += kChunk) {
        const auto positives = positives_of(negatives, i, std::min<std::uint64_t>(kChunk, negatives.count - i));
        const Lap lap(counters);
        for (const std::uint64_t key : positives) rival_.adapt(key);
        adapted.cost += lap.stop();
        adapted.adapts += positives.size();
      }
    }
    return adapted;
  }

  double bits_per_slot() const override { return static_cast<double>(rival_.bits()) / static_cast<double>(slots_); }

 private:
  static constexpr std::uint64_t kChunk = 1u << 16;

  std::vector<std::uint64_t> positives_of(const Negatives& negatives, std::uint64_t from, std::uint64_t count) const {
    std::vector<std::uint64_t> positives;
    for (std::uint64_t i = from; i < from + count; ++i) {
      const std::uint64_t key = negatives.keys[negatives.first + i];
      if (rival_.contains(key)) positives.push_back(key);
    }
    return positives;
  }

  std::uint64_t slots_;
  R rival_;
};

template <class R>
class RivalEntry final : public Entry {
 public:
  std::string name() const override { return std::string(R::kName); }
  bool ours() const override { return true; }
  std::unique_ptr<Contestant> make(std::uint64_t slots, std::uint64_t seed) const override {
    return std::make_unique<RivalContestant<R>>(slots, seed);
  }
};

std::vector<std::string> rival_names() {
  std::vector<std::string> names;
  Rivals::for_each([&]<class R>(std::type_identity<R>) { names.emplace_back(R::kName); });
  return names;
}

std::unique_ptr<Entry> make_entry(const std::string& name) {
  std::unique_ptr<Entry> made;
  Rivals::for_each([&]<class R>(std::type_identity<R>) {
    if (R::kName == name) made = std::make_unique<RivalEntry<R>>();
  });
  if (made == nullptr)
    throw LabError(fmt::format("no rival {}: choose among {}", name, fmt::join(rival_names(), ", ")));
  return made;
}

struct Options {
  RunOptions run;
  std::vector<std::string> filters = rival_names();
  std::vector<std::string> peers;
  bool json = false;
};

// A rate, and its ratio to each peer in the same operation.
Row row_of(const Score& score, const std::string& operation, const Scores& scores, const Options& options) {
  const Sample& sample = score.operations.at(operation);
  Row row;
  row["filter"] = score.filter;
  row["slots"] = options.run.slots;
  row["load"] = options.run.load;
  row["operation"] = operation;
  row["mops"] = median(sample.mops());
  row["bits_per_slot"] = score.bits_per_slot;
  row["fpr"] = operation.starts_with("negative")
                   ? Row(static_cast<double>(sample.hits) / static_cast<double>(sample.queries))
                   : Row();
  row["missing"] = operation.starts_with("positive") ? Row(sample.queries - sample.hits) : Row();
  for (const Score& peer : scores.filters) {
    if (peer.ours) continue;
    const auto against = ratio(sample, peer, operation);
    row["ratio_to_" + peer.filter] = against ? Row(*against) : Row();
  }
  row["mops_by_repetition"] = sample.mops();
  return row;
}

void run(const Options& options) {
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& filter : options.filters) entries.push_back(make_entry(filter));
  for (const std::string& file : options.peers) entries.push_back(make_peer_entry(file));
  const Counters counters(false);
  Scores scores;
  {
    Progress progress;
    scores = run_interleaved(entries, options.run, counters, progress);
  }
  Output output(options.json);
  for (const std::string& operation : kOperations) {
    for (const Score& score : scores.filters) {
      if (score.operations.contains(operation)) output.add(row_of(score, operation, scores, options));
    }
  }
  output.finish();
}

}  // namespace

void add_bench_rivals(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("rivals", "the rivals of the false-positive experiments, against their peers");
  add_run_options(*verb, options->run);
  verb->add_option("--filters", options->filters, fmt::format("{}", fmt::join(rival_names(), ", ")))
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--peer", options->peers, "shared object of a foreign filter (docs/peers.md); may be given again");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
