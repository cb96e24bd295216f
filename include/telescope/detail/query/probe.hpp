// The query. One probe for single keys and batches, for every filter.
//
// Data flow of the fast path, without a branch that depends on the key:
//
//   P --x slots--> quotient = (block b, bit j); its run lies at or behind slot j
//   occupieds_b --rank below j, plus runends below offset_b, less runends below j--> d
//   (so many runs of quotients before it end at or behind slot j)
//   runends_b, runends_b+1 --from j on--> window --deposit d, d+1--> ends of the run before and of the run
//   (without one before, the run starts at j)
//   remainders of the run --compare--> hits, under a mask of the run's length
//
// A query that misses the cache occupies scheduler entries of the processor until its block arrives. The scheduler
// holds about three queries' worth, which bounds how many misses overlap. So the instructions that depend on the block
// are few (27): all shifts but one are by what the key alone decides, and a table lookup in the first cache, a load
// from an address known early, or a branch that is rarely taken is cheaper than two dependent instructions.
//
// Runs that are long or cross into the next block are compared out of line (probe_slow.hpp). With an offset past 63, a
// code that exceeds the candidates, and what is rarer still, the run is walked.
//
// Codes are hardly ever decoded: TAF compares each slot with all the candidates r_0(y) .. r_3(y) at once. Only a hit
// needs the code, for the letter of its slot and for one more bit of its member, where the code has that (slack.hpp). A
// code with a letter past the candidates says so (Codec::exceeds_candidates).
#pragma once

#include "telescope/detail/query/probe_slow.hpp"

namespace telescope::inline v1::detail {

// A quotient: its block, and which of the 64 there.
struct QuotientPlace {
  std::uint64_t block;
  unsigned bit;
};

template <class B>
class Probe {
  using A = typename B::Adaptation;
  using L = typename B::Layout;
  using C = RunCompare<B>;
  using Head = typename C::Head;
  static constexpr unsigned R = A::kWidth;

 public:
  explicit Probe(const B& blocks) noexcept : blocks_(blocks) {}

  // Returns the quotient of a hash. P x slots = P x blocks x 64: the high word of P x blocks is the block, and the top
  // of the low word the bit.
  TELESCOPE_ALWAYS_INLINE QuotientPlace place(const Hash& hash) const noexcept {
    const auto [high, low] = bits::multiply(hash.position, blocks_.count());
    return {.block = high, .bit = static_cast<unsigned>(low >> 58)};
  }

  template <class Isa, class Mode>
  TELESCOPE_ALWAYS_INLINE typename Mode::Answer contains(const Hash& hash) const noexcept {
    return contains_at<Isa, Mode>(place(hash), hash);
  }
  template <class Isa, class Mode>
  TELESCOPE_ALWAYS_INLINE typename Mode::Answer contains_at(const QuotientPlace& place,
                                                            const Hash& hash) const noexcept {
    return contains_in<Isa, Mode, Known::nothing>(blocks_.data() + block_offset<Isa>(place.block), place.bit, hash);
  }

  // Prefetches the remainders of quotient j of the block before the metadata tell where exactly they lie. At a load of
  // .95 nearly all runs are between the two places, and so are the runends of the next block, if they are needed.
  TELESCOPE_ALWAYS_INLINE void prefetch_run(const std::byte* block, unsigned j) const noexcept {
    for (const unsigned shift : {2u, 48u}) {
      TELESCOPE_PREFETCH(block + L::kRemainders + (j + shift) * blocks_.adaptation().width() / 8);
    }
  }

  // What the caller knows of the quotient.
  enum class Known : bool { nothing, occupied };

