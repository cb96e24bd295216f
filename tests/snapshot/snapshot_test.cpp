// Snapshots: what was saved is what is loaded and mapped.
#include "telescope/snapshot.hpp"

#include <sys/stat.h>

#include "support/snapshot_bytes.hpp"
#include "support/twin.hpp"
#include "telescope/mapped_filter.hpp"

namespace telescope::testing {
namespace {

const Secret kSecret{{0x7465, 0x6c65}};

std::span<const std::byte> as_note(std::string_view text) { return std::as_bytes(std::span(text)); }

// 900 members of 1,024 slots, adapted on 20,000 negatives.
template <class F>
F adapted(std::uint64_t slots = 1024) {
  Twin<F> twin(
      std::move(F::create({.slots = slots}, typename std::remove_cvref_t<decltype(std::declval<F>().hash())>(kSecret)))
          .value());
  for (std::uint64_t key = 0; key < slots * 9 / 10; ++key) twin.insert(key);
  for (std::uint64_t key = 1'000'000; key < 1'020'000; ++key) twin.query(key);
  return std::move(twin.filter);
}

template <class F, class G>
void expect_same_answers(const F& a, const G& b) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; key < 2000; ++key) keys.push_back(key);
  for (std::uint64_t key = 1'000'000; key < 1'030'000; ++key) keys.push_back(key);
  std::vector<std::uint8_t> answers(keys.size());
  b.contains(keys, answers);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    differ += a.contains(keys[i]) != b.contains(keys[i]);
    differ += a.contains(keys[i]) != (answers[i] != 0);
  }
  EXPECT_EQ(differ, 0u);
}

bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <class F>
class RoundTrip : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<8>, Taf<8>, Utaf<9>, Exaf<5>, Taf<8, SipHash>>;
TYPED_TEST_SUITE(RoundTrip, Filters);

TYPED_TEST(RoundTrip, LoadedAndMappedAnswerAsSaved) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  const TypeParam filter = adapted<TypeParam>();
  const auto saved = save_snapshot(filter, path);
  ASSERT_TRUE(saved.ok()) << saved.error().what;

  auto loaded = load_snapshot<TypeParam>(path, filter.hash(), {.thorough = true});
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  EXPECT_TRUE(same_bytes(loaded->frame().raw(), filter.frame().raw()));
  EXPECT_EQ(loaded->size(), filter.size());
  EXPECT_FALSE(loaded->check().has_value());
  expect_same_answers(filter, *loaded);

  const auto mapped = map_snapshot<TypeParam>(path, filter.hash());
  ASSERT_TRUE(mapped.ok()) << mapped.error().what;
  EXPECT_EQ(mapped->size(), filter.size());
  expect_same_answers(filter, *mapped);
  EXPECT_TRUE(mapped->status().ok());
  ASSERT_TRUE(mapped->verify().ok());
  expect_same_answers(filter, *mapped);
  auto writable = mapped->to_memory();
  ASSERT_TRUE(writable.ok()) << writable.error().what;
  EXPECT_TRUE(same_bytes(writable->frame().raw(), filter.frame().raw()));
  EXPECT_TRUE(writable->erase(std::uint64_t{5}, MemberMap()).error() == Error::disagree);

  // Saved again, the same file.
  ASSERT_TRUE(save_snapshot(*loaded, directory / "b.tsnap").ok());
  EXPECT_EQ(read_bytes(path), read_bytes(directory / "b.tsnap"));
}

TEST(Snapshot, AnyFilterOfEveryKindAndWidth) {
  const Directory directory;
  const auto path = directory / "any.tsnap";
  for (const auto& [kind, width] : some_forms()) {
    Twin twin(Keyed<>::make(kind, width, {.slots = 192, .overflow = Overflow::reset}, kSecret));
    for (std::uint64_t key = 0; key < 180; ++key) twin.insert(key);
    for (std::uint64_t key = 1000; key < 3000; ++key) twin.query(key);
    const HashKey key = key_of(twin.filter.hash);
    ASSERT_TRUE(save_snapshot(twin.filter.filter, key, path).ok());
    auto loaded = load_any_snapshot(path, key, {.thorough = true});
    ASSERT_TRUE(loaded.ok()) << to_string(kind) << width << ": " << loaded.error().what;
    EXPECT_EQ(loaded->kind(), kind);
    EXPECT_EQ(loaded->width(), width);
    EXPECT_EQ(loaded->options().overflow, Overflow::reset);
    EXPECT_TRUE(same_bytes(loaded->raw(), twin.filter.filter.raw()));
    EXPECT_FALSE(load_any_snapshot(path, HashKey{key.kind, Secret{{1, 1}}}).ok());
  }
  // A typed file is an AnyFilter's too, and the other way round.
  const auto typed = adapted<Taf<8>>();
  ASSERT_TRUE(save_snapshot(typed, path).ok());
  EXPECT_TRUE(load_any_snapshot(path, key_of(typed.hash())).ok());
}

