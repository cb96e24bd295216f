// The frame's corners: parameters, sizes, matching, saturated offsets, tall letters, and a check that notices every
// damage.
#include "support/murmur3.hpp"
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

TEST(Create, RefusesWhatItCannotBuild) {
  for (std::uint64_t slots :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{100}, ~std::uint64_t{63}}) {
    EXPECT_EQ(Taf<8>::create({.slots = slots}).error(), Error::bad_argument) << slots;
  }
  for (unsigned width : {0u, 3u, AnyFilter::kMaxWidth + 1, 64u}) {
    EXPECT_EQ(AnyFilter::create(FilterKind::taf, width, {}).error(), Error::bad_argument) << width;
  }
  EXPECT_FALSE(message(Error::bad_argument).empty());
}

TEST(Create, BitsPerSlot) {
  EXPECT_DOUBLE_EQ(Taf<8>::create({})->bits_per_slot(), 11.0);
  EXPECT_DOUBLE_EQ(AnyFilter::create(FilterKind::exaf, 8, {})->bits_per_slot(), 11.0);
  EXPECT_DOUBLE_EQ(AnyFilter::create(FilterKind::rsqf, 8, {})->bits_per_slot(), 10.125);
  EXPECT_DOUBLE_EQ(AnyFilter::create(FilterKind::taf, 13, {})->bits_per_slot(), 16.0);
  EXPECT_EQ(FilterOptions::for_members(1000, 0.95).slots, 1088u);
  const auto filter = Taf<8>::create({.slots = 1 << 20});
  EXPECT_LE(filter->bytes() * 8, 11u * (1 << 20) + 1024);  // plus O(1)
}

TEST(Keys, StringsIntegersAndBytes) {
  auto filter = *Taf<8>::create({}, Xxh3(Secret{{5, 6}}));
  ASSERT_TRUE(filter.insert(std::string_view("adaptive")).ok());
  ASSERT_TRUE(filter.insert(std::uint64_t{0x0706050403020100}).ok());
  EXPECT_TRUE(filter.contains(std::string("adaptive")));
  EXPECT_TRUE(filter.contains("adaptive"));
  EXPECT_TRUE(filter.contains(std::string_view("\0\1\2\3\4\5\6\7", 8)));  // as its 8 little-endian bytes
  const std::string_view batch[] = {"adaptive", "absent one", "absent two"};
  std::uint8_t out[3];
  filter.contains(std::span(batch), out);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(filter.insert(std::span(batch)).inserted, 3u);
  EXPECT_TRUE(filter.contains("absent two"));
  const std::vector<std::uint64_t> numbers = {1, 2, 3};
  EXPECT_TRUE(filter.insert(numbers).status.ok());
  EXPECT_EQ(filter.size(), 8u);
}

// Batches of keys of any kind and under any hash are answered as one by one.
template <class H>
void answer_batches_as_one_by_one() {
  auto filter = *Taf<8, H>::create({.slots = 2048});
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> strings;
  for (std::uint64_t key = 0; key < 3000; ++key) {
    numbers.push_back(key);
    strings.push_back(std::to_string(key));
  }
  for (std::uint64_t key = 0; key < 900; ++key) {
    ASSERT_TRUE(filter.insert(key).ok());
    ASSERT_TRUE(filter.insert(strings[key]).ok());
  }
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 31u, 32u, 33u, 1000u, 3000u}) {
    std::vector<std::uint8_t> by_number(size + 1, 77), by_string(size + 1, 77);
    filter.contains(std::span<const std::uint64_t>(numbers).first(size), std::span(by_number).first(size));
    filter.contains(std::span(views).first(size), std::span(by_string).first(size));
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(by_number[i], filter.contains(numbers[i])) << i << " of " << size;
      ASSERT_EQ(by_string[i], filter.contains(views[i])) << i << " of " << size;
    }
    ASSERT_EQ(by_number[size], 77);  // nothing behind the end
    ASSERT_EQ(by_string[size], 77);
  }
}
TEST(Keys, BatchesUnderEveryHash) {
  answer_batches_as_one_by_one<Xxh3>();
  answer_batches_as_one_by_one<SipHash>();
  answer_batches_as_one_by_one<Murmur3>();
}

