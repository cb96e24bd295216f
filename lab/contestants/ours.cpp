#include "contestants/ours.hpp"

#include <telescope/filter.hpp>

#include "paper/coders.hpp"

namespace telescope::lab {
namespace {

// TAF as in the paper: a query whose quotient has a run decodes the selectors of the block before it compares any
// remainder. Our probe decodes only where a remainder of some selector fits. The decoder is ours, and ends behind the
// last selector that is not zero; the paper's goes on to the sixty-fourth.
class DecodingContestant final : public OurContestant<TafShift<8>> {
 public:
  using OurContestant::OurContestant;

  std::uint64_t count(KeySpan keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) {
      const Hash hash = filter().hash_of(key);
      decode_run(filter().frame().quotient(hash));
      hits += filter().frame().contains(hash);
    }
    return hits;
  }
  std::optional<std::uint64_t> count_batch(KeySpan) override { return std::nullopt; }

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

template <class Filter, class Made = OurContestant<Filter>>
ContestantFactory factory(const char* name, bool overflow_policy) {
  const auto make = [](const ContestantOptions& options) -> std::unique_ptr<Contestant> {
    return std::make_unique<Made>(
        make_filter<Filter>({.slots = options.slots, .overflow = options.overflow}, options.seed));
  };
  return {.name = name, .overflow_policy = overflow_policy, .make = make};
}

}  // namespace

std::vector<ContestantFactory> our_contestants() {
  return {factory<Taf<8>>("taf", true),
          factory<Exaf<8>>("exaf", true),
          factory<Utaf<8>>("utaf", false),
          factory<Rsqf<8>>("rsqf", false),
          factory<TafShift<8>>("taf-shift", true),
          factory<TafShift<8>, DecodingContestant>("taf-decode", true)};
}

}  // namespace telescope::lab
