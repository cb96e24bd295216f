// Many queries: the probe of probe.hpp in three stages, each over a group of keys.
//
//   hash     keys -> position, fingerprint -> block and quotient; asks for the block's metadata
//   sieve    keeps the keys whose quotient is occupied, without a jump; asks for their remainders
//   compare  locates their runs and compares
//
// Two in five negatives end at the sieve, at a load of .95. The next group is hashed before this one is compared: what
// a stage asks for has a stage's time to arrive.
#pragma once

#include <algorithm>
#include <utility>

#include "telescope/detail/bits/v3.hpp"
#include "telescope/detail/query/probe.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class B, class Isa, class Mode>
class Batch {
  using P = Probe<B>;
  using L = typename B::Layout;

 public:
  explicit Batch(const B& blocks) noexcept
      : probe_(blocks), base_(blocks.data()), count_(blocks.count()), block_bytes_(blocks.block_bytes()) {}

  // out[i] = contains(hash_of(i)). A hash_of that has four() is asked for four at once, where that helps.
  template <class HashOf>
  void contains(std::size_t count, const HashOf& hash_of, std::uint8_t* out) noexcept {
    Group* now = &groups_[0];
    Group* next = &groups_[1];
    now->size = std::min(kGroup, count);
    hash(*now, hash_of, 0);
    for (std::size_t i = 0; i < now->size; ++i) ask_for_block(*now, i);
    for (std::size_t done = 0; done < count; done += next->size) {
      next->size = std::min(kGroup, count - done - now->size);
      hash(*next, hash_of, done + now->size);
      std::uint64_t occupied = 0;
      for (std::size_t i = 0; i < next->size; ++i) {
        ask_for_block(*next, i);
        occupied = sieve(*now, i, occupied);
      }
      for (std::size_t i = next->size; i < now->size; ++i) occupied = sieve(*now, i, occupied);
      compare(*now, occupied, out + done);
      std::swap(now, next);
    }
  }

 private:
  // As many as have two groups' cache lines, about three for each key, fit into half of a first-level cache.
  static constexpr std::size_t kGroup = 16;

  struct Group {
    std::size_t size;
    alignas(32) std::uint64_t position[kGroup];
    alignas(32) std::uint64_t fingerprint[kGroup];
    alignas(32) std::uint64_t block[kGroup];  // bytes from the first block
    alignas(32) std::uint64_t bit[kGroup];    // the quotient in the block
  };

  template <class HashOf>
  TELESCOPE_ALWAYS_INLINE void hash(Group& group, const HashOf& hash_of, std::size_t first) const noexcept {
#if defined(TELESCOPE_HAS_V3)
    if constexpr (std::is_same_v<Isa, bits::V3> && requires { hash_of.four(first); }) {
      if (group.size == kGroup && count_ <= kMaxBlocksInFours) return hash_in_fours(group, hash_of, first);
    }
#endif
    for (std::size_t i = 0; i < group.size; ++i) {
      const Hash hash = hash_of(first + i);
      const QuotientPlace place = probe_.place(hash);
      group.position[i] = hash.position;
      group.fingerprint[i] = hash.fingerprint;
      group.block[i] = place.block * block_bytes();
      group.bit[i] = place.bit;
    }
  }

#if defined(TELESCOPE_HAS_V3)
  // Both factors of each product fit into half a word.
  static constexpr std::uint64_t kMaxBlocksInFours = 0xffffffff;

  template <class HashOf>
  TELESCOPE_V3 TELESCOPE_NOINLINE void hash_in_fours(Group& group, const HashOf& hash_of,
                                                     std::size_t first) const noexcept {
    using namespace bits::v3;
    for (std::size_t i = 0; i < kGroup; i += 4) {
      const auto [position, fingerprint] = hash_of.four(first + i);
      const Four place = multiply_middle(position, static_cast<std::uint32_t>(count_));
      store(group.position + i, position);
      store(group.fingerprint + i, fingerprint);
      store(group.block + i, _mm256_mul_epu32(_mm256_srli_epi64(place, 32), each(block_bytes())));
      store(group.bit + i, _mm256_and_si256(_mm256_srli_epi64(place, 26), each(63)));
    }
  }
#endif

  TELESCOPE_ALWAYS_INLINE std::uint64_t block_bytes() const noexcept {
    if constexpr (B::Adaptation::kWidth == bits::kAnyWidth)
      return block_bytes_;
    else
      return L().bytes();
  }
  const std::byte* block(const Group& group, std::size_t i) const noexcept { return base_ + group.block[i]; }

  TELESCOPE_ALWAYS_INLINE void ask_for_block(const Group& group, std::size_t i) const noexcept {
    TELESCOPE_PREFETCH(block(group, i));
    TELESCOPE_PREFETCH(block(group, i) + L::kHead);
  }

  // Writes down the key, and counts it if its quotient is occupied: else the next one takes its place.
  TELESCOPE_ALWAYS_INLINE std::uint64_t sieve(const Group& group, std::size_t i, std::uint64_t occupied) noexcept {
    const auto j = static_cast<unsigned>(group.bit[i]);
    const std::byte* const block = this->block(group, i);
    probe_.prefetch_run(block, j);
    occupied_[occupied] = static_cast<std::uint32_t>(i);
    return Isa::add_bit(occupied, Mode::read_once(bits::load64(block + L::kOccupieds)), j);
  }

  TELESCOPE_ALWAYS_INLINE void compare(const Group& group, std::uint64_t occupied, std::uint8_t* out) noexcept {
    std::memset(out, 0, group.size);
    for (std::uint64_t k = 0; k < occupied; ++k) {
      const std::size_t i = occupied_[k];
      const Hash hash{.position = group.position[i], .fingerprint = group.fingerprint[i]};
      out[i] = static_cast<std::uint8_t>(probe_.template contains_in<Isa, P::Known::occupied>(
          block(group, i), static_cast<unsigned>(group.bit[i]), hash, mode_));
    }
  }

  const P probe_;
  const std::byte* base_;
  std::uint64_t count_;
  std::uint64_t block_bytes_;
  Mode mode_;
  Group groups_[2];
  std::uint32_t occupied_[kGroup];  // keys of a group
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
