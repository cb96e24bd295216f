// Every byte comes from the allocator that was given, and goes back to it; running out moves no bit.
#include <memory_resource>
#include <new>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

// Counts what is out, and fails from the n-th allocation on.
class Counting final : public std::pmr::memory_resource {
 public:
  ~Counting() override { EXPECT_EQ(held, 0u) << "bytes were not given back"; }

  std::size_t held = 0, most = 0, allocations = 0, largest_alignment = 0;
  std::size_t fail_at = ~std::size_t{0};

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (allocations >= fail_at) throw std::bad_alloc();
    ++allocations;
    held += bytes;
    most = std::max(most, held);
    largest_alignment = std::max(largest_alignment, alignment);
    return ::operator new (bytes, std::align_val_t{alignment});
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    EXPECT_GE(held, bytes);
    held -= bytes;
    ::operator delete (p, std::align_val_t{alignment});
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

std::vector<std::byte> bytes_of(const AnyFilter& filter) { return {filter.raw().begin(), filter.raw().end()}; }

constexpr FilterKind kKinds[] = {FilterKind::rsqf, FilterKind::taf, FilterKind::utaf, FilterKind::exaf};

TEST(Memory, AtRestAFilterHoldsWhatItSays) {
  Counting memory;
  {
    auto filter = std::move(Taf<8>::create({.slots = 1 << 12, .memory = &memory})).value();
    EXPECT_EQ(memory.held, filter.bytes());
    for (std::uint64_t key = 0; key < 4000; ++key) ASSERT_TRUE(filter.insert(key).ok());
    EXPECT_EQ(memory.held, filter.bytes()) << "a filter does not grow";
    const auto copy = std::move(filter.clone()).value();
    EXPECT_EQ(memory.held, filter.bytes() + copy.bytes());
  }
  EXPECT_EQ(memory.held, 0u);
  for (const FilterKind kind : kKinds) {
    const auto filter = std::move(AnyFilter::create(kind, 9, {.slots = 640, .memory = &memory})).value();
    EXPECT_EQ(memory.held, filter.bytes()) << to_string(kind);
  }
}

TEST(Memory, BuildingIsAccountedToo) {
  Counting memory;
  std::vector<std::uint64_t> keys(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const FilterOptions options{.slots = 1 << 10, .memory = &memory};
  {
    const auto filter = std::move(Exaf<8>::build(options, std::span<const std::uint64_t>(keys))).value();
    EXPECT_EQ(memory.held, filter.bytes());
    EXPECT_EQ(memory.most, filter.bytes() + 32 * keys.size());
  }
  for (std::size_t n = 0; n < 2; ++n) {
    memory.fail_at = memory.allocations + n;
    const auto failed = Exaf<8>::build(options, std::span<const std::uint64_t>(keys));
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error(), Error::no_memory);
    EXPECT_EQ(memory.held, 0u);
  }
}

TEST(Memory, HugePagesOnRequest) {
  Counting small, huge;
  const auto a = Rsqf<8>::create({.slots = 1 << 22, .memory = &small, .huge_pages = false});
  const auto b = Rsqf<8>::create({.slots = 1 << 22, .memory = &huge});
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(small.largest_alignment, 64u);
  EXPECT_EQ(huge.largest_alignment, std::size_t{1} << 21);
}

TEST(Memory, NoneToCreate) {
  for (const FilterKind kind : kKinds) {
    for (std::size_t n = 0; n < 2; ++n) {  // the blocks, and the object that holds them
      Counting memory;
      memory.fail_at = n;
      const auto made = AnyFilter::create(kind, 8, {.slots = 64, .memory = &memory});
      ASSERT_FALSE(made.ok());
      EXPECT_EQ(made.error(), Error::no_memory);
    }
  }
}

// One run of 200 members: whoever asks for them needs more than what fits on the stack.
struct Crowd {
  explicit Crowd(FilterKind kind, Counting& memory)
      : filter(std::move(AnyFilter::create(kind, 8, {.slots = 320, .memory = &memory})).value()) {
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Hash member{~std::uint64_t{0} / 3, i * 0x9e3779b97f4a7c15};
      EXPECT_TRUE(filter.insert(member, store).ok());
      store.insert(member);
    }
  }
  AnyFilter filter;
  Members store;
};

TEST(Memory, NoneForAnOperationMovesNoBit) {
  for (const FilterKind kind : {FilterKind::taf, FilterKind::utaf, FilterKind::exaf}) {
    Counting memory;
    Crowd crowd(kind, memory);
    const std::size_t at_rest = memory.held;
    const Hash query{~std::uint64_t{0} / 3, 5 * 0x9e3779b97f4a7c15 ^ std::uint64_t{1} << 40};
    ASSERT_TRUE(crowd.filter.contains(query));
    const auto before = bytes_of(crowd.filter);
    std::size_t failures = 0;
    for (;; ++failures) {
      memory.fail_at = memory.allocations + failures;
      const auto adapted = crowd.filter.adapt(query, crowd.store);
      EXPECT_EQ(memory.held, at_rest) << "an operation keeps nothing";
      if (adapted.ok()) break;
      ASSERT_EQ(adapted.error(), Error::no_memory);
      ASSERT_EQ(bytes_of(crowd.filter), before);
    }
    EXPECT_GE(failures, 5u) << to_string(kind);

    memory.fail_at = memory.allocations;
    const auto adapted = bytes_of(crowd.filter);
    const auto erased = crowd.filter.erase({~std::uint64_t{0} / 3, 0}, crowd.store);
    ASSERT_FALSE(erased.ok());
    EXPECT_EQ(erased.error(), Error::no_memory);
    EXPECT_EQ(bytes_of(crowd.filter), adapted);
    memory.fail_at = ~std::size_t{0};
    EXPECT_TRUE(crowd.filter.erase({~std::uint64_t{0} / 3, 0}, crowd.store).ok());
    EXPECT_FALSE(crowd.filter.check().has_value());
  }
}

}  // namespace
}  // namespace telescope::testing
