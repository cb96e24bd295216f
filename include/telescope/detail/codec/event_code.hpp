// The default code of TAF: a single-state asymmetric-numeral code over the events that made the letters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "telescope/detail/codec/plain_form.hpp"

namespace telescope::inline v1::detail {

// Letters are counts of adaptations, and adaptations are rare. So a code lists them one by one, each by its distance
// from the one before, and the work is proportional to what is there, not to the slots:
//
//   letters   0 0 0 2 0 0 1 0 0 ...      events   +3 (letter 1)   +0 (letter 2)   +3 (letter 1)
//
// The symbols:
//   gap g < 20   the cursor moves g slots on, and the letter there goes up by one; gap 0 is the same slot again
//   skip         the cursor moves 20 slots on
//   far          the cursor moves 64 slots on
// Letters have no bound but the room, and the zeros behind the last event are never told.
//
// The state of the numeral system is the code itself. It is never renormalised: 55 bits are all there are.
//
//   code   | 1 | state >> 8         | place |      place 0        the end; above it the slack's entries, and a one
//            55  54                8 7     0       places 1..254  the gaps and the skip, each spread over the table
//                                                  place 255      far; but in front of all others the mark that
//                                                                 a letter exceeds the candidates
//
// The entries are what the state is before the first event is written. Where there is no room for any, it is zero.
//
// Codes without the top bit are of another form, the plain one, for the few events that most blocks have
// (plain_form.hpp).
//
//   read    state = weight * (state >> 8) + rank   for the symbol and rank that own the place
//   write   state = (state / weight) * 256 + place of rank state % weight
//
// Events are written last to first, so that the first is read first, and a look at one slot ends once it is passed.
// A symbol's places are spread evenly, as in tANS: from a small state, a symbol then costs what its weight says, while
// contiguous places would waste most of a byte on the first one.
namespace event {

inline constexpr unsigned kPlaces = 256;
inline constexpr std::uint32_t kSkip = 20;  // gaps 0 .. kSkip-1 are symbols of their own
inline constexpr std::uint32_t kFar = 64;
inline constexpr unsigned kFarPlace = kPlaces - 1;
inline constexpr unsigned kSkipSymbol = kSkip;
inline constexpr unsigned kSymbols = kSkip + 1;  // with places in 1..254

// Gaps 0, 1, .. 19, then the skip. Found by a hill climb on simulated blocks (64 slots, load .95, Poisson letters, eps
// 1/256, A/S 40 to 60) for the fewest overflows: that is where codes fill, at about 16 events. Gaps from 1 on fall by
// about 0.78 each, down to 1; gap 0, a second event in one slot, is rarer than that law would have it. With 16 gaps,
// tables of 512 and 1024 places had 2 and 4 % fewer overflows at A/S 40: not worth their room in the cache.
inline constexpr std::array<std::uint8_t, kSymbols> kWeights = {36, 48, 37, 29, 24, 18, 14, 11, 8, 7, 5,
                                                                4,  3,  2,  2,  1,  1,  1,  1,  1, 1};
static_assert(std::accumulate(kWeights.begin(), kWeights.end(), 0U) == kPlaces - 2);

// What reading one place does.
struct Step {
  std::uint8_t weight;   // of the symbol that owns the place
  std::uint8_t rank;     // of the place among the symbol's own
  std::uint8_t advance;  // slots
  std::uint8_t events;   // 1 for a gap, 0 otherwise
};

struct Table {
  std::array<Step, kPlaces> steps{};
  std::array<std::uint8_t, kPlaces> places{};  // a symbol's own in order, symbol after symbol
  std::array<std::uint8_t, kSymbols> first{};  // where a symbol's begin in `places`
};

// The k-th place of a symbol of weight w belongs at (k + 1/2) / w of the way; places go to whoever is due first.
constexpr Table make_table() {
  Table table;
  for (unsigned s = 1; s < kSymbols; ++s) {
    table.first[s] = static_cast<std::uint8_t>(table.first[s - 1] + kWeights[s - 1]);
  }
  std::array<unsigned, kSymbols> taken{};
  for (unsigned place = 1; place < kFarPlace; ++place) {
    unsigned due = 0;
    for (unsigned s = 1; s < kSymbols; ++s) {
      if ((2 * taken[s] + 1) * kWeights[due] < (2 * taken[due] + 1) * kWeights[s]) due = s;
    }
    const unsigned rank = taken[due]++;
    table.places[table.first[due] + rank] = static_cast<std::uint8_t>(place);
    table.steps[place] = {kWeights[due], static_cast<std::uint8_t>(rank), static_cast<std::uint8_t>(due),
                          static_cast<std::uint8_t>(due == kSkipSymbol ? 0 : 1)};
  }
  table.steps[kFarPlace] = {1, 0, kFar, 0};
  return table;
}

inline constexpr Table kTable = make_table();
static_assert(sizeof(kTable.steps) == 1024);  // what reading keeps in the cache

// What a symbol takes in sixteenths of a bit, rounded down.
inline constexpr auto kCosts = [] {
  std::array<std::uint8_t, kSymbols> costs{};
  constexpr double kRoot = 1.0442737824274138;  // 2^(1/16)
  for (unsigned s = 0; s < kSymbols; ++s) {
    for (double states = kRoot; states * kWeights[s] <= kPlaces; states *= kRoot) ++costs[s];
  }
  return costs;
}();

constexpr std::uint64_t after(std::uint64_t state, const Step& step) { return step.weight * (state >> 8) + step.rank; }

// Reading ends: a state of place > 0 always shrinks, for rank < place and weight < 256.
constexpr bool every_step_shrinks() {
  for (unsigned place = 1; place < kPlaces; ++place) {
    if (kTable.steps[place].rank >= place || kTable.steps[place].weight == 0) return false;
  }
  return true;
}
static_assert(every_step_shrinks());

// And it ends soon. The largest state there can be after each step bounds the steps above one byte; below, count them.
constexpr unsigned most_steps() {
  std::array<unsigned, kPlaces> steps{};  // from a one-byte state
  for (unsigned state = 1; state < kPlaces; ++state) steps[state] = 1 + steps[after(state, kTable.steps[state])];
  const unsigned heaviest = *std::max_element(kWeights.begin(), kWeights.end());
  unsigned above = 0;
  for (std::uint64_t most = (std::uint64_t{1} << kCodeBits) - 1; most >= kPlaces; ++above) {
    most = heaviest * (most >> 8) + heaviest - 1;
  }
  return above + *std::max_element(steps.begin(), steps.end());
}
inline constexpr unsigned kMostSteps = most_steps();
static_assert(kMostSteps <= Letters::kCapacity);  // so decoding never runs out of room

}  // namespace event

// The number of candidate remainders that a probe compares: known to the compiler, or, where it is kAnyCandidates, a
// number that is known when the program runs.
inline constexpr Letter kAnyCandidates = 0;
template <Letter kCandidates>
struct Candidates {
  static_assert(kCandidates >= 2);
  static constexpr Letter candidates() noexcept { return kCandidates; }
};
template <>
struct Candidates<kAnyCandidates> {
  explicit constexpr Candidates(Letter candidates) noexcept : candidates_(candidates) {}
  constexpr Letter candidates() const noexcept { return candidates_; }

