// What the filters that we compare with have in common: 64-bit keys, the same keyed hash as ours, the same space.
//
// Each is an implementation of our own, after the paper that introduced it, at the telescoping filter's 11 bits per
// slot (section "Evaluation": "we set the fingerprint size of each filter so that they all use the same amount of
// space").
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <telescope/hash.hpp>

#include "workloads/random.hpp"

namespace telescope::lab {

inline constexpr unsigned kRivalBits = 11;  // per slot

// Laws:
//   an inserted member is found, after any interleaving of insert and adapt;
//   an insert that returns false (full) has moved no bit;
//   contains is const and sees nothing but the filter's own bits.
template <class R>
concept Rival = std::constructible_from<R, std::uint64_t, const Xxh3&> &&
    requires(R rival, const R fixed, std::uint64_t key) {
  { R::kName } -> std::convertible_to<std::string_view>;
  { R::kAdapts } -> std::convertible_to<bool>;
  { rival.insert(key) } -> std::same_as<bool>;
  { fixed.contains(key) } -> std::same_as<bool>;
  { fixed.bits() } -> std::same_as<std::uint64_t>;  // of the filter proper, without what a store would hold
};

// adapt(key): for a key that contains() answered with true and that is no member. One attempt, as the papers have it:
// the key may still be a false positive afterwards.
template <class R>
concept AdaptiveRival = Rival<R> && R::kAdapts && requires(R rival, std::uint64_t key) {
  rival.adapt(key);
};

// A random word scaled to [0, bound).
constexpr std::uint64_t scale(std::uint64_t random, std::uint64_t bound) noexcept {
  return static_cast<std::uint64_t>((static_cast<Uint128>(random) * bound) >> 64);
}

}  // namespace telescope::lab
