// Our filters as contestants: each loop is instantiated for its filter, so a key costs no indirect call.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <telescope/filter.hpp>
#include <vector>

#include "contestants/contestant.hpp"
#include "contestants/make_filter.hpp"
#include "io/errors.hpp"
#include "measure/stopwatch.hpp"
#include "members/prefetched_members.hpp"
#include "paper/coders.hpp"

namespace telescope::lab {
namespace {

constexpr std::size_t kChunk = 1u << 16;  // keys made, queried and adapted on at a time
constexpr std::size_t kBatch = 1u << 12;  // keys per call of the batch form

template <class Filter>
class OwnContestant : public Contestant {
 public:
  OwnContestant(std::uint64_t slots, std::uint64_t seed) : filter_(make_filter<Filter>({.slots = slots}, seed)) {}

  void fill(std::span<const std::uint64_t> keys) override {
    for (const std::uint64_t key : keys) {
      if (const auto done = filter_.insert(key); !done) throw LabError(std::string(message(done.error())));
    }
  }

  bool fill_batch(std::span<const std::uint64_t> keys) override {
    for (std::size_t i = 0; i < keys.size(); i += kBatch) {
      const BatchInsertReport done = filter_.insert(keys.subspan(i, std::min(kBatch, keys.size() - i)));
      if (!done.status) throw LabError(std::string(message(done.status.error())));
    }
    return true;
  }

  std::uint64_t count(std::span<const std::uint64_t> keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += filter_.contains(key);
    return hits;
  }

  std::optional<std::uint64_t> count_batch(std::span<const std::uint64_t> keys) override {
    std::array<std::uint8_t, kBatch> answers;
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < keys.size(); i += kBatch) {
      const std::size_t size = std::min(kBatch, keys.size() - i);
      filter_.contains(keys.subspan(i, size), std::span(answers).first(size));
      for (std::size_t j = 0; j < size; ++j) hits += answers[j];
    }
    return hits;
  }

  AdaptCost adapt_on(const Negatives& negatives, const MemberIndex& members, const Counters& counters) override {
    AdaptCost adapted;
    if constexpr (Filter::kAdapts) {
      for (std::uint64_t done = 0; done < negatives.count; done += kChunk) {
        const std::uint64_t size = std::min<std::uint64_t>(kChunk, negatives.count - done);
        const std::vector<std::uint64_t> positives = positives_of({negatives.keys, negatives.first + done, size});
        const PrefetchedMembers prefetched(hashes_of(positives, filter_.hash()), filter_.slots(), members);
        const Lap lap(counters);
        for (std::size_t i = 0; i < positives.size(); ++i) {
          if (const auto report = filter_.adapt(positives[i], prefetched.source(i)); !report) {
            throw LabError(std::string(message(report.error())));
          }
        }
        adapted.cost += lap.stop();
        adapted.adapts += positives.size();
      }
    }
    return adapted;
  }

  double bits_per_slot() const override { return filter_.bits_per_slot(); }

  std::optional<double> decodes_per_query(std::span<const std::uint64_t> keys) const override {
    std::uint64_t decodes = 0;
    for (const std::uint64_t key : keys) decodes += filter_.probe_decodes(key);
    return static_cast<double>(decodes) / static_cast<double>(keys.size());
  }

 protected:
  const Filter& filter() const { return filter_; }

 private:
  std::vector<std::uint64_t> positives_of(const Negatives& negatives) const {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(negatives.count));
    std::vector<std::uint8_t> answers(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = negatives.keys[negatives.first + i];
    filter_.contains(std::span<const std::uint64_t>(keys), std::span(answers));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (answers[i] != 0) keys[kept++] = keys[i];
    }
    keys.resize(kept);
    return keys;
  }

  Filter filter_;
};

// TAF as in the paper: a query whose quotient has a run decodes the selectors of the block before it compares any
// remainder. Our probe decodes only where a remainder of some selector fits. The decoder is ours, and ends behind the
// last selector that is not zero; the paper's goes on to the sixty-fourth.
class DecodingContestant final : public OwnContestant<TafShift<8>> {
 public:
  using OwnContestant::OwnContestant;

  std::uint64_t count(std::span<const std::uint64_t> keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) {
      const Hash hash = filter().hash_of(key);
      decode_run(filter().frame().quotient(hash));
      hits += filter().frame().contains(hash);
    }
    return hits;
  }
  std::optional<std::uint64_t> count_batch(std::span<const std::uint64_t>) override { return std::nullopt; }

 private:
  using Layout = detail::Layout<8, detail::LetterStorage::coded>;

  void decode_run(std::uint64_t quotient) const {
    const std::byte* const block = filter().frame().raw().data() + quotient / 64 * Layout().bytes();
    if ((word(block + Layout::kOccupieds) >> (quotient % 64) & 1) == 0) return;
    consume(detail::ShiftCode().decode(word(block + Layout::kHead) >> 8).size());
  }
  static std::uint64_t word(const std::byte* at) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
    return value;
  }
};

template <class Filter, class C = OwnContestant<Filter>>
class OwnEntry final : public Entry {
 public:
  explicit OwnEntry(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  bool ours() const override { return true; }
  std::unique_ptr<Contestant> make(std::uint64_t slots, std::uint64_t seed) const override {
    return std::make_unique<C>(slots, seed);
  }

 private:
  std::string name_;
};

template <unsigned R>
std::unique_ptr<Entry> entry_of_width(const std::string& filter) {
  if (filter == "rsqf") return std::make_unique<OwnEntry<Rsqf<R>>>(filter);
  if (filter == "taf") return std::make_unique<OwnEntry<Taf<R>>>(filter);
  if (filter == "utaf") return std::make_unique<OwnEntry<Utaf<R>>>(filter);
  if (filter == "exaf") return std::make_unique<OwnEntry<Exaf<R>>>(filter);
  if constexpr (R == 8) {
    if (filter == "taf-shift") return std::make_unique<OwnEntry<TafShift<R>>>(filter);
    if (filter == "taf-decode") return std::make_unique<OwnEntry<TafShift<R>, DecodingContestant>>(filter);
  }
  throw LabError(fmt::format(
      "no filter {} of width {}: choose rsqf, taf, utaf, exaf or, of width 8, taf-shift or taf-decode", filter, R));
}

}  // namespace

std::unique_ptr<MemberIndex> index_members(std::span<const std::uint64_t> members, std::uint64_t seed) {
  return std::make_unique<MemberIndex>(hashes_of(members, experiment_hash(seed)));
}

std::unique_ptr<Entry> make_own_entry(const std::string& filter, unsigned width) {
  switch (width) {
    case 4: return entry_of_width<4>(filter);
    case 8: return entry_of_width<8>(filter);
    case 12: return entry_of_width<12>(filter);
    case 16: return entry_of_width<16>(filter);
    default: throw LabError(fmt::format("no width {} in this benchmark: choose 4, 8, 12 or 16", width));
  }
}

}  // namespace telescope::lab
