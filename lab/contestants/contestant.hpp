// What the interleaved run asks of a filter. One virtual call covers a whole timed loop, never one key.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/lap.hpp"
#include "members/member_index.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {

// Unique negatives: keys [first, first + count).
struct Negatives {
  Keys keys;
  std::uint64_t first;
  std::uint64_t count;
};

struct AdaptCost {
  std::uint64_t adapts = 0;
  Cost cost;
};

class Contestant {
 public:
  virtual ~Contestant() = default;

  virtual void fill(std::span<const std::uint64_t> keys) = 0;  // throws LabError if a key is refused
  // The same with the filter's own batch form; false if it has none.
  virtual bool fill_batch(std::span<const std::uint64_t>) { return false; }
  virtual std::uint64_t count(std::span<const std::uint64_t> keys) = 0;  // single queries; how many may be present

  // The same with the filter's own batch form; nullopt if it has none.
  virtual std::optional<std::uint64_t> count_batch(std::span<const std::uint64_t>) { return std::nullopt; }

  // Queries all the negatives and adapts on each false positive. Only the adapting itself is on the clock, with the
  // members at hand; a filter that adapts inside its queries has no cost to tell.
  virtual AdaptCost adapt_on(const Negatives&, const MemberIndex&, const Counters&) { return {}; }

  virtual double bits_per_slot() const = 0;
  virtual std::optional<double> decodes_per_query(std::span<const std::uint64_t>) const { return std::nullopt; }
};

// Makes a fresh contestant for each repetition.
class Entry {
 public:
  virtual ~Entry() = default;
  virtual std::string name() const = 0;
  virtual bool ours() const = 0;
  virtual std::unique_ptr<Contestant> make(std::uint64_t slots, std::uint64_t seed) const = 0;
};

// The hash of our filters in repetition `seed`, so that they share one member index.
std::unique_ptr<MemberIndex> index_members(std::span<const std::uint64_t> members, std::uint64_t seed);

// Throws LabError for an unknown name or a width that is not built in.
std::unique_ptr<Entry> make_own_entry(const std::string& filter, unsigned width);
std::unique_ptr<Entry> make_rival_entry(const std::string& rival);
std::unique_ptr<Entry> make_peer_entry(const std::string& file);

std::vector<std::string> rival_names();

}  // namespace telescope::lab