// Every slot count that is a multiple of 64, none of them a power of two but a few.
TEST(Sizes, AnyMultipleOf64) {
  for (std::uint64_t blocks = 1; blocks < 24; ++blocks) {
    Twin twin(*Taf<8>::create({.slots = 64 * blocks}, Xxh3(Secret{{blocks, 0}})));
    std::mt19937_64 random(blocks);
    twin.fill(1.0, random);
    for (int i = 0; i < 3000; ++i) twin.query(random());
    twin.sweep();
  }
}

TEST(Sizes, QuotientRangesCoverEveryPosition) {
  for (std::uint64_t slots :
       {std::uint64_t{64}, std::uint64_t{192}, std::uint64_t{1} << 20, std::uint64_t{64} * 12345677}) {
    std::mt19937_64 random(slots);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t q = i == 0 ? 0 : i == 1 ? slots - 1 : random() % slots;
      const QuotientRange range = detail::quotient_range(q, q + 1, slots);
      ASSERT_EQ(detail::bits::multiply_high(range.first_position, slots), q);
      ASSERT_EQ(detail::bits::multiply_high(range.last_position, slots), q);
      if (q > 0) {
        ASSERT_EQ(detail::bits::multiply_high(range.first_position - 1, slots), q - 1);
      }
      if (q + 1 < slots) {
        ASSERT_EQ(detail::bits::multiply_high(range.last_position + 1, slots), q + 1);
      } else {
        ASSERT_EQ(range.last_position, ~std::uint64_t{0});
      }
    }
  }
}

// One key a thousand times: one run over many blocks, offsets past 255, round the circle.
TEST(Duplicates, OneRunOverManyBlocks) {
  for (const FilterKind kind : kKinds) {
    Twin twin(Keyed<>::make(kind, 8, {.slots = 1280}));
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(twin.insert(42));
    twin.sweep();
    while (twin.insert(random())) {
    }
    twin.sweep();
    for (int i = 0; i < 3000; ++i) twin.query(random());
    twin.sweep();
    for (int i = 0; i < 1000; ++i) {
      twin.erase(42);
      if (i % 100 == 0) twin.sweep();
      if (HasFatalFailure()) return;
    }
    EXPECT_FALSE(twin.keys.contains(42));
    twin.sweep();
  }
}

// Selectors past the candidates that a probe compares: the code is tall, and the member is still found.
TEST(Adapt, SelectorsAreUnbounded) {
  auto frame = *Taf<8>::Frame::create({.slots = 64});
  const Hash member{0, 0x1122334455667788};
  const auto source_of = [&](const QuotientRange& range, MemberSink sink) -> Status {
    if (range.first == 0) sink(member);
    return {};
  };
  const MemberSource source(source_of);
  ASSERT_TRUE(frame.insert(member, nullptr).ok());
  std::mt19937_64 random(3);
  Letter highest = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Hash query{0, random()};
    const bool found = frame.contains(query);
    const auto done = frame.adapt(query, source);
    ASSERT_TRUE(done.ok());
    ASSERT_EQ(done->hits, found);
    ASSERT_FALSE(frame.contains(query));
    ASSERT_TRUE(frame.contains(member));
    frame.visit_letters([&](auto, auto, Letter letter) { highest = std::max(highest, letter); });
  }
  EXPECT_GT(highest, detail::candidates(8));  // then it wraps, since the code is full
  EXPECT_FALSE(frame.check().has_value());
}

TEST(Adapt, RefusesAMember) {
  Twin twin(*Taf<8>::create({.slots = 64}, Xxh3(Secret{{1, 2}})));
  ASSERT_TRUE(twin.insert(7));
  EXPECT_EQ(twin.filter.adapt(std::uint64_t{7}, twin.store).error(), Error::is_member);
}

