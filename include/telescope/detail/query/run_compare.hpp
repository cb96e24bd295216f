// Compares the slots of one run with what a query would have stored there, under the letters of the slots.
#pragma once

#include "telescope/detail/bits/compare.hpp"
#include "telescope/detail/block/blocks.hpp"
#include "telescope/detail/codec/plain_form.hpp"

namespace telescope::inline v1::detail {

template <class B>
struct RunCompare {
  using A = typename B::Adaptation;
  using L = typename B::Layout;
  static constexpr unsigned R = A::kWidth;

  static constexpr bool kSelects = [] {
    if constexpr (L::kCoded) return A::kLetterMovesRemainder;
    return false;
  }();
  static constexpr bool kMarkIsFullByte = requires { A::Codec::kMarkIsFullByte; };
  static constexpr bool kByteLanes = R == 8 && !L::kRaw;
  // Eight for codes that mark no letter below 7, as the paper's.
  static constexpr unsigned kCompared = [] {
    if constexpr (kSelects && R == 8) return A::Codec::candidates() <= 4 ? 4 : 8;
    return 1;
  }();
  static constexpr bool kReadsPlainForm = kCompared == 4 && requires { A::Codec::kPlainReach; };
  // The longest run that one comparison covers. 16 ones of a run are looked at, and in a longer one the last is set.
  static constexpr unsigned kFastLength = kSelects && R == 8 ? bits::kCandidateSlots : bits::kEqualSlots - 1;
  static_assert(kFastLength < 16);
  static constexpr unsigned kMaxSplitRun = 16;  // the longest run that SlowProbe compares without a walk

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
    // What was read before stays as it was, whatever a writer does meanwhile.
    TELESCOPE_ALWAYS_INLINE std::uint64_t whole() const noexcept {
      if constexpr (kMarkIsFullByte) return (bits::load64(at) & ~std::uint64_t{0xffff}) | read;
      return read;
    }
    TELESCOPE_ALWAYS_INLINE std::uint64_t code() const noexcept { return L::kCoded ? whole() >> 8 : 0; }
  };

  // Returns the hits: where the query would have stored the same under any letter. The run is as many bytes at p as
  // there are ones.
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
  // Returns whether one of the hits is under the slot's own letter, and passes its slack. The first slot has letter
  // index `index`.
  template <class Isa>
  TELESCOPE_ALWAYS_INLINE static bool matches_letter(const Hash& hash, const std::byte* p, std::uint32_t hits,
                                                     const Head& head, unsigned index) noexcept {
    if constexpr (kSelects) {
      const std::uint64_t code = head.code();
      if constexpr (kReadsPlainForm) {
        static_assert(2 * kBlockSlots + kMaxSplitRun <= A::Codec::kPlainReach);
        if (TELESCOPE_LIKELY(A::Codec::is_plain(code))) {
          if (TELESCOPE_LIKELY(A::Codec::template hit_matches<Isa>(code, index, hits, slack_bit(hash)))) return true;
          bits::keep_branch();
          return false;
        }
        return A::Codec::listed_hit_matches(code, index, hits, slack_bit(hash));
      } else {
        static_assert(!kHasSlack<A>);
        return resolve_candidates(hits, code, index);
      }
    } else if constexpr (L::kCoded) {
      const std::uint64_t code = head.code();
      return code == 0 || resolve_equals(hash, p, hits, code, index);
    } else {
      return true;
    }
  }

  // Returns whether the entry of a slot, if it has one, lets the query match.
  static bool passes_slack(std::uint64_t code, std::uint64_t index, const Hash& hash) noexcept requires(kHasSlack<A>) {
    const std::uint64_t entries = A::Codec::entries(code) >> std::min<std::uint64_t>(index, 63);
    return entries <= 1 || (entries & 1) == slack_bit(hash);
  }

  // The same for codes without a plain form. Out of line, so that the path of a negative stays short.
  TELESCOPE_NOINLINE static bool resolve_candidates(std::uint32_t hits, std::uint64_t code, unsigned index) noexcept {
    while (hits != 0) {
      const unsigned slot = bits::countr_zero(hits) % bits::kCandidateSlots;
      const Letter letter = A().codec().letter_at(code, index + slot);
      if (hits >> (bits::kCandidateSlots * letter + slot) & 1) return true;  // letter < kCompared
      hits &= ~(bits::kSlotHits << slot);
    }
    return false;
  }
  TELESCOPE_NOINLINE static bool resolve_equals(Hash hash, const std::byte* p, std::uint32_t hits, std::uint64_t code,
                                                unsigned index) noexcept {
    for (; hits != 0; hits &= hits - 1) {
      const unsigned slot = bits::countr_zero(hits);
      if (A().fits(static_cast<std::uint64_t>(p[slot]), A().codec().letter_at(code, index + slot), hash)) return true;
    }
    return false;
  }

  // Returns whether the query fits one of slots [first, first + length) of a lane of any width.
  TELESCOPE_ALWAYS_INLINE static bool compare_fields(const B& blocks, const Hash& hash, const std::byte* lane,
                                                     unsigned first, unsigned length, std::uint64_t code,
                                                     unsigned index) noexcept {
    const A& adaptation = blocks.adaptation();
    for (unsigned i = 0; i < length; ++i) {
      const std::uint64_t stored = blocks.remainder_lane().get(lane, first + i);
      if constexpr (L::kRaw) {
        const std::byte* const letters = lane + blocks.layout().letters() - L::kRemainders;
        if (adaptation.fits(stored, static_cast<Letter>(bits::Lane<8>().get(letters, first + i)), hash)) return true;
      } else if (may_fit(blocks, stored, code, hash)) {
        if constexpr (L::kCoded) {
          if (has_letters(code) && !adaptation.fits(stored, adaptation.codec().letter_at(code, index + i), hash)) {
            continue;
          }
        }
        if constexpr (kHasSlack<A>) {
          if (!passes_slack(code, index + i, hash)) continue;
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
      if (has_letters(code)) return blocks.adaptation().is_chunk(stored, hash);
    }
    return stored == blocks.adaptation().remainder(hash, 0);
  }

  static TELESCOPE_ALWAYS_INLINE bool has_letters(std::uint64_t code) noexcept {
    if constexpr (kHasSlack<A>) return A::Codec::has_letters(code);
    return code != 0;
  }
};

}  // namespace telescope::inline v1::detail
