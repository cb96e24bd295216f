#include "contestants.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <telescope/guard.hpp>
#include <utility>
#include <vector>

#include "counting_store.hpp"

namespace telescope::contest {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A key's bytes are the word's, as they lie in memory.
std::string_view bytes_of(const std::uint64_t& key) { return {reinterpret_cast<const char*>(&key), sizeof key}; }

Failure phantom() { return {Error::corrupt, "a key that was never added is said to be present"}; }

struct Placed {
  std::uint64_t position, key;
};

// All members in the order of the store.
std::vector<Placed> placed_members(const Terms& terms, const Xxh3& hash) {
  std::vector<Placed> placed(terms.members);
  for (std::uint64_t i = 0; i < terms.members; ++i) {
    const std::uint64_t key = terms.keys[i];
    placed[i] = {hash(key).position, key};
  }
  std::ranges::sort(placed, [](const Placed& a, const Placed& b) {
    return a.position != b.position ? a.position < b.position : bytes_of(a.key) < bytes_of(b.key);
  });
  return placed;
}

Outcome<void> fill_store(RocksDbStore& store, const Terms& terms, const Xxh3& hash) {
  const std::vector<Placed> placed = placed_members(terms, hash);
  const std::string value(terms.value_bytes, 'v');
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<Record> {
    if (at == placed.size()) return std::nullopt;
    const Placed& member = placed[at++];
    return Record{member.position, bytes_of(member.key), value};
  };
  if (auto done = store.ingest(next); !done) return done;
  return store.compact();
}

Outcome<std::shared_ptr<RocksDbStore>> open_store(const std::filesystem::path& directory, const Terms& terms,
                                                  unsigned bloom_bits) {
  RocksDbOptions options;
  options.block_cache_bytes = terms.block_cache_bytes;
  options.direct_reads = terms.direct_reads;
  options.bloom_bits = bloom_bits;
  options.statistics = bloom_bits > 0;
  auto store = RocksDbStore::open(directory, options);
  if (!store) return std::move(store).error();
  return std::make_shared<RocksDbStore>(std::move(*store));
}

// RocksDB alone, with or without its own Bloom filter. To count what passes that filter RocksDB keeps its statistics,
// which is part of the time measured.
class Plain final : public Contestant {
 public:
  Plain(std::shared_ptr<RocksDbStore> store, const Xxh3& hash, std::uint64_t bloom_bytes)
      : store_(std::move(store)), hash_(hash), bloom_bytes_(bloom_bytes) {}

  // The filter's answers never change. So where its counter says that some of a few keys passed, asking for them again,
  // one by one and off the clock, tells which.
  Outcome<double> ask(std::span<const std::uint64_t> keys, std::span<std::uint8_t> read) override {
    constexpr std::size_t kFew = 32;
    double seconds = 0;
    for (std::size_t first = 0; first < keys.size(); first += kFew) {
      const auto few = keys.subspan(first, std::min(kFew, keys.size() - first));
      const std::uint64_t before = passed();
      const auto start = Clock::now();
      for (const std::uint64_t& key : few) {
        if (auto absent = ask_one(key); !absent) return std::move(absent).error();
      }
      seconds += seconds_since(start);
      gets_ += few.size();
      const auto flags = read.subspan(first, few.size());
      if (bloom_bytes_ == 0) {
        std::ranges::fill(flags, std::uint8_t{1});
      } else if (auto done = tell_apart(few, flags, passed() - before); !done) {
        return std::move(done).error();
      }
    }
    return seconds;
  }

  Reads reads() const override { return {bloom_bytes_ == 0 ? gets_ : passed_, 0}; }
  std::uint64_t filter_bytes() const override { return bloom_bytes_; }

 private:
  Outcome<void> ask_one(const std::uint64_t& key) {
    auto found = store_->get({hash_(key).position, bytes_of(key)}, value_);
    if (!found) return std::move(found).error();
    if (*found) return phantom();
    return {};
  }