  // The same for a hash whose quotient is number j of the block.
  template <class Isa, class Mode, Known kKnown>
  TELESCOPE_ALWAYS_INLINE typename Mode::Answer contains_in(const std::byte* block, unsigned j,
                                                            const Hash& hash) const noexcept {
    using Answer = typename Mode::Answer;
    constexpr bool kOccupied = kKnown == Known::occupied;
    // Runs of the first 32 quotients hardly ever end in the next block, whose cache line is then left alone. Behind the
    // last block there is no runend (Blocks::kPadding).
    const std::byte* const next = Isa::template if_bit<5>(j, block + blocks_.block_bytes(), kNoRunends.data());
    const SlotSpan* const spans = bits::opaque(kSlotSpans.data() + j);
    if constexpr (!kOccupied) prefetch_run(block, j);
    const Head head{.at = block + L::kHead, .read = Mode::read_once(Head::look(block + L::kHead))};
    const std::uint64_t occupieds = Mode::read_once(bits::load64(block + L::kOccupieds));
    const std::uint64_t runends = Mode::read_once(bits::load64(block + L::kRunends));
    const std::uint64_t window =
        Isa::shift_right(runends, j) | Isa::shift_left(Mode::read_once(bits::load64(next + L::kRunends)), 0 - j);
    const unsigned rank = Isa::popcount(Isa::low_bits(occupieds, j)) +
                          Isa::popcount(Isa::low_bits(runends, head.read)) - Isa::popcount(Isa::low_bits(runends, j));
    const bits::RunSpan run = Isa::run_span(window, rank);
    const auto first = [&] { return j + static_cast<unsigned>(run.first); };  // of its slots, from the block's own on

    // If the quotient is not occupied, the values above mean nothing. At a load of .95 that is so for 40 % of the
    // negatives, too unpredictable for a branch here; the rare paths below test it instead.
    const auto is_occupied = [&] { return kOccupied || (occupieds >> j & 1) != 0; };
    const SlotSpan span{static_cast<std::uint32_t>(bits::opaque(spans[run.first].packed))};
    if (TELESCOPE_UNLIKELY(static_cast<std::uint16_t>(run.ones) > span.mask()) ||
        TELESCOPE_UNLIKELY(head.needs_slow_path())) {
      if (!is_occupied()) return Answer(false);
      return SlowProbe<B>::template contains_split<Isa, Mode>(blocks_, hash, head.whole(), first(),
                                                              Isa::popcount(run.ones));
    }
    if constexpr (C::kByteLanes) {
      const std::byte* const p = block + span.offset();
      const std::uint32_t hits = C::template equal<Isa>(hash, p, static_cast<std::uint32_t>(run.ones));
      if (TELESCOPE_LIKELY(hits == 0) || !is_occupied()) return Answer(false);
      // The modulus changes nothing, unless no filter has written these bytes.
      const unsigned index = (first() - head.offset()) % (2 * kBlockSlots);
      return Answer(C::template matches_letter<Isa>(hash, p, hits, head, index));
    } else {
      if (!is_occupied()) return Answer(false);
      const std::byte* const lane = block + first() / 64 * blocks_.block_bytes() + L::kRemainders;
      return Answer(C::compare_fields(blocks_, hash, lane, first() % 64, Isa::popcount(run.ones), head.code(),
                                      first() - head.offset()));
    }
  }

 private:
  static constexpr std::array<std::byte, L::kRunends + 8> kNoRunends{};

  // What the fast path needs to know of a slot, 0 to 127, counted from a block's first. In the low 16 bits, a mask of
  // the slots that one comparison may cover from there on without leaving the block; in the high 16 bits, where the
  // slot lies behind the block's first byte, if remainders are bytes.
  struct SlotSpan {
    std::uint32_t packed;
    TELESCOPE_ALWAYS_INLINE std::uint16_t mask() const noexcept { return static_cast<std::uint16_t>(packed); }
    TELESCOPE_ALWAYS_INLINE std::uint32_t offset() const noexcept { return packed >> 16; }
  };
  static constexpr auto kSlotSpans = [] {
    std::array<SlotSpan, 2 * kBlockSlots> spans{};
    for (unsigned slot = 0; slot < spans.size(); ++slot) {
      const unsigned in_block = slot % kBlockSlots;
      const std::size_t at = C::kByteLanes ? slot / kBlockSlots * L(8).bytes() + L::kRemainders + in_block : 0;
      spans[slot] = {
          static_cast<std::uint32_t>(at << 16 | bits::ones(std::min(C::kFastLength, kBlockSlots - in_block)))};
    }
    return spans;
  }();

  template <class Isa>
  TELESCOPE_ALWAYS_INLINE std::uint64_t block_offset(std::uint64_t block) const noexcept {
    if constexpr (R == bits::kAnyWidth)
      return block * blocks_.block_bytes();
    else
      return Isa::template times<L().bytes()>(block);
  }

  const B& blocks_;
};

}  // namespace telescope::inline v1::detail
