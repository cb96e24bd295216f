// Guards without memory: each allocation of each operation fails, alone or with all that follow. The operation then
// returns an error, or does without, and nothing is lost: every answer is right afterwards, and filter and store agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <telescope/guard.hpp>
#include <telescope/memory_store.hpp>

#include "../src/guard/shared_filter.hpp"
#include "support/directory.hpp"
#include "support/failing_allocations.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

// Its locks come first, and then the filter with its own.
TEST(SharedFilter, WithoutMemoryForAnyPartIsAnError) {
  for (int enough = 0;; ++enough) {
    auto filter = AnyFilter::create(FilterKind::taf, 8, {.slots = 128});
    ASSERT_TRUE(filter.ok());
    const FailingAllocation failing(enough);
    const auto shared = detail::SharedFilter::create(std::move(*filter), {});
    if (shared.ok()) {
      ASSERT_NE(*shared, nullptr) << enough;
      EXPECT_EQ((*shared)->slots(), 128u);
      EXPECT_GE(enough, 3);  // two arrays of locks, and itself
      return;
    }
    EXPECT_EQ(shared.error(), Error::no_memory) << enough;
  }
}

// A crowded filter that has learned, beside its members, which take no memory. Half of them are in one run, for which
// the scratch space on the stack is too small.
class Crowded {
 public:
  Crowded(FilterKind kind, std::pmr::memory_resource* memory) {
    members_.reserve(256);
    auto filter = AnyFilter::create(kind, 4, {.slots = 256, .memory = memory});
    shared_ = std::move(detail::SharedFilter::create(std::move(*filter), {.at_load = 1}).value());
    for (std::uint64_t i = 0; i < 240; ++i) EXPECT_TRUE(insert(hash(i)).ok());
    for (std::uint64_t i = 1000; i < 1200; ++i) {
      if (shared_->contains(hash(i))) (void)adapt(hash(i));
    }
  }
  static Hash hash(std::uint64_t i) {
    Hash hash = Xxh3(kSecret)(i);
    if (i % 2 != 0) hash.position = (std::uint64_t{77} << 56) + i;
    return hash;
  }

  Status insert(const Hash& hash) {
    const auto done = shared_->insert(hash, source_, [&] { members_.insert(place_of(hash), hash); });
    return done ? Status{} : done.error();
  }
  Status erase(const Hash& hash) {
    const auto done = shared_->erase(hash, source_, [&] { members_.erase(place_of(hash)); });
    return done ? Status{} : done.error();
  }
  Status adapt(const Hash& hash) {
    const auto done = shared_->adapt(hash, source_);
    return done || done.error() == Error::is_member ? Status{} : done.error();
  }
  Status start_to_grow() { return shared_->resize(512, source_); }
  Status replace() {
    auto other = AnyFilter::create(FilterKind::taf, 4, {.slots = 256});
    if (!other) return other.error();
    return shared_->replace(std::move(*other), [] {});
  }
  bool contains(std::uint64_t i) const { return shared_->contains(hash(i)); }
  bool growing() const { return shared_->growing(); }
  std::vector<std::byte> bytes() const {
    return shared_->frozen(
        [](const AnyFilter& filter) { return std::vector<std::byte>(filter.raw().begin(), filter.raw().end()); });
  }

 private:
  std::vector<Hash>::iterator place_of(const Hash& hash) {
    return std::ranges::lower_bound(members_, hash.position, {}, &Hash::position);
  }

  std::vector<Hash> members_;  // in order of position
  std::function<Status(const QuotientRange&, MemberSink)> read_ = [this](const QuotientRange& range, MemberSink sink) {
    for (const Hash& member : members_) {
      if (member.position >= range.first_position && member.position <= range.last_position) sink(member);
    }
    return Status{};
  };
  MemberSource source_{read_};
  std::unique_ptr<detail::SharedFilter> shared_;
};

