// Many queries on x86-64-v4: the probe of probe.hpp, for eight keys in one vector. For lanes of bytes.
//
// Keys go through stages in groups of eight:
//
//   hash      key -> position, fingerprint
//   place     position -> block and bit; prefetches the block's metadata
//   sieve     keeps the keys whose quotient is occupied, and packs them into groups anew
//   ask       prefetches the remainders, where they most likely are
//   rank      occupieds --rank below the bit--> d, and whether the d-th runend is here or in the next block
//   select    the d-th runend from the region's start on
//   locate    the run's slots; prefetches them, if the guess was wrong
//   compare   the slots against what the query would have stored
//
// A round of groups lies between place and sieve, sieve and ask, ask and rank, so that the prefetches have arrived. The
// other stages follow each other by a group, and later stages come before earlier ones. The stages are short because
// the instructions of one depend on each other, and out-of-order execution reaches only as far as its window. Half as
// many stages were 6 % slower, 15 % in cache, and the other order 4 %. Also, a select is pdep, which takes one word at
// a time: its eight stores must have left for the cache before a vector can load them. At a load of .95 two in five
// negatives end at the sieve. We avoid gathers: with the microcode mitigation of Downfall (GDS) a gather costs about 30
// instructions and blocks out-of-order execution.
//
// The scalar probe answers the doubtful lanes: where the run lies in two blocks, is long, ends past the next block or
// wraps to the first one, where its region starts past the block. Hits of a filter with codes are looked at one by one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "telescope/detail/query/batch.hpp"
#include "telescope/detail/x86/v4.hpp"
#include "telescope/detail/x86/xxh3_vectors.hpp"

