// Four ways to ask a RocksDB store for keys that are mostly not there. They print nothing and decide nothing about
// streams.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <telescope/failure.hpp>

#include "streams.hpp"

namespace telescope::contest {

enum class Kind { none, bloom, rsqf, taf };
inline constexpr Kind kKinds[] = {Kind::none, Kind::bloom, Kind::rsqf, Kind::taf};

constexpr std::string_view to_string(Kind kind) noexcept {
  switch (kind) {
    case Kind::none: return "no filter";
    case Kind::bloom: return "RocksDB Bloom";
    case Kind::rsqf: return "RSQF guard";
    case Kind::taf: return "TAF guard";
  }
  return "unknown";
}

struct Terms {
  std::uint64_t members = 0;  // the first ones of `keys`
  Keys keys{0};
  std::uint64_t seed = 0;         // of the hash
  std::size_t value_bytes = 100;  // of each member
  unsigned bloom_bits = 10;       // per key, for RocksDB's filter
  unsigned width = 8;             // for ours
  bool direct_reads = false;      // past the page cache
  std::uint64_t block_cache_bytes = std::uint64_t{8} << 20;
};

struct Reads {
  std::uint64_t gets = 0;   // of the store: those that a filter did not answer
  std::uint64_t scans = 0;  // of a run's members, to adapt
  std::uint64_t all() const noexcept { return gets + scans; }
};

class Contestant {
 public:
  virtual ~Contestant() = default;

  // Asks for each key, one after the other, and says which ones made it read the store. Returns the seconds that the
  // asking took. A key that is said to be present though it is not would be an error.
  virtual Outcome<double> ask(std::span<const std::uint64_t> keys, std::span<std::uint8_t> read) = 0;
  virtual Reads reads() const = 0;
  virtual std::uint64_t filter_bytes() const = 0;
};

// Makes the store in the directory, which is new: all members in one sorted run, the same for every kind.
Outcome<std::unique_ptr<Contestant>> make_contestant(Kind kind, const std::filesystem::path& directory,
                                                     const Terms& terms);

}  // namespace telescope::contest
