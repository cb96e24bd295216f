// The plain form of the event code: up to three events as they are, and the slack of the block behind them.
//
//   bit   55   54 ......................... 8k+1   8k .. k+1       k .. 0
//         0    a one, entries, the last one first    k events     0 1 .. 1
//
// The number k of events is told by as many ones and a zero. An event is its slot + 1, in 7 bits, in ascending order
// of bits. The highest one of the rest ends the entries; without events (k = 0) bit 54 is inverted, so that the zero
// code has all entries, as a block without members should.
//
// Four ones in front are no plain code. They are free for codes that do not fit into 56 bits.
#pragma once

#include "telescope/detail/bits/compare.hpp"
#include "telescope/detail/codec/letters.hpp"
#include "telescope/detail/codec/slack.hpp"

namespace telescope::inline v1::detail::event {

inline constexpr std::uint64_t kListed = std::uint64_t{1} << (kCodeBits - 1);  // set in codes that are not plain
inline constexpr unsigned kPlainEvents = 3;
inline constexpr std::uint32_t kPlainSlots = 127;  // the plain form reaches slots 0 .. 126

// Slot i as the plain form writes it, in each byte: never zero.
inline constexpr auto kNumbers = [] {
  std::array<std::uint64_t, 255> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = bits::Fields<8>{}.broadcast(i + 1);
  return numbers;
}();

TELESCOPE_ALWAYS_INLINE constexpr bool is_plain(std::uint64_t code) noexcept { return (code & kListed) == 0; }

// Returns the number of events of a plain code.
TELESCOPE_ALWAYS_INLINE unsigned plain_events(std::uint64_t code) noexcept {
  return bits::countr_zero(~code) & kPlainEvents;
}
constexpr unsigned first_entry(unsigned events) noexcept { return 8 * events + 1; }
constexpr unsigned most_entries(unsigned events) noexcept { return Slack::kMost - 8 * events; }
inline constexpr std::array<std::uint64_t, kPlainEvents + 1> kInvertedBit = {std::uint64_t{1} << 54, 0, 0, 0};

// Returns event i of a plain code in byte i + 1, where it has so many.
inline constexpr std::array<std::uint64_t, kPlainEvents + 1> kEventBytes = {0, 0x7f00, 0x7f7f00, 0x7f7f7f00};
template <class Isa = bits::Portable>
TELESCOPE_ALWAYS_INLINE std::uint64_t event_bytes(std::uint64_t code, unsigned events) noexcept {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Isa, bits::V3>) {
    return Isa::deposit(Isa::shift_right(code, events + 1), kEventBytes[events]);
  }
#endif
  const std::uint64_t fields = code >> (events + 1);
  return ((fields & 0x7f) << 8 | (fields & 0x3f80) << 9 | (fields & 0x1fc000) << 10) & kEventBytes[events];
}
constexpr std::uint64_t pack_event_bytes(std::uint64_t bytes, unsigned events) noexcept {
  const std::uint64_t fields = (bytes >> 8 & 0x7f) | (bytes >> 9 & 0x3f80) | (bytes >> 10 & 0x1fc000);
  return fields << (events + 1) | bits::ones(events);
}

// Returns the entries of a plain code, the first one in bit 0, and a one behind the last.
TELESCOPE_ALWAYS_INLINE std::uint64_t plain_entries(std::uint64_t code, unsigned events) noexcept {
  return (code ^ kInvertedBit[events]) >> first_entry(events);
}
// Returns those from slot `index` on.
template <class Isa>
TELESCOPE_ALWAYS_INLINE std::uint64_t plain_entries_from(std::uint64_t code, unsigned events,
                                                         std::uint32_t index) noexcept {
  return Isa::shift_right(code ^ kInvertedBit[events], std::min(first_entry(events) + index, 63u));
}
// Returns the same bits back in their place, as many as there is room for.
constexpr std::uint64_t pack_entries(std::uint64_t entries, unsigned events) noexcept {
  const std::uint64_t end = std::uint64_t{1} << most_entries(events);
  const std::uint64_t most = (entries & (end - 1)) | end;
  return (entries < end ? entries : most) << first_entry(events) ^ kInvertedBit[events];
}

