// The slow path of a query: runs that are long or lie in two blocks, and whatever takes a walk.
#pragma once

#include "telescope/detail/query/probe_mode.hpp"
#include "telescope/detail/query/run_compare.hpp"
#include "telescope/detail/query/runs.hpp"

namespace telescope::inline v1::detail {

template <class B>
class SlowProbe {
  using C = RunCompare<B>;
  using L = typename B::Layout;

 public:
  // Returns whether the query is in the run of an occupied quotient: for any offset, any length, any letter.
  TELESCOPE_NOINLINE static bool walk(const B& blocks, std::uint64_t quotient, Hash hash) noexcept {
    const Runs<B> runs(blocks);
    const Run run = runs.run_of(quotient);
    if constexpr (L::kCoded) {
      const std::uint64_t code = blocks.code(quotient / 64);
      const std::uint64_t start = runs.region_start(quotient / 64);
      const auto codec = blocks.adaptation().codec();
      const bool exceeds = codec.exceeds_candidates(code) != 0;
      for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
        const std::uint64_t stored = blocks.remainder(slot);
        if (!exceeds && !C::may_fit(blocks, stored, code, hash)) continue;
        const Letter letter =
            !C::has_letters(code) ? 0 : codec.letter_at(code, static_cast<std::uint32_t>(slot - start));
        if (!blocks.adaptation().fits(stored, letter, hash)) continue;
        if constexpr (kHasSlack<typename B::Adaptation>) {
          if (!C::passes_slack(code, slot - start, hash)) continue;
        }
        return true;
      }
    } else {
      for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
        Letter letter = 0;
        if constexpr (L::kRaw) letter = blocks.raw_letter(slot);
        if (blocks.adaptation().fits(blocks.remainder(slot), letter, hash)) return true;
      }
    }
    return false;
  }

  // The same where the run is long, lies in two blocks, or ends behind the window: then `length` is 63 or 64.
  // `read_head` is the head as the caller has read it; it is not read again, because the place of the run was computed
  // from it.
  template <class Isa, class Mode>
  TELESCOPE_NOINLINE static typename Mode::Answer contains_split(const B& blocks, Hash hash, std::uint64_t read_head,
                                                                 unsigned first, unsigned length) noexcept {
    using Answer = typename Mode::Answer;
    std::array<std::byte, 8> bytes;
    bits::store64(bytes.data(), read_head);
    const Head head{.at = bytes.data(), .read = Head::look(bytes.data())};
    const unsigned offset = head.offset();
    if (length > C::kMaxSplitRun || head.needs_slow_path() || first < offset) {
      if constexpr (std::is_same_v<Answer, Guess>) {
        return Guess::undecided;
      } else {
        return walk(blocks, bits::multiply_high(hash.position, blocks.slots()), hash);
      }
    }
    // A runend was found there, so the block of the run's end is one of the array, and no lap is to be gone.
    const std::uint64_t b = bits::multiply_high(hash.position, blocks.count()) + first / 64;
    const std::byte* const lane = blocks.data() + b * blocks.block_bytes() + L::kRemainders;
    return Answer(compare_split<Isa>(blocks, hash, lane, first % 64, length, head, first - offset));
  }

 private:
  using Head = typename C::Head;

  // The run is `length` slots from `first` of a lane on, the rest of them in the next block.
  template <class Isa>
  static bool compare_split(const B& blocks, const Hash& hash, const std::byte* lane, unsigned first, unsigned length,
                            const Head& head, unsigned index) noexcept {
    const std::byte* const next = lane + blocks.block_bytes();
    const unsigned here = std::min(length, 64 - first);
    if constexpr (C::kByteLanes) {
      std::array<std::byte, 2 * C::kMaxSplitRun> run;
      // Bytes from behind the lane are overwritten, or not compared.
      std::memcpy(run.data(), lane + first, C::kMaxSplitRun);
      if (here < length) std::memcpy(run.data() + here, next, C::kMaxSplitRun);
      for (unsigned i = 0; i < length; i += C::kFastLength) {
        const auto ones = static_cast<std::uint32_t>(bits::ones(std::min(length - i, C::kFastLength)));
        const std::uint32_t hits = C::template equal<Isa>(hash, run.data() + i, ones);
        if (hits != 0 && C::template matches_letter<Isa>(hash, run.data() + i, hits, head, index + i)) return true;
      }
      return false;
    } else {
      return C::compare_fields(blocks, hash, lane, first, here, head.code(), index) ||
             C::compare_fields(blocks, hash, next, 0, length - here, head.code(), index + here);
    }
  }
};

}  // namespace telescope::inline v1::detail
