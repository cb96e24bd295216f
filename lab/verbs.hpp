// The verbs of `telescope-lab`. A verb is a function of its options, and throws what main turns into an exit status.
// Only main and command_line*.cpp know how options are spelled: the parser is by far the slowest thing to compile here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace telescope::lab {

// bench: what is measured on the clock.

struct SpeedOptions {
  std::vector<std::uint64_t> slots = {std::uint64_t{1} << 22};
  std::vector<double> loads = {0.95};
  std::vector<std::string> filters = {"rsqf", "taf"};
  std::vector<std::string> peers;
  std::vector<std::string> operations;  // empty: all
  std::string queries = "fresh";        // or active
  unsigned reps = 5;
  double unique_negatives = 10;                   // per member
  std::uint64_t probes = std::uint64_t{1} << 22;  // queries per operation
  std::uint64_t seed = 1;
  bool json = false;
};
void bench_speed(const SpeedOptions& options);

struct CodesOptions {
  unsigned blocks = 1u << 14;
  unsigned reps = 9;
  std::uint64_t seed = 1;
  bool json = false;
};
void bench_codes(const CodesOptions& options);

struct LifeOptions {
  std::vector<std::string> parts;                       // empty: all
  std::uint64_t slots = std::uint64_t{1} << 24;         // bulk load and snapshots
  std::uint64_t members = 1'000'000;                    // growth
  std::uint64_t thread_slots = std::uint64_t{1} << 22;  // threads
  std::uint64_t operations = std::uint64_t{1} << 22;    // of each thread
  double load = 0.95;
  unsigned unique_negatives = 10;  // per member, to adapt on before growing
  unsigned reps = 5;
  std::uint64_t seed = 1;
  std::string directory;  // for snapshots; empty: the system's temporary directory
  bool json = false;
};
void bench_life(const LifeOptions& options);

struct GuardOptions {
  std::vector<std::string> parts;      // empty: all
  std::uint64_t keys = 1'000'000;      // members, but for `add`
  std::uint64_t many = 10'000'000;     // members for that
  std::uint64_t replays = 1'000'000;   // queries of the adversary, after its warm-up
  std::uint64_t asked = 200'000;       // queries on the clock, of each stream
  unsigned unique_negatives = 10;      // per member
  unsigned queries_per_negative = 10;  // of the skewed stream
  std::uint64_t batch = 1024;          // records per write
  std::size_t value_bytes = 100;
  std::uint64_t seed = 1;
  std::string directory;  // for stores; empty: the system's temporary directory
  bool json = false;
};
void bench_guard(const GuardOptions& options);

// False positives.

struct TraceOptions {
  std::string file;
  std::string format = "auto";  // auto, u64, text
};

struct SceneOptions {
  std::string workload = "uniform";
  std::optional<std::uint64_t> slots;  // streams have as many as their members need
  double load = 0.95;
  std::optional<unsigned> passes;
  bool shuffled = false;
  std::optional<double> exponent;
  std::optional<std::uint64_t> queries;  // of a generated stream
  std::string members;                   // of a recorded stream: fresh or partition
  TraceOptions trace;
};

struct FprOptions {
  SceneOptions scene;
  std::vector<std::string> workload = {"uniform"};  // "trace FILE" is two words
  std::vector<double> as;
  std::vector<std::string> filters = {"taf", "exaf", "utaf", "rsqf", "taf-shift"};
  std::string policy = "evict";
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  bool json = false;
};
void fpr(const FprOptions& options);

struct LettersOptions {
  std::string filter = "utaf";
  std::vector<unsigned> widths = {8};
  std::vector<double> as = {4};
  std::uint64_t slots = std::uint64_t{1} << 16;
  double load = 0.95;
  unsigned passes = 2;
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  bool json = false;
};
void letters(const LettersOptions& options);

// Streams.

struct GenerateOptions {
  std::string generator;
  std::uint64_t keys = 10'000'000;
  double exponent = -0.5;          // of the active set
  std::uint32_t seed = 678912345;  // FireHose's
  std::string out;                 // empty: only against the clock
  bool json = false;
};
void generate(const GenerateOptions& options);

struct DescribeOptions {
  TraceOptions trace;
  bool json = false;
};
void describe_trace(const DescribeOptions& options);

// The paper's figures and claims.

struct ReproduceOptions {
  std::vector<std::string> what = {"all"};
  std::string scale = "quick";      // or paper
  std::vector<std::string> traces;  // files for the figure of traces
  std::string out;                  // empty: report-SCALE
  unsigned at_once = 0;             // jobs; 0: as many as there are processors
  bool list = false;
};
void reproduce(const ReproduceOptions& options);

}  // namespace telescope::lab
