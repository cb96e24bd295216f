// The query. One probe for single keys and batches, for every filter.
//
// Data flow of the fast path, without a branch that depends on the key:
//
//   P --x slots--> quotient = (block b, bit j)
//   occupieds_b --rank below j--> d           runends_b, runends_b+1 --funnel by offset_b--> window (starts at S_b)
//   window --deposit d--> bit of the run's end; the bit below it ends the run before; clamp the start to j
//   remainders of the run --compare--> hits, under a mask of the run's length and of occupieds_b[j]
//
// Offsets past 63, runs that cross into the next block and long runs take the slow path, which walks the run.
//
// Decode almost never: TAF compares each slot with all the candidates r_0(y) .. r_7(y) at once. Only a hit needs the
// code, and a zero code not even then, since only r_0 counts. A code with a letter past the candidates says so
// (Codec::tall).
#pragma once

#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/bits/compare.hpp"
#include "telescope/detail/quotient/runs.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

struct CountNothing {
  TELESCOPE_ALWAYS_INLINE void decoded() noexcept {}
};
struct CountDecodes {
  unsigned decodes = 0;
  void decoded() noexcept { ++decodes; }
};

template <class A, class L, class B>
class Probe {
 public:
  static constexpr unsigned R = A::kWidth;

  explicit Probe(const B& blocks) noexcept : blocks_(blocks) {}

  TELESCOPE_ALWAYS_INLINE void prefetch(const Hash& hash) const noexcept {
    const std::uint64_t quotient = bits::multiply_high(hash.position, blocks_.slots());
    const std::byte* block = blocks_.data() + quotient / 64 * L::kBytes;
    TELESCOPE_PREFETCH(block);
    TELESCOPE_PREFETCH(block + L::kRemainders + quotient % 64 * R / 8 + kTypicalShift * R / 8);
  }

  template <class Isa, class Counter>
  TELESCOPE_ALWAYS_INLINE bool contains(const Hash& hash, Counter& counter) const noexcept {
    // P x slots = P x blocks x 64: the high word of P x blocks is the block, the top of the low word the bit.
    const auto [b, fraction] = bits::multiply(hash.position, blocks_.count());
    const unsigned j = static_cast<unsigned>(fraction >> 58);
    const std::byte* const block = blocks_.data() + b * L::kBytes;
    const std::byte* const next = b + 1 == blocks_.count() ? blocks_.data() : block + L::kBytes;

    // The remainders are asked for before the metadata tell where exactly they lie: two misses at once, not one by one.
    TELESCOPE_PREFETCH(block + L::kRemainders + (j + kTypicalShift) * R / 8);
    const std::uint64_t head = read_head(block);
    const unsigned offset = static_cast<unsigned>(head & 0xff);
    const std::uint64_t occupieds = bits::load64(block + L::kOccupieds);
    const std::uint64_t in_run = -(Isa::shift_right(occupieds, j) & 1);  // all ones if the quotient is occupied
    const unsigned rank = Isa::popcount(Isa::low_bits(occupieds, j));
    const std::uint64_t window =
        bits::funnel<Isa>(bits::load64(block + L::kRunends), bits::load64(next + L::kRunends), offset);
    const std::uint64_t end_bit = Isa::select_bit(window, rank);
    if (TELESCOPE_UNLIKELY(bits::settled(end_bit | ~in_run) == 0)) {
      return contains_beyond<Isa>(blocks_, hash, window, rank, counter);
    }
    // One past the runend below end_bit, or 0: the shift makes a bit where there is none.
    const unsigned after = bits::highest((window & (end_bit - 1)) << 1 | 1);
    const unsigned end = Isa::lowest(end_bit);  // 64 if there is none, and then nobody asks
    const int home = static_cast<int>(j) - static_cast<int>(offset);
    const unsigned start = home > static_cast<int>(after) ? static_cast<unsigned>(home) : after;
    const std::byte* const lanes = offset + start < 64 ? block : next;
    return compare<Isa>(blocks_, hash, head, lanes, start, end, in_run, counter);
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
  static constexpr unsigned kFastLength = kSelects && R == 8 ? bits::kCandidateSlots : bits::kEqualSlots;
  static constexpr unsigned kTypicalShift = 8;  // how far a run lies behind its quotient at a load of .95

  // Offset in the low byte, the code above it.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t read_head(const std::byte* block) noexcept {
    if constexpr (L::kCoded) return bits::load64(block + L::kHead);
    return static_cast<std::uint64_t>(block[L::kHead]);
  }

