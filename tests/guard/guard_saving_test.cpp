// A guard that is saved, opened again, rebuilt and resized: it has every member, and what it learned where the snapshot
// belongs to the store's exact state.
#include <gtest/gtest.h>

#include <filesystem>
#include <tuple>

#include "support/directory.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

class Saved : public ::testing::Test {
 protected:
  GuardOptions options() const { return {.snapshot = directory_.path() / "filter.tsnap"}; }

  void fill(Guard& guard, int from, int to) {
    for (int i = from; i < to; ++i) ASSERT_TRUE(guard.insert("key" + std::to_string(i), "v").ok());
  }
  void expect_all(Guard& guard, int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(*guard.contains("key" + std::to_string(i))) << i;
    expect_sound(guard, static_cast<std::uint64_t>(count));
  }

  Directory directory_;
  MemoryStore store_;
};

TEST_F(Saved, TheSnapshotIsUsedAndKeepsWhatWasLearned) {
  {
    Guard guard = make_guard(store_, {.capacity = 2000}, options());
    fill(guard, 0, 1900);
    ask_strangers(guard, 20000);
    ASSERT_TRUE(guard.close().ok());
  }
  Guard guard = reopen_guard(store_, options());
  EXPECT_TRUE(guard.info().from_snapshot) << guard.info().opened;
  ask_strangers(guard, 20000);
  EXPECT_LE(guard.counters().false_positives, 5u);
  expect_all(guard, 1900);
}

TEST_F(Saved, AWriteAfterwardsMakesItStale) {
  {
    Guard guard = make_guard(store_, {.capacity = 2000}, options());
    fill(guard, 0, 1000);
    ASSERT_TRUE(guard.save().ok());
    fill(guard, 1000, 1001);
  }  // as if killed
  Guard guard = reopen_guard(store_, options());
  EXPECT_FALSE(guard.info().from_snapshot);
  expect_all(guard, 1001);
}

// A store that does not number its writes: then the name of the state has to do.
class Unnumbered {
 public:
  explicit Unnumbered(MemoryStore& store) : store_(store) {}
  Outcome<bool> get(const RecordKey& key, std::string& value) { return store_.get(key, value); }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return store_.scan(first, last, sink);
  }
  Outcome<void> write(std::span<const Write> writes) { return store_.write(writes); }
  Outcome<bool> get_meta(std::string_view name, std::string& value) { return store_.get_meta(name, value); }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) { return store_.put_meta(writes); }

 private:
  Borrowed<MemoryStore> store_;
};
static_assert(Store<Unnumbered> && !VersionedStore<Unnumbered>);

TEST_F(Saved, AWriteAfterwardsMakesItStaleInAnyStore) {
  {
    auto guard = Guard::create(Unnumbered(store_), {.capacity = 2000}, options());
    ASSERT_TRUE(guard.ok());
    fill(*guard, 0, 1000);
    ASSERT_TRUE(guard->save().ok());
  }
  {
    auto guard = Guard::open(Unnumbered(store_), options());
    ASSERT_TRUE(guard.ok());
    EXPECT_TRUE(guard->info().from_snapshot) << guard->info().opened;
    fill(*guard, 1000, 1001);
  }  // as if killed
  auto guard = Guard::open(Unnumbered(store_), options());
  ASSERT_TRUE(guard.ok());
  EXPECT_FALSE(guard->info().from_snapshot);
  expect_all(*guard, 1001);
}

TEST_F(Saved, ASnapshotOfAnotherStateIsNotUsed) {
  const auto other = directory_.path() / "other.tsnap";
  Guard guard = make_guard(store_, {.capacity = 2000}, options());
  fill(guard, 0, 1000);
  ASSERT_TRUE(guard.save().ok());
  std::filesystem::copy_file(options().snapshot, other);
  fill(guard, 1000, 1500);
  ASSERT_TRUE(guard.close().ok());
  std::filesystem::rename(other, options().snapshot);
  Guard again = reopen_guard(store_, options());
  EXPECT_FALSE(again.info().from_snapshot);
  EXPECT_NE(again.info().opened.find("another state"), std::string::npos) << again.info().opened;
  expect_all(again, 1500);
}