  Outcome<void> tell_apart(std::span<const std::uint64_t> keys, std::span<std::uint8_t> read,
                           std::uint64_t passed_now) {
    passed_ += passed_now;
    const bool all = passed_now == keys.size();
    std::ranges::fill(read, all ? std::uint8_t{1} : std::uint8_t{0});
    if (all) return {};
    for (std::size_t i = 0; passed_now > 0 && i < keys.size(); ++i) {
      const std::uint64_t before = passed();
      if (auto absent = ask_one(keys[i]); !absent) return absent;
      read[i] = passed() != before ? 1 : 0;
      passed_now -= read[i];
    }
    return {};
  }

  std::uint64_t passed() { return bloom_bytes_ == 0 ? 0 : store_->counter("rocksdb.bloom.filter.full.positive"); }

  std::shared_ptr<RocksDbStore> store_;
  Xxh3 hash_;
  std::uint64_t bloom_bytes_;
  std::uint64_t gets_ = 0, passed_ = 0;
  std::string value_;
};

class Guarded final : public Contestant {
 public:
  Guarded(Guard guard, std::shared_ptr<StoreReads> reads) : guard_(std::move(guard)), reads_(std::move(reads)) {
    reads_->gets = 0;  // what opening it took is not part of the contest
    reads_->scans = 0;
  }

  Outcome<double> ask(std::span<const std::uint64_t> keys, std::span<std::uint8_t> read) override {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint64_t before = reads_->gets.load(std::memory_order_relaxed);
      auto found = guard_.contains(bytes_of(keys[i]));
      if (!found) return std::move(found).error();
      if (*found) return phantom();
      read[i] = reads_->gets.load(std::memory_order_relaxed) != before ? 1 : 0;
    }
    return seconds_since(start);
  }

  Reads reads() const override { return {reads_->gets, reads_->scans}; }
  std::uint64_t filter_bytes() const override { return guard_.info().filter_bytes; }

 private:
  Guard guard_;
  std::shared_ptr<StoreReads> reads_;
};

Outcome<std::unique_ptr<Contestant>> make_plain(const std::filesystem::path& directory, const Terms& terms,
                                                unsigned bloom_bits) {
  auto store = open_store(directory, terms, bloom_bits);
  if (!store) return std::move(store).error();
  const Xxh3 hash(Secret{{terms.seed, 0}});
  if (auto filled = fill_store(**store, terms, hash); !filled) return std::move(filled).error();
  return std::unique_ptr<Contestant>(
      std::make_unique<Plain>(std::move(*store), hash, (terms.members * bloom_bits + 7) / 8));
}

// The empty set first, then the members behind its back; opened again, the filter is made by one scan.
Outcome<std::unique_ptr<Contestant>> make_guarded(const std::filesystem::path& directory, const Terms& terms,
                                                  FilterKind filter) {
  auto store = open_store(directory, terms, 0);
  if (!store) return std::move(store).error();
  auto reads = std::make_shared<StoreReads>();
  const Secret secret{{terms.seed, 0}};
  {
    SetOptions set;
    set.filter = filter;
    set.width = terms.width;
    set.secret = secret;
    set.capacity = terms.members;
    auto empty = Guard::create(CountingStore(*store, reads), set);
    if (!empty) return std::move(empty).error();
  }
  if (auto filled = fill_store(**store, terms, Xxh3(secret)); !filled) return std::move(filled).error();
  auto guard = Guard::open(CountingStore(*store, reads));
  if (!guard) return std::move(guard).error();
  return std::unique_ptr<Contestant>(std::make_unique<Guarded>(std::move(*guard), std::move(reads)));
}

}  // namespace

Outcome<std::unique_ptr<Contestant>> make_contestant(Kind kind, const std::filesystem::path& directory,
                                                     const Terms& terms) {
  switch (kind) {
    case Kind::none: return make_plain(directory, terms, 0);
    case Kind::bloom: return make_plain(directory, terms, terms.bloom_bits);
    case Kind::rsqf: return make_guarded(directory, terms, FilterKind::rsqf);
    case Kind::taf: return make_guarded(directory, terms, FilterKind::taf);
  }
  return Failure{Error::bad_argument, "no such contestant"};
}

}  // namespace telescope::contest
