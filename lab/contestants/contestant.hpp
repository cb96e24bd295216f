// A contestant is a filter that is measured: ours, a rival, or a peer from a shared object. Every experiment sees it
// through this interface. One virtual call covers a whole timed loop, never one key.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <telescope/options.hpp>
#include <telescope/reports.hpp>
#include <vector>

#include "members/member_index.hpp"

namespace telescope::lab {

class Contestant {
 public:
  using KeySpan = std::span<const std::uint64_t>;
  virtual ~Contestant() = default;

  // Returns how many keys went in before one was refused.
  virtual std::uint64_t insert(KeySpan keys) = 0;
  // Does the same in the filter's own batch form; returns nullopt if it has none.
  virtual std::optional<std::uint64_t> insert_batch(KeySpan) { return std::nullopt; }

  // Queries the keys one by one and returns how many may be present.
  virtual std::uint64_t count(KeySpan keys) = 0;
  // Does the same in the filter's own batch form; returns nullopt if it has none.
  virtual std::optional<std::uint64_t> count_batch(KeySpan) { return std::nullopt; }

  virtual bool adapts() const = 0;
  // Queries the keys and returns those to adapt on, which may be present. A filter that adapts within its queries has
  // done so, and returns none.
  virtual std::vector<std::uint64_t> positives_of(KeySpan keys) {
    std::vector<std::uint64_t> positives;
    for (const std::uint64_t& key : keys) {
      if (count(KeySpan(&key, 1)) != 0) positives.push_back(key);
    }
    return positives;
  }
  // Adapts on false positives and returns the seconds it took, without the fetching of members where the filter can be
  // given them.
  virtual double adapt(KeySpan false_positives, const MemberIndex& members) = 0;
  // What adapting has done to codes; zeros where there are none.
  virtual OverflowReport overflow() const { return {}; }

  virtual std::uint64_t bits() const = 0;
};

struct ContestantOptions {
  std::uint64_t slots = 0;
  std::uint64_t seed = 1;  // of the hash, as experiment_hash(seed)
  Overflow overflow = Overflow::evict;
};

// Makes contestants of one name, each empty.
struct ContestantFactory {
  std::string name;
  bool peer = false;             // nobody vouches for its members
  bool overflow_policy = false;  // whether ContestantOptions::overflow means anything to it
  std::function<std::unique_ptr<Contestant>(const ContestantOptions&)> make;
};

// Finds a contestant by the name that is written on the command line:
//   taf, exaf, utaf, rsqf       ours, with remainders of 8 bits, compiled into the timed loop
//   taf:any:WIDTH               ours of any width, through AnyFilter (likewise exaf, utaf, rsqf)
//   taf-shift, taf-decode       TAF with the paper's coder; the second decodes in every query, as in the paper
//   bloom, cuckoo, ...          a rival (lab/rivals)
//   FILE.so, or a path          a peer (docs/peers.md)
//   NAME+cache                  any of these behind a cache of false positives
// Throws LabError for another name.
ContestantFactory find_contestant(const std::string& name);

// Returns the names that find_contestant knows, but for widths, peers and caches.
std::vector<std::string> contestant_names();

// The contestants by where they come from; any_contestant returns nullopt for a name of another form.
std::vector<ContestantFactory> our_contestants();
std::vector<ContestantFactory> rival_contestants();
std::optional<ContestantFactory> any_contestant(const std::string& name);
ContestantFactory peer_contestant(const std::string& file);

}  // namespace telescope::lab
