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
// What waits for the block to arrive from memory waits in the processor's scheduler, which has room for no more than
// three queries or so: that is how many misses overlap. So the steps that depend on the block are counted, 27 here. All
// shifts but one are by what the key alone decides; a table in the cache, a read at an address known beforehand, a jump
// that is hardly ever taken, are each better than two of them.
//
// Runs that are long or cross into the next block are put together out of line; with offsets past 63, tall codes and
// what is rarer still, the run is walked.
//
// Decode almost never: TAF compares each slot with all the candidates r_0(y) .. r_3(y) at once. Only a hit needs the
// code, and a zero code not even then, since only r_0 counts. A code with a letter past the candidates says so
// (Codec::tall).
#pragma once

#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/bits/compare.hpp"
#include "telescope/detail/query/runs.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// The manner of a probe: whether it counts, and whether writers may be at work meanwhile.
struct CountNothing {
  static constexpr bool kCounts = false;
  using Answer = bool;
  static TELESCOPE_ALWAYS_INLINE std::uint64_t once(std::uint64_t word) noexcept { return word; }
  TELESCOPE_ALWAYS_INLINE void decoded() noexcept {}
};
struct CountDecodes : CountNothing {
  static constexpr bool kCounts = true;
  unsigned decodes = 0;
  void decoded() noexcept { ++decodes; }
};

// Optimistic: whatever bytes it meets, half-written ones too, it stays inside the array and ends soon, and says
// `undecided` where it would have to walk. What leads to an address is loaded once and out of the compiler's sight.
enum class Guess : std::uint8_t { no, yes, undecided };
struct Optimistic {
  static constexpr bool kCounts = false;
  using Answer = Guess;
  static TELESCOPE_ALWAYS_INLINE std::uint64_t once(std::uint64_t word) noexcept { return bits::settled(word); }
  TELESCOPE_ALWAYS_INLINE void decoded() noexcept {}
};

// A quotient: the block, and which of its 64.
struct QuotientPlace {
  std::uint64_t block;
  unsigned bit;
};

template <class A, class L, class B>
class Probe {
 public:
  static constexpr unsigned R = A::kWidth;

  explicit Probe(const B& blocks) noexcept : blocks_(blocks) {}

  // P x slots = P x blocks x 64: the high word of P x blocks is the block, the top of the low word the bit.
  TELESCOPE_ALWAYS_INLINE QuotientPlace place(const Hash& hash) const noexcept {
    const auto [high, low] = bits::multiply(hash.position, blocks_.count());
    return {.block = high, .bit = static_cast<unsigned>(low >> 58)};
  }

  template <class Isa, class Manner>
  TELESCOPE_ALWAYS_INLINE typename Manner::Answer contains(const Hash& hash, Manner& manner) const noexcept {
    return contains_at<Isa>(place(hash), hash, manner);
  }
  template <class Isa, class Manner>
  TELESCOPE_ALWAYS_INLINE typename Manner::Answer contains_at(const QuotientPlace& place, const Hash& hash,
                                                              Manner& manner) const noexcept {
    return contains_in<Isa, Known::nothing>(blocks_.data() + Isa::template times<L::kBytes>(place.block), place.bit,
                                            hash, manner);
  }

  // Asks for the remainders of quotient j of the block before the metadata tell where exactly they lie. At a load of
  // .95 nearly all runs are between the two places, and so are the runends of the next block, if they are needed.
  static TELESCOPE_ALWAYS_INLINE void prefetch_run(const std::byte* block, unsigned j) noexcept {
    for (const std::ptrdiff_t shift : {2, 48}) {
      TELESCOPE_PREFETCH(block + L::kRemainders + (static_cast<std::ptrdiff_t>(j) + shift) * std::ptrdiff_t{R} / 8);
    }
  }

  // What the caller has looked at already.
  enum class Known : bool { nothing, occupied };

