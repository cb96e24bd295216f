// Files that somebody tampered with, half of them with their checksums made right: an error, or a filter that can be
// used. TELESCOPE_MUTATIONS says how many.
#include <cstdlib>

#include "support/hostile_snapshot.hpp"
#include "support/twin.hpp"
#include "telescope/snapshot.hpp"

namespace telescope::testing {
namespace {

Bytes seed(const Directory& directory, FilterKind kind, unsigned width, const SaveOptions& options = {}) {
  Twin twin(Keyed<>::make(kind, width, {.slots = 128}, HostileSnapshot::kSecret));
  for (std::uint64_t key = 0; key < 115; ++key) twin.insert(key);
  for (std::uint64_t key = 1000; key < 3000; ++key) twin.query(key);
  EXPECT_TRUE(save_snapshot(twin.filter.filter, key_of(twin.filter.hash), directory / "seed", options).ok());
  return read_bytes(directory / "seed");
}

void mutate(Bytes& bytes, std::mt19937_64& random) {
  static constexpr std::uint64_t kInteresting[] = {0, 1, 2, 63, 64, 127, 128, 255, 256, 4095, 4096, 65535, ~0ull};
  for (std::uint64_t n = 1 + random() % 4; n > 0 && bytes.size() > 300; --n) {
    // Half of them in the header, the rest in the sections and the blocks.
    const std::size_t where = random() % 2 != 0 ? random() % 256
                              : random() % 2 != 0
                                  ? 256 + random() % (bytes.size() - 256)
                                  : bytes.size() - 1 - random() % std::min<std::size_t>(300, bytes.size() - 256);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: bytes[where] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
      case 3:
      case 4: bytes[where] = static_cast<std::uint8_t>(random()); break;
      case 5:
        if (where + 8 <= bytes.size()) put(bytes, where / 8 * 8, 8, kInteresting[random() % std::size(kInteresting)]);
        break;
      case 6: bytes.resize(bytes.size() - random() % 200); break;
      default: bytes.insert(bytes.end(), random() % 64, static_cast<std::uint8_t>(random() % 3)); break;
    }
  }
}

TEST(SnapshotMutations, NeverACrash) {
  const Directory directory;
  const std::string_view note = "note";
  const Bytes seeds[] = {seed(directory, FilterKind::taf, 8),
                         seed(directory, FilterKind::exaf, 5, {.include_secret = true}),
                         seed(directory, FilterKind::rsqf, 8, {.note = std::as_bytes(std::span(note))}),
                         seed(directory, FilterKind::taf, 20), seed(directory, FilterKind::utaf, 32)};
  const char* const wish = std::getenv("TELESCOPE_MUTATIONS");
  const std::uint64_t count = wish != nullptr ? std::strtoull(wish, nullptr, 10) : 2500 * kEffort;
  std::mt19937_64 random(2021);
  HostileSnapshot snapshot;
  std::uint64_t loaded = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Bytes& good = seeds[random() % std::size(seeds)];
    Bytes bytes = good;
    mutate(bytes, random);
    const bool changed = bytes != good, fix = random() % 2 == 0;
    const char* const broken = snapshot.run(std::move(bytes), fix);
    ASSERT_EQ(broken, nullptr) << broken << " by input " << i;
    ASSERT_FALSE(snapshot.loaded && changed && !fix) << "input " << i << " is not what was saved, and loads";
    loaded += snapshot.loaded;
  }
  // Some letters are as good as others, once the checksums are right.
  std::printf("%llu inputs, %llu of them load\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(loaded));
  EXPECT_LT(loaded, count / 4);
}

// Blocks alone are forged, of each kind and of widths that once did not end, and all checksums are made right. What
// loads can be used, and whatever is done with it ends.
TEST(SnapshotMutations, ForgedBlocksOfAnyWidthEnd) {
  const Directory directory;
  HostileSnapshot snapshot;
  std::mt19937_64 random(7);
  std::uint64_t loaded = 0;
  for (const unsigned width : {4u, 5u, 16u, 17u, 32u}) {
    for (const FilterKind kind : {FilterKind::rsqf, FilterKind::taf, FilterKind::utaf, FilterKind::exaf}) {
      const Bytes good = seed(directory, kind, width);
      for (std::uint64_t i = 0; i < 60 * kEffort; ++i) {
        Bytes bytes = good;
        for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
          std::uint8_t& byte = bytes[bytes.size() - 1 - random() % (bytes.size() / 2)];
          byte ^= static_cast<std::uint8_t>(random() % 2 != 0 ? random() : 1u << random() % 8);
        }
        const char* const broken = snapshot.run(std::move(bytes), true);
        ASSERT_EQ(broken, nullptr) << broken << ", " << to_string(kind) << " of width " << width << ", input " << i;
        loaded += snapshot.loaded;
      }
    }
  }
  EXPECT_GT(loaded, 20u);
}

}  // namespace
}  // namespace telescope::testing