 private:
  Letter candidates_;
};

template <Letter kCandidates>
struct EventCode : Candidates<kCandidates> {
  using Candidates<kCandidates>::Candidates;
  using Candidates<kCandidates>::candidates;

  static constexpr bool kSlack = true;

  // Encodes the letters, and as many of the entries, from the first on, as there is room for.
  std::optional<std::uint64_t> encode(const Letters& letters, const Slack& slack = {}) const noexcept {
    if (const auto code = event::encode_plain(letters, slack, candidates())) return code;
    const auto bare = list(letters, 0);
    if (!bare) return std::nullopt;
    // What the events take, rounded down, says how many entries there may be room for.
    for (unsigned size = std::min(slack.size, room_beside(letters)); size > 0; --size) {
      if (const auto state = list(letters, event::entries_of(slack, size) << 8)) return *state | event::kListed;
    }
    return *bare | event::kListed;
  }

  Letters decode(std::uint64_t code) const noexcept {
    Letters letters;
    if (is_plain(code)) {
      event::decode_plain(code, candidates(), letters);
      return letters;
    }
    std::uint32_t cursor = 0;
    std::uint32_t last = 0;  // the slot of the last event
    Letter letter = 0;       // the events there so far
    const Letter most = largest(code);
    std::uint64_t state = start(code);
    const auto read = [&] {
      // By reference: four loads of a byte are off the critical path, one load of all four and a mask are on it.
      const event::Step& step = event::kTable.steps[state & 0xff];
      cursor += step.advance;
      const unsigned events = step.events;
      state = event::after(state, step);
      // Masks, not branches: which steps are events, and which of them fall on the same slot, is unpredictable.
      const unsigned fresh = events & static_cast<unsigned>(cursor != last);
      letters.keep((fresh & static_cast<unsigned>(letter != 0)) != 0);
      letter = (letter & (fresh - 1)) + events;
      last += (cursor - last) & (0 - events);
      letters.stage(last, std::min(letter, most));
    };
    // The end reads as a step that leaves zero, so a test every other step will do, and is mispredicted less often.
    while ((state & 0xff) != 0) {
      read();
      read();
    }
    letters.keep(letter != 0);
    return letters;
  }

