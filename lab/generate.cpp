// telescope-lab generate
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/errors.hpp"
#include "io/output.hpp"
#include "measure/stopwatch.hpp"
#include "verbs.hpp"
#include "workloads/active_set.hpp"
#include "workloads/flows.hpp"
#include "workloads/power_law.hpp"

namespace telescope::lab {
namespace {

struct Options {
  std::string generator;
  std::uint64_t keys = 10'000'000;
  double exponent = ActiveSet::kDefaultExponent;
  std::uint32_t seed = kFirehoseSeed;
  std::string out;
  bool json = false;
};

void write_words(std::ofstream& out, const std::vector<std::uint64_t>& words) {
  std::string bytes;
  bytes.reserve(8 * words.size());
  for (const std::uint64_t word : words) {
    for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(word >> (8 * i));
  }
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Only the generator itself is on the clock.
template <class Generator>
double generate(Generator generator, const Options& options) {
  std::optional<std::ofstream> out;
  if (!options.out.empty()) out.emplace(options.out, std::ios::binary);
  std::vector<std::uint64_t> chunk(std::size_t{1} << 16);
  double seconds = 0;
  for (std::uint64_t done = 0; done < options.keys; done += chunk.size()) {
    chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), options.keys - done)));
    const Stopwatch watch;
    for (std::uint64_t& key : chunk) key = generator.next();
    seconds += watch.seconds();
    consume(chunk.data());
    if (out) write_words(*out, chunk);
  }
  if (out && !out->flush()) throw LabError("cannot write " + options.out + ": is there room, and may you write there?");
  return seconds;
}

void run(const Options& options) {
  const double seconds = options.generator == "active"  ? generate(ActiveSet(options.exponent, options.seed), options)
                         : options.generator == "flows" ? generate(Flows(options.seed), options)
                                                        : generate(PowerLaw(options.seed), options);
  Row row;
  row["generator"] = options.generator;
  row["keys"] = options.keys;
  row["seconds"] = seconds;
  row["mkeys_per_second"] = static_cast<double>(options.keys) / seconds / 1e6;
  Output output(options.json);
  output.add(row);
  output.finish();
}

}  // namespace

void add_generate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "generate", "a FireHose stream, or packets of flows, to a .u64 file or only against the clock");
  verb->add_option("generator", options->generator, "active, powerlaw or flows")
      ->required()
      ->check(CLI::IsMember({"active", "powerlaw", "flows"}));
  verb->add_option("--keys", options->keys, "how many")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--exponent", options->exponent, "active: POW_EXP")->capture_default_str();
  verb->add_option("--seed", options->seed, "the generator's own")->capture_default_str();
  verb->add_option("--out", options->out, "file of little-endian 64-bit words");
  verb->add_flag("--json", options->json, "one JSON object instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
