// telescope-lab bench roofline: what this machine's memory allows, by the size of the array.
#include <fmt/core.h>

#include <memory>
#include <vector>

#include "bench/referee.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "measure/caches.hpp"
#include "verbs.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

struct Options {
  std::uint64_t from = kMegabyte;
  std::uint64_t to = 512 * kMegabyte;
  std::uint64_t reads = std::uint64_t{1} << 22;
  unsigned reps = 5;
  bool huge_pages = false;
  bool json = false;
};

std::string held_by(std::uint64_t bytes, const std::vector<Cache>& caches) {
  for (const Cache& cache : caches) {
    if (bytes <= cache.bytes) return cache.name();
  }
  return caches.empty() ? "unknown" : "memory";
}

Row row_of(const MemoryArray& memory, const Score& score, const std::string& operation, const Options& options,
           const std::vector<Cache>& caches) {
  const Sample& sample = score.operations.at(operation);
  Row row;
  row["mb"] = static_cast<double>(memory.bytes()) / static_cast<double>(kMegabyte);
  row["fits"] = held_by(memory.bytes(), caches);
  row["pages"] = options.huge_pages ? "huge" : "plain";
  row["operation"] = operation;
  row["mops"] = median(sample.mops());
  row["ns"] = 1e3 / median(sample.mops());
  row["mops_by_repetition"] = sample.mops();
  return row;
}

void run(const Options& options) {
  if (options.huge_pages) {
    if (const char* why = why_no_huge_pages()) throw LabError(why);
  }
  const std::vector<Cache> caches = data_caches();
  const Counters counters(false);
  Output output(options.json);
  {
    Progress progress;
    for (std::uint64_t bytes = options.from; bytes <= options.to; bytes *= 2) {
      progress.show(fmt::format("{} bytes", bytes));
      const MemoryArray memory(bytes, options.huge_pages ? Pages::huge : Pages::plain);
      Score score;
      for (unsigned rep = 0; rep < options.reps; ++rep) {
        const Referee referee(counters, rep);
        in_turns(Keys(rep).range(0, options.reads), 2, rep, [&](std::size_t i, const Turn& turn) {
          i == 0 ? referee.read_single(memory, score, "read_single", turn)
                 : referee.read_batch(memory, score, "read_batch", turn);
        });
      }
      for (const char* operation : {"read_single", "read_batch"}) {
        output.add(row_of(memory, score, operation, options, caches));
      }
    }
  }
  output.finish();
}

}  // namespace

void add_bench_roofline(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("roofline", "random 64-byte reads of this machine, by the size of the array");
  verb->add_option("--from", options->from, "bytes of the smallest array; each next one is twice as large")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--to", options->to, "bytes of the largest array")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--reads", options->reads, "reads per operation")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--reps", options->reps, "repetitions; the median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_flag("--huge-pages", options->huge_pages, "ask for transparent huge pages");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