  Slack slack(std::uint64_t code) const noexcept { return event::slack_of_entries(entries(code)); }

  Letter letter_at(std::uint64_t code, std::uint32_t index) const noexcept {
    return TELESCOPE_LIKELY(is_plain(code)) ? event::plain_letter_at(code, candidates(), index)
                                            : std::min(read_listed(code, index).letter, largest(code));
  }

  static TELESCOPE_ALWAYS_INLINE bool is_plain(std::uint64_t code) noexcept { return event::is_plain(code); }
  // Returns whether some letter may be other than zero: by these bits.
  static bool has_letters(std::uint64_t code) noexcept { return (code & kLetterBits) != 0; }
  static constexpr std::uint64_t kLetterBits = event::kListed | 1;

  // Returns whether a hit (bits::equal_candidates) in slot index + i is by the candidate that the slot's letter
  // selects, and the query passes the slot's entry, in a plain code. It does not ask which of the slots is hit, and so
  // need not wait for that. In a code that no encoder has written, a slot with candidates() events or more has none.
  template <class Isa>
  static TELESCOPE_ALWAYS_INLINE bool hit_matches(std::uint64_t code, std::uint32_t index, std::uint32_t hits,
                                                  unsigned query_bit) noexcept requires(kCandidates == 4) {
    const unsigned events = event::plain_events(code);
    const std::uint64_t entries = event::plain_entries_from<Isa>(code, events, index);
    return (event::slots_selected<Isa>(hits, event::kNumbers.data() + index, event::event_bytes<Isa>(code, events)) &
            event::slots_passed(entries, query_bit)) != 0;
  }
  static constexpr std::uint32_t kPlainReach = event::kNumbers.size() - bits::kCandidateSlots;  // the last index

  // Returns the entries from the first one on, with a one behind the last; 0 if there are none.
  static std::uint64_t entries(std::uint64_t code) noexcept {
    return TELESCOPE_LIKELY(is_plain(code)) ? event::plain_entries(code, event::plain_events(code))
                                            : read_listed(code, 0).entries;
  }

  // Returns whether a hit in slot index + i is by the candidate that the slot's letter selects, and the query passes
  // the slot's entry, in a listed code without letters of candidates() or more.
  TELESCOPE_NOINLINE static bool listed_hit_matches(std::uint64_t code, std::uint32_t index, std::uint32_t hits,
                                                    unsigned query_bit) noexcept requires(kCandidates == 4) {
    while (hits != 0) {
      const unsigned slot = bits::countr_zero(hits) % bits::kCandidateSlots;
      const Listed read = read_listed(code, index + slot);
      const unsigned passed = event::slots_passed(read.entries >> std::min(index + slot, 63u), query_bit);
      if ((hits >> (bits::kCandidateSlots * (read.letter & 7) + slot) & passed & 1) != 0) return true;
      hits &= ~(bits::kSlotHits << slot);
    }
    return false;
  }

  // Returns 1 if the first place is 255: the carry out of the byte, which a probe can mix with its other conditions.
  static std::uint64_t exceeds_candidates(std::uint64_t code) noexcept { return ((code & 0xff) + 1) >> 8; }
  static constexpr bool kMarkIsFullByte = true;
  static_assert(event::kFarPlace == 255);