TEST(Snapshot, EveryLengthOfTheLastChunk) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  // 88 bytes a block: 742 to 746 blocks are about one chunk of 65,536 bytes, with and without the padding. 2978 blocks
  // begin a fifth chunk, and the fifth is not read together with the first four.
  for (std::uint64_t blocks : {1u, 742u, 743u, 744u, 745u, 746u, 1488u, 1489u, 1490u, 2977u, 2978u}) {
    auto filter = std::move(Taf<8>::create({.slots = 64 * blocks}, Xxh3(kSecret))).value();
    for (std::uint64_t key = 0; key < 60 * blocks; ++key) ASSERT_TRUE(filter.insert(key).ok());
    ASSERT_TRUE(save_snapshot(filter, path).ok());
    const auto loaded = load_snapshot<Taf<8>>(path, filter.hash());
    ASSERT_TRUE(loaded.ok()) << loaded.error().what;
    EXPECT_TRUE(same_bytes(loaded->frame().raw(), filter.frame().raw()));
    const auto mapped = map_snapshot<Taf<8>>(path, filter.hash());
    ASSERT_TRUE(mapped.ok());
    for (std::uint64_t key = 0; key < 60 * blocks; ++key) ASSERT_TRUE(mapped->contains(key));
    EXPECT_TRUE(mapped->verify().ok());
  }
}

TEST(Snapshot, CrowdedFiltersMapToo) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  auto filter = std::move(Taf<8>::create({.slots = 64 * 3000}, Xxh3(kSecret))).value();
  std::uint64_t members = 0;
  while (filter.insert(members).ok()) ++members;  // to the last slot: offsets are saturated, walks go far
  ASSERT_EQ(members, filter.slots());
  ASSERT_TRUE(save_snapshot(filter, path).ok());
  const auto mapped = map_snapshot<Taf<8>>(path, filter.hash());
  ASSERT_TRUE(mapped.ok());
  for (std::uint64_t key = 0; key < 2 * members; key += 997) ASSERT_EQ(mapped->contains(key), filter.contains(key));
  EXPECT_TRUE(mapped->status().ok());
}

TEST(Snapshot, InfoAndNote) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  const auto filter = adapted<Exaf<5>>();
  ASSERT_TRUE(save_snapshot(filter, path, {.note = as_note("generation 7")}).ok());
  const auto info = read_snapshot_info(path);
  ASSERT_TRUE(info.ok()) << info.error().what;
  EXPECT_EQ(info->version, 2u);
  EXPECT_EQ(info->shape.kind, FilterKind::exaf);
  EXPECT_EQ(info->shape.width, 5);
  EXPECT_EQ(info->shape.code, CodeKind::extension);
  EXPECT_EQ(info->hash, HashKind::xxh3);
  EXPECT_EQ(info->slots, 1024u);
  EXPECT_EQ(info->size, filter.size());
  EXPECT_EQ(info->file_bytes, std::filesystem::file_size(path));
  EXPECT_FALSE(info->has_secret);
  EXPECT_TRUE(same_bytes(info->note, as_note("generation 7")));
  EXPECT_TRUE(load_snapshot<Exaf<5>>(path, filter.hash()).ok());
  EXPECT_TRUE(same_bytes(map_snapshot<Exaf<5>>(path, filter.hash())->info()->note, as_note("generation 7")));

  const std::string longest(kMaxNote, 'n');
  ASSERT_TRUE(save_snapshot(filter, path, {.note = as_note(longest)}).ok());
  EXPECT_TRUE(same_bytes(read_snapshot_info(path)->note, as_note(longest)));
  EXPECT_TRUE(load_snapshot<Exaf<5>>(path, filter.hash()).ok());
  const std::string too_long(kMaxNote + 1, 'n');
  EXPECT_EQ(save_snapshot(filter, path, {.note = as_note(too_long)}).error().code, Error::bad_argument);
}

TEST(Snapshot, TheSecretIsKeptOutUnlessAskedFor) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  const Secret secret{{0x1122334455667788, 0x99aabbccddeeff00}};
  auto filter = std::move(Taf<8, SipHash>::create({.slots = 64}, SipHash(secret))).value();
  const auto holds_secret = [&] {
    const Bytes bytes = read_bytes(path);
    const std::uint8_t word[] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
    return std::search(bytes.begin(), bytes.end(), std::begin(word), std::end(word)) != bytes.end();
  };
  ASSERT_TRUE(save_snapshot(filter, path).ok());
  EXPECT_FALSE(holds_secret());
  EXPECT_TRUE((load_snapshot<Taf<8, SipHash>>(path, SipHash(secret)).ok()));
  EXPECT_EQ(read_snapshot_secret(path).error().code, Error::wrong_secret);

  ASSERT_TRUE(save_snapshot(filter, path, {.include_secret = true}).ok());
  EXPECT_TRUE(holds_secret());
  struct stat about {};
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  EXPECT_EQ(*read_snapshot_secret(path), (HashKey{HashKind::siphash, secret}));
  EXPECT_TRUE((load_snapshot<Taf<8, SipHash>>(path, SipHash(secret)).ok()));
  EXPECT_TRUE((map_snapshot<Taf<8, SipHash>>(path, SipHash(secret)).ok()));
}

