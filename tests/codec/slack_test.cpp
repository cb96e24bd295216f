// The slack of a code, and the edits of plain codes in registers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include "support/codec_laws.hpp"
#include "telescope/detail/codec/event_code.hpp"

namespace telescope {
namespace {

using detail::EventCode;
using detail::Letters;
using test::LetterSampler;

constexpr double kEps = 1.0 / 256;

// A Slack as a list of bits.
std::vector<unsigned> dense_slack(const detail::Slack& slack) {
  std::vector<unsigned> dense;
  for (unsigned r = 0; r < slack.size; ++r) dense.push_back(slack.at(r));
  return dense;
}

detail::Slack random_slack(std::mt19937_64& random) {
  const auto size = static_cast<unsigned>(random() % (detail::Slack::kMost + 1));
  return {.bits = random() & detail::bits::ones(size), .size = size};
}

TEST(Slack, IsAListOfBits) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 20000; ++i) {
    detail::Slack slack = random_slack(random);
    std::vector<unsigned> dense = dense_slack(slack);
    for (int step = 0; step < 20; ++step) {
      const std::uint64_t index = random() % 64;
      const auto bit = static_cast<unsigned>(random() % 2);
      const auto at = static_cast<std::ptrdiff_t>(index);
      switch (random() % 4) {
        case 0:
          slack.open(index);
          if (index <= dense.size()) dense.insert(dense.begin() + at, 0);
          if (dense.size() > detail::Slack::kEdited) dense.pop_back();
          break;
        case 1:
          slack.close(index);
          if (index < dense.size()) dense.erase(dense.begin() + at);
          break;
        case 2:
          slack.set(index, bit);
          if (index < dense.size())
            dense[index] = bit;
          else if (index == dense.size() && index < detail::Slack::kEdited)
            dense.push_back(bit);
          break;
        default:
          slack.truncate(static_cast<unsigned>(index));
          if (index < dense.size()) dense.resize(index);
      }
      ASSERT_EQ(dense_slack(slack), dense);
      ASSERT_EQ(slack.bits >> slack.size, 0u);
    }
  }
}

// Where no slot is left without an entry, what comes later is known as well.
TEST(Slack, IsWholeAgainWhenAllSlotsHaveEntries) {
  detail::Slack slack{.bits = 0b101, .size = 3};
  slack.end_at(4);
  EXPECT_EQ(slack.size, 3u);
  slack.end_at(3);
  EXPECT_EQ(slack, (detail::Slack{.bits = 0b101, .size = detail::Slack::kMost}));
}

TEST(EventCode, KeepsAsMuchSlackAsThereIsRoomFor) {
  std::mt19937_64 random(13);
  LetterSampler sampler = LetterSampler::poisson(kEps, 40, 14);
  constexpr std::array<unsigned, 4> kPlain = {53, 45, 37, 29};
  for (int i = 0; i < 20000; ++i) {
    const Letters letters = i % 4 == 0 ? Letters{} : sampler.block();
    const detail::Slack slack = random_slack(random);
    const auto bare = EventCode<4>().encode(letters, detail::Slack::none());
    const auto code = EventCode<4>().encode(letters, slack);
    ASSERT_EQ(bare.has_value(), code.has_value()) << "no letter gives way to slack";
    if (!code) continue;
    ASSERT_EQ(EventCode<4>().decode(*code), letters);
    const detail::Slack kept = EventCode<4>().slack(*code);
    ASSERT_LE(kept.size, slack.size);
    ASSERT_EQ(kept.bits, slack.bits & detail::bits::ones(kept.size));
    ASSERT_EQ(EventCode<4>().encode(letters, kept), code);
    if (!EventCode<4>::is_plain(*code)) continue;
    unsigned events = 0;
    for (const auto& p : letters.placed()) events += p.letter;
    ASSERT_EQ(kept.size, std::min(slack.size, kPlain[events]));
  }
}

// The edits of plain codes against the same on what they mean.
TEST(EventCode, EditsPlainCodesInPlace) {
  namespace event = detail::event;
  std::mt19937_64 random(15);
  for (int i = 0; i < 100000; ++i) {
    Letters letters;
    for (std::uint64_t n = random() % 4; n > 0; --n) {
      const auto index = static_cast<std::uint32_t>(random() % (i % 2 == 0 ? 70 : 127));
      letters.set(index, letters.at(index) + 1);
    }
    detail::Slack slack = random_slack(random);
    const auto empty = static_cast<std::uint32_t>(random() % 130);
    letters.set(empty, 0);
    if (slack.has(empty)) slack.set(empty, 0);
    const auto code = EventCode<4>().encode(letters, slack);
    ASSERT_TRUE(code && EventCode<4>::is_plain(*code));
    slack = EventCode<4>().slack(*code);
    const auto bit = static_cast<unsigned>(random() % 2);

    if (empty < 63 && letters.empty()) {
      detail::Slack more = slack;
      if (more.has(empty)) more.set(empty, bit);
      const std::uint64_t head = *code << 8 | 77;
      const auto wanted = EventCode<4>().encode(letters, more).value_or(0) << 8 | 77;
      ASSERT_EQ(event::head_with_entry<detail::bits::Portable>(head, empty, bit), wanted) << empty;
      if (detail::bits::has_fast()) {
        ASSERT_EQ(event::head_with_entry<detail::bits::Fast>(head, empty, bit), wanted) << empty;
      }
    }

    const auto from = static_cast<std::uint32_t>(random() % (empty + 1));
    for (const bool leaves : {false, true}) {  // the shift ends in this block, or in another
      Letters opened = letters;
      detail::Slack after = slack;
      opened.open(from);
      after.open(from);
      if (!leaves) opened.close(empty + 1), after.close(empty + 1);
      after.set(from, bit);
      const auto wanted = EventCode<4>().encode(opened, after);
      const auto got = event::plain_opened(*code, from, leaves ? ~std::uint64_t{0} : empty, bit);
      ASSERT_EQ(got.has_value(), wanted && EventCode<4>::is_plain(*wanted)) << from << ' ' << empty;
      if (got) {
        ASSERT_EQ(got, wanted) << from << ' ' << empty << ' ' << leaves;
      }
    }
    Letters closed = letters;
    detail::Slack after = slack;
    closed.close(empty);
    after.close(empty);
    ASSERT_EQ(event::plain_closed(*code, empty), EventCode<4>().encode(closed, after)) << empty;
  }
}

}  // namespace
}  // namespace telescope