// Not the filter's own errors alone, but every bit of it.
TEST(SharedFilter, AnOperationThatFailsForWantOfMemoryMovesNoBit) {
  const std::array<std::pair<const char*, std::function<Status(Crowded&)>>, 5> operations = {{
      {"insert", [](Crowded& c) { return c.insert(Crowded::hash(301)); }},
      {"erase", [](Crowded& c) { return c.erase(Crowded::hash(7)); }},
      {"adapt",
       [](Crowded& c) {
         for (std::uint64_t i = 3001;; i += 2) {
           if (c.contains(i)) return c.adapt(Crowded::hash(i));
         }
       }},
      {"resize", &Crowded::start_to_grow},
      {"replace", &Crowded::replace},
  }};
  FailingResource failing;
  std::map<std::string, int> compared;
  for (const FilterKind kind : {FilterKind::rsqf, FilterKind::taf, FilterKind::utaf, FilterKind::exaf}) {
    for (const auto& [name, run] : operations) {
      if (kind == FilterKind::rsqf && name == std::string("adapt")) continue;
      long faults = 0;
      for (bool failed = true; failed; ++faults) {
        Crowded crowded(kind, &failing);
        const auto before = crowded.bytes();
        const Status done = [&] {
          const FailingAllocation one(faults);
          try {
            return run(crowded);
          } catch (const std::bad_alloc&) {
            return Status{Error::no_memory};
          }
        }();
        failed = FailingAllocation::happened();
        EXPECT_TRUE(done.ok() || failed) << name;
        // A resize that fails in the middle goes on later.
        if (!done.ok() && !crowded.growing()) {
          EXPECT_EQ(done.error(), Error::no_memory) << name;
          EXPECT_EQ(crowded.bytes(), before) << to_string(kind) << ", " << name << ", allocation " << faults;
          ++compared[name];
        }
        for (std::uint64_t i = 0; i < 240; ++i) {
          EXPECT_TRUE(name == std::string("replace") || i == 7 || crowded.contains(i)) << name;
        }
      }
    }
  }
  // An insert needs memory only if a long run overflows.
  for (const char* const name : {"erase", "adapt", "resize", "replace"}) EXPECT_GE(compared[name], 1) << name;
}

// A guard that has learned, over a store that can lose acknowledgements.
class World {
 public:
  static constexpr int kMembers = 90;

  explicit World(std::pmr::memory_resource* memory) {
    options_.snapshot = directory_ / "filter.tsnap";
    options_.memory = memory;
    guard_.emplace(std::move(
        *Guard::create(LossyStore(truth_, lossy_), {.width = 6, .secret = kSecret, .capacity = 90}, options_)));
    for (int i = 0; i < kMembers; ++i) EXPECT_TRUE(guard_->insert(member(i), "value of a member").ok());
    for (int i = 0; i < 400; ++i) EXPECT_TRUE(guard_->contains("asked" + std::to_string(i)).ok());
  }

  static std::string member(int i) { return "member" + std::to_string(i); }
  Guard& guard() { return *guard_; }

  // One key that the store has and the filter has not, and one the other way round, both in doubt.
  void doubt() {
    lossy_ = true;
    EXPECT_FALSE(guard_->insert("doubtful").ok());
    lossy_ = false;
  }
  void close() {
    EXPECT_TRUE(guard_->close().ok());
    drop();
  }
  void drop() {
    guard_.reset();
    store_.emplace(LossyStore(truth_, lossy_));
  }
  void empty_store() { store_.emplace(Borrowed(another_)); }
  Outcome<void> create_another() {
    auto made = Guard::create(std::move(*store_), {.secret = kSecret}, options_);
    created_ = made.ok();
    if (!made) return std::move(made).error();
    return {};
  }
  Outcome<void> open() {
    auto opened = Guard::open(std::move(*store_), options_);
    if (!opened) return std::move(opened).error();
    guard_.emplace(std::move(*opened));
    return {};
  }

  // Every answer is that of the store, and the whole is sound.
  void expect_sound() {
    EXPECT_TRUE(created_ || Guard::create(Borrowed(another_), {.secret = kSecret}).ok()) << "a part of a set is there";
    if (!guard_) {
      drop();
      ASSERT_TRUE(open().ok());
    }
    for (int i = 0; i < kMembers + 60; ++i) expect_answer(member(i));
    expect_answer("doubtful");
    const auto report = guard_->verify();
    ASSERT_TRUE(report.ok()) << report.error().what;
    EXPECT_TRUE(report->ok()) << report->problems.front();
    EXPECT_EQ(guard_->counters().doubts, 0u);
  }

 private:
  void expect_answer(const std::string& key) {
    std::string value, kept;
    const auto answer = guard_->get(key, value);
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    const bool there = *truth_.get({Xxh3(kSecret)(std::string_view(key)).position, key}, kept);
    EXPECT_EQ(*answer, there) << key;
    EXPECT_EQ(value, kept) << key;
  }

  Directory directory_;
  MemoryStore truth_;
  MemoryStore another_;
  bool lossy_ = false, created_ = false;
  GuardOptions options_;
  std::optional<AnyStore> store_;  // of the guard to be opened
  std::optional<Guard> guard_;
};

struct Operation {
  const char* name;
  std::function<void(World&)> prepare;
  std::function<Outcome<void>(World&)> run;
};

template <class T>
Outcome<void> forget(Outcome<T> outcome) {
  if (!outcome) return std::move(outcome).error();
  return {};
}

const std::array<std::string_view, 5> kBatch = {"member3", "doubtful", "member100", "stranger", "member7"};
const std::array<Entry, 4> kEntries = {{{"member95", "x"}, {"member3", "y"}, {"member96", ""}, {"member95", "z"}}};