TEST(Snapshot, AnotherSecretHashKindWidthOrCode) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  const auto filter = adapted<Taf<8>>();
  ASSERT_TRUE(save_snapshot(filter, path).ok());
  for (const Secret other : {Secret{{0x7465, 0x6c64}}, Secret{{0x7464, 0x6c65}}, Secret{}}) {
    const auto loaded = load_snapshot<Taf<8>>(path, Xxh3(other));
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().code, Error::wrong_secret);
    EXPECT_EQ(map_snapshot<Taf<8>>(path, Xxh3(other)).error().code, Error::wrong_secret);
  }
  EXPECT_EQ((load_snapshot<Taf<8, SipHash>>(path, SipHash(kSecret)).error().what),
            path.string() + ": saved under hash xxh3, not siphash; pass the hash and secret of the store");
  EXPECT_EQ(load_snapshot<Exaf<5>>(path, Xxh3(kSecret)).error().what,
            path.string() +
                ": holds a filter taf of width 8, not exaf of width 5; load it as what it is, or rebuild the "
                "filter from the store");
  const auto narrow = Keyed<>::make(FilterKind::taf, 5, {.slots = 64}, kSecret);
  ASSERT_TRUE(save_snapshot(narrow.filter, key_of(narrow.hash), path).ok());
  EXPECT_EQ(load_snapshot<Taf<8>>(path, Xxh3(kSecret)).error().code, Error::other_filter);
}

// Committed files: the format must not change by accident, on any machine.
TEST(Snapshot, GoldenFiles) {
  const Directory directory;
  const std::filesystem::path data(TELESCOPE_TEST_DATA);
  const auto same = [&](const char* name, const auto& filter, const SaveOptions& options) {
    const auto path = directory / name;
    ASSERT_TRUE(save_snapshot(filter, path, options).ok());
    EXPECT_EQ(read_bytes(path), read_bytes(data / name)) << name;
  };
  const auto taf = load_snapshot<Taf<8>>(data / "taf8.tsnap", Xxh3(kSecret));
  ASSERT_TRUE(taf.ok()) << taf.error().what;
  same("taf8.tsnap", *taf, {});
  same("taf8.tsnap", adapted<Taf<8>>(128), {});
  const auto exaf = load_snapshot<Exaf<5, SipHash>>(data / "exaf5.tsnap", SipHash(kSecret));
  ASSERT_TRUE(exaf.ok()) << exaf.error().what;
  EXPECT_EQ(*read_snapshot_secret(data / "exaf5.tsnap"), key_of(exaf->hash()));
  same("exaf5.tsnap", *exaf, {.include_secret = true, .note = as_note("hello")});
}

// What info() says and what is loaded belong together, whatever is saved under the name meanwhile.
TEST(Snapshot, AReaderKeepsToTheFileThatItOpened) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  const auto first = adapted<Taf<8>>(1024), second = adapted<Taf<8>>(2048);
  ASSERT_TRUE(save_snapshot(first, path, {.note = as_note("first")}).ok());
  auto reader = std::move(SnapshotReader::open(path)).value();
  ASSERT_TRUE(save_snapshot(second, path, {.note = as_note("second")}).ok());
  EXPECT_TRUE(same_bytes(reader.info()->note, as_note("first")));
  EXPECT_EQ(reader.info()->slots, 1024u);
  EXPECT_EQ(reader.stored_key().error().code, Error::wrong_secret);
  const auto any = reader.load_any(key_of(first.hash()));
  ASSERT_TRUE(any.ok()) << any.error().what;
  EXPECT_TRUE(same_bytes(any->raw(), first.frame().raw()));
  const auto loaded = reader.load<Taf<8>>(first.hash());
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  EXPECT_TRUE(same_bytes(loaded->frame().raw(), first.frame().raw()));
  const auto mapped = MappedFilter<Taf<8>>::create(std::move(reader), first.hash());
  ASSERT_TRUE(mapped.ok()) << mapped.error().what;
  EXPECT_TRUE(same_bytes(mapped->info()->note, as_note("first")));
  EXPECT_TRUE(mapped->verify().ok());
  EXPECT_EQ(mapped->slots(), 1024u);
  EXPECT_EQ(read_snapshot_info(path)->slots, 2048u);
}

}  // namespace
}  // namespace telescope::testing