TEST(Adapt, AsksForOneRunOnly) {
  Twin twin(*Taf<8>::create({.slots = 1 << 12}, Xxh3(Secret{{1, 2}})));
  std::mt19937_64 random(4);
  twin.fill(0.95, random);
  for (int i = 0; i < 20'000; ++i) {
    const auto asked = twin.store.asked;
    const AdaptReport report = twin.query(random());
    if (report.hits > 0 && report.overflow.overflows == 0) {
      ASSERT_EQ(twin.store.asked, asked + 1);
    }
    if (report.hits == 0) {
      ASSERT_EQ(twin.store.asked, asked);
    }
  }
}

// check() notices a flip of any bit of a filter that is in use, but in remainders of used slots, which may hold any
// value, and in raw letters likewise.
TEST(Check, NoticesDamage) {
  using Frame = Taf<8>::Frame;
  Twin twin(*Taf<8>::create({.slots = 256}, Xxh3(Secret{{1, 2}})));
  std::mt19937_64 random(6);
  twin.fill(0.9, random);
  for (int i = 0; i < 5000; ++i) twin.query(random());
  const auto raw = twin.filter.frame().raw();
  std::vector<std::byte> bytes(raw.begin(), raw.end());
  const auto frame_of_bytes = [&](std::uint64_t size) {
    const auto write = [&](std::span<std::byte> into) -> Status {
      std::ranges::copy(bytes, into.begin());
      return {};
    };
    return Frame::from_writer({.slots = 256}, size, write);
  };
  unsigned unnoticed = 0, metadata = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool remainder = i % 88 >= 24;
    const bool code = i % 88 >= 17 && i % 88 < 24;
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes[i] ^= std::byte{1} << bit;
      const auto damaged = frame_of_bytes(twin.filter.size());
      const bool noticed = damaged->check().has_value();
      bytes[i] ^= std::byte{1} << bit;
      if (!remainder && !code) {
        ++metadata;
        unnoticed += !noticed;
      }
    }
  }
  EXPECT_EQ(unnoticed, 0u) << "of " << metadata << " flips";
  EXPECT_TRUE(frame_of_bytes(twin.filter.size() + 1)->check().has_value());
  EXPECT_FALSE(frame_of_bytes(twin.filter.size())->check().has_value());
}

// A run that ends behind the probe's window, most of which earlier runs fill: what is left of it looks like a short
// run. Crowded, but not so that offsets pass 63 and the run is walked anyway.
TEST(Frame, RunsBehindTheWindowAreFound) {
  constexpr std::uint64_t kSlots = 1 << 16;
  for (const Form form :
       {Form{FilterKind::rsqf, 8}, Form{FilterKind::taf, 8}, Form{FilterKind::exaf, 8}, Form{FilterKind::taf, 12}}) {
    auto filter = Keyed<>::make(form, {.slots = kSlots}, Secret{{3, 4}});
    for (std::uint64_t key = 0; key < kSlots * 99 / 100; ++key) ASSERT_TRUE(filter.insert(key).ok());
    for (std::uint64_t key = 0; key < filter.size(); ++key) ASSERT_TRUE(filter.contains(key)) << key;
  }
}

// Each quotient of the first block has its slot, and then the last one gets another member: 64 runs are one more than
// the ranks of a word.
TEST(Frame, AllQuotientsOfABlockAreOccupied) {
  constexpr std::uint64_t kSlots = 128;
  const Xxh3 hash(Secret{{7, 8}});
  auto filter = Taf<8>::create({.slots = kSlots}, hash).value();
  std::vector<std::uint64_t> keys;
  const auto insert_into = [&](std::uint64_t quotient) {
    std::uint64_t key = keys.empty() ? 0 : keys.back() + 1;
    while (detail::bits::multiply_high(hash(key).position, kSlots) != quotient) ++key;
    keys.push_back(key);
    ASSERT_TRUE(filter.insert(key).ok());
  };
  for (std::uint64_t quotient = 0; quotient < 64; ++quotient) insert_into(quotient);
  insert_into(63);
  for (const std::uint64_t key : keys) EXPECT_TRUE(filter.contains(key));
  EXPECT_FALSE(filter.check().has_value());
}

}  // namespace
}  // namespace telescope::testing
