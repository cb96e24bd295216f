// A build of Telescope as a peer of another build (docs/peers.md): the loops of lab/contestants/ours.hpp behind
// lab/peer.h. scripts/older-build compiles it with NAME and either FILTER, or KIND and WIDTH for AnyFilter; with
// NO_ADAPT for a filter that does not adapt. Headers and library are those of the older build.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <telescope/any_filter.hpp>
#include <telescope/filter.hpp>
#include <vector>

#if __has_include("members/prefetched_members.hpp")
#include "members/prefetched_members.hpp"
#else
#include "prefetched_members.hpp"  // before the lab had rooms
#endif
#include "peer.h"

namespace {
using namespace telescope;
using KeySpan = std::span<const std::uint64_t>;

#ifdef WIDTH
class PeerFilter {
 public:
  PeerFilter(std::uint64_t slots, Xxh3 hash)
      : filter_(std::move(*AnyFilter::create(FilterKind::KIND, WIDTH, {.slots = slots}))), hash_(hash) {}
  bool insert(std::uint64_t key) { return filter_.insert(hash_(key)).ok(); }
  bool insert(KeySpan keys) {
    return in_groups(keys,
                     [&](std::span<const Hash> hashes, std::size_t) { return filter_.insert(hashes).status.ok(); });
  }
  bool contains(std::uint64_t key) const { return filter_.contains(hash_(key)); }
  void contains(KeySpan keys, std::span<std::uint8_t> out) const {
    in_groups(keys, [&](std::span<const Hash> hashes, std::size_t first) {
      filter_.contains(hashes, out.subspan(first, hashes.size()));
      return true;
    });
  }
  auto adapt(std::uint64_t key, const MemberSource& source) { return filter_.adapt(hash_(key), source); }
  double bits_per_slot() const { return filter_.bits_per_slot(); }
  std::uint64_t slots() const { return filter_.slots(); }

 private:
  template <class Visit>
  bool in_groups(KeySpan keys, Visit visit) const {
    std::array<Hash, 256> hashes;
    for (std::size_t first = 0; first < keys.size(); first += hashes.size()) {
      const auto group = keys.subspan(first, std::min(hashes.size(), keys.size() - first));
      for (std::size_t i = 0; i < group.size(); ++i) hashes[i] = hash_(group[i]);
      if (!visit(std::span<const Hash>(hashes).first(group.size()), first)) return false;
    }
    return true;
  }
  AnyFilter filter_;
  Xxh3 hash_;
};
#else
class PeerFilter {
 public:
  PeerFilter(std::uint64_t slots, Xxh3 hash) : filter_(std::move(*FILTER::create({.slots = slots}, hash))) {}
  bool insert(std::uint64_t key) { return filter_.insert(key).ok(); }
  bool insert(KeySpan keys) { return filter_.insert(keys).status.ok(); }
  bool contains(std::uint64_t key) const { return filter_.contains(key); }
  void contains(KeySpan keys, std::span<std::uint8_t> out) const { filter_.contains(keys, out); }
  auto adapt(std::uint64_t key, const MemberSource& source) { return filter_.adapt(key, source); }
  double bits_per_slot() const { return filter_.bits_per_slot(); }
  std::uint64_t slots() const { return filter_.slots(); }

 private:
  FILTER filter_;
};
#endif

constexpr std::size_t kBatch = 4096;
std::uint64_t next_seed = 0;

struct Peer {
  explicit Peer(std::uint64_t slots)
      : hash(Secret{{lab::mix64(++next_seed), 1}}), filter(slots, hash), inserted(slots, 1) {}
  Xxh3 hash;
  PeerFilter filter;
  std::vector<std::uint64_t> inserted;
  std::size_t size = 0;
  std::optional<lab::MemberIndex> index;
  std::optional<lab::PrefetchedMembers> members;

  std::vector<Hash> hashes(KeySpan keys) const {
    std::vector<Hash> all;
    for (const std::uint64_t key : keys) all.push_back(hash(key));
    return all;
  }
  void note(KeySpan keys) {
    std::memcpy(inserted.data() + size, keys.data(), keys.size_bytes());
    size += keys.size();
    index.reset();
  }
};
Peer& of(void* filter) { return *static_cast<Peer*>(filter); }
}  // namespace

const char* telescope_peer_name(void) { return NAME; }
void* telescope_peer_create(uint64_t slots) { return new Peer(slots); }
void telescope_peer_destroy(void* filter) { delete static_cast<Peer*>(filter); }
uint64_t telescope_peer_bytes(void* filter) {
  return static_cast<uint64_t>(of(filter).filter.bits_per_slot() * static_cast<double>(of(filter).filter.slots()) / 8);
}
int telescope_peer_insert(void* filter, uint64_t key) {
  return static_cast<int>(telescope_peer_insert_many(filter, &key, 1));
}
int telescope_peer_contains(void* filter, uint64_t key) { return of(filter).filter.contains(key); }
uint64_t telescope_peer_insert_many(void* filter, const uint64_t* keys, size_t count) {
  Peer& peer = of(filter);
  for (size_t i = 0; i < count; ++i) {
    if (!peer.filter.insert(keys[i])) return i;
  }
  peer.note({keys, count});
  return count;
}
uint64_t telescope_peer_contains_many(void* filter, const uint64_t* keys, size_t count) {
  const Peer& peer = of(filter);
  uint64_t hits = 0;
  for (size_t i = 0; i < count; ++i) hits += peer.filter.contains(keys[i]);
  return hits;
}
uint64_t telescope_peer_insert_batch(void* filter, const uint64_t* keys, size_t count) {
  Peer& peer = of(filter);
  for (size_t i = 0; i < count; i += kBatch) {
    if (!peer.filter.insert(KeySpan(keys + i, std::min(kBatch, count - i)))) return i;
  }
  return count;
}
uint64_t telescope_peer_contains_batch(void* filter, const uint64_t* keys, size_t count) {
  const Peer& peer = of(filter);
  std::array<std::uint8_t, kBatch> answers;
  uint64_t hits = 0;
  for (size_t i = 0; i < count; i += kBatch) {
    const size_t size = std::min(kBatch, count - i);
    peer.filter.contains(KeySpan(keys + i, size), std::span(answers).first(size));
    for (size_t j = 0; j < size; ++j) hits += answers[j];
  }
  return hits;
}
#ifndef NO_ADAPT
void telescope_peer_fetch_members(void* filter, const uint64_t* keys, size_t count) {
  Peer& peer = of(filter);
  if (!peer.index) peer.index.emplace(peer.hashes(KeySpan(peer.inserted).first(peer.size)));
  peer.members.reset();
  peer.members.emplace(peer.hashes({keys, count}), peer.filter.slots(), *peer.index);
}
void telescope_peer_adapt_many(void* filter, const uint64_t* keys, size_t count) {
  Peer& peer = of(filter);
  for (size_t i = 0; i < count; ++i) (void)peer.filter.adapt(keys[i], peer.members->source(i));
}
#endif
