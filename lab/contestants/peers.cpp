// Peers: filters of others in shared objects, through the C interface of peer.h.
#include <dlfcn.h>
#include <fmt/core.h>

#include "contestants/contestant.hpp"
#include "io/errors.hpp"
#include "measure/clocks.hpp"
#include "peer.h"

namespace telescope::lab {
namespace {

// The functions of one shared object, loaded for the life of the program. Optional ones are null where it has none.
struct PeerLibrary {
  explicit PeerLibrary(const std::string& path) : file(path) {
    // A name without a slash would send dlopen to the library path: a peer is always a file.
    void* const library = dlopen((file.find('/') == std::string::npos ? "./" + file : file).c_str(), RTLD_NOW);
    if (library == nullptr) throw LabError(fmt::format("peer {} does not load: {}", file, dlerror()));
    const auto look_up = [library](const char* symbol, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
      return function != nullptr;
    };
    const auto require = [&](const char* symbol, auto& function) {
      if (!look_up(symbol, function)) throw LabError(fmt::format("peer {} lacks the function {}", file, symbol));
    };
    require("telescope_peer_name", name);
    require("telescope_peer_create", create);
    require("telescope_peer_insert", insert);
    require("telescope_peer_contains", contains);
    require("telescope_peer_bytes", bytes);
    require("telescope_peer_destroy", destroy);
    look_up("telescope_peer_insert_many", insert_many);
    look_up("telescope_peer_contains_many", contains_many);
    look_up("telescope_peer_insert_batch", insert_batch);
    look_up("telescope_peer_contains_batch", contains_batch);
    look_up("telescope_peer_adapts", adapts);
    look_up("telescope_peer_fetch_members", fetch_members);
    look_up("telescope_peer_adapt_many", adapt_many);
  }

  std::string file;
  decltype(&telescope_peer_name) name;
  decltype(&telescope_peer_create) create;
  decltype(&telescope_peer_insert) insert;
  decltype(&telescope_peer_contains) contains;
  decltype(&telescope_peer_bytes) bytes;
  decltype(&telescope_peer_destroy) destroy;
  decltype(&telescope_peer_insert_many) insert_many;
  decltype(&telescope_peer_contains_many) contains_many;
  decltype(&telescope_peer_insert_batch) insert_batch;
  decltype(&telescope_peer_contains_batch) contains_batch;
  decltype(&telescope_peer_adapts) adapts;
  decltype(&telescope_peer_fetch_members) fetch_members;
  decltype(&telescope_peer_adapt_many) adapt_many;
};

class PeerContestant final : public Contestant {
 public:
  PeerContestant(const PeerLibrary& library, std::uint64_t slots)
      : peer_(library), filter_(library.create(slots), library.destroy) {
    if (filter_ == nullptr) throw LabError(fmt::format("peer {} cannot make a filter of {} slots", peer_.file, slots));
  }

  std::uint64_t insert(KeySpan keys) override {
    if (peer_.insert_many != nullptr) return peer_.insert_many(filter_.get(), keys.data(), keys.size());
    std::uint64_t inserted = 0;
    while (inserted < keys.size() && peer_.insert(filter_.get(), keys[inserted]) != 0) ++inserted;
    return inserted;
  }
  std::optional<std::uint64_t> insert_batch(KeySpan keys) override {
    if (peer_.insert_batch == nullptr) return std::nullopt;
    return peer_.insert_batch(filter_.get(), keys.data(), keys.size());
  }
  std::uint64_t count(KeySpan keys) override {
    if (peer_.contains_many != nullptr) return peer_.contains_many(filter_.get(), keys.data(), keys.size());
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += peer_.contains(filter_.get(), key) != 0;
    return hits;
  }
  std::optional<std::uint64_t> count_batch(KeySpan keys) override {
    if (peer_.contains_batch == nullptr) return std::nullopt;
    return peer_.contains_batch(filter_.get(), keys.data(), keys.size());
  }

  bool adapts() const override { return adapts_in_queries() || peer_.adapt_many != nullptr; }
  std::vector<std::uint64_t> positives_of(KeySpan keys) override {
    if (!adapts_in_queries()) return Contestant::positives_of(keys);
    count(keys);
    return {};
  }
  double adapt(KeySpan false_positives, const MemberIndex&) override {
    if (peer_.adapt_many == nullptr) return 0;
    if (peer_.fetch_members != nullptr) {
      peer_.fetch_members(filter_.get(), false_positives.data(), false_positives.size());
    }
    const Stopwatch watch;
    peer_.adapt_many(filter_.get(), false_positives.data(), false_positives.size());
    return watch.seconds();
  }
  std::uint64_t bits() const override { return 8 * peer_.bytes(filter_.get()); }

 private:
  bool adapts_in_queries() const { return peer_.adapts != nullptr && peer_.adapts() != 0; }

  const PeerLibrary& peer_;
  std::unique_ptr<void, decltype(&telescope_peer_destroy)> filter_;
};

}  // namespace

ContestantFactory peer_contestant(const std::string& file) {
  const auto library = std::make_shared<PeerLibrary>(file);
  const auto make = [library](const ContestantOptions& options) {
    return std::make_unique<PeerContestant>(*library, options.slots);
  };
  return {.name = library->name(), .peer = true, .make = make};
}

}  // namespace telescope::lab
