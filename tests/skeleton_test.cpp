// The quick check against the thorough one, on blocks that were tampered with.
#include <cstring>

#include "paper/general_code.hpp"
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

// What the quick check does not look at: neither harms an operation.
const std::string kNotZero = "an empty slot is not zero", kNotCanonical = "the code is not canonical";

template <class A>
struct Tampered {
  using Frame = detail::Frame<A>;
  // Inserts into lanes of this width look for zeros.
  static constexpr bool kZerosMatter = A::kWidth == 8;

  static void run(std::uint64_t blocks, double load, unsigned rounds) {
    std::mt19937_64 random(blocks * 1000 + static_cast<std::uint64_t>(load * 100));
    const FilterOptions options{.slots = 64 * blocks};
    auto frame = std::move(Frame::create(options)).value();
    MemberMap store;
    while (static_cast<double>(frame.size()) < load * static_cast<double>(frame.slots())) {
      const Hash member{random(), random()};
      ASSERT_TRUE(frame.insert(member, nullptr).ok());
      store.insert(member);
    }
    for (int i = 0; i < 2000; ++i) (void)frame.adapt({random(), random()}, store);
    ASSERT_EQ(frame.quick_check(), nullptr) << frame.quick_check();

    unsigned accepted = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      std::vector<std::byte> raw(frame.raw().begin(), frame.raw().end());
      std::uint64_t size = frame.size();
      for (std::uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
        // Mostly in the metadata, the first 24 bytes of a block.
        const std::size_t stride = raw.size() / blocks;
        const std::size_t at = random() % blocks * stride + random() % (random() % 8 == 0 ? stride : 24);
        raw[at] ^= static_cast<std::byte>(1u << random() % 8);
      }
      if (random() % 16 == 0) size += random() % 3 - 1;
      auto judged = Frame::from_raw(options, raw, size);
      ASSERT_TRUE(judged.ok());
      const auto thorough = judged->check();
      const char* const quick = judged->quick_check();
      if (!thorough) {
        ASSERT_EQ(quick, nullptr) << quick;
      }
      if (quick == nullptr) {
        ++accepted;
        ASSERT_TRUE(!thorough || thorough->what == kNotCanonical || (!kZerosMatter && thorough->what == kNotZero))
            << thorough->what;
      }
    }
    EXPECT_GT(accepted, 0u);
    EXPECT_LT(accepted, rounds / 2);
  }

  static void run() {
    for (const std::uint64_t blocks : {1, 2, 5, 40}) {
      for (const double load : {0.3, 0.9, 0.99, 1.0}) run(blocks, load, 400 * kEffort);
    }
  }
};

TEST(Skeleton, AgreesWithTheThoroughCheck) {
  Tampered<detail::None<8>>::run();
  Tampered<detail::Selectors<8, detail::DefaultCode<8>>>::run();
  Tampered<detail::Selectors<5, detail::GeneralCode<2, 3>>>::run();
  Tampered<detail::Extensions<11, detail::ExtensionCode>>::run();
  Tampered<detail::RawSelectors<4>>::run();
}

}  // namespace
}  // namespace telescope::testing
