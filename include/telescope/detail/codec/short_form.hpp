// The short form of the event code: up to six events, each a byte that holds its slot + 1, in order; the rest is zero,
// the first byte included. Few codes need more before about 15 unique negatives per member, and a look at one slot is
// a comparison of bytes. The zero code is the short form of no events.
#pragma once

#include "telescope/detail/bits/compare.hpp"
#include "telescope/detail/codec/letters.hpp"

namespace telescope::inline v1::detail::event {

inline constexpr std::uint64_t kWhole = std::uint64_t{1} << kCodeBits;
inline constexpr unsigned kShortEvents = 6;
inline constexpr std::uint32_t kShortSlots = 255;  // the short form reaches slots 0 .. 254
// Slot i as the short form writes it, in each byte of a code in the head of a block: never zero. The byte in the place
// of the offset is one that no offset below 255 equals.
inline constexpr auto kNumbers = [] {
  std::array<std::uint64_t, kShortSlots> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = bits::Fields<8>{}.broadcast(i + 1) | 0xff;
  return numbers;
}();

TELESCOPE_ALWAYS_INLINE bool is_short(std::uint64_t code) noexcept { return (code & 0xff) == 0; }

// Returns nothing if the letters need the list.
inline std::optional<std::uint64_t> encode_short(const Letters& letters, Letter candidates) noexcept {
  std::uint64_t code = 0;
  unsigned events = 0;
  for (const auto& [index, letter] : letters.placed()) {
    events += std::min(letter, Letter{kShortEvents} + 1);
    if (events > kShortEvents || index >= kShortSlots || letter >= candidates) return std::nullopt;
    for (Letter l = 0; l < letter; ++l) code |= std::uint64_t{index + 1} << 8 * (events - l);
  }
  return code;
}

// Decodes any word: bytes in any order, zeros between them.
inline void decode_short(std::uint64_t code, Letter candidates, Letters& letters) noexcept {
  for (std::uint64_t bytes = (code & (kWhole - 1)) >> 8; bytes != 0; bytes >>= 8) {
    if ((bytes & 0xff) == 0) continue;
    const auto index = static_cast<std::uint32_t>((bytes & 0xff) - 1);
    letters.set(index, std::min(letters.at(index) + 1, candidates - 1));
  }
}

inline Letter short_letter_at(std::uint64_t code, Letter candidates, std::uint32_t index) noexcept {
  if (index >= kShortSlots) return 0;
  // The first byte is zero and no event's byte is, so it matches none; nor does the byte above the code.
  const Letter letter = bits::count_bytes(code & (kWhole - 1), index + 1);
  return candidates > kShortEvents ? letter : std::min(letter, candidates - 1);
}

// Returns whether some hit (bits::equal_candidates, of four) is by the candidate that its slot's letter selects. Slot
// i's letter is the number of the 8 bytes at `events` that equal those of numbers[i]. Byte 0 holds the offset, and is
// never the same; the others of numbers[i] are all one number.
TELESCOPE_ALWAYS_INLINE bool any_hit_selected_baseline(std::uint32_t hits, const std::uint64_t* numbers,
                                                       const std::byte* events) noexcept {
  const std::uint64_t bytes = bits::load64(events) & ~std::uint64_t{0xff};
  std::uint32_t selected = 0;
  for (unsigned i = 0; i < bits::kCandidateSlots; ++i) {
    selected |= hits >> (4 * (bits::count_bytes(bytes, numbers[i] >> 8 & 0xff) & 7) + i);
  }
  return (selected & 1) != 0;
}

#if defined(__x86_64__)
// What byte k of word i adds to the sum of word i if it is not the same: a letter of n makes the sum 63 - i - 4 n.
alignas(32) inline constexpr std::array<std::uint8_t, 32> kMismatchWeights = {
    35, 4, 4, 4, 4, 4, 4, 4, 34, 4, 4, 4, 4, 4, 4, 4, 33, 4, 4, 4, 4, 4, 4, 4, 32, 4, 4, 4, 4, 4, 4, 4};

// A word for each slot: its hits are shifted up by the sum, so that the selected candidate's is the top bit.
TELESCOPE_ALWAYS_INLINE bool any_hit_selected_v3(std::uint32_t hits, const std::uint64_t* numbers,
                                                 const std::byte* events) noexcept {
  unsigned selected;
  __asm__ volatile(
      "vpbroadcastq %3, %%ymm1\n\t"
      "vpcmpeqb %2, %%ymm1, %%ymm1\n\t"
      "vmovd %1, %%xmm0\n\t"
      "vpbroadcastq %%xmm0, %%ymm0\n\t"
      "vpandn %4, %%ymm1, %%ymm1\n\t"
      "vpxor %%xmm2, %%xmm2, %%xmm2\n\t"
      "vpsadbw %%ymm2, %%ymm1, %%ymm1\n\t"
      "vpsllvq %%ymm1, %%ymm0, %%ymm0\n\t"
      "vmovmskpd %%ymm0, %0\n\t"
      "vzeroupper"
      : "=r"(selected)
      : "r"(hits), "m"(*reinterpret_cast<const bits::Bytes<32>*>(numbers)),
        "m"(*reinterpret_cast<const bits::Bytes<8>*>(events)), "m"(kMismatchWeights)
      : TELESCOPE_V3_CLOBBERS);
  return selected != 0;
}
#endif

template <class Isa>
TELESCOPE_ALWAYS_INLINE bool any_hit_selected(std::uint32_t hits, const std::uint64_t* numbers,
                                              const std::byte* events) noexcept {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Isa, bits::V3>) return any_hit_selected_v3(hits, numbers, events);
#endif
  return any_hit_selected_baseline(hits, numbers, events);
}

}  // namespace telescope::inline v1::detail::event