 private:
  static constexpr std::uint64_t kWhole = event::kListed;

  // Returns the state that lists the letters on top of another state.
  std::optional<std::uint64_t> list(const Letters& letters, std::uint64_t state) const noexcept {
    if (state >= kWhole) return std::nullopt;
    const auto placed = letters.placed();
    bool marked = false;
    // Every symbol makes the state larger, so these loops end after kMostSteps rounds whatever the letters are.
    for (std::size_t i = placed.size(); i-- > 0;) {
      const auto [index, letter] = placed[i];
      marked |= letter >= candidates();
      for (Letter l = 1; l < letter; ++l) {
        if (!write(state, 0)) return std::nullopt;
      }
      const std::uint32_t gap = index - (i == 0 ? 0 : placed[i - 1].index);
      // A far in front would read as the mark: a skip goes before it.
      const bool lead = i == 0 && !marked && gap >= event::kFar;
      const std::uint32_t rest = gap - (lead ? event::kSkip : 0);
      if (!write(state, rest % event::kFar % event::kSkip)) return std::nullopt;
      for (std::uint32_t skips = rest % event::kFar / event::kSkip; skips > 0; --skips) {
        if (!write(state, event::kSkipSymbol)) return std::nullopt;
      }
      for (std::uint32_t fars = rest / event::kFar; fars > 0; --fars) {
        if (!write_far(state)) return std::nullopt;
      }
      if (lead && !write(state, event::kSkipSymbol)) return std::nullopt;
    }
    if (marked && !write_far(state)) return std::nullopt;
    return state;
  }

  // Returns as many entries as may fit beside the list of these letters, or a few more.
  static unsigned room_beside(const Letters& letters) noexcept {
    unsigned taken = 0;  // in 1/16 bits
    std::uint32_t before = 0;
    for (const auto& [index, letter] : letters.placed()) {
      const std::uint32_t gap = index - before;
      before = index;
      taken += (letter - 1) * event::kCosts[0] + event::kCosts[gap % event::kFar % event::kSkip] +
               gap % event::kFar / event::kSkip * event::kCosts[event::kSkipSymbol];
    }
    const unsigned room = kCodeBits - 1 - 8 - 1;
    return taken / 16 < room ? room - taken / 16 : 0;
  }

  // What a listed code says of one slot; the entries as entries() has them.
  struct Listed {
    Letter letter;
    std::uint64_t entries;
  };
  static Listed read_listed(std::uint64_t code, std::uint32_t index) noexcept {
    Listed read{0, start(code)};
    for (std::uint32_t cursor = 0; (read.entries & 0xff) != 0;) {
      const event::Step& step = event::kTable.steps[read.entries & 0xff];
      cursor += step.advance;
      read.letter += static_cast<Letter>(cursor == index) & step.events;
      read.entries = event::after(read.entries, step);
    }
    read.entries >>= 8;
    return read;
  }

  static std::uint64_t start(std::uint64_t code) noexcept {
    return (code & (kWhole - 1)) >> (8 * exceeds_candidates(code));
  }

  // An encoder always marks letters that exceed the candidates; in a word that none has written, they are cut down to
  // keep the law.
  Letter largest(std::uint64_t code) const noexcept {
    return exceeds_candidates(code) != 0 ? ~Letter{0} : candidates() - 1;
  }

  // Return false when it does not fit. The product cannot wrap: state < 2^55.
  static bool write(std::uint64_t& state, unsigned symbol) noexcept {
    const std::uint64_t weight = event::kWeights[symbol];
    const std::uint64_t rank = state % weight;
    state = state / weight * event::kPlaces + event::kTable.places[event::kTable.first[symbol] + rank];
    return state < kWhole;
  }
  static bool write_far(std::uint64_t& state) noexcept {
    state = state * event::kPlaces + event::kFarPlace;
    return state < kWhole;
  }
};

static_assert(Codec<EventCode<4>> && Codec<EventCode<kAnyCandidates>>);

// The code of TAF by the width of its remainders.
template <unsigned R>
using DefaultCode = EventCode<R == bits::kAnyWidth ? kAnyCandidates : detail::candidates(R == 0 ? 8 : R)>;

}  // namespace telescope::inline v1::detail