TEST_F(Saved, AStoreThatWasChangedBehindTheGuardsBackIsScanned) {
  {
    Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 2000}, options());
    fill(guard, 0, 1000);
    ASSERT_TRUE(guard.close().ok());
  }
  const std::string key = "key1000";
  const Hash hash = Xxh3(kSecret)(std::string_view(key));
  const Write write{hash.position, key, ""};
  ASSERT_TRUE(store_.write({&write, 1}).ok());
  Guard guard = reopen_guard(store_, options());
  EXPECT_FALSE(guard.info().from_snapshot);
  expect_all(guard, 1001);
}

TEST_F(Saved, ADamagedSnapshotIsNotUsed) {
  {
    Guard guard = make_guard(store_, {.capacity = 2000}, options());
    fill(guard, 0, 1000);
    ASSERT_TRUE(guard.close().ok());
  }
  std::filesystem::resize_file(options().snapshot, std::filesystem::file_size(options().snapshot) / 2);
  {
    Guard guard = reopen_guard(store_, options());
    EXPECT_FALSE(guard.info().from_snapshot);
    expect_all(guard, 1000);
    ASSERT_TRUE(guard.close().ok());
  }
  EXPECT_TRUE(reopen_guard(store_, options()).info().from_snapshot) << "closing has mended it";
}

TEST_F(Saved, SavingWithNothingNewWritesNothing) {
  Guard guard = make_guard(store_, {.capacity = 2000}, options());
  fill(guard, 0, 10);
  ASSERT_TRUE(guard.save().ok());
  const std::uint64_t version = store_.version();
  std::filesystem::remove(options().snapshot);
  ASSERT_TRUE(guard.save().ok());
  EXPECT_EQ(store_.version(), version);
  EXPECT_FALSE(std::filesystem::exists(options().snapshot));
}

// A filter changes without a write where it adapts, and where it is made anew. Either is worth another save.
TEST_F(Saved, SavingAgainWritesWhatHasChanged) {
  std::uint64_t before = 0;
  {
    Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 2000}, options());
    EXPECT_FALSE(guard.info().from_snapshot);
    fill(guard, 0, 1900);
    ASSERT_TRUE(guard.save().ok());
    ask_strangers(guard, 20000);
    before = guard.counters().false_positives;
    EXPECT_GT(before, 20u);
    EXPECT_GT(guard.counters().adapts, 20u);
    ASSERT_TRUE(guard.save().ok());
  }  // as if killed
  Guard guard = reopen_guard(store_, options());
  EXPECT_TRUE(guard.info().from_snapshot);
  ask_strangers(guard, 20000);
  EXPECT_LT(guard.counters().false_positives, before / 4) << "a letter may take slack away, but hardly ever";

  ASSERT_TRUE(guard.save().ok());
  std::filesystem::remove(options().snapshot);
  ASSERT_TRUE(guard.save().ok());
  EXPECT_FALSE(std::filesystem::exists(options().snapshot)) << "nothing has changed";
  ASSERT_TRUE(guard.rebuild().ok());
  ASSERT_TRUE(guard.save().ok());
  EXPECT_TRUE(std::filesystem::exists(options().snapshot));

  std::filesystem::remove(options().snapshot);
  ASSERT_TRUE(guard.resize(2 * guard.info().slots).ok());
  ASSERT_TRUE(guard.save().ok());
  EXPECT_TRUE(std::filesystem::exists(options().snapshot));
}

TEST_F(Saved, TheWidthIsKept) {
  for (const unsigned width : {4u, 12u, 32u}) {
    MemoryStore store;
    ASSERT_TRUE(make_guard(store, {.width = width, .capacity = 100}).close().ok());
    EXPECT_EQ(reopen_guard(store).info().set.width, width);
  }
}