  // The run ends more than 63 slots behind S_b: the same with the window that follows. For an occupied quotient.
  template <class Isa, class Counter>
  TELESCOPE_NOINLINE static bool contains_beyond(const B& blocks, Hash hash, std::uint64_t before, unsigned rank,
                                                 Counter& counter) noexcept {
    const std::uint64_t quotient = bits::multiply_high(hash.position, blocks.slots());
    const std::uint64_t b = quotient / 64;
    if (b + 2 >= blocks.count()) return walk(blocks, hash, counter);
    const std::byte* const block = blocks.data() + b * L::kBytes;
    const std::uint64_t head = read_head(block);
    const unsigned offset = static_cast<unsigned>(head & 0xff);
    const std::uint64_t window = bits::funnel<Isa>(bits::load64(block + L::kBytes + L::kRunends),
                                                   bits::load64(block + 2 * L::kBytes + L::kRunends), offset);
    const std::uint64_t end_bit = Isa::select_bit(window, rank - Isa::popcount(before));
    if (end_bit == 0) return walk(blocks, hash, counter);
    const std::uint64_t below = window & (end_bit - 1);
    const unsigned after = below != 0 ? 65 + bits::highest(below) : before != 0 ? 1 + bits::highest(before) : 0;
    const int home = static_cast<int>(quotient % 64) - static_cast<int>(offset);
    const unsigned start = home > static_cast<int>(after) ? static_cast<unsigned>(home) : after;
    const std::byte* const lanes = block + (offset + start) / 64 * L::kBytes;
    return compare<Isa>(blocks, hash, head, lanes, start, 64 + bits::lowest(end_bit), ~std::uint64_t{0}, counter);
  }

  // The run is slots [start, end], counted from S_b; its first slot lies in the block at `lanes`.
  template <class Isa, class Counter>
  TELESCOPE_ALWAYS_INLINE static bool compare(const B& blocks, const Hash& hash, std::uint64_t head,
                                              const std::byte* lanes, unsigned start, unsigned end,
                                              std::uint64_t in_run, Counter& counter) noexcept {
    const unsigned offset = static_cast<unsigned>(head & 0xff);
    const std::uint64_t code = L::kCoded ? head >> 8 : 0;
    const unsigned first = offset + start;
    // Not zero if the run is longer than a comparison, the offset is past 63, or the run crosses into another block.
    const unsigned more = end - start;  // slots of the run behind its first
    std::uint64_t slow = more / kFastLength;
    const unsigned crosses = first ^ (offset + end);
    if constexpr (kTallIsFullByte) {
      // ... or the code is tall: a full first byte carries into bit 16.
      slow |= (((head & 0xffff) + 0x100) | crosses) & 0x100c0;
    } else {
      slow |= (offset | crosses) / 64;
      if constexpr (L::kCoded) slow |= A::Codec::tall(code);
    }
    if (TELESCOPE_UNLIKELY(bits::settled(slow & in_run) != 0)) {
      if constexpr (kSelects && R == 8) return compare_pieces<Isa>(blocks, hash, head, lanes, start, end, counter);
      return walk(blocks, hash, counter);
    }

    const std::byte* const lane = lanes + L::kRemainders;
    if constexpr (R == 8 && !L::kRaw) {
      return compare_bytes<Isa>(hash, lane + (first & 63), more, in_run, code, start, counter);
    } else {
      if (in_run == 0) return false;
      return compare_fields(hash, lane, first & 63, more + 1, code, start, counter);
    }
  }

