// telescope-lab letters: which selectors a filter comes to hold, against the paper's analysis.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <telescope/any_filter.hpp>
#include <vector>

#include "contestants/make_filter.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "members/member_index.hpp"
#include "rows.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

constexpr std::size_t kShown = 5;     // letters 0 to 4
constexpr std::size_t kCounted = 64;  // and above

// Lemma hashprob, k = 0: (1 - eps/n)^cn. A query meets a member with probability 2^-width / slots.
double none_moved(double unique, const LettersOptions& options, unsigned width) {
  const double meets = std::exp2(-static_cast<double>(width)) / static_cast<double>(options.slots);
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
void add_theorem(Row& row, double as, unsigned width) {
  const double b = 1 / (as * std::exp2(-0.5 * width));
  row["b"] = b;
  row[field::kTheoremBits] = b >= 2 ? Row(std::exp(-1) + b / ((b - 1) * (b - 1))) : Row();
}

AnyFilter filled(const LettersOptions& options, unsigned width, const std::vector<Hash>& members) {
  auto made = AnyFilter::build(options.filter == "taf" ? FilterKind::taf : FilterKind::utaf, width,
                               {.slots = options.slots}, members);
  if (!made) throw LabError(fmt::format("width {}, {} slots: {}", width, options.slots, message(made.error())));
  return std::move(*made);
}

Row measure(const LettersOptions& options, unsigned width, double as, std::uint64_t seed) {
  const Keys keys(seed);
  const auto count = static_cast<std::uint64_t>(options.load * static_cast<double>(options.slots));
  const auto unique = static_cast<std::uint64_t>(as * static_cast<double>(count));
  const Xxh3 hash = experiment_hash(seed);
  const std::vector<Hash> members = hashes_of(keys.range(0, count), hash);
  const MemberIndex index(members);
  AnyFilter filter = filled(options, width, members);

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
  const double eps = options.load * std::exp2(-static_cast<double>(width));
  Row row;
  row[field::kFilter] = options.filter;
  row["width"] = width;
  row[field::kAs] = as;
  row[field::kSeed] = seed;
  row[field::kMembers] = count;
  for (unsigned k = 0; k < kShown; ++k) row[field::share_of_letter(k)] = static_cast<double>(counts[k]) / n;
  row[field::kLemmaZero] = none_moved(static_cast<double>(unique), options, width);
  for (unsigned k = 1; k < kShown; ++k) row[field::bound_of_letter(k)] = at_most(k, as, eps);
  row[field::kEntropy] = entropy(counts, n);
  add_theorem(row, as, width);
  row[field::kOverflows] = overflow.overflows;
  return row;
}

}  // namespace

void letters(const LettersOptions& options) {
  Output output(options.json);
  {
    Progress progress;
    for (const unsigned width : options.widths) {
      for (const double as : options.as) {
        for (unsigned i = 0; i < options.seeds; ++i) {
          progress.show(fmt::format("width {}, A/S {:.3g}, seed {}", width, as, options.seed + i));
          output.add(measure(options, width, as, options.seed + i));
        }
      }
    }
  }
  output.finish();
}

}  // namespace telescope::lab