TEST_F(Saved, SavingAfterLoadingWritesNothing) {
  {
    Guard guard = make_guard(store_, {.capacity = 2000}, options());
    fill(guard, 0, 100);
    ASSERT_TRUE(guard.close().ok());
  }
  Guard guard = reopen_guard(store_, options());
  std::filesystem::remove(options().snapshot);
  ASSERT_TRUE(guard.save().ok());
  EXPECT_FALSE(std::filesystem::exists(options().snapshot));
}

TEST_F(Saved, RebuildingTakesOnePassOrTwo) {
  {
    Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 100});  // no snapshot; grows and is not saved
    fill(guard, 0, 5000);
  }
  std::uint64_t told = 0;
  GuardOptions options;
  options.progress = [&](const RebuildProgress& progress) { told = progress.members; };
  Guard guard = reopen_guard(store_, options);
  expect_all(guard, 5000);
  EXPECT_LE(guard.info().load, 0.95);
  EXPECT_GT(guard.info().load, 0.4);
  EXPECT_EQ(told, 5000u);  // by verify
}

TEST_F(Saved, Resizes) {
  Guard guard = make_guard(store_, {.capacity = 2000}, options());
  fill(guard, 0, 1900);
  ask_strangers(guard, 10000);
  ASSERT_TRUE(guard.resize(64 * 100).ok());
  EXPECT_EQ(guard.info().slots, 6400u);
  expect_all(guard, 1900);
  const std::uint64_t before = guard.counters().false_positives;
  ask_strangers(guard, 10000);
  EXPECT_LE(guard.counters().false_positives - before, 30u);
  ASSERT_TRUE(guard.resize(2048).ok());
  expect_all(guard, 1900);
  EXPECT_EQ(guard.resize(1024).error().code, Error::full);
  EXPECT_EQ(guard.resize(1000).error().code, Error::bad_argument);
  expect_all(guard, 1900);
  ASSERT_TRUE(guard.close().ok());
  Guard again = reopen_guard(store_, options());
  EXPECT_TRUE(again.info().from_snapshot);
  EXPECT_EQ(again.info().slots, 2048u);
}

TEST(Guard, RefusesWhatIsNoSet) {
  MemoryStore store;
  EXPECT_EQ(Guard::open(Borrowed(store)).error().code, Error::foreign);
  EXPECT_EQ(Guard::create(Borrowed(store), {.width = 3}).error().code, Error::bad_argument);
  EXPECT_EQ(Guard::create(Borrowed(store), {}, {.max_load = 1.5}).error().code, Error::bad_argument);
  ASSERT_TRUE(Guard::create(Borrowed(store), {}).ok());
  EXPECT_EQ(Guard::create(Borrowed(store), {}).error().code, Error::bad_argument);
  for (const auto& [name, value, code] : {std::tuple("width", "99", Error::corrupt),
                                          {"filter", "bloom", Error::corrupt},
                                          {"format", "2", Error::newer},
                                          {"secret", "xyz", Error::corrupt},
                                          {"slots", "1000", Error::corrupt},
                                          {"hash", "md5", Error::corrupt}}) {
    MemoryStore damaged(store);
    const MetaWrite write{name, value};
    ASSERT_TRUE(damaged.put_meta({&write, 1}).ok());
    EXPECT_EQ(Guard::open(Borrowed(damaged)).error().code, code) << name;
  }
}

TEST(Guard, HashesAreKeptWithTheStore) {
  for (const HashKind kind : {HashKind::xxh3, HashKind::siphash}) {
    MemoryStore store;
    {
      Guard guard = make_guard(store, {.hash = kind, .capacity = 100});
      for (int i = 0; i < 90; ++i) ASSERT_TRUE(guard.insert("key" + std::to_string(i)).ok());
    }
    Guard guard = reopen_guard(store);
    EXPECT_EQ(guard.info().set.hash, kind);
    for (int i = 0; i < 90; ++i) EXPECT_TRUE(*guard.contains("key" + std::to_string(i)));
    expect_sound(guard, 90);
  }
}

}  // namespace
}  // namespace telescope::testing
