// telescope-lab letters: which selectors a filter comes to hold, against the paper's analysis.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <telescope/any_filter.hpp>
#include <vector>

#include "bench/run_options.hpp"
#include "contestants/make_filter.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "members/member_index.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  std::string filter = "utaf";
  std::vector<unsigned> bits = {8};
  std::vector<double> as = {4};
  std::uint64_t slots = std::uint64_t{1} << 16;
  double load = 0.95;
  unsigned passes = 2;
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  bool json = false;
};

constexpr std::size_t kShown = 5;     // letters 0 to 4
constexpr std::size_t kCounted = 64;  // and above

// Lemma hashprob, k = 0: (1 - eps/n)^cn. A query meets a member with probability 2^-R / slots.
double none_moved(double unique, const Options& options, unsigned bits) {
  const double meets = std::exp2(-static_cast<double>(bits)) / static_cast<double>(options.slots);
  return std::exp(unique * std::log1p(-meets));
}

// Corollary hashprobcor, k > 0: eps^k sum_{i=1..k} c^i / i!, with the eps that this load gives.
double at_most(unsigned k, double c, double eps) {
  double term = 1, sum = 0;
  for (unsigned i = 1; i <= k; ++i) {
    term *= c / i;
    sum += term;
  }
  return std::pow(eps, k) * sum;
}

// Bits per letter of a perfect code.
double entropy(const std::array<std::uint64_t, kCounted>& counts, double members) {
  double bits = 0;
  for (const std::uint64_t count : counts) {
    if (count > 0) bits -= static_cast<double>(count) / members * std::log2(static_cast<double>(count) / members);
  }
  return bits;
}

// Theorem aqfspace: with n / (b sqrt eps) unique queries, 1/e + b / (b - 1)^2 bits do, for b >= 2 and the nominal eps.
void add_theorem(Row& row, double as, unsigned bits) {
  const double b = 1 / (as * std::exp2(-0.5 * bits));
  row["b"] = b;
  row["theorem_bits"] = b >= 2 ? Row(std::exp(-1) + b / ((b - 1) * (b - 1))) : Row();
}

AnyFilter filled(const Options& options, unsigned bits, const std::vector<Hash>& members) {
  auto made = AnyFilter::build(options.filter == "taf" ? FilterKind::taf : FilterKind::utaf, bits,
                               {.slots = options.slots}, members);
  if (!made) throw LabError(fmt::format("{} bits, {} slots: {}", bits, options.slots, message(made.error())));
  return std::move(*made);
}

Row measure(const Options& options, unsigned bits, double as, std::uint64_t seed) {
  const Keys keys(seed);
  const auto count = static_cast<std::uint64_t>(options.load * static_cast<double>(options.slots));
  const auto unique = static_cast<std::uint64_t>(as * static_cast<double>(count));
  const Xxh3 hash = experiment_hash(seed);
  const std::vector<Hash> members = hashes_of(keys.range(0, count), hash);
  const MemberIndex index(members);
  AnyFilter filter = filled(options, bits, members);

  OverflowReport overflow;
  for (unsigned pass = 0; pass < options.passes; ++pass) {
    for (std::uint64_t i = 0; i < unique; ++i) {
      const Hash query = hash(keys[count + i]);
      if (!filter.contains(query)) continue;
      const auto report = filter.adapt(query, index);
      if (!report) throw LabError(std::string(message(report.error())));
      overflow += report->overflow;
    }
  }
  for (const Hash& member : members) {
    if (!filter.contains(member)) throw LawBroken(fmt::format("{} lost a member", options.filter));
  }

  std::array<std::uint64_t, kCounted> counts{};
  filter.count_letters(counts);
  const auto n = static_cast<double>(count);
  const double eps = options.load * std::exp2(-static_cast<double>(bits));
  Row row;
  row["filter"] = options.filter;
  row["bits"] = bits;
  row["as"] = as;
  row["seed"] = seed;
  row["members"] = count;
  for (unsigned k = 0; k < kShown; ++k) row[fmt::format("share_{}", k)] = static_cast<double>(counts[k]) / n;
  row["lemma_0"] = none_moved(static_cast<double>(unique), options, bits);
  for (unsigned k = 1; k < kShown; ++k) row[fmt::format("bound_{}", k)] = at_most(k, as, eps);
  row["entropy"] = entropy(counts, n);
  add_theorem(row, as, bits);
  row["overflows"] = overflow.overflows;
  return row;
}

void run(const Options& options) {
  Output output(options.json);
  {
    Progress progress;
    for (const unsigned bits : options.bits) {
      for (const double as : options.as) {
        for (unsigned i = 0; i < options.seeds; ++i) {
          progress.show(fmt::format("{} bits, A/S {:.3g}, seed {}", bits, as, options.seed + i));
          output.add(measure(options, bits, as, options.seed + i));
        }
      }
    }
  }
  output.finish();
}

}  // namespace

void add_letters(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("letters", "the selectors that a filter comes to hold, against the paper's lemma");
  verb->add_option("--filter", options->filter, "utaf, which has room for every selector, or taf")
      ->check(CLI::IsMember({"utaf", "taf"}))
      ->capture_default_str();
  verb->add_option("--bits", options->bits, "bits per remainder: eps is 2^-bits")
      ->delimiter(',')
      ->check(CLI::Range(AnyFilter::kMinWidth, AnyFilter::kMaxWidth))
      ->capture_default_str();
  verb->add_option("--as", options->as, "A/S: unique negatives per member")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--slots", options->slots, "slots, a multiple of 64")->check(whole_blocks())->capture_default_str();
  verb->add_option("--load", options->load, "members per slot")->check(CLI::Range(0.01, 1.0))->capture_default_str();
  verb->add_option("--passes", options->passes, "passes over the negatives")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--seeds", options->seeds, "how many seeds")->check(CLI::Range(1, 10000))->capture_default_str();
  verb->add_option("--seed", options->seed, "the first seed")->capture_default_str();
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
