// False positives that were fixed, and come back when the filter grows.
#include "bench/life/life.hpp"
#include "contestants/make_filter.hpp"
#include "measure/clocks.hpp"
#include "members/member_index.hpp"

namespace telescope::lab {
namespace {

constexpr unsigned kPasses = 2;  // fixing one false positive may bring back another: adapt until few are left

std::uint64_t adapt_on(Taf<8>& filter, const std::vector<std::uint64_t>& negatives, const MemberIndex& members) {
  std::uint64_t false_positives = 0;
  for (const std::uint64_t key : negatives) {
    if (!filter.contains(key)) continue;
    ++false_positives;
    if (!filter.adapt(key, members)) throw LabError("an adapt failed");
  }
  return false_positives;
}

std::uint64_t count(const Taf<8>& filter, const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint8_t> answers(keys.size());
  filter.contains(std::span<const std::uint64_t>(keys), std::span(answers));
  std::uint64_t yes = 0;
  for (const std::uint8_t answer : answers) yes += answer;
  return yes;
}

Row grow(const LifeOptions& options, double factor, const char* what) {
  const Keys keys(options.seed);
  const auto inside = keys.range(0, options.members);
  const auto negatives = keys.range(options.members, options.members * options.unique_negatives);
  const FilterOptions small = FilterOptions::for_members(options.members, options.load);
  Taf<8> filter = make_filter<Taf<8>>(small, options.seed);
  if (!filter.insert(std::span<const std::uint64_t>(inside)).status) throw LabError("an insert failed");
  const MemberIndex members(hashes_of(inside, filter.hash()));
  std::uint64_t fixed = 0;
  for (unsigned pass = 0; pass < kPasses; ++pass) fixed += adapt_on(filter, negatives, members);
  const std::uint64_t before = count(filter, negatives);

  FilterOptions large = small;
  large.slots = static_cast<std::uint64_t>(factor * static_cast<double>(small.slots)) / 64 * 64;
  const Stopwatch watch;
  if (!filter.resize(large, members)) throw LabError("the resize failed");
  const double seconds = watch.seconds();
  if (count(filter, inside) != inside.size()) throw LawBroken("a resize lost members");
  const std::uint64_t after = count(filter, negatives);

  // What a fresh negative would have to fear of the filter that has grown.
  const auto queried = static_cast<double>(negatives.size());
  const double fresh = options.load / factor / 256;
  const double share = static_cast<double>(after) / queried;
  Row row = pair_row(what, "share", share, "fresh false positives", fresh, share / fresh);
  row["negatives"] = negatives.size();
  row["fixed"] = fixed;
  row["left_before"] = before;
  row["after"] = after;
  row["resize_mops"] = static_cast<double>(options.members) / seconds / 1e6;
  return row;
}

}  // namespace

Rows measure_growth(const LifeOptions& options, Progress& progress) {
  progress.show("growth");
  return {grow(options, 2, "false positives after growing 2x"),
          grow(options, 1.5, "false positives after growing 1.5x")};
}

}  // namespace telescope::lab
