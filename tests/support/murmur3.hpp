// MurmurHash3_x64_128, the hash of the paper's own code. The library has faster and safer ones.
#pragma once

#include <murmurhash.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "telescope/hash.hpp"

namespace telescope::inline v1 {

// The seed has 32 bits, and at most the first 2^32 - 1 bytes of a key are read.
class Murmur3 {
 public:
  static constexpr std::string_view kName = "murmur3";

  explicit Murmur3(Secret secret = Secret::random()) noexcept : secret_(secret) {}

  Hash operator()(std::span<const std::byte> bytes) const noexcept {
    constexpr std::size_t kLongest = std::numeric_limits<unsigned int>::max();
    std::uint64_t words[2];
    lmmh_x64_128(bytes.data(), static_cast<unsigned int>(std::min(bytes.size(), kLongest)), seed(), words);
    return {.position = words[0], .fingerprint = words[1]};
  }
  Hash operator()(std::string_view text) const noexcept { return (*this)(std::as_bytes(std::span(text))); }
  Hash operator()(std::uint64_t word) const noexcept {
    static_assert(std::endian::native == std::endian::little);
    return (*this)(std::as_bytes(std::span(&word, 1)));
  }

  const Secret& secret() const noexcept { return secret_; }

  // Returns the low half of words[0], but for the weak seeds: a key of n <= 8 bytes under seed n leaves both lanes
  // equal, so the words become 2x and 3x of one value and bit 0 of the first is stuck at zero. Seeds up to 8 are
  // complemented.
  std::uint32_t seed() const noexcept {
    const auto low = static_cast<std::uint32_t>(secret_.words[0]);
    return low <= 8 ? ~low : low;
  }

 private:
  Secret secret_;
};

static_assert(KeyHash<Murmur3>);

}  // namespace telescope::inline v1
