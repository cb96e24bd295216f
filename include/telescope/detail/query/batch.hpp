// Many queries: the probe of probe.hpp in three stages, each over a group of keys.
//
//   hash     keys -> position, fingerprint -> block and quotient; prefetches the block's metadata
//   sieve    keeps the keys whose quotient is occupied, without a branch; prefetches their remainders
//   compare  locates their runs and compares
//
// At a load of .95 two in five negatives end at the sieve. The next group is hashed before this one is compared, so
// that what a stage prefetches has a stage's time to arrive.
#pragma once

#include <algorithm>
#include <utility>

#include "telescope/detail/hash/hashes.hpp"
#include "telescope/detail/query/probe.hpp"

namespace telescope::inline v1::detail {

// The cache lines of two groups, about three for each key, fit into half of a first-level cache.
inline constexpr std::size_t kBatchGroup = 16;

struct BatchGroup {
  std::size_t size;
  alignas(32) std::uint64_t position[kBatchGroup];
  alignas(32) std::uint64_t fingerprint[kBatchGroup];
  alignas(32) std::uint64_t block[kBatchGroup];  // bytes from the first block
  alignas(32) std::uint64_t bit[kBatchGroup];    // the quotient in the block
};

// Hashes a whole group of keys from `first` on and finds their quotients, on x86-64-v3. There are at most
// kMaxBlocksInFours blocks: both factors of each product fit into half a word.
inline constexpr std::uint64_t kMaxBlocksInFours = 0xffffffff;
void place_in_fours(const Xxh3Keys& keys, std::size_t first, std::uint64_t blocks, std::uint64_t block_bytes,
                    BatchGroup& group) noexcept;

// The same as Batch::contains on x86-64-v4, for remainders of 8 bits (x86/batch_v4.hpp). Where it exists it is compiled
// into the library.
template <class B>
inline constexpr bool kHasBatchV4 = false;
inline constexpr std::uint64_t kMaxBlocksV4 = 0xffffffff;  // so that products of them need no upper half
inline constexpr std::size_t kFewestV4 = 16;               // below, the batch of this file is as fast
template <class B, class Mode, class Hashes>
void contains_v4(const B& blocks, std::size_t count, const Hashes& hashes, std::uint8_t* out) noexcept;

template <class B, class Isa, class Mode>
class Batch {
  using P = Probe<B>;
  using L = typename B::Layout;

 public:
  explicit Batch(const B& blocks) noexcept
      : probe_(blocks), base_(blocks.data()), count_(blocks.count()), block_bytes_(blocks.block_bytes()) {}

  // Sets out[i] to contains(hashes(i)).
  template <class Hashes>
  void contains(std::size_t count, const Hashes& hashes, std::uint8_t* out) noexcept {
    Group* now = &groups_[0];
    Group* next = &groups_[1];
    now->size = std::min(kGroup, count);
    hash(*now, hashes, 0);
    for (std::size_t i = 0; i < now->size; ++i) prefetch_block(*now, i);
    for (std::size_t done = 0; done < count; done += next->size) {
      next->size = std::min(kGroup, count - done - now->size);
      hash(*next, hashes, done + now->size);
      std::uint64_t occupied = 0;
      for (std::size_t i = 0; i < next->size; ++i) {
        prefetch_block(*next, i);
        occupied = sieve(*now, i, occupied);
      }
      for (std::size_t i = next->size; i < now->size; ++i) occupied = sieve(*now, i, occupied);
      compare(*now, occupied, out + done);
      std::swap(now, next);
    }
  }

 private:
  using Group = BatchGroup;
  static constexpr std::size_t kGroup = kBatchGroup;

  TELESCOPE_ALWAYS_INLINE void hash(Group& group, const Xxh3Keys& keys, std::size_t first) const noexcept {
#if defined(__x86_64__)
    if (std::is_same_v<Isa, bits::V3> && group.size == kGroup && count_ <= kMaxBlocksInFours) {
      return place_in_fours(keys, first, count_, block_bytes(), group);
    }
#endif
    for (std::size_t i = 0; i < group.size; ++i) place(group, i, keys(first + i));
  }
  TELESCOPE_ALWAYS_INLINE void hash(Group& group, const AnyHashes& hashes, std::size_t first) const noexcept {
    std::array<Hash, kGroup> scratch;
    const Hash* const hashed = hashes.get(first, std::span(scratch).first(group.size));
    for (std::size_t i = 0; i < group.size; ++i) place(group, i, hashed[i]);
  }
  TELESCOPE_ALWAYS_INLINE void place(Group& group, std::size_t i, const Hash& hash) const noexcept {
    const QuotientPlace place = probe_.place(hash);
    group.position[i] = hash.position;
    group.fingerprint[i] = hash.fingerprint;
    group.block[i] = place.block * block_bytes();
    group.bit[i] = place.bit;
  }

  TELESCOPE_ALWAYS_INLINE std::uint64_t block_bytes() const noexcept {
    if constexpr (B::Adaptation::kWidth == bits::kAnyWidth)
      return block_bytes_;
    else
      return L().bytes();
  }
  const std::byte* block(const Group& group, std::size_t i) const noexcept { return base_ + group.block[i]; }

  TELESCOPE_ALWAYS_INLINE void prefetch_block(const Group& group, std::size_t i) const noexcept {
    TELESCOPE_PREFETCH(block(group, i));
    TELESCOPE_PREFETCH(block(group, i) + L::kHead);
  }

  // Appends the key, and counts it if its quotient is occupied: else the next one overwrites it.
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
      out[i] = static_cast<std::uint8_t>(probe_.template contains_in<Isa, Mode, P::Known::occupied>(
          block(group, i), static_cast<unsigned>(group.bit[i]), hash));
    }
  }

  const P probe_;
  const std::byte* base_;
  std::uint64_t count_;
  std::uint64_t block_bytes_;
  Group groups_[2];
  std::uint32_t occupied_[kGroup];  // keys of a group
};

}  // namespace telescope::inline v1::detail
