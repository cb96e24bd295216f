// telescope-lab generate
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/errors.hpp"
#include "io/output.hpp"
#include "measure/clocks.hpp"
#include "verbs.hpp"
#include "workloads/active_set.hpp"
#include "workloads/flows.hpp"
#include "workloads/power_law.hpp"

namespace telescope::lab {
namespace {

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
double write_stream(Generator generator, const GenerateOptions& options) {
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

}  // namespace

void generate(const GenerateOptions& options) {
  const double seconds = options.generator == "active"
                             ? write_stream(ActiveSet(options.exponent, options.seed), options)
                         : options.generator == "flows" ? write_stream(Flows(options.seed), options)
                                                        : write_stream(PowerLaw(options.seed), options);
  Row row;
  row["generator"] = options.generator;
  row["keys"] = options.keys;
  row["seconds"] = seconds;
  row["mkeys_per_second"] = static_cast<double>(options.keys) / seconds / 1e6;
  Output output(options.json);
  output.add(row);
  output.finish();
}

}  // namespace telescope::lab
