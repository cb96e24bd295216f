#include <algorithm>
#include <vector>

#include "contestants/contestant.hpp"
#include "contestants/peer.hpp"
#include "io/errors.hpp"

namespace telescope::lab {
namespace {

class PeerContestant final : public Contestant {
 public:
  PeerContestant(const PeerLibrary& library, std::uint64_t slots)
      : peer_(library, slots), slots_(slots), adapts_(library.adapts()) {}

  void fill(std::span<const std::uint64_t> keys) override {
    if (peer_.insert(keys) != keys.size()) throw LabError("a peer refused a key: lower the load");
  }

  std::uint64_t count(std::span<const std::uint64_t> keys) override { return peer_.contains(keys); }

  AdaptCost adapt_on(const Negatives& negatives, const MemberIndex&, const Counters&) override {
    if (!adapts_) return {};
    std::vector<std::uint64_t> chunk(1u << 16);
    for (std::uint64_t done = 0; done < negatives.count; done += chunk.size()) {
      chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), negatives.count - done)));
      for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = negatives.keys[negatives.first + done + i];
      peer_.contains(chunk);
    }
    return {};
  }

  double bits_per_slot() const override {
    return 8.0 * static_cast<double>(peer_.bytes()) / static_cast<double>(slots_);
  }

 private:
  Peer peer_;
  std::uint64_t slots_;
  bool adapts_;
};

class PeerEntry final : public Entry {
 public:
  explicit PeerEntry(const std::string& file) : library_(file) {}
  std::string name() const override { return library_.name(); }
  bool ours() const override { return false; }
  std::unique_ptr<Contestant> make(std::uint64_t slots, std::uint64_t) const override {
    return std::make_unique<PeerContestant>(library_, slots);
  }

 private:
  PeerLibrary library_;
};

}  // namespace

std::unique_ptr<Entry> make_peer_entry(const std::string& file) { return std::make_unique<PeerEntry>(file); }

}  // namespace telescope::lab