  // The hash belongs to quotient j of the block.
  template <class Isa, Known kKnown, class Manner>
  TELESCOPE_ALWAYS_INLINE typename Manner::Answer contains_in(const std::byte* block, unsigned j, const Hash& hash,
                                                              Manner& manner) const noexcept {
    using Answer = typename Manner::Answer;
    constexpr bool kOccupied = kKnown == Known::occupied;
    // Runs of the first 32 quotients hardly ever end in the next block, whose cache line is then left alone. Behind the
    // last block there is no runend (Blocks::kPadding).
    const std::byte* const next = Isa::template if_bit<5>(j, block + L::kBytes, kNoRunends.data());
    const std::uint32_t* const reach = bits::settled(kReach.data() + j);
    if constexpr (!kOccupied) prefetch_run(block, j);
    const Head head{.at = block + L::kHead, .read = Manner::once(Head::look(block + L::kHead))};
    const std::uint64_t occupieds = Manner::once(bits::load64(block + L::kOccupieds));
    const std::uint64_t runends = Manner::once(bits::load64(block + L::kRunends));
    const std::uint64_t window =
        Isa::shift_right(runends, j) | Isa::shift_left(Manner::once(bits::load64(next + L::kRunends)), 0 - j);
    const unsigned rank = Isa::popcount(Isa::low_bits(occupieds, j)) +
                          Isa::popcount(Isa::low_bits(runends, head.read)) - Isa::popcount(Isa::low_bits(runends, j));
    const bits::Stretch run = Isa::stretch(window, rank);
    const auto first = [&] { return j + static_cast<unsigned>(run.first); };  // of its slots, from the block's own on

    // All that is without meaning where the quotient is not occupied: for two in five, at a load of .95, which is too
    // many for a jump of their own. They are told apart where a jump leads anyway.
    const auto is_occupied = [&] { return kOccupied || (occupieds >> j & 1) != 0; };
    const auto start = static_cast<std::uint32_t>(bits::settled(reach[run.first]));
    if (TELESCOPE_UNLIKELY(static_cast<std::uint16_t>(run.ones) > static_cast<std::uint16_t>(start)) ||
        TELESCOPE_UNLIKELY(head.is_odd())) {
      if (!is_occupied()) return Answer(false);
      return contains_slowly<Isa>(blocks_, hash, head.whole(), first(), Isa::popcount(run.ones), manner);
    }
    if constexpr (kByteLanes) {
      const std::byte* const p = block + (start >> 16);
      const std::uint32_t hits = equal<Isa>(hash, p, static_cast<std::uint32_t>(run.ones));
      if (TELESCOPE_LIKELY(hits == 0) || !is_occupied()) return Answer(false);
      // The modulus changes nothing, unless no filter has written these bytes.
      const unsigned index = (first() - head.offset()) % (2 * kBlockSlots);
      return Answer(is_chosen<Isa>(hash, p, hits, head, index, manner));
    } else {
      if (!is_occupied()) return Answer(false);
      const std::byte* const lane = block + first() / 64 * L::kBytes + L::kRemainders;
      return Answer(compare_fields(hash, lane, first() % 64, Isa::popcount(run.ones), head.code(),
                                   first() - head.offset(), manner));
    }
  }