  // The run is 1 + more bytes at p; its first slot has letter index `index`.
  template <class Isa, class Counter>
  TELESCOPE_ALWAYS_INLINE static bool compare_bytes(const Hash& hash, const std::byte* p, unsigned more,
                                                    std::uint64_t in_run, std::uint64_t code, unsigned index,
                                                    Counter& counter) noexcept {
    if constexpr (kSelects) {
      static_assert(kCandidates<8> == 8);
      const auto mask =
          static_cast<std::uint32_t>(Isa::shift_right(in_run, 8 * ~more));  // 64 - 8 (1 + more), modulo 64
      const std::uint32_t hits = bits::equal_candidates<Isa>(p, hash.source) & mask;
      if (TELESCOPE_LIKELY(hits == 0)) return false;
      // One slot, nearly always: its hits by candidate, and its letter says which of them counts.
      const unsigned slot = Isa::lowest(hits) / 8;
      const std::uint64_t here = Isa::shift_right(hits, 8 * slot);
      if (code != 0) counter.decoded();
      const bool counts = Isa::shift_right(here, A::Codec::letter_at(code, index + slot)) & 1;  // not tall: letter < 8
      const auto others = static_cast<std::uint32_t>(here >> 8);
      if (TELESCOPE_LIKELY(others == 0) || counts) return counts;
      return resolve_candidates(others, code, index + slot + 1, counter);
    } else {
      const auto mask = static_cast<std::uint32_t>(Isa::shift_right(in_run, ~more));
      const std::uint32_t hits = bits::equal_bytes(p, static_cast<std::uint8_t>(hash.source)) & mask;
      if (TELESCOPE_LIKELY(hits == 0)) return false;
      if constexpr (L::kCoded) {
        return code == 0 || resolve_equals(hash, p, hits, code, index, counter);
      }
      return true;
    }
  }

  // A run that is longer than one comparison, or lies in two blocks: put together, then compared piece by piece.
  template <class Isa, class Counter>
  TELESCOPE_NOINLINE static bool compare_pieces(const B& blocks, Hash hash, std::uint64_t head, const std::byte* lanes,
                                                unsigned start, unsigned end, Counter& counter) noexcept {
    constexpr unsigned kMost = 16;
    const unsigned offset = static_cast<unsigned>(head & 0xff);
    const std::uint64_t code = head >> 8;
    const unsigned length = end - start + 1;
    if (offset >= 64 || length > kMost || A::Codec::tall(code) != 0) return walk(blocks, hash, counter);
    const unsigned first = (offset + start) & 63;
    const std::byte* const next =
        lanes + L::kBytes == blocks.data() + blocks.size_bytes() ? blocks.data() : lanes + L::kBytes;
    std::array<std::byte, 2 * kMost> run;
    std::memcpy(run.data(), lanes + L::kRemainders + first, kMost);  // what lies behind the lane is overwritten
    if (first + length > 64) std::memcpy(run.data() + (64 - first), next + L::kRemainders, kMost);
    for (unsigned i = 0; i < length; i += bits::kCandidateSlots) {
      const auto mask = static_cast<std::uint32_t>(bits::ones(8 * std::min(length - i, bits::kCandidateSlots)));
      const std::uint32_t hits = bits::equal_candidates<Isa>(run.data() + i, hash.source) & mask;
      if (hits != 0 && resolve_candidates(hits, code, start + i, counter)) return true;
    }
    return false;
  }

  // Hits against the letters. Out of line, so that the path of a negative stays short.
  template <class Counter>
  TELESCOPE_NOINLINE static bool resolve_candidates(std::uint32_t hits, std::uint64_t code, unsigned index,
                                                    Counter& counter) noexcept {
    for (; hits != 0; hits &= ~(0xffu << (bits::lowest(hits) & 24))) {
      const unsigned slot = bits::lowest(hits) / 8;
      counter.decoded();
      const Letter letter = A::Codec::letter_at(code, index + slot);
      if (hits >> (8 * slot) & 1u << letter) return true;  // not tall: letter < 8
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
      if (code != 0) return bits::Fields<R>::has_zero(hash.source ^ bits::Fields<R>::broadcast(stored));
    }
    return stored == A::remainder(hash, 0);
  }

  // The slow path: any offset, any length, any letter.
  template <class Counter>
  TELESCOPE_NOINLINE static bool walk(const B& blocks, Hash hash, Counter& counter) noexcept {
    const std::uint64_t quotient = bits::multiply_high(hash.position, blocks.slots());
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

  const B& blocks_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
