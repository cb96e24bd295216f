// A frame with any number of readers and writers. Sees hashes only, and owns neither the frame nor the regions.
//
// Readers are optimistic (regions.hpp):
//
//   version --> probe --> version again: even and the same? --yes--> answer
//                                        no, or the run must be walked --> copy the run's blocks, look at the versions
//                                        again, walk in the copy; with saturated offsets, walk under the locks
//
// Writers lock all that they read and write (reach.hpp), plan, and make the versions odd to commit (gate.hpp).
#pragma once

#include "telescope/detail/block/block_copy.hpp"
#include "telescope/detail/concurrent/reach.hpp"
#include "telescope/detail/frame.hpp"

namespace telescope::inline v1::detail {

template <class A>
class ConcurrentFrame {
  using F = Frame<A>;
  using B = typename F::B;

 public:
  static TELESCOPE_ALWAYS_INLINE bool contains(const F& frame, const Regions& regions, const Hash& hash) noexcept {
    const QuotientPlace place = typename F::P(frame.blocks_).place(hash);
    const Version& version = regions.version(regions.region_of_home(place.block));
    // A version that is odd now will never be the even one below it again, so one comparison will do.
    const std::uint32_t even = version.load(std::memory_order_acquire) & ~std::uint32_t{1};
    const Guess answer = guess(frame, place, hash);
    if (TELESCOPE_UNLIKELY(answer == Guess::undecided)) return contains_with_copy(frame, regions, hash);
    bits::acquire_fence();
    if (TELESCOPE_UNLIKELY(version.load(std::memory_order_relaxed) != even)) {
      return contains_with_copy(frame, regions, hash);
    }
    return answer == Guess::yes;
  }

  // Probes in groups, between two loads of all their versions.
  static void contains_many(const F& frame, const Regions& regions, std::size_t count, const AnyHashes& hashes,
                            std::uint8_t* out) noexcept {
    std::array<std::uint32_t, kGroup> region, before;
    for (std::size_t done = 0; done < count; done += kGroup) {
      const std::size_t n = std::min(kGroup, count - done);
      // The version of each is loaded before it is probed.
      const auto look = [&](std::size_t first, std::span<Hash> scratch) {
        const Hash* const hashed = hashes.get(done + first, scratch);
        for (std::size_t i = 0; i < scratch.size(); ++i) {
          region[first + i] = static_cast<std::uint32_t>(regions.region_of_home(block_of(frame, hashed[i])));
          before[first + i] = regions.version(region[first + i]).load(std::memory_order_acquire);
        }
        return hashed;
      };
      guess_many(frame, n, AnyHashes(look), out + done);
      bits::acquire_fence();
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t moved = before[i] ^ regions.version(region[i]).load(std::memory_order_relaxed);
        if (TELESCOPE_UNLIKELY((moved | (before[i] & 1) | (out[done + i] & kUndecided)) != 0)) {
          out[done + i] = contains_with_copy(frame, regions, hashes(done + i));
        }
      }
    }
  }

  // `before_commit` is called when nothing else can fail, before the first bit moves; its error is the operation's.
  static Result<InsertReport> insert(F& frame, const Regions& regions, const Hash& hash, const MemberSource* source,
                                     FunctionRef<Status()> before_commit) noexcept {
    Reach reach(frame.blocks_, regions, frame.quotient(hash));
    const std::optional<Place> place = reach.for_insert(frame.size_);
    if (!place) return Error::full;
    return frame.insert_to(*place, hash, source, Gate(&regions, before_commit));
  }

  // As Frame::insert_many. Other writers may come in between any two.
  template <class HashOf>
  static BatchInsertReport insert_many(F& frame, const Regions& regions, std::size_t count, HashOf hash_of) noexcept {
    return frame.insert_many(count, hash_of, [&](const Hash& hash) {
      return insert(frame, regions, hash, nullptr, [] { return Status{}; });
    });
  }

  static Result<AdaptReport> adapt(F& frame, const Regions& regions, const Hash& query,
                                   const MemberSource& source) noexcept {
    Reach reach(frame.blocks_, regions, frame.quotient(query));
    reach.for_run();
    return frame.adapt(query, source, Gate(&regions));
  }

  static Result<EraseReport> erase(F& frame, const Regions& regions, const Hash& hash, const MemberSource& source,
                                   FunctionRef<Status()> before_commit) noexcept {
    Reach reach(frame.blocks_, regions, frame.quotient(hash));
    reach.for_erase();
    return frame.erase(hash, source, Gate(&regions, before_commit));
  }

  static std::uint64_t size(const F& frame) noexcept { return Gate::count(frame.size_); }

 private:
  static constexpr std::size_t kGroup = 256;
  static constexpr auto kUndecided = static_cast<std::uint32_t>(Guess::undecided);
  static_assert(kUndecided == 2);       // a bit of its own
  static constexpr int kMaxTries = 64;  // a writer that is at work this long has lost its processor: sleep

  static TELESCOPE_ALWAYS_INLINE std::uint64_t block_of(const F& frame, const Hash& hash) noexcept {
    return bits::multiply_high(hash.position, frame.blocks_.count());
  }

  static TELESCOPE_ALWAYS_INLINE Guess guess(const F& frame, const QuotientPlace& place, const Hash& hash) noexcept {
    [[maybe_unused]] const bits::IgnoreReads reads;
    if (TELESCOPE_UNLIKELY(!bits::has_fast())) return guess_portably(frame, hash);
    return typename F::P(frame.blocks_).template contains_at<bits::Fast, OptimisticProbe>(place, hash);
  }
  static TELESCOPE_NOINLINE Guess guess_portably(const F& frame, Hash hash) noexcept {
    return typename F::P(frame.blocks_).template contains<bits::Portable, OptimisticProbe>(hash);
  }

  static void guess_many(const F& frame, std::size_t count, const AnyHashes& hashes, std::uint8_t* out) noexcept {
    [[maybe_unused]] const bits::IgnoreReads reads;
    frame.guess_many(count, hashes, out);
  }

  static TELESCOPE_NOINLINE bool contains_with_copy(const F& frame, const Regions& regions, Hash hash) noexcept {
    using Copy = BlockCopy<A>;
    const std::uint64_t block = block_of(frame, hash);
    std::array<std::uint32_t, Copy::kBlocks> before;
    const auto version = [&](std::uint64_t i) -> const Version& {
      return regions.version(regions.region_of_home((block + i) % frame.blocks_.count()));
    };
    for (int tries = 0; tries < kMaxTries; ++tries) {
      bool moved = false;
      for (std::uint64_t i = 0; i < Copy::kBlocks; ++i) {
        before[i] = version(i).load(std::memory_order_acquire);
        moved |= before[i] % 2 != 0;
      }
      const Copy copy = [&] {
        [[maybe_unused]] const bits::IgnoreReads reads;
        return Copy(frame.blocks_, block);
      }();
      bits::acquire_fence();
      for (std::uint64_t i = 0; i < Copy::kBlocks; ++i) {
        moved |= before[i] != version(i).load(std::memory_order_relaxed);
      }
      if (!moved) {
        if (copy.saturated()) break;
        const std::uint64_t quotient = frame.quotient(hash) % 64;
        return copy.occupied(quotient) && SlowProbe<Copy>::walk(copy, quotient, hash);
      }
      bits::pause();
    }
    Reach reach(frame.blocks_, regions, frame.quotient(hash));
    reach.for_run();
    return frame.contains(hash);
  }
};

}  // namespace telescope::inline v1::detail