  // The slow path, for an occupied quotient: any offset, any length, any letter.
  template <class Counter>
  TELESCOPE_NOINLINE static bool walk(const B& blocks, std::uint64_t quotient, Hash hash, Counter& counter) noexcept {
    const Runs<B> runs(blocks);
    const Run run = runs.run_of(quotient);
    if constexpr (L::kCoded) {
      const std::uint64_t code = blocks.code(quotient / 64);
      const std::uint64_t start = runs.region_start(quotient / 64);
      const bool tall = A::Codec::tall(code) != 0;
      for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
        const std::uint64_t stored = blocks.remainder(slot);
        if (!tall && !may_fit(stored, code, hash)) continue;
        Letter letter = 0;
        if (code != 0) {
          counter.decoded();
          letter = A::Codec::letter_at(code, static_cast<std::uint32_t>(slot - start));
        }
        if (A::fits(stored, letter, hash)) return true;
      }
    } else {
      for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
        Letter letter = 0;
        if constexpr (L::kRaw) letter = blocks.raw_letter(slot);
        if (A::fits(blocks.remainder(slot), letter, hash)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr bool kSelects = [] {
    if constexpr (L::kCoded) return A::kLetterMovesRemainder;
    return false;
  }();
  static constexpr bool kTallIsFullByte = [] {
    if constexpr (L::kCoded) return requires {
        A::Codec::kTallIsFullByte;
      };
    return false;
  }();
  static constexpr bool kByteLanes = R == 8 && !L::kRaw;
  // Eight for the paper's codes, which mark no letter below 7.
  static constexpr unsigned kCompared = [] {
    if constexpr (kSelects) return A::Codec::kTall <= 4 ? 4 : 8;
    return 1;
  }();
  static constexpr bool kPlainLetters = [] {
    if constexpr (kSelects && kCompared == 4) return requires {
        A::Codec::kPlainReach;
      };
    return false;
  }();
  // Of a run. 16 ones of it are looked at, and in a longer one the last of them is set.
  static constexpr unsigned kFastLength = kSelects && R == 8 ? bits::kCandidateSlots : bits::kEqualSlots - 1;
  static_assert(kFastLength < 16);
  static constexpr std::array<std::byte, L::kRunends + 8> kNoRunends{};

  // Of a slot, counted from a block's first. In the lower half, ones for itself and the slots behind it that a
  // comparison covers and that are of the same block; in the upper half, where it lies behind the block's first byte,
  // if remainders are bytes.
  static constexpr auto kReach = [] {
    std::array<std::uint32_t, 2 * kBlockSlots> reach{};
    for (unsigned slot = 0; slot < reach.size(); ++slot) {
      const unsigned in_block = slot % kBlockSlots;
      const std::size_t at = slot / kBlockSlots * L::kBytes + L::kRemainders + in_block;
      reach[slot] = static_cast<std::uint32_t>(at << 16 | bits::ones(std::min(kFastLength, kBlockSlots - in_block)));
    }
    return reach;
  }();

  // Of a block: the offset in the lowest byte, the code above it.
  struct Head {
    const std::byte* at;
    std::uint64_t read;  // as much of it as every query needs, looked at once

    // Where a byte of the code tells whether it is tall, no more than that byte.
    static TELESCOPE_ALWAYS_INLINE std::uint64_t look(const std::byte* at) noexcept {
      if constexpr (kTallIsFullByte) return bits::load16(at);
      if constexpr (L::kCoded) return bits::load64(at);
      return static_cast<std::uint64_t>(*at);
    }
    TELESCOPE_ALWAYS_INLINE unsigned offset() const noexcept { return static_cast<unsigned>(read & 0xff); }
    // Whether the offset is past 63, or the code tall.
    TELESCOPE_ALWAYS_INLINE bool is_odd() const noexcept {
      if constexpr (kTallIsFullByte) return ((read + 0x100) & 0x100c0) != 0;  // a full first byte carries into bit 16
      if constexpr (L::kCoded) return (read & 0xc0) != 0 || A::Codec::tall(read >> 8) != 0;
      return (read & 0xc0) != 0;
    }
    // Codec::is_plain, of what was read.
    TELESCOPE_ALWAYS_INLINE bool is_plain() const noexcept requires kTallIsFullByte { return read <= 0xff; }
    // What was read before stays as it was, whatever a writer does meanwhile.
    TELESCOPE_ALWAYS_INLINE std::uint64_t whole() const noexcept {
      if constexpr (kTallIsFullByte) return (bits::load64(at) & ~std::uint64_t{0xffff}) | read;
      return read;
    }
    TELESCOPE_ALWAYS_INLINE std::uint64_t code() const noexcept { return L::kCoded ? whole() >> 8 : 0; }
  };

  // For an occupied quotient whose run is long, lies in two blocks, or ends behind the window: then `length` is 63 or
  // 64. The head is passed on, not read again: where the run lies was made of this one.
  template <class Isa, class Manner>
  TELESCOPE_NOINLINE static typename Manner::Answer contains_slowly(const B& blocks, Hash hash, std::uint64_t whole,
                                                                    unsigned first, unsigned length,
                                                                    Manner& manner) noexcept {
    using Answer = typename Manner::Answer;
    std::array<std::byte, 8> bytes;
    bits::store64(bytes.data(), whole);
    const Head head{.at = bytes.data(), .read = Head::look(bytes.data())};
    const unsigned offset = head.offset();
    if (length > kMostPieces || head.is_odd() || first < offset) {
      if constexpr (std::is_same_v<Answer, Guess>) {
        return Guess::undecided;
      } else {
        return walk(blocks, bits::multiply_high(hash.position, blocks.slots()), hash, manner);
      }
    }
    // A runend was found there, so the block of the run's end is one of the array, and no lap is to be gone.
    const std::uint64_t b = bits::multiply_high(hash.position, blocks.count()) + first / 64;
    const std::byte* const lane = blocks.data() + b * L::kBytes + L::kRemainders;
    return Answer(compare_pieces<Isa>(hash, lane, first % 64, length, head, first - offset, manner));
  }

  static constexpr unsigned kMostPieces = 16;

  // The run is `length` slots from `first` of a lane on, the rest of them in the next block.
  template <class Isa, class Counter>
  static bool compare_pieces(const Hash& hash, const std::byte* lane, unsigned first, unsigned length, const Head& head,
                             unsigned index, Counter& counter) noexcept {
    const unsigned here = std::min(length, 64 - first);
    if constexpr (kByteLanes) {
      std::array<std::byte, 2 * kMostPieces> run;
      std::memcpy(run.data(), lane + first, kMostPieces);  // what lies behind the lane is overwritten, or not looked at
      if (here < length) std::memcpy(run.data() + here, lane + L::kBytes, kMostPieces);
      for (unsigned i = 0; i < length; i += kFastLength) {
        const auto ones = static_cast<std::uint32_t>(bits::ones(std::min(length - i, kFastLength)));
        const std::uint32_t hits = equal<Isa>(hash, run.data() + i, ones);
        if (hits != 0 && is_chosen<Isa>(hash, run.data() + i, hits, head, index + i, counter)) return true;
      }
      return false;
    } else {
      return compare_fields(hash, lane, first, here, head.code(), index, counter) ||
             compare_fields(hash, lane + L::kBytes, 0, length - here, head.code(), index + here, counter);
    }
  }

  // The run is as many bytes at p as there are ones: where the query would have stored the same, under any letter.
  template <class Isa>
  TELESCOPE_ALWAYS_INLINE static std::uint32_t equal(const Hash& hash, const std::byte* p,
                                                     std::uint32_t ones) noexcept {
    if constexpr (kSelects) {
      static_assert(A::Codec::kTall <= kCompared);
      return bits::equal_candidates<Isa, kCompared>(p, hash.fingerprint) & (ones * bits::kSlotHits);
    } else {
      return bits::equal_bytes(p, static_cast<std::uint8_t>(hash.fingerprint)) & ones;
    }
  }
  // Whether one of the hits is under the slot's own letter. The first slot has letter index `index`.
  template <class Isa, class Counter>
  TELESCOPE_ALWAYS_INLINE static bool is_chosen(const Hash& hash, const std::byte* p, std::uint32_t hits,
                                                const Head& head, unsigned index, Counter& counter) noexcept {
    if constexpr (kSelects) {
      if constexpr (kPlainLetters) {
        static_assert(2 * kBlockSlots + kMostPieces <= A::Codec::kPlainReach);
        if (TELESCOPE_LIKELY(head.is_plain())) {
          if constexpr (Counter::kCounts) {
            if (head.code() != 0) counter.decoded();
          }
          if (TELESCOPE_LIKELY(A::Codec::template plainly_chosen<Isa>(head.at, index, hits))) return true;
          bits::keep_apart();
          return false;
        }
      }
      return resolve_candidates(hits, head.code(), index, counter);
    } else if constexpr (L::kCoded) {
      const std::uint64_t code = head.code();
      return code == 0 || resolve_equals(hash, p, hits, code, index, counter);
    } else {
      return true;
    }
  }

  // Hits against the letters. Out of line, so that the path of a negative stays short.
  template <class Counter>
  TELESCOPE_NOINLINE static bool resolve_candidates(std::uint32_t hits, std::uint64_t code, unsigned index,
                                                    Counter& counter) noexcept {
    while (hits != 0) {
      const unsigned slot = bits::lowest(hits) % bits::kCandidateSlots;
      counter.decoded();
      const Letter letter = A::Codec::letter_at(code, index + slot);
      if (hits >> (bits::kCandidateSlots * letter + slot) & 1) return true;  // not tall: letter < kCompared
      hits &= ~(bits::kSlotHits << slot);
    }
    return false;
  }
  template <class Counter>
  TELESCOPE_NOINLINE static bool resolve_equals(Hash hash, const std::byte* p, std::uint32_t hits, std::uint64_t code,
                                                unsigned index, Counter& counter) noexcept {
    for (; hits != 0; hits &= hits - 1) {
      const unsigned slot = bits::lowest(hits);
      counter.decoded();
      if (A::fits(static_cast<std::uint64_t>(p[slot]), A::Codec::letter_at(code, index + slot), hash)) return true;
    }
    return false;
  }

  // The same for lanes of any width: slots [first, first + length) of one block.
  template <class Counter>
  TELESCOPE_ALWAYS_INLINE static bool compare_fields(const Hash& hash, const std::byte* lane, unsigned first,
                                                     unsigned length, std::uint64_t code, unsigned index,
                                                     Counter& counter) noexcept {
    for (unsigned i = 0; i < length; ++i) {
      const std::uint64_t stored = bits::Lane<R>::get(lane, first + i);
      if constexpr (L::kRaw) {
        const std::byte* const letters = lane + L::kLetters - L::kRemainders;
        if (A::fits(stored, static_cast<Letter>(bits::Lane<8>::get(letters, first + i)), hash)) return true;
      } else if (may_fit(stored, code, hash)) {
        if constexpr (L::kCoded) {
          if (code != 0) {
            counter.decoded();
            if (!A::fits(stored, A::Codec::letter_at(code, index + i), hash)) continue;
          }
        }
        return true;
      }
    }
    return false;
  }

  // Whether a slot with this remainder could match under some letter that the code may hold (unless it is tall).
  static TELESCOPE_ALWAYS_INLINE bool may_fit(std::uint64_t stored, std::uint64_t code, const Hash& hash) noexcept {
    if constexpr (kSelects) {
      if (code != 0) return bits::Fields<R>::has_zero(hash.fingerprint ^ bits::Fields<R>::broadcast(stored));
    }
    return stored == A::remainder(hash, 0);
  }

  const B& blocks_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
