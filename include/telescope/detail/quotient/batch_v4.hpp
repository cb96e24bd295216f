// Many queries on x86-64-v4: the probe of probe.hpp, for eight keys in one vector. For lanes of bytes.
//
// Groups of eight go through three stages, each some groups behind the one before:
//
//   hash      keys -> position, source -> block and bit; asks for the memory
//   locate    occupieds --rank below j--> d; the d-th runend from the region's start on lies in this block or the next
//   compare   the run's slots against what the query would have stored, and the letters of plain codes
//
// The stages are apart so that blocks have arrived when `locate` reads them, and because a select is pdep, which takes
// one word at a time: its eight stores must have left for the cache before a vector can load them.
//
// Lanes where the run lies in two blocks, is long, ends past the next block, comes round to the first one, or has a
// region that starts past the block, and hits under a code that is not plain are doubtful: the scalar probe answers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "telescope/detail/bits/v4.hpp"
#include "telescope/detail/codec/event_code_v4.hpp"
#include "telescope/detail/quotient/probe.hpp"

#if defined(TELESCOPE_HAS_V4)
// g++ 12 takes the undefined operands in its own intrinsics for mistakes.
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace telescope {
inline namespace v1 {
namespace detail {

template <class A, class L, class B, class Manner = CountNothing>
class BatchV4 {
  static constexpr bool kSelects = [] {
    if constexpr (L::kCoded) return A::kLetterMovesRemainder;
    return false;
  }();
  static constexpr bool kCodeIsRead = [] {
    if constexpr (kSelects) return std::is_same_v<typename A::Codec, EventCode<8>>;
    return true;
  }();

 public:
  static constexpr bool kExists = A::kWidth == 8 && !L::kRaw && kCodeIsRead;
  static constexpr std::uint64_t kMaxBlocks = 0xffffffff;  // so that products of them need no upper half
  static constexpr std::size_t kFewest = 8;                // below, single probes are faster

  explicit BatchV4(const B& blocks) noexcept
      : blocks_(blocks), base_(blocks.data()), count_(blocks.count()), last_((count_ - 1) * L::kBytes) {}

  // out[i] = contains(hash_of(i)). A hash_of that has eight() is asked for eight at once.
  template <class HashOf>
  TELESCOPE_V4 TELESCOPE_NOINLINE void contains(std::size_t count, const HashOf& hash_of, std::uint8_t* out) noexcept {
    using bits::v4::Lanes;
    const std::size_t groups = (count + 7) / 8;
    const auto tail = static_cast<Lanes>(0xffu >> (-count & 7));
    for (std::size_t step = 0; step < groups + kLead + kLag;) {
      if constexpr (!kHashesEight<HashOf>) fill(8 * step, std::min(count, 8 * (step + kRound)), hash_of);
      std::uint64_t doubtful = 0;
      const std::size_t begin = step;
      for (const std::size_t end = step + kRound; step < end; ++step) {
        if (step < groups) hash(8 * step, step + 1 == groups ? tail : bits::v4::kAll, hash_of);
        if (step - kLead < groups) locate(group(step - kLead));
        if (const std::size_t g = step - kLead - kLag; g < groups) {
          doubtful |= std::uint64_t{compare(8 * g, g + 1 == groups ? tail : bits::v4::kAll, out)} << 8 * (step - begin);
        }
      }
      if (doubtful != 0) resolve(doubtful, 8 * (begin - kLead - kLag), out);
    }
  }

 private:
  using Eight = bits::v4::Eight;
  using Words = std::array<std::uint64_t, 8>;

  // Leads of 3 to 7 are alike; 11 and more crowd the first cache, 2 and less are late for large filters.
  static constexpr std::size_t kLead = 5;   // groups from hash to locate
  static constexpr std::size_t kLag = 1;    // and on to compare
  static constexpr std::size_t kRound = 8;  // groups between two looks at the doubtful: a bit for each of their keys
  static constexpr std::size_t kGroups = std::bit_ceil(kLead + kLag + kRound);
  static constexpr unsigned kSlots = kSelects ? 4 : 8;  // of a run, that are compared
  static constexpr unsigned kLikelyShift = 12;  // of a run behind its quotient: 8 to 16 are alike at a load of .95

  template <class HashOf>
  static constexpr bool kHashesEight = requires(const HashOf& h) {
    h.eight(std::size_t{}, bits::v4::Lanes{});
  };

  struct alignas(64) Group {
    Words position, source;
    Words block;    // where it lies, in bytes
    Words j;        // the quotient's bit in it
    Words head;     // of the block: offset and code
    Words window;   // runends of the block from the region's start on, or of the next block
    Words end_bit;  // the run's own in the window
    bits::v4::Lanes occupied;
    bits::v4::Lanes beyond;  // the window is that of the next block
    bits::v4::Lanes closed;  // a run ends in the block's last slot
    bits::v4::Lanes wraps;   // the next block is the first
  };
  Group& group(std::size_t g) noexcept { return groups_[g % kGroups]; }

  // Hashes [from, to) one by one, for those who cannot do better. Out of line: hash_of is not made for this target.
  template <class HashOf>
  TELESCOPE_NOINLINE void fill(std::size_t from, std::size_t to, const HashOf& hash_of) noexcept {
    for (std::size_t i = from; i < to; ++i) {
      const Hash hash = hash_of(i);
      group(i / 8).position[i % 8] = hash.position;
      group(i / 8).source[i % 8] = hash.source;
    }
    for (std::size_t i = to; i % 8 != 0; ++i) group(i / 8).position[i % 8] = group(i / 8).source[i % 8] = 0;
  }

  template <class HashOf>
  TELESCOPE_V4_INLINE void hash(std::size_t at, bits::v4::Lanes lanes, const HashOf& hash_of) noexcept {
    using namespace bits::v4;
    Group& g = group(at / 8);
    if constexpr (kHashesEight<HashOf>) {
      const auto hashes = hash_of.eight(at, lanes);
      store(g.position.data(), hashes.position);
      store(g.source.data(), hashes.source);
    }
    const Eight position = load(g.position.data());
    // P x blocks = block . bit . rest
    const Eight low = _mm512_mul_epu32(position, each(count_));
    const Eight high =
        _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(position, 32), each(count_)), _mm512_srli_epi64(low, 32));
    const Eight block = _mm512_mul_epu32(_mm512_srli_epi64(high, 32), each(L::kBytes));
    const Eight j = _mm512_and_si512(_mm512_srli_epi64(high, 26), each(63));
    store(g.block.data(), block);
    store(g.j.data(), j);
    store(g.window.data(), _mm512_add_epi64(_mm512_add_epi64(block, j), each(L::kRemainders + kLikelyShift)));
    for (unsigned i = 0; i < 8; ++i) {
      TELESCOPE_PREFETCH(base_ + g.block[i]);
      TELESCOPE_PREFETCH(base_ + g.block[i] + L::kHead);
      TELESCOPE_PREFETCH(base_ + g.window[i]);
    }
  }

  // The first 32 bytes of two blocks.
  TELESCOPE_V4_INLINE Eight two(std::uint64_t a, std::uint64_t b) const noexcept {
    const auto* const first = reinterpret_cast<const __m256i*>(base_ + a);
    const auto* const second = reinterpret_cast<const __m256i*>(base_ + b);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(first)), _mm256_loadu_si256(second), 1);
  }

  TELESCOPE_V4_INLINE void locate(Group& g) const noexcept {
    using namespace bits::v4;
    // Rows to columns.
    static_assert(L::kRunends == 0 && L::kOccupieds == 8 && L::kHead == 16);
    const Eight r02 = two(g.block[0], g.block[2]), r13 = two(g.block[1], g.block[3]);
    const Eight r46 = two(g.block[4], g.block[6]), r57 = two(g.block[5], g.block[7]);
    const Eight even_low = _mm512_unpacklo_epi64(r02, r13), even_high = _mm512_unpacklo_epi64(r46, r57);
    const Eight odd_low = _mm512_unpackhi_epi64(r02, r13), odd_high = _mm512_unpackhi_epi64(r46, r57);
    const Eight runends = _mm512_shuffle_i64x2(even_low, even_high, 0x88);
    const Eight occupieds = _mm512_shuffle_i64x2(odd_low, odd_high, 0x88);
    const Eight head = _mm512_shuffle_i64x2(even_low, even_high, 0xdd);

    const Eight block = load(g.block.data());
    const Eight j = load(g.j.data());
    const Eight rank = popcount(_mm512_andnot_si512(ones_from(j), occupieds));
    const Eight here = _mm512_and_si512(runends, ones_from(_mm512_and_si512(head, each(0xff))));
    const Eight ends = popcount(here);
    const Lanes occupied = _mm512_test_epi64_mask(occupieds, _mm512_sllv_epi64(each(1), j));
    const Lanes beyond = _mm512_mask_cmpge_epu64_mask(occupied, rank, ends);
    const Lanes wraps = _mm512_mask_cmpeq_epu64_mask(beyond, block, each(last_));
    const Eight window = gather(without(beyond, wraps), base_ + L::kBytes + L::kRunends, block, here);
    const Eight left = _mm512_mask_sub_epi64(rank, beyond, rank, ends);
    store(g.head.data(), head);
    store(g.window.data(), window);
    store(g.end_bit.data(), _mm512_sllv_epi64(each(1), left));
    g.occupied = occupied;
    g.beyond = beyond;
    g.closed = _mm512_movepi64_mask(runends);
    g.wraps = wraps;
    for (unsigned i = 0; i < 8; ++i) g.end_bit[i] = _pdep_u64(g.end_bit[i], g.window[i]);
  }

  // The run is slots [first, first + more], counted from the block's own. Lanes without a run are in neither mask.
  struct EightRuns {
    Eight first, more;
    bits::v4::Lanes simple;  // in one block, and no longer than a comparison
    bits::v4::Lanes slow;
  };
  TELESCOPE_V4_INLINE static EightRuns runs_of(const Group& g) noexcept {
    using namespace bits::v4;
    const Eight ones = each(~std::uint64_t{0});
    const Eight head = load(g.head.data());
    const Eight end_bit = load(g.end_bit.data());
    const Eight below = _mm512_and_si512(load(g.window.data()), _mm512_add_epi64(end_bit, ones));
    const Eight base = _mm512_maskz_mov_epi64(g.beyond, each(64));
    const Eight last = _mm512_sub_epi64(_mm512_add_epi64(base, each(63)), _mm512_lzcnt_epi64(end_bit));
    const Eight after = _mm512_sub_epi64(_mm512_add_epi64(base, each(64)), _mm512_lzcnt_epi64(below));
    const Eight home = _mm512_max_epu32(load(g.j.data()), _mm512_and_si512(head, each(0xff)));
    const Eight first = _mm512_max_epu32(home, after);
    const Eight more = _mm512_sub_epi64(last, first);  // below zero if the run ends past the next block

    // A run that ends first in the next block starts there only if one ends in this block's last slot.
    const Lanes crosses = _mm512_mask_testn_epi64_mask(without(g.beyond, g.closed), below, below);
    Eight odd = _mm512_and_si512(more, each(~std::uint64_t{kSlots - 1}));
    if constexpr (kSelects) {
      // Offsets past 63, and tall codes: a full first byte carries into bit 16.
      const Eight carry = _mm512_add_epi64(_mm512_and_si512(head, each(0xffff)), each(0x100));
      odd = _mm512_or_si512(odd, _mm512_and_si512(carry, each(0x100c0)));
    } else {
      odd = _mm512_or_si512(odd, _mm512_and_si512(head, each(0xc0)));
    }
    const auto slow = static_cast<Lanes>(g.occupied & (g.wraps | crosses | _mm512_test_epi64_mask(odd, odd)));
    return {.first = first, .more = more, .simple = without(g.occupied, slow), .slow = slow};
  }

  struct Answers {
    bits::v4::Lanes yes, doubtful;
  };
  // Answers the eight from `at` on, but for those that it says are doubtful.
  TELESCOPE_V4_INLINE bits::v4::Lanes compare(std::size_t at, bits::v4::Lanes lanes, std::uint8_t* out) noexcept {
    using namespace bits::v4;
    const Group& g = group(at / 8);
    const EightRuns runs = runs_of(g);
    const Eight where = _mm512_add_epi64(load(g.block.data()), runs.first);
    const Eight slots = gather(runs.simple, base_ + L::kRemainders,
                               _mm512_mask_add_epi64(where, g.beyond, where, each(L::kBytes - 64)), where);
    const Answers answers = kSelects ? match_candidates(g, runs, slots) : match_equals(g, runs, slots);
    _mm_mask_storeu_epi8(out + at, lanes, _mm_maskz_set1_epi8(answers.yes, 1));
    return static_cast<Lanes>((answers.doubtful | runs.slow) & lanes);
  }

  // Each of four slots against all the candidates. A hit counts if the slot's letter chose it.
  TELESCOPE_V4_INLINE static Answers match_candidates(const Group& g, const EightRuns& runs, Eight slots) noexcept {
    using namespace bits::v4;
    static_assert(kCandidates<8> == 8);
    const Eight ones = each(~std::uint64_t{0});
    const Eight source = load(g.source.data());
    Eight differ[4];  // byte k of [i] is zero where slot i is candidate k; none is, behind the run
    Eight left = runs.more;
    Lanes in_run = runs.simple;
    for (unsigned i = 0; i < 4; ++i) {
      differ[i] = _mm512_mask_xor_epi64(ones, in_run, source, spread_byte(slots, i));
      in_run = _mm512_mask_test_epi64_mask(in_run, left, left);
      left = _mm512_add_epi64(left, ones);
    }
    const Eight any = _mm512_min_epu8(_mm512_min_epu8(differ[0], differ[1]), _mm512_min_epu8(differ[2], differ[3]));
    const Lanes hits = has_zero_byte(any);
    const Eight head = load(g.head.data());
    const Eight code = _mm512_srli_epi64(head, 8);
    const Lanes plain = event::are_plain(code);
    // Most runs are without letters, and then only r_0 counts.
    Lanes yes = _mm512_mask_testn_epi64_mask(plain, any, each(0xff));
    event::EightPlain letters(code, _mm512_sub_epi64(runs.first, _mm512_and_si512(head, each(0xff))));
    if (TELESCOPE_UNLIKELY((plain & hits & letters.are_near()) != 0)) {
      yes = 0;
      for (unsigned i = 0; i < 4; ++i) {
        const Eight chosen = _mm512_srlv_epi64(differ[i], letters.next());
        yes |= _mm512_mask_testn_epi64_mask(plain, chosen, each(0xff));
      }
    }
    return {.yes = yes, .doubtful = without(hits, plain)};
  }

  // Eight slots against the only remainder.
  TELESCOPE_V4_INLINE static Answers match_equals(const Group& g, const EightRuns& runs, Eight slots) noexcept {
    using namespace bits::v4;
    const Eight behind = _mm512_sllv_epi64(each(~std::uint64_t{0xff}), _mm512_slli_epi64(runs.more, 3));
    const Eight differ = _mm512_or_si512(_mm512_xor_si512(spread_byte(load(g.source.data()), 0), slots), behind);
    const Lanes hits = has_zero_byte(_mm512_mask_mov_epi64(each(~std::uint64_t{0}), runs.simple, differ));
    if constexpr (!L::kCoded) return {.yes = hits, .doubtful = 0};
    const Lanes lettered = _mm512_test_epi64_mask(load(g.head.data()), each(~std::uint64_t{0xff}));
    return {.yes = without(hits, lettered), .doubtful = static_cast<Lanes>(hits & lettered)};
  }

  // Bit i: the key from + i. Their blocks are in the cache by now.
  TELESCOPE_NOINLINE void resolve(std::uint64_t doubtful, std::size_t from, std::uint8_t* out) noexcept {
    const Probe<A, L, B> probe(blocks_);
    Manner manner;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const std::size_t at = from + bits::lowest(doubtful);
      const Group& g = group(at / 8);
      const auto answer = probe.template contains<bits::Fast>({g.position[at % 8], g.source[at % 8]}, manner);
      out[at] = static_cast<std::uint8_t>(answer);
    }
  }

  const B& blocks_;
  const std::byte* base_;
  std::uint64_t count_;
  std::uint64_t last_;  // where the last block lies
  std::array<Group, kGroups> groups_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
