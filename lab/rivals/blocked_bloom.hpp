// The blocked Bloom filter (Putze, Sanders, Singler 2007), in its split form: all bits of a member lie in one block of
// eight 32-bit words, one bit in each, so that a query touches one cache line and compares the eight at once.
//
// It pays for that with a higher false-positive rate: blocks are unequally full.
#pragma once

#include <array>
#include <cstring>

#include "rivals/bytes.hpp"
#include "rivals/rival.hpp"

namespace telescope::lab {

class BlockedBloom {
 public:
  static constexpr std::string_view kName = "blocked-bloom";
  static constexpr bool kAdapts = false;

  BlockedBloom(std::uint64_t slots, const Xxh3& hash)
      : blocks_((slots * kRivalBits + 8 * sizeof(Block) - 1) / (8 * sizeof(Block))),
        hash_(hash),
        bytes_(blocks_ * sizeof(Block)) {}

  bool insert(std::uint64_t key) noexcept {
    const Hash h = hash_(key);
    const Block wanted = marks(h.fingerprint);
    Block block = load(h);
    for (std::size_t i = 0; i < block.size(); ++i) block[i] |= wanted[i];
    std::memcpy(bytes_.data() + offset(h), block.data(), sizeof block);
    return true;
  }

  bool contains(std::uint64_t key) const noexcept {
    const Hash h = hash_(key);
    const Block wanted = marks(h.fingerprint);
    const Block block = load(h);
    std::uint32_t missing = 0;
    for (std::size_t i = 0; i < block.size(); ++i) missing |= wanted[i] & ~block[i];
    return missing == 0;
  }

  std::uint64_t bits() const noexcept { return blocks_ * 8 * sizeof(Block); }

 private:
  using Block = std::array<std::uint32_t, 8>;
  static_assert(sizeof(Block) == 32);

  // Eight odd multipliers, any eight: each takes another five bits of the hash.
  static Block marks(std::uint64_t source) noexcept {
    constexpr Block kOdd = {0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du, 0x27d4eb2fu,
                            0x165667b1u, 0xd3a2646du, 0xfd7046c5u, 0xb55a4f09u};
    Block made;
    const auto word = static_cast<std::uint32_t>(source);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = std::uint32_t{1} << ((word * kOdd[i]) >> 27);
    return made;
  }

  std::uint64_t offset(const Hash& h) const noexcept { return scale(h.position, blocks_) * sizeof(Block); }

  Block load(const Hash& h) const noexcept {
    Block block;
    std::memcpy(block.data(), bytes_.data() + offset(h), sizeof block);
    return block;
  }

  std::uint64_t blocks_;
  Xxh3 hash_;
  Bytes bytes_;
};

static_assert(Rival<BlockedBloom>);

}  // namespace telescope::lab