const std::vector<Operation> kOperations = {
    {"contains a member", {}, [](World& w) { return forget(w.guard().contains("member1")); }},
    {"contains strangers",
     {},
     [](World& w) -> Outcome<void> {
       for (int i = 0; i < 60; ++i) {
         if (auto asked = w.guard().contains("never" + std::to_string(i)); !asked) return std::move(asked).error();
       }
       return {};
     }},
    {"contains a key in doubt", &World::doubt, [](World& w) { return forget(w.guard().contains("doubtful")); }},
    {"get",
     {},
     [](World& w) {
       std::string value;
       return forget(w.guard().get("member2", value));
     }},
    {"get a batch", &World::doubt,
     [](World& w) {
       std::array<std::string, 5> values;
       std::array<std::uint8_t, 5> present{};
       return w.guard().get(kBatch, values, present);
     }},
    {"insert", {}, [](World& w) { return forget(w.guard().insert("member90", "new")); }},
    {"insert for a key in doubt", &World::doubt, [](World& w) { return forget(w.guard().insert("doubtful", "new")); }},
    {"insert a batch", &World::doubt, [](World& w) { return forget(w.guard().insert(kEntries)); }},
    {"insert while it grows",
     {},
     [](World& w) -> Outcome<void> {
       for (int i = 90; i < 140; ++i) {
         if (auto done = w.guard().insert(World::member(i)); !done) return std::move(done).error();
       }
       return {};
     }},
    {"erase", {}, [](World& w) { return forget(w.guard().erase("member5")); }},
    {"erase a batch", &World::doubt, [](World& w) { return forget(w.guard().erase(kBatch)); }},
    {"save", &World::doubt, [](World& w) { return w.guard().save(); }},
    {"rebuild", &World::doubt, [](World& w) { return w.guard().rebuild(); }},
    {"resize", &World::doubt, [](World& w) { return w.guard().resize(192); }},
    {"verify", &World::doubt, [](World& w) { return forget(w.guard().verify()); }},
    {"each", {}, [](World& w) { return w.guard().each([](const Entry&) { return true; }); }},
    {"preload negatives", {}, [](World& w) { return forget(w.guard().preload_negatives(kBatch)); }},
    {"its numbers",
     {},
     [](World& w) -> Outcome<void> {
       (void)w.guard().info();
       (void)w.guard().counters();
       (void)w.guard().letters();
       return {};
     }},
    {"create", &World::empty_store, [](World& w) { return w.create_another(); }},
    {"open from the snapshot", &World::close, [](World& w) { return w.open(); }},
    {"open by a scan", &World::drop, [](World& w) { return w.open(); }},
};

enum class Memory { one_fails, one_fails_in_a_resource, none_left };
class WithoutMemory : public ::testing::TestWithParam<std::tuple<Operation, Memory>> {};

TEST_P(WithoutMemory, EachAllocationFailsInTurn) {
  const auto& [name, prepare, run] = std::get<Operation>(GetParam());
  const Memory memory = std::get<Memory>(GetParam());
  FailingResource failing;
  long faults = 0, errors = 0;
  for (;; ++faults) {
    World world(memory == Memory::one_fails_in_a_resource ? &failing : nullptr);
    if (prepare) prepare(world);
    const auto done = [&, &run = run] {
      const FailingAllocation one(faults, memory == Memory::none_left);
      return run(world);
    }();
    if (!FailingAllocation::happened()) {
      EXPECT_TRUE(done.ok()) << done.error().what;
      break;
    }
    if (!done) {
      ++errors;
      EXPECT_TRUE(done.error().code == Error::no_memory || done.error().code == Error::source_failed ||
                  done.error().code == Error::io_failed)
          << faults << ": " << message(done.error().code) << ": " << done.error().what;
    }
    world.expect_sound();
    ASSERT_FALSE(HasFailure()) << "allocation " << faults << " of: " << name;
  }
  RecordProperty("faults", std::to_string(faults));
  RecordProperty("errors", std::to_string(errors));
}
std::string name_of(const ::testing::TestParamInfo<WithoutMemory::ParamType>& tried) {
  constexpr std::array<const char*, 3> kHow = {"", "_in_a_resource", "_and_all_that_follow"};
  std::string name = std::get<Operation>(tried.param).name;
  std::ranges::replace(name, ' ', '_');
  return name + kHow[static_cast<std::size_t>(std::get<Memory>(tried.param))];
}
INSTANTIATE_TEST_SUITE_P(Guards, WithoutMemory,
                         ::testing::Combine(::testing::ValuesIn(kOperations),
                                            ::testing::Values(Memory::one_fails, Memory::one_fails_in_a_resource,
                                                              Memory::none_left)),
                         name_of);

}  // namespace
}  // namespace telescope::testing
