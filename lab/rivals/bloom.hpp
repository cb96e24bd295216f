// The Bloom filter (Bloom 1970): k bits of one array for each member.
//
// False-positive rate (1 - e^(-k n / m))^k; k = 8 is the best integer for m / n = 11 / .95.
#pragma once

#include "measure/bytes.hpp"
#include "rivals/rival.hpp"

namespace telescope::lab {

class Bloom {
 public:
  static constexpr std::string_view kName = "bloom";
  static constexpr bool kAdapts = false;
  static constexpr unsigned kHashes = 8;

  Bloom(std::uint64_t slots, const Xxh3& hash) : bits_(slots * kRivalBits), hash_(hash), bytes_(bits_ / 8 + 1) {}

  bool insert(std::uint64_t key) noexcept {
    const Hash h = hash_(key);
    for (unsigned i = 0; i < kHashes; ++i) {
      const std::uint64_t bit = place(h, i);
      bytes_.data()[bit >> 3] |= std::byte{1} << (bit & 7);
    }
    return true;
  }

  bool contains(std::uint64_t key) const noexcept {
    const Hash h = hash_(key);
    for (unsigned i = 0; i < kHashes; ++i) {
      const std::uint64_t bit = place(h, i);
      if ((bytes_.data()[bit >> 3] & std::byte{1} << (bit & 7)) == std::byte{0}) return false;
    }
    return true;
  }

  std::uint64_t bits() const noexcept { return bits_; }

 private:
  // Two words give k places (Kirsch and Mitzenmacher, "Less hashing, same performance").
  std::uint64_t place(const Hash& h, unsigned i) const noexcept {
    return scale(h.position + i * (h.fingerprint | 1), bits_);
  }

  std::uint64_t bits_;
  Xxh3 hash_;
  Bytes bytes_;
};

static_assert(Rival<Bloom>);

}  // namespace telescope::lab
