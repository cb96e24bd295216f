// Random walks through filters of every form, near-empty to full. TELESCOPE_OPERATIONS=100000000 says how many steps
// they have in all; then there are large filters, too.
#include <cstdlib>

#include "support/operations.hpp"
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

const char* const wish = std::getenv("TELESCOPE_OPERATIONS");

// Keys enter and leave in turn: the members are [first, end), but for a few that were inserted twice.
class Walk {
 public:
  Walk(const Form& form, const FilterOptions& options, bool crowded)
      : operations_(form.kind, form.width, options, crowded), slots_(options.slots), random_(slots_ + form.width) {}

  // The first law that broke; empty if none.
  std::string run(std::uint64_t steps) {
    // A large filter that is full to the last slot shifts far with each insert: it gets there once, at the end.
    const std::uint64_t most = slots_ > 4096 ? slots_ / 50 * 49 : slots_;
    std::uint64_t target = most / 20 * 19;
    while (operations_.size() < target && operations_.broken().empty()) insert();
    for (std::uint64_t i = 0; i < steps && operations_.broken().empty(); ++i) {
      if (i % (2 * slots_) == 0) target = random_() % 4 == 0 ? most : random_() % (most + 1);
      if (i % (64 * slots_) == 0) operations_.sweep();
      if (random_() % 8 < 3) {
        const bool grow = (operations_.size() < target) == (random_() % 8 != 0);
        grow ? insert() : erase();
      } else {
        operations_.step(5, key(random_() % 2 ? first_ + random_() % (end_ - first_ + 1) : random_()));
      }
    }
    while (operations_.size() < slots_ && operations_.broken().empty()) insert();
    insert();
    operations_.sweep();
    return operations_.broken();
  }

 private:
  static std::uint64_t key(std::uint64_t n) { return n * 40503; }  // neighbours are no neighbours in the filter
  void insert() {
    const std::uint64_t n = random_() % 64 != 0 ? end_++ : first_ + random_() % (end_ - first_ + 1);
    operations_.step(static_cast<unsigned>(random_() % 3), key(n));
  }
  void erase() { operations_.step(3, key(random_() % 64 != 0 && first_ < end_ ? first_++ : random_())); }

  Operations operations_;
  std::uint64_t slots_, first_ = 0, end_ = 0;
  std::mt19937_64 random_;
};

class Stress : public ::testing::TestWithParam<Form> {};

TEST_P(Stress, WalksKeepTheLaws) {
  for (const Overflow overflow : {Overflow::evict, Overflow::reset}) {
    for (const bool crowded : {false, true}) {
      for (const std::uint64_t slots : {64u, 960u, 65536u}) {
        if (slots == 65536 && (crowded || wish == nullptr)) continue;
        // 28 forms have five walks under each policy.
        const std::uint64_t steps = wish == nullptr ? 2000 * kEffort : std::strtoull(wish, nullptr, 10) / (28 * 10);
        EXPECT_EQ(Walk(GetParam(), {.slots = slots, .overflow = overflow}, crowded).run(steps), "")
            << slots << " slots" << (crowded ? ", crowded" : "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Stress, ::testing::ValuesIn(some_forms()), form_name);

}  // namespace
}  // namespace telescope::testing
