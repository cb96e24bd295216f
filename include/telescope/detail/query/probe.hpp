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
// Runs that are long or cross into the next block are put together out of line. With an offset past 63, a code that
// exceeds the candidates, and what is rarer still, the run is walked.
//
// Codes are hardly ever decoded: TAF compares each slot with all the candidates r_0(y) .. r_3(y) at once. Only a hit
// needs the code, and a zero code not even then, since only r_0 counts. A code with a letter past the candidates says
// so (Codec::exceeds_candidates).
#pragma once

#include "telescope/detail/bits/compare.hpp"
#include "telescope/detail/query/probe_mode.hpp"
#include "telescope/detail/query/runs.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// A quotient: the block, and which of its 64.
struct QuotientPlace {
  std::uint64_t block;
  unsigned bit;
};

template <class B>
class Probe {
  using A = typename B::Adaptation;
  using L = typename B::Layout;
  static constexpr unsigned R = A::kWidth;

 public:
  explicit Probe(const B& blocks) noexcept : blocks_(blocks) {}

  // P x slots = P x blocks x 64: the high word of P x blocks is the block, the top of the low word the bit.
  TELESCOPE_ALWAYS_INLINE QuotientPlace place(const Hash& hash) const noexcept {
    const auto [high, low] = bits::multiply(hash.position, blocks_.count());
    return {.block = high, .bit = static_cast<unsigned>(low >> 58)};
  }

  template <class Isa, class Mode>
  TELESCOPE_ALWAYS_INLINE typename Mode::Answer contains(const Hash& hash, Mode& mode) const noexcept {
    return contains_at<Isa>(place(hash), hash, mode);
  }
  template <class Isa, class Mode>
  TELESCOPE_ALWAYS_INLINE typename Mode::Answer contains_at(const QuotientPlace& place, const Hash& hash,
                                                            Mode& mode) const noexcept {
    return contains_in<Isa, Known::nothing>(blocks_.data() + block_offset<Isa>(place.block), place.bit, hash, mode);
  }

  // Asks for the remainders of quotient j of the block before the metadata tell where exactly they lie. At a load of
  // .95 nearly all runs are between the two places, and so are the runends of the next block, if they are needed.
  TELESCOPE_ALWAYS_INLINE void prefetch_run(const std::byte* block, unsigned j) const noexcept {
    for (const unsigned shift : {2, 48}) {
      TELESCOPE_PREFETCH(block + L::kRemainders + (j + shift) * blocks_.adaptation().width() / 8);
    }
  }

  // What the caller has looked at already.
  enum class Known : bool { nothing, occupied };

