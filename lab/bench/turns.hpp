// Short turns: the contestants share the keys of an operation slice by slice, every one its slice before any takes the
// next, and the order rotates. What the machine's neighbours do to it for longer than a few milliseconds then slows all
// alike, and a ratio compares the same moments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace telescope::lab {

// The keys of one turn. The first of them bring back into the caches what the others have driven out, off the clock.
struct Turn {
  explicit Turn(std::span<const std::uint64_t> keys) noexcept
      : warm_up(keys.first(keys.size() / 2)), timed(keys.subspan(keys.size() / 2)) {}
  std::size_t size() const noexcept { return warm_up.size() + timed.size(); }

  std::span<const std::uint64_t> warm_up, timed;
};

inline constexpr std::size_t kTurnKeys = std::size_t{1} << 18;  // 4 to 60 ms

// play(contestant, turn) for each contestant in [0, contestants) and each slice of the keys.
template <class Play>
void in_turns(std::span<const std::uint64_t> keys, std::size_t contestants, std::size_t first, Play play) {
  for (std::size_t done = 0; done < keys.size(); done += kTurnKeys, ++first) {
    const Turn turn(keys.subspan(done, std::min(kTurnKeys, keys.size() - done)));
    for (std::size_t i = 0; i < contestants; ++i) play((first + i) % contestants, turn);
  }
}

}  // namespace telescope::lab