inline constexpr Slack slack_of_entries(std::uint64_t entries) noexcept {
  if (entries == 0) return Slack::none();  // no encoder has written it
  const auto size = static_cast<unsigned>(std::bit_width(entries)) - 1;
  return {.bits = entries ^ std::uint64_t{1} << size, .size = size};
}
constexpr std::uint64_t entries_of(const Slack& slack, unsigned most) noexcept {
  const unsigned size = std::min(slack.size, most);
  return (slack.bits & bits::ones(size)) | std::uint64_t{1} << size;
}

inline constexpr std::uint64_t kEventOnes = 0x01010100, kEventTops = kEventOnes << 7;
// Returns a one in the bytes of the events in this slot and behind.
constexpr std::uint64_t events_from(std::uint64_t bytes, std::uint64_t slot) noexcept {
  const std::uint64_t number = std::min<std::uint64_t>(slot, kPlainSlots) + 1;
  return ((bytes | kEventTops) - number * kEventOnes) >> 7 & kEventOnes;
}

// Returns nothing if the letters need the list.
inline std::optional<std::uint64_t> encode_plain(const Letters& letters, const Slack& slack,
                                                 Letter candidates) noexcept {
  std::uint64_t bytes = 0;
  unsigned events = 0;
  for (const auto& [index, letter] : letters.placed()) {
    if (letter > kPlainEvents || index >= kPlainSlots || letter >= candidates) return std::nullopt;
    for (Letter l = 0; l < letter; ++l) {
      if (events == kPlainEvents) return std::nullopt;
      bytes |= std::uint64_t{index + 1} << 8 * ++events;
    }
  }
  return pack_event_bytes(bytes, events) | pack_entries(entries_of(slack, most_entries(events)), events);
}

// Decodes the letters of any plain word: events in any order, zeros between them.
inline void decode_plain(std::uint64_t code, Letter candidates, Letters& letters) noexcept {
  for (std::uint64_t bytes = event_bytes(code, plain_events(code)); bytes != 0; bytes >>= 8) {
    if ((bytes & 0xff) == 0) continue;
    const auto index = static_cast<std::uint32_t>((bytes & 0xff) - 1);
    letters.set(index, std::min(letters.at(index) + 1, candidates - 1));
  }
}

inline Letter plain_letter_at(std::uint64_t code, Letter candidates, std::uint32_t index) noexcept {
  if (index >= kPlainSlots) return 0;
  const Letter letter = bits::count_bytes(event_bytes(code, plain_events(code)), index + 1);
  return std::min(letter, candidates - 1);
}

// Sets the entry of an empty slot, which takes a member, in the head of a block with a plain code without events.
template <class Isa>
TELESCOPE_ALWAYS_INLINE std::uint64_t head_with_entry(std::uint64_t head, unsigned index, unsigned bit) noexcept {
  const unsigned at = std::min(8 + first_entry(0) + index, 63u);
  const auto known = static_cast<std::uint64_t>(Isa::shift_right(head ^ kInvertedBit[0] << 8, at) > 1);
  return (head & ~Isa::shift_left(known, at)) | Isa::shift_left(known & bit, at);
}

// Returns the entries, with the one behind the last, when those from `from` up to the empty slot `end` move up by one,
// and `bit` comes in. Those that are not known stay so. Masks, not branches: where the entries end is unpredictable.
TELESCOPE_ALWAYS_INLINE std::uint64_t entries_opened(std::uint64_t entries, std::uint64_t from, std::uint64_t end,
                                                     unsigned bit) noexcept {
  const auto all_if = [](bool condition) { return std::uint64_t{0} - static_cast<std::uint64_t>(condition); };
  const std::uint64_t at = std::min<std::uint64_t>(from, 63), to = std::min<std::uint64_t>(end, 63);
  const std::uint64_t up_to_end = ((std::uint64_t{1} << to) - 1) | ~all_if(entries >> to > 1);
  const std::uint64_t known = all_if(entries >> at != 0), first = std::uint64_t{1} << at & known;
  const std::uint64_t moving = up_to_end & ~((std::uint64_t{1} << at) - 1) & known;
  const std::uint64_t rest = entries & ~(moving | moving << 1 | first);
  return rest | (first & all_if(bit != 0)) | (entries & moving) << 1;
}
// Returns the entries without that of the empty slot `at`.
TELESCOPE_ALWAYS_INLINE std::uint64_t entries_closed(std::uint64_t entries, std::uint64_t at) noexcept {
  at = std::min<std::uint64_t>(at, 63);
  const std::uint64_t behind = (std::uint64_t{0} - static_cast<std::uint64_t>(entries >> at > 1)) << at;
  return (entries & ~behind) | (entries & behind << 1) >> 1;
}