#if defined(TELESCOPE_HAS_V4)
// g++ 12 warns of the undefined operands in its own intrinsics.
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace telescope::inline v1::detail {

template <class B, class Mode>
class BatchV4 {
  using A = typename B::Adaptation;
  using L = typename B::Layout;
  static constexpr bool kSelects = RunCompare<B>::kSelects;

 public:
  explicit BatchV4(const B& blocks) noexcept : blocks_(blocks), base_(blocks.data()), count_(blocks.count()) {}

  // Sets out[i] to contains(hashes(i)).
  template <class Hashes>
  TELESCOPE_V4 TELESCOPE_NOINLINE void contains(std::size_t count, const Hashes& hashes, std::uint8_t* out) noexcept {
    const std::size_t groups = count / 8;
    const std::size_t rounds = (groups + kRound - 1) / kRound;
    std::memset(out, 0, 8 * groups);
    List* filling = &lists_[0];    // the sieve fills it with keys of the round before
    List* asking = &lists_[1];     // has keys of two rounds before
    List* answering = &lists_[2];  // has keys of three rounds before
    std::size_t searches = 0;      // the number of groups that have reached rank
    for (std::size_t round = 0; round < rounds + 3; ++round) {
      round <= rounds ? carry_remainder(*asking, *filling) : pad_group(*asking);
      std::size_t filled = round <= rounds ? filling->size : 0;
      const std::size_t asked = asking->size / 8, answered = answering->size / 8;
      for (std::size_t i = 0; i < std::max(kRound, std::max(asked, answered)); ++i) {
        const std::size_t g = round * kRound + i;
        if (i < kRound && g - 1 < groups) place(g - 1);
        if (i < kRound && g < groups) hash(g, hashes);
        if (i < kRound && g - kRound < groups) filled += sieve(g - kRound, *filling, filled);
        if (i < asked) ask(*asking, 8 * i);
        if (i < answered) {
          advance_stages(searches, out);
          rank(*answering, 8 * i, searches++);
        }
      }
      filling->size = filled;
      if (doubts_ >= kResolveAt) resolve(hashes, out);
      std::swap(filling, answering);
      std::swap(answering, asking);
    }
    if (searches > 0) finish(searches, out);
    for (std::size_t i = 8 * groups; i < count; ++i) doubtful_[doubts_++] = i << 8;
    resolve(hashes, out);
  }

 private:
  using Eight = bits::v4::Eight;
  using Lanes = bits::v4::Lanes;
  using Words = std::array<std::uint64_t, 8>;

  // The number of groups in a round. 3 are as good; 6 and more crowd the first-level cache, 2 are late for large
  // filters.
  static constexpr std::size_t kRound = 4;
  static constexpr std::size_t kGroups = std::bit_ceil(kRound + 1);
  static constexpr std::size_t kResolveAt = 4;  // doubts; fewer wait, so that the branch is rarely mispredicted
  static constexpr std::size_t kFewHits = 3;    // of eight keys
  // The slots of a run that are compared. At a load of .95 one run in forty is longer than 4, one in 250 than 5.
  static constexpr unsigned kSlots = kSelects ? 2 * bits::v4::kSpreads : 8;
  static constexpr unsigned kRow = 32;  // the first bytes of a block, read at once: all of its metadata
  static constexpr unsigned kLikelyShift =
      12;  // how far a run lies behind its quotient: 8 to 16 are alike at a load of .95

  struct alignas(64) Group {
    Words position, fingerprint;
    Words block;  // its offset in bytes
    Words bit;    // the quotient in the block
  };
  // The keys whose quotient is occupied, in order.
  struct alignas(64) List {
    static constexpr std::size_t kMost = 8 * kRound + 7;
    std::uint64_t fingerprint[kMost + 9], block[kMost + 9];
    std::uint64_t tag[kMost + 9];  // the key's index x 256 + its slack bit x 128 + its bit
    std::size_t size = 0;
  };
  struct alignas(64) Search {
    Words fingerprint, block, tag;  // as in a list
    Words head;                     // of the block: offset and code
    Words window;                   // runends of the block from the region's start on, or of the next block
    Words window_at;
    Words end_bit;  // the run's own in the window
    Words first;    // slot of the run, counted from the block's own
    Words length;
    Words slots_at;
    Lanes beyond;  // the window is that of the next block
    Lanes closed;  // a run ends in the block's last slot
    Lanes simple;  // the run is in one block, and no longer than a comparison
  };
  Search& search(std::size_t number) noexcept { return searches_[number % 4]; }

  // Moves the keys of an incomplete last group to the other list, where they come before the next keys.
  TELESCOPE_V4_INLINE static void carry_remainder(List& from, List& to) noexcept {
    using namespace bits::v4;
    to.size = from.size % 8;
    from.size -= to.size;
    store_anywhere(to.fingerprint, load_anywhere(from.fingerprint + from.size));
    store_anywhere(to.block, load_anywhere(from.block + from.size));
    store_anywhere(to.tag, load_anywhere(from.tag + from.size));
  }
  // Completes the last group with copies of a key that has its answer already: it gets the same again.
  TELESCOPE_V4_INLINE static void pad_group(List& list) noexcept {
    using namespace bits::v4;
    store_anywhere(list.fingerprint + list.size, each(list.fingerprint[0]));
    store_anywhere(list.block + list.size, each(list.block[0]));
    store_anywhere(list.tag + list.size, each(list.tag[0]));
    list.size = (list.size + 7) / 8 * 8;
  }

  TELESCOPE_V4_INLINE void hash(std::size_t number, const Xxh3Keys& keys) noexcept {
    Group& g = groups_[number % kGroups];
    const auto hashes = hash_eight(keys, 8 * number);
    bits::v4::store(g.position.data(), hashes.position);
    bits::v4::store(g.fingerprint.data(), hashes.fingerprint);
  }
  TELESCOPE_V4_INLINE void hash(std::size_t number, const AnyHashes& hashes) noexcept {
    hash_each(8 * number, groups_[number % kGroups], hashes);
  }
  // Out of line, because the function that fills the hashes is not compiled for this target.
  TELESCOPE_NOINLINE static void hash_each(std::size_t first, Group& g, const AnyHashes& hashes) noexcept {
    std::array<Hash, 8> scratch;
    const Hash* const hashed = hashes.get(first, scratch);
    for (std::size_t i = 0; i < 8; ++i) {
      g.position[i] = hashed[i].position;
      g.fingerprint[i] = hashed[i].fingerprint;
    }
  }

  TELESCOPE_V4_INLINE void place(std::size_t number) noexcept {
    using namespace bits::v4;
    Group& g = groups_[number % kGroups];
    // P x blocks = block . bit . rest
    const Eight position = load(g.position.data());
    const Eight low = _mm512_mul_epu32(position, each(count_));
    const Eight high =
        _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(position, 32), each(count_)), _mm512_srli_epi64(low, 32));
    store(g.block.data(), _mm512_mul_epu32(_mm512_srli_epi64(high, 32), each(L(8).bytes())));
    store(g.bit.data(), _mm512_and_si512(_mm512_srli_epi64(high, 26), each(63)));
    for (unsigned i = 0; i < 8; ++i) {
      TELESCOPE_PREFETCH(base_ + g.block[i]);
      TELESCOPE_PREFETCH(base_ + g.block[i] + kRow - 1);
    }
  }

  // Appends keys to the first `size` of the list, and returns how many.
  TELESCOPE_V4_INLINE std::size_t sieve(std::size_t number, List& list, std::size_t size) const noexcept {
    using namespace bits::v4;
    const Group& g = groups_[number % kGroups];
    const Eight bit = load(g.bit.data());
    const Eight occupieds = load_each(base_ + L::kOccupieds, g.block.data());
    const Lanes occupied = _mm512_test_epi64_mask(_mm512_srlv_epi64(occupieds, bit), each(1));
    Eight tag = _mm512_add_epi64(_mm512_add_epi64(each(number << 11), load(kTagSteps.data())), bit);
    if constexpr (kSelects) {
      static_assert(slack_bit(Hash{.position = 1}) == 1 && slack_bit(Hash{.position = ~std::uint64_t{1}}) == 0);
      const Eight position = load(g.position.data());
      tag = _mm512_or_si512(tag, _mm512_slli_epi64(_mm512_and_si512(position, each(1)), 7));
    }
    store_anywhere(list.fingerprint + size, _mm512_maskz_compress_epi64(occupied, load(g.fingerprint.data())));
    store_anywhere(list.block + size, _mm512_maskz_compress_epi64(occupied, load(g.block.data())));
    store_anywhere(list.tag + size, _mm512_maskz_compress_epi64(occupied, tag));
    return bits::v4::count(occupied);
  }

  TELESCOPE_V4_INLINE static Eight bits_of(const std::uint64_t* tags) noexcept {
    return _mm512_and_si512(bits::v4::load(tags), bits::v4::each(63));
  }

  TELESCOPE_V4_INLINE void ask(const List& list, std::size_t at) noexcept {
    alignas(64) Words where;
    bits::v4::store(where.data(), _mm512_add_epi64(bits::v4::load(list.block + at), bits_of(list.tag + at)));
    for (unsigned i = 0; i < 8; ++i) TELESCOPE_PREFETCH(base_ + where[i] + L::kRemainders + kLikelyShift);
  }

  // Returns the first bytes of two blocks.
  TELESCOPE_V4_INLINE Eight two(std::uint64_t a, std::uint64_t b) const noexcept {
    const auto* const first = reinterpret_cast<const __m256i*>(base_ + a);
    const auto* const second = reinterpret_cast<const __m256i*>(base_ + b);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(first)), _mm256_loadu_si256(second), 1);
  }

  TELESCOPE_V4_INLINE void rank(const List& list, std::size_t at, std::size_t number) noexcept {
    using namespace bits::v4;
    Search& s = search(number);
    // Rows to columns.
    static_assert(L::kRunends == 0 && L::kOccupieds == 8 && L::kHead == 16);
    const std::uint64_t* const b = list.block + at;
    const Eight r02 = two(b[0], b[2]), r13 = two(b[1], b[3]);
    const Eight r46 = two(b[4], b[6]), r57 = two(b[5], b[7]);
    const Eight even_low = _mm512_unpacklo_epi64(r02, r13), even_high = _mm512_unpacklo_epi64(r46, r57);
    const Eight odd_low = _mm512_unpackhi_epi64(r02, r13), odd_high = _mm512_unpackhi_epi64(r46, r57);
    const Eight runends = _mm512_shuffle_i64x2(even_low, even_high, 0x88);
    const Eight occupieds = _mm512_shuffle_i64x2(odd_low, odd_high, 0x88);
    const Eight head = _mm512_shuffle_i64x2(even_low, even_high, 0xdd);

    const Eight block = load(b), tag = load(list.tag + at);
    const Eight rank = popcount(_mm512_andnot_si512(ones_from(_mm512_and_si512(tag, each(63))), occupieds));
    const Eight here = _mm512_and_si512(runends, ones_from(_mm512_and_si512(head, each(0xff))));
    const Eight ends = popcount(here);
    const Lanes beyond = _mm512_cmpge_epu64_mask(rank, ends);
    store(s.fingerprint.data(), load(list.fingerprint + at));
    store(s.block.data(), block);
    store(s.tag.data(), tag);
    store(s.head.data(), head);
    store(s.window.data(), here);
    store(s.end_bit.data(), _mm512_sllv_epi64(each(1), _mm512_mask_sub_epi64(rank, beyond, rank, ends)));
    // The window is here, or in the next block; behind the last one there are zeros, and so no run.
    const Eight own = _mm512_add_epi64(each(address_of(s.window.data())), load(kWordsApart.data()));
    store(s.window_at.data(), _mm512_mask_add_epi64(own, beyond, block, each(next_runends_)));
    s.beyond = beyond;
    s.closed = _mm512_movepi64_mask(runends);
  }

  // Takes each of the three searches before `number` one stage further.
  TELESCOPE_V4_INLINE void advance_stages(std::size_t number, std::uint8_t* out) noexcept {
    if (number >= 1) select(number - 1);
    if (number >= 2) locate(number - 2);
    if (number >= 3) compare(number - 3, out);
  }
  // Takes the searches that are left to their end.
  TELESCOPE_V4_INLINE void finish(std::size_t count, std::uint8_t* out) noexcept {
    advance_stages(count, out);
    locate(count - 1);
    if (count >= 2) compare(count - 2, out);
    compare(count - 1, out);
  }

  TELESCOPE_V4_INLINE void select(std::size_t number) noexcept {
    Search& s = search(number);
    for (unsigned i = 0; i < 8; ++i) {
      s.window[i] = bits::load64(reinterpret_cast<const std::byte*>(s.window_at[i]));
      s.end_bit[i] = _pdep_u64(s.end_bit[i], s.window[i]);
    }
  }

  TELESCOPE_V4_INLINE void locate(std::size_t number) noexcept {
    using namespace bits::v4;
    Search& s = search(number);
    const Eight head = load(s.head.data());
    const Eight end_bit = load(s.end_bit.data());
    const Eight below = _mm512_and_si512(load(s.window.data()), _mm512_add_epi64(end_bit, each(~std::uint64_t{0})));
    const Eight top = _mm512_mask_mov_epi64(each(64), s.beyond, each(128));
    const Eight after = _mm512_sub_epi64(top, _mm512_lzcnt_epi64(below));
    const Eight home = _mm512_max_epu32(bits_of(s.tag.data()), _mm512_and_si512(head, each(0xff)));
    const Eight first = _mm512_max_epu32(home, after);
    // Zero or negative if the run ends past the next block.
    const Eight length = _mm512_sub_epi64(_mm512_sub_epi64(top, _mm512_lzcnt_epi64(end_bit)), first);

    // A run that ends first in the next block starts there only if one ends in this block's last slot.
    const Lanes crosses = _mm512_mask_testn_epi64_mask(without(s.beyond, s.closed), below, below);
    Eight odd = head;
    if constexpr (kSelects) {
      // Offsets past 63, and codes that exceed the candidates: a full first byte carries into bit 16.
      odd = _mm512_add_epi64(_mm512_and_si512(head, each(0xffff)), each(0x100));
    }
    const Lanes even = _mm512_testn_epi64_mask(odd, each(kSelects ? 0x100c0 : 0xc0));
    const Lanes some = _mm512_mask_test_epi64_mask(without(even, crosses), length, length);
    const Lanes simple = _mm512_mask_cmple_epu64_mask(some, length, each(kSlots));
    const Eight block = load(s.block.data());
    const Eight slot = _mm512_mask_add_epi64(first, s.beyond, first, each(L(8).bytes() - 64));
    store(s.slots_at.data(), _mm512_mask_add_epi64(block, simple, block, slot));
    store(s.first.data(), first);
    store(s.length.data(), length);
    s.simple = simple;
    for (unsigned i = 0; i < 8; ++i) TELESCOPE_PREFETCH(base_ + L::kRemainders + s.slots_at[i]);
  }

  struct Answers {
    Lanes yes, doubtful;
  };
  TELESCOPE_V4_INLINE void compare(std::size_t number, std::uint8_t* out) noexcept {
    using namespace bits::v4;
    const Search& s = search(number);
    const Eight slots = load_each(base_ + L::kRemainders, s.slots_at.data());
    Answers answers;
    if constexpr (kSelects) {
      answers = match_candidates(s, slots);
    } else {
      answers = match_equals(s, slots);
    }
    const auto doubtful = static_cast<Lanes>(answers.doubtful | ~s.simple);
    store_anywhere(doubtful_ + doubts_, _mm512_maskz_compress_epi64(doubtful, load(s.tag.data())));
    doubts_ += bits::v4::count(doubtful);
    if (answers.yes != 0) record_hits(answers.yes, s.tag.data(), out);
  }

  // Sets out[] of the lanes to 1; where the eight keys are in a row, at once.
  TELESCOPE_V4_INLINE static void record_hits(Lanes yes, const std::uint64_t* tags, std::uint8_t* out) noexcept {
    if (tags[7] / 256 == tags[0] / 256 + 7) {
      const __m128i bytes = _mm_maskz_set1_epi8(yes, 1);
      std::memcpy(out + tags[0] / 256, &bytes, 8);
    } else {
      for (unsigned left = yes; left != 0; left &= left - 1) out[tags[bits::countr_zero(left)] / 256] = 1;
    }
  }

  // Compares each slot with all the candidates. Answers for lanes that are not simple are overwritten by the scalar
  // probe.
  TELESCOPE_V4_INLINE Answers match_candidates(const Search& s, Eight slots) const noexcept {
    using namespace bits::v4;
    const Eight fingerprint = twice_lower(load(s.fingerprint.data()));
    const Eight length = twice_lower(load(s.length.data()));
    static_assert(A::Codec::candidates() == 4);
    // Byte k of half h of a word is zero where slot 2 i + h is candidate k for some i; none is, behind the run.
    Eight any = each(~std::uint64_t{0});
    for (unsigned i = 0; i < kSpreads; ++i) {
      const Eight two = each(std::uint64_t{2 * i + 1} << 32 | 2 * i);
      const __mmask16 in_run = _mm512_cmpgt_epu32_mask(length, two);
      const Eight differ = _mm512_mask_xor_epi32(each(~std::uint64_t{0}), in_run, fingerprint, spread_two(slots, i));
      any = _mm512_min_epu8(any, differ);
    }
    any = _mm512_min_epu8(any, swap_halves(any));
    // Without letters only r_0 counts.
    const Lanes lettered = _mm512_test_epi64_mask(load(s.head.data()), each(A::Codec::kLetterBits << 8));
    const Lanes by_first = _mm512_testn_epi64_mask(any, each(0xff));
    const auto hits = static_cast<Lanes>(((has_zero_byte(any) & lettered) | without(by_first, lettered)) & s.simple);
    // Negatives hit rarely, and then the scalar probe answers; a jump for each of them would be mispredicted.
    if (TELESCOPE_LIKELY(bits::v4::count(hits) < kFewHits)) return {.yes = 0, .doubtful = hits};
    unsigned yes = 0;
    for (unsigned left = hits; left != 0; left &= left - 1) {
      yes |= unsigned{is_match(s, bits::countr_zero(left))} << bits::countr_zero(left);
    }
    return {.yes = static_cast<Lanes>(yes), .doubtful = 0};
  }

  // Answers a key that hits a slot of a simple run: by letters and slack. Out of line, as hash_each() is.
  TELESCOPE_NOINLINE bool is_match(const Search& s, unsigned lane) const noexcept {
    using C = RunCompare<B>;
    std::array<std::byte, 8> bytes;
    bits::store64(bytes.data(), s.head[lane]);
    const typename C::Head head{.at = bytes.data(), .read = C::Head::look(bytes.data())};
    const Hash hash{.position = s.tag[lane] >> 7 & 1, .fingerprint = s.fingerprint[lane]};
    const std::byte* const p = base_ + L::kRemainders + s.slots_at[lane];
    const auto first = static_cast<unsigned>(s.first[lane]), length = static_cast<unsigned>(s.length[lane]);
    for (unsigned i = 0; i < length; i += C::kFastLength) {
      const auto ones = static_cast<std::uint32_t>(bits::ones(std::min(length - i, C::kFastLength)));
      const std::uint32_t hits = C::template equal<bits::Fast>(hash, p + i, ones);
      const unsigned index = (first - head.offset() + i) % (2 * kBlockSlots);
      if (hits != 0 && C::template matches_letter<bits::Fast>(hash, p + i, hits, head, index)) return true;
    }
    return false;
  }

  // Compares eight slots with the only remainder.
  TELESCOPE_V4_INLINE Answers match_equals(const Search& s, Eight slots) const noexcept {
    using namespace bits::v4;
    const Eight fingerprint = load(s.fingerprint.data()), length = load(s.length.data());
    const Eight behind = _mm512_sllv_epi64(each(~std::uint64_t{0}), _mm512_slli_epi64(length, 3));
    const Eight differ = _mm512_or_si512(_mm512_xor_si512(spread_lowest(fingerprint), slots), behind);
    const Lanes hits = has_zero_byte(_mm512_mask_mov_epi64(each(~std::uint64_t{0}), s.simple, differ));
    if constexpr (!L::kCoded) return {.yes = hits, .doubtful = 0};
    const Lanes lettered = _mm512_test_epi64_mask(load(s.head.data()), each(~std::uint64_t{0xff}));
    return {.yes = without(hits, lettered), .doubtful = static_cast<Lanes>(hits & lettered)};
  }

  // Answers the doubtful keys with the scalar probe. Out of line, as hash_each() is. The blocks are in the cache by
  // now.
  template <class Hashes>
  TELESCOPE_NOINLINE void resolve(const Hashes& hashes, std::uint8_t* out) noexcept {
    const Probe<B> probe(blocks_);
    for (std::size_t i = 0; i < doubts_; ++i) {
      const std::size_t index = doubtful_[i] / 256;
      out[index] = static_cast<std::uint8_t>(probe.template contains<bits::Fast, Mode>(hashes(index)));
    }
    doubts_ = 0;
  }

  static std::uint64_t address_of(const void* p) noexcept { return reinterpret_cast<std::uintptr_t>(p); }

  alignas(64) static constexpr Words kWordsApart = {0, 8, 16, 24, 32, 40, 48, 56};
  alignas(64) static constexpr Words kTagSteps = {0, 256, 512, 768, 1024, 1280, 1536, 1792};

  const B& blocks_;
  const std::byte* base_;
  std::uint64_t count_;
  std::uint64_t next_runends_ = address_of(base_ + L(8).bytes() + L::kRunends);
  std::size_t doubts_ = 0;
  std::array<Group, kGroups> groups_;
  std::array<List, 3> lists_;
  std::array<Search, 4> searches_;
  std::uint64_t doubtful_[kResolveAt + List::kMost + 1 + 32];  // tags, as in a list
};

template <class B, class Mode, class Hashes>
void contains_v4(const B& blocks, std::size_t count, const Hashes& hashes, std::uint8_t* out) noexcept {
  BatchV4<B, Mode>(blocks).contains(count, hashes, out);
}

}  // namespace telescope::inline v1::detail

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
