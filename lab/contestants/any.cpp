// Ours of any width, through AnyFilter: what a program pays that chooses the filter when it runs.
#include <fmt/core.h>

#include <charconv>
#include <telescope/any_filter.hpp>

#include "contestants/ours.hpp"

namespace telescope::lab {
namespace {

// An AnyFilter with its hash, so that it takes keys.
class KeyedAny {
 public:
  KeyedAny(AnyFilter filter, Xxh3 hash) : filter_(std::move(filter)), hash_(hash) {}

  auto insert(std::uint64_t key) { return filter_.insert(hash_(key)); }
  BatchInsertReport insert(std::span<const std::uint64_t> keys) {
    BatchInsertReport all;
    in_groups(keys, [&](std::span<const Hash> hashes, std::size_t) {
      const BatchInsertReport done = filter_.insert(hashes);
      all.inserted += done.inserted;
      all.status = done.status;
      return done.status.ok();
    });
    return all;
  }
  bool contains(std::uint64_t key) const { return filter_.contains(hash_(key)); }
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const {
    in_groups(keys, [&](std::span<const Hash> hashes, std::size_t first) {
      filter_.contains(hashes, out.subspan(first, hashes.size()));
      return true;
    });
  }
  auto adapt(std::uint64_t key, const MemberSource& source) { return filter_.adapt(hash_(key), source); }
  bool adapts() const { return filter_.kind() != FilterKind::rsqf; }

  const Xxh3& hash() const { return hash_; }
  std::uint64_t slots() const { return filter_.slots(); }
  double bits_per_slot() const { return filter_.bits_per_slot(); }

 private:
  static constexpr std::size_t kGroup = 256;  // hashes of 4 KB, which stay in the first cache

  // visit(hashes, index of the first) until it returns false.
  template <class Visit>
  void in_groups(std::span<const std::uint64_t> keys, Visit visit) const {
    std::array<Hash, kGroup> hashes;
    for (std::size_t first = 0; first < keys.size(); first += kGroup) {
      const auto group = keys.subspan(first, std::min(kGroup, keys.size() - first));
      for (std::size_t i = 0; i < group.size(); ++i) hashes[i] = hash_(group[i]);
      if (!visit(std::span<const Hash>(hashes).first(group.size()), first)) return;
    }
  }

  AnyFilter filter_;
  Xxh3 hash_;
};

}  // namespace

std::optional<ContestantFactory> any_contestant(const std::string& name) {
  const std::size_t colon = name.find(':');
  constexpr std::string_view kAny = ":any:";
  if (colon == std::string::npos || name.compare(colon, kAny.size(), kAny) != 0) return std::nullopt;
  const auto kind = parse_filter_kind(std::string_view(name).substr(0, colon));
  const std::string_view digits = std::string_view(name).substr(colon + kAny.size());
  unsigned width = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!kind || !whole || width < AnyFilter::kMinWidth || width > AnyFilter::kMaxWidth) {
    throw LabError(
        fmt::format("no filter {}: write KIND:any:WIDTH, with taf, exaf, utaf or rsqf and a width from {} to {}", name,
                    AnyFilter::kMinWidth, AnyFilter::kMaxWidth));
  }
  const auto make = [kind, width](const ContestantOptions& options) -> std::unique_ptr<Contestant> {
    auto made = AnyFilter::create(*kind, width, {.slots = options.slots, .overflow = options.overflow});
    if (!made) throw LabError(fmt::format("{} slots: {}", options.slots, message(made.error())));
    return std::make_unique<OurContestant<KeyedAny>>(KeyedAny(std::move(*made), experiment_hash(options.seed)));
  };
  const bool coded = *kind == FilterKind::taf || *kind == FilterKind::exaf;
  return ContestantFactory{.name = name, .overflow_policy = coded, .make = make};
}

}  // namespace telescope::lab