// Moves slots [from, end) of a plain code up by one, letters and entries, and gives slot `from` the entry `bit`; the
// one of slot `end`, which is empty, goes. Returns nothing if an event leaves the reach of the form.
inline std::optional<std::uint64_t> plain_opened(std::uint64_t code, std::uint64_t from, std::uint64_t end,
                                                 unsigned bit) noexcept {
  const unsigned events = plain_events(code);
  std::uint64_t bytes = event_bytes(code, events);
  bytes += events_from(bytes, from) & ~events_from(bytes, end);
  if ((bytes & kEventTops) != 0) return std::nullopt;
  const std::uint64_t entries = entries_opened(plain_entries(code, events), from, end, bit);
  return pack_event_bytes(bytes, events) | pack_entries(entries, events);
}

// Removes the empty slot `at` of a plain code: those behind it move down by one.
inline std::uint64_t plain_closed(std::uint64_t code, std::uint64_t at) noexcept {
  const unsigned events = plain_events(code);
  std::uint64_t bytes = event_bytes(code, events);
  bytes -= events_from(bytes, at);
  return pack_event_bytes(bytes, events) | pack_entries(entries_closed(plain_entries(code, events), at), events);
}

// Returns those of four slots whose entries a query passes. `entries` are those from the first of the slots on, with
// the one behind the last. Without a branch: where the entries end is unpredictable.
TELESCOPE_ALWAYS_INLINE unsigned slots_passed(std::uint64_t entries, unsigned query_bit) noexcept {
  // For each value of the four bits behind the first: all of them up to the highest one.
  constexpr std::uint64_t kBelow = 0xffffffff77773310;
  const std::uint64_t known = kBelow >> (std::min<std::uint64_t>(entries, 31) / 2 * 4);
  return static_cast<unsigned>(~((entries ^ (std::uint64_t{0} - query_bit)) & known));
}

// Returns the slots with a hit by the candidate that the slot's letter selects. Slot i's letter is the number of bytes
// of `events` that equal those of numbers[i].
TELESCOPE_ALWAYS_INLINE unsigned slots_selected_baseline(std::uint32_t hits, const std::uint64_t* numbers,
                                                         std::uint64_t events) noexcept {
  unsigned selected = 0;
  for (unsigned i = 0; i < bits::kCandidateSlots; ++i) {
    selected |= (hits >> (4 * (bits::count_bytes(events, numbers[i] & 0xff) & 7) + i) & 1) << i;
  }
  return selected;
}

#if defined(__x86_64__)
// What byte k of word i adds to the sum of word i if it is not the same: a letter of n makes the sum 63 - i - 4 n.
alignas(32) inline constexpr std::array<std::uint8_t, 32> kMismatchWeights = {
    35, 4, 4, 4, 4, 4, 4, 4, 34, 4, 4, 4, 4, 4, 4, 4, 33, 4, 4, 4, 4, 4, 4, 4, 32, 4, 4, 4, 4, 4, 4, 4};

// A word for each slot: its hits are shifted up by the sum, so that the selected candidate's is the top bit.
TELESCOPE_ALWAYS_INLINE unsigned slots_selected_v3(std::uint32_t hits, const std::uint64_t* numbers,
                                                   std::uint64_t events) noexcept {
  unsigned selected;
  __asm__ volatile(
      "vmovq %3, %%xmm1\n\t"
      "vpbroadcastq %%xmm1, %%ymm1\n\t"
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
      : "r"(hits), "m"(*reinterpret_cast<const bits::Bytes<32>*>(numbers)), "r"(events), "m"(kMismatchWeights)
      : TELESCOPE_V3_CLOBBERS);
  return selected;
}
#endif

template <class Isa>
TELESCOPE_ALWAYS_INLINE unsigned slots_selected(std::uint32_t hits, const std::uint64_t* numbers,
                                                std::uint64_t events) noexcept {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Isa, bits::V3>) return slots_selected_v3(hits, numbers, events);
#endif
  return slots_selected_baseline(hits, numbers, events);
}

}  // namespace telescope::inline v1::detail::event