  // The hash belongs to quotient j of the block.
  template <class Isa, Known kKnown, class Mode>
  TELESCOPE_ALWAYS_INLINE typename Mode::Answer contains_in(const std::byte* block, unsigned j, const Hash& hash,
                                                            Mode& mode) const noexcept {
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
      return contains_split<Isa>(blocks_, hash, head.whole(), first(), Isa::popcount(run.ones), mode);
    }
    if constexpr (kByteLanes) {
      const std::byte* const p = block + span.offset();
      const std::uint32_t hits = equal<Isa>(hash, p, static_cast<std::uint32_t>(run.ones));
      if (TELESCOPE_LIKELY(hits == 0) || !is_occupied()) return Answer(false);
      // The modulus changes nothing, unless no filter has written these bytes.
      const unsigned index = (first() - head.offset()) % (2 * kBlockSlots);
      return Answer(matches_letter<Isa>(hash, p, hits, head, index, mode));
    } else {
      if (!is_occupied()) return Answer(false);
      const std::byte* const lane = block + first() / 64 * blocks_.block_bytes() + L::kRemainders;
      return Answer(compare_fields(blocks_, hash, lane, first() % 64, Isa::popcount(run.ones), head.code(),
                                   first() - head.offset(), mode));
    }
  }

  // The slow path, for an occupied quotient: any offset, any length, any letter.
  template <class Mode>
  TELESCOPE_NOINLINE static bool walk(const B& blocks, std::uint64_t quotient, Hash hash, Mode& mode) noexcept {
    const Runs<B> runs(blocks);
    const Run run = runs.run_of(quotient);
    if constexpr (L::kCoded) {
      const std::uint64_t code = blocks.code(quotient / 64);
      const std::uint64_t start = runs.region_start(quotient / 64);
      const auto codec = blocks.adaptation().codec();
      const bool exceeds = codec.exceeds_candidates(code) != 0;
      for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
        const std::uint64_t stored = blocks.remainder(slot);
        if (!exceeds && !may_fit(blocks, stored, code, hash)) continue;
        Letter letter = 0;
        if (code != 0) {
          mode.decoded();
          letter = codec.letter_at(code, static_cast<std::uint32_t>(slot - start));
        }
        if (blocks.adaptation().fits(stored, letter, hash)) return true;
      }
    } else {
      for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
        Letter letter = 0;
        if constexpr (L::kRaw) letter = blocks.raw_letter(slot);
        if (blocks.adaptation().fits(blocks.remainder(slot), letter, hash)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr bool kSelects = [] {
    if constexpr (L::kCoded) return A::kLetterMovesRemainder;
    return false;
  }();
  static constexpr bool kMarkIsFullByte = [] {
    if constexpr (L::kCoded) return requires {
        A::Codec::kMarkIsFullByte;
      };
    return false;
  }();
  static constexpr bool kByteLanes = R == 8 && !L::kRaw;
  // Eight for codes that mark no letter below 7, as the paper's.
  static constexpr unsigned kCompared = [] {
    if constexpr (kSelects && R == 8) return A::Codec::candidates() <= 4 ? 4 : 8;
    return 1;
  }();
  static constexpr bool kReadsShortForm = [] {
    if constexpr (kSelects && kCompared == 4) return requires {
        A::Codec::kShortReach;
      };
    return false;
  }();
  // The longest run that one comparison covers. 16 ones of a run are looked at, and in a longer one the last is set.
  static constexpr unsigned kFastLength = kSelects && R == 8 ? bits::kCandidateSlots : bits::kEqualSlots - 1;
  static_assert(kFastLength < 16);
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
      const std::size_t at = kByteLanes ? slot / kBlockSlots * L(8).bytes() + L::kRemainders + in_block : 0;
      spans[slot] = {static_cast<std::uint32_t>(at << 16 | bits::ones(std::min(kFastLength, kBlockSlots - in_block)))};
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

  // The head of a block: the offset in the lowest byte, the code above it.
  struct Head {
    const std::byte* at;
    std::uint64_t read;  // as much of it as every query needs, looked at once

    // Reads no more of the code than the byte that tells whether it exceeds the candidates, where one does.
    static TELESCOPE_ALWAYS_INLINE std::uint64_t look(const std::byte* at) noexcept {
      if constexpr (kMarkIsFullByte) return bits::load16(at);
      if constexpr (L::kCoded) return bits::load64(at);
      return static_cast<std::uint64_t>(*at);
    }
    TELESCOPE_ALWAYS_INLINE unsigned offset() const noexcept { return static_cast<unsigned>(read & 0xff); }
    // Returns whether the offset is past 63, or the code exceeds the candidates.
    TELESCOPE_ALWAYS_INLINE bool needs_slow_path() const noexcept {
      if constexpr (kMarkIsFullByte) return ((read + 0x100) & 0x100c0) != 0;  // a full first byte carries into bit 16
      if constexpr (L::kCoded) return (read & 0xc0) != 0 || A::Codec::exceeds_candidates(read >> 8) != 0;
      return (read & 0xc0) != 0;
    }
    // Codec::is_short of what was read.
    TELESCOPE_ALWAYS_INLINE bool is_short() const noexcept requires kMarkIsFullByte { return read <= 0xff; }
    // What was read before stays as it was, whatever a writer does meanwhile.
    TELESCOPE_ALWAYS_INLINE std::uint64_t whole() const noexcept {
      if constexpr (kMarkIsFullByte) return (bits::load64(at) & ~std::uint64_t{0xffff}) | read;
      return read;
    }
    TELESCOPE_ALWAYS_INLINE std::uint64_t code() const noexcept { return L::kCoded ? whole() >> 8 : 0; }
  };

  // For an occupied quotient whose run is long, lies in two blocks, or ends behind the window: then `length` is 63 or
  // 64. The head is passed on, not read again: where the run lies was made of this one.
  template <class Isa, class Mode>
  TELESCOPE_NOINLINE static typename Mode::Answer contains_split(const B& blocks, Hash hash, std::uint64_t whole,
                                                                 unsigned first, unsigned length, Mode& mode) noexcept {
    using Answer = typename Mode::Answer;
    std::array<std::byte, 8> bytes;
    bits::store64(bytes.data(), whole);
    const Head head{.at = bytes.data(), .read = Head::look(bytes.data())};
    const unsigned offset = head.offset();
    if (length > kMaxSplitRun || head.needs_slow_path() || first < offset) {
      if constexpr (std::is_same_v<Answer, Guess>) {
        return Guess::undecided;
      } else {
        return walk(blocks, bits::multiply_high(hash.position, blocks.slots()), hash, mode);
      }
    }
    // A runend was found there, so the block of the run's end is one of the array, and no lap is to be gone.
    const std::uint64_t b = bits::multiply_high(hash.position, blocks.count()) + first / 64;
    const std::byte* const lane = blocks.data() + b * blocks.block_bytes() + L::kRemainders;
    return Answer(compare_split<Isa>(blocks, hash, lane, first % 64, length, head, first - offset, mode));
  }

  static constexpr unsigned kMaxSplitRun = 16;

  // The run is `length` slots from `first` of a lane on, the rest of them in the next block.
  template <class Isa, class Mode>
  static bool compare_split(const B& blocks, const Hash& hash, const std::byte* lane, unsigned first, unsigned length,
                            const Head& head, unsigned index, Mode& mode) noexcept {
    const std::byte* const next = lane + blocks.block_bytes();
    const unsigned here = std::min(length, 64 - first);
    if constexpr (kByteLanes) {
      std::array<std::byte, 2 * kMaxSplitRun> run;
      std::memcpy(run.data(), lane + first,
                  kMaxSplitRun);  // what lies behind the lane is overwritten, or not looked at
      if (here < length) std::memcpy(run.data() + here, next, kMaxSplitRun);
      for (unsigned i = 0; i < length; i += kFastLength) {
        const auto ones = static_cast<std::uint32_t>(bits::ones(std::min(length - i, kFastLength)));
        const std::uint32_t hits = equal<Isa>(hash, run.data() + i, ones);
        if (hits != 0 && matches_letter<Isa>(hash, run.data() + i, hits, head, index + i, mode)) return true;
      }
      return false;
    } else {
      return compare_fields(blocks, hash, lane, first, here, head.code(), index, mode) ||
             compare_fields(blocks, hash, next, 0, length - here, head.code(), index + here, mode);
    }
  }

  // The run is as many bytes at p as there are ones: where the query would have stored the same, under any letter.
  template <class Isa>
  TELESCOPE_ALWAYS_INLINE static std::uint32_t equal(const Hash& hash, const std::byte* p,
                                                     std::uint32_t ones) noexcept {
    if constexpr (kSelects) {
      static_assert(A::Codec::candidates() <= kCompared);
      return bits::equal_candidates<Isa, kCompared>(p, hash.fingerprint) & (ones * bits::kSlotHits);
    } else {
      return bits::equal_bytes(p, static_cast<std::uint8_t>(hash.fingerprint)) & ones;
    }
  }
  // Whether one of the hits is under the slot's own letter. The first slot has letter index `index`.
  template <class Isa, class Mode>
  TELESCOPE_ALWAYS_INLINE static bool matches_letter(const Hash& hash, const std::byte* p, std::uint32_t hits,
                                                     const Head& head, unsigned index, Mode& mode) noexcept {
    if constexpr (kSelects) {
      if constexpr (kReadsShortForm) {
        static_assert(2 * kBlockSlots + kMaxSplitRun <= A::Codec::kShortReach);
        if (TELESCOPE_LIKELY(head.is_short())) {
          if constexpr (Mode::kCounts) {
            if (head.code() != 0) mode.decoded();
          }
          if (TELESCOPE_LIKELY(A::Codec::template hit_matches_letter<Isa>(head.at, index, hits))) return true;
          bits::keep_branch();
          return false;
        }
      }
      return resolve_candidates(hits, head.code(), index, mode);
    } else if constexpr (L::kCoded) {
      const std::uint64_t code = head.code();
      return code == 0 || resolve_equals(hash, p, hits, code, index, mode);
    } else {
      return true;
    }
  }

  // Hits against the letters. Out of line, so that the path of a negative stays short.
  template <class Mode>
  TELESCOPE_NOINLINE static bool resolve_candidates(std::uint32_t hits, std::uint64_t code, unsigned index,
                                                    Mode& mode) noexcept {
    while (hits != 0) {
      const unsigned slot = bits::lowest(hits) % bits::kCandidateSlots;
      mode.decoded();
      const Letter letter = A().codec().letter_at(code, index + slot);
      if (hits >> (bits::kCandidateSlots * letter + slot) & 1) return true;  // letter < kCompared
      hits &= ~(bits::kSlotHits << slot);
    }
    return false;
  }
  template <class Mode>
  TELESCOPE_NOINLINE static bool resolve_equals(Hash hash, const std::byte* p, std::uint32_t hits, std::uint64_t code,
                                                unsigned index, Mode& mode) noexcept {
    for (; hits != 0; hits &= hits - 1) {
      const unsigned slot = bits::lowest(hits);
      mode.decoded();
      if (A().fits(static_cast<std::uint64_t>(p[slot]), A().codec().letter_at(code, index + slot), hash)) return true;
    }
    return false;
  }

  // The same for lanes of any width: slots [first, first + length) of one block.
  template <class Mode>
  TELESCOPE_ALWAYS_INLINE static bool compare_fields(const B& blocks, const Hash& hash, const std::byte* lane,
                                                     unsigned first, unsigned length, std::uint64_t code,
                                                     unsigned index, Mode& mode) noexcept {
    const A& adaptation = blocks.adaptation();
    for (unsigned i = 0; i < length; ++i) {
      const std::uint64_t stored = blocks.remainder_lane().get(lane, first + i);
      if constexpr (L::kRaw) {
        const std::byte* const letters = lane + blocks.layout().letters() - L::kRemainders;
        if (adaptation.fits(stored, static_cast<Letter>(bits::Lane<8>().get(letters, first + i)), hash)) return true;
      } else if (may_fit(blocks, stored, code, hash)) {
        if constexpr (L::kCoded) {
          if (code != 0) {
            mode.decoded();
            if (!adaptation.fits(stored, adaptation.codec().letter_at(code, index + i), hash)) continue;
          }
        }
        return true;
      }
    }
    return false;
  }

  // Returns whether a slot with this remainder could match under some letter that the code may hold, unless the code
  // exceeds the candidates.
  TELESCOPE_ALWAYS_INLINE static bool may_fit(const B& blocks, std::uint64_t stored, std::uint64_t code,
                                              const Hash& hash) noexcept {
    if constexpr (kSelects) {
      if (code != 0) return blocks.adaptation().is_chunk(stored, hash);
    }
    return stored == blocks.adaptation().remainder(hash, 0);
  }

  const B& blocks_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
