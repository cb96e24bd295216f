// The frame: one quotient filter under RSQF, TAF, uTAF and exAF. It sees hashes only.
//
// Law one: a member that was inserted is found, after any interleaving of operations. Every operation plans first and
// may then fail; the commit cannot fail. An operation that returns an error has moved no bit.
//
// What its letters leave of a block's code is slack: one more fingerprint bit of as many members (codec/slack.hpp).
//
// Letters are home-indexed: the code of block b numbers them by slot - S_b (runs.hpp). So a run never straddles two
// codes, and an insert, however far it shifts, changes at most two codes: a zero letter comes in at the home block, and
// a zero goes in the block whose empty slot absorbed the shift. In the blocks between, letters and S_b move together.
#pragma once

#include <algorithm>
#include <atomic>

#include "telescope/detail/check/check.hpp"
#include "telescope/detail/check/quick_check.hpp"
#include "telescope/detail/query/batch.hpp"
#include "telescope/detail/query/probe.hpp"
#include "telescope/detail/query/run_walk.hpp"
#include "telescope/detail/update/edit.hpp"
#include "telescope/detail/update/gap.hpp"
#include "telescope/detail/update/gate.hpp"
#include "telescope/detail/update/overflow.hpp"
#include "telescope/options.hpp"
#include "telescope/reports.hpp"

namespace telescope::inline v1::detail {

template <class A>
class ConcurrentFrame;

template <class A>
class Frame {
 public:
  using Adaptation = A;
  static constexpr unsigned kWidth = A::kWidth;
  using BlockLayout = LayoutOf<A>;
  static constexpr std::size_t kPadding = Blocks<A>::kPadding;  // zeros behind the blocks

  class Loader;  // loader.hpp
  class Chunk;   // chunk.hpp
  class Resize;  // resize.hpp
  class Merger;  // merge.hpp

  static Result<Frame> create(const FilterOptions& options, const A& adaptation = A()) noexcept {
    if (!valid_slots(options.slots)) return Error::bad_argument;
    B blocks(options.slots / kBlockSlots, adaptation, memory_of(options));
    if (!blocks) return Error::no_memory;
    return Frame(std::move(blocks), 0, options.overflow);
  }

  Result<Frame> clone() const noexcept {
    B copy = B::not_set(blocks_.count(), adaptation(), blocks_.memory());
    if (!copy) return Error::no_memory;
    std::memcpy(copy.data(), blocks_.data(), blocks_.size_bytes());
    return Frame(std::move(copy), size_, overflow_);
  }

  const A& adaptation() const noexcept { return blocks_.adaptation(); }
  // A template, because clang 14 compiles the members of an explicit instantiation whatever they require.
  template <class P = A>
  auto codec() const noexcept {
    return static_cast<const P&>(adaptation()).codec();
  }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t slots() const noexcept { return blocks_.slots(); }
  std::uint64_t bytes() const noexcept { return blocks_.size_bytes() + B::kPadding; }
  Overflow overflow() const noexcept { return overflow_; }
  // Returns what would make an empty frame like this one.
  FilterOptions options() const noexcept {
    return {slots(), overflow_, blocks_.memory().resource, blocks_.memory().huge_pages};
  }
  // Returns the blocks as they are stored (layout.hpp).
  std::span<const std::byte> raw() const noexcept { return {blocks_.data(), blocks_.size_bytes()}; }

  std::uint64_t quotient(const Hash& hash) const noexcept { return bits::multiply_high(hash.position, slots()); }

  TELESCOPE_ALWAYS_INLINE bool contains(const Hash& hash) const noexcept {
    if (TELESCOPE_UNLIKELY(!bits::has_fast())) return contains_portably(hash);
    return P(blocks_).template contains<bits::Fast, PlainProbe>(hash);
  }

  // Sets out[i] to 1 if the key with hashes(i) may be present, else to 0. Hashing overlaps with the memory.
  void contains_many(std::size_t count, const Xxh3Keys& keys, std::uint8_t* out) const noexcept {
    batch<PlainProbe>(count, keys, out);
  }
  void contains_many(std::size_t count, const AnyHashes& hashes, std::uint8_t* out) const noexcept {
    batch<PlainProbe>(count, hashes, out);
  }
  // The same while writers may be at work: out[i] is a Guess.
  void guess_many(std::size_t count, const AnyHashes& hashes, std::uint8_t* out) const noexcept {
    batch<OptimisticProbe>(count, hashes, out);
  }

  // Inserts a member. Asks the source only if the code of a block overflows; without one, such an insert fails with
  // needs_members.
  Result<InsertReport> insert(const Hash& hash, const MemberSource* source) noexcept;

  // The same for a member that brings a letter; the letter is dropped if the code has no room for it.
  Result<InsertReport> insert(const Hash& hash, Letter letter, const MemberSource* source) noexcept;

  // The same for many without a source, the memory of later ones fetched while earlier ones go in. hash_of(i) yields
  // the i-th hash.
  template <class HashOf>
  BatchInsertReport insert_many(std::size_t count, HashOf hash_of) noexcept {
    return insert_many(count, hash_of, [&](const Hash& hash) { return insert(hash, nullptr); });
  }

  // Makes the key, which the store does not hold, no longer match (section "Adapts").
  Result<AdaptReport> adapt(const Hash& query, const MemberSource& source, const Gate& gate = kOpenGate) noexcept;

  Result<EraseReport> erase(const Hash& hash, const MemberSource& source, const Gate& gate = kOpenGate) noexcept;

  void clear() noexcept {
    std::memset(blocks_.data(), 0, blocks_.size_bytes());
    size_ = 0;
  }

  // Returns a frame of another size with the same members, each with its letter, as far as the codes have room.
  Result<Frame> resized(const FilterOptions& options, const MemberSource& source,
                        OverflowReport* overflow = nullptr) const noexcept;

  // Returns a frame of the members of both. Without a source, letters that do not fit any more are the error
  // needs_members; the source yields the members of both.
  static Result<Frame> merged(const Frame& a, const Frame& b, const MemberSource* source,
                              OverflowReport* overflow = nullptr) noexcept;

  // Returns the first broken invariant, if there is one. Safe on any bytes.
  std::optional<Violation> check() const { return check_blocks(blocks_, size_); }

  // Fails with disagree if the members of quotients [first, end), as the source yields them, do not match their slots.
  Status match(std::uint64_t first, std::uint64_t end, const MemberSource& source) const noexcept {
    Chunk chunk;
    return chunk.collect(*this, first, end, source, Chunk::Match::all);
  }

  // Checks the invariants that keep operations in bounds, in a twentieth of the time. Returns what is wrong, or null.
  const char* quick_check() const noexcept {
    return bits::has_fast() ? QuickCheck<B, bits::Fast>(blocks_, size_).run()
                            : QuickCheck<B, bits::Portable>(blocks_, size_).run();
  }

  // Returns a frame of the blocks that write(span) writes, kPadding zeros and all. They may be any bytes: see check()
  // and quick_check(). Touches memory once.
  template <class Write>
  static Result<Frame> from_writer(const FilterOptions& options, std::uint64_t size, Write&& write,
                                   const A& adaptation = A()) noexcept {
    if (!valid_slots(options.slots)) return Error::bad_argument;
    B blocks = B::not_set(options.slots / kBlockSlots, adaptation, memory_of(options));
    if (!blocks) return Error::no_memory;
    if (const Status written = write(std::span(blocks.data(), blocks.size_bytes() + kPadding)); !written) {
      return written.error();
    }
    return Frame(std::move(blocks), size, options.overflow);
  }
  // Returns a frame over bytes that the caller owns and keeps, to read only.
  static const Frame borrow(const FilterOptions& options, std::uint64_t size, const std::byte* blocks) noexcept {
    ByteArray bytes(const_cast<std::byte*>(blocks), FreeArray{});
    return Frame(B(std::move(bytes), options.slots / kBlockSlots, A(), memory_of(options)), size, options.overflow);
  }

  // Calls visit(quotient, slot, letter) for each used slot: for statistics.
  template <class Visit>
  void visit_letters(Visit visit) const {
    Home home;
    for (RunWalk<B> walk(blocks_, 0, slots()); walk.next();) {
      read_home(walk, home);
      for (std::uint64_t slot = walk.run().first; slot < walk.run().end; ++slot) {
        visit(walk.quotient(), slot, letter_of(home, slot));
      }
    }
  }

 private:
  friend class ConcurrentFrame<A>;
  using L = BlockLayout;
  using B = Blocks<A>;
  using P = Probe<B>;
  using G = Gap<B>;
  static constexpr Letter kMaxRawLetter = 255;

  static bool valid_slots(std::uint64_t slots) noexcept {
    return slots != 0 && slots % kBlockSlots == 0 && slots <= FilterOptions::kMaxSlots;
  }
  static Memory memory_of(const FilterOptions& options) noexcept { return {options.memory, options.huge_pages}; }

  Frame(B blocks, std::uint64_t size, Overflow overflow) noexcept
      : blocks_(std::move(blocks)), size_(size), overflow_(overflow) {}

  template <class Mode, class Hashes>
  void batch(std::size_t count, const Hashes& hashes, std::uint8_t* out) const noexcept {
    if constexpr (kHasBatchV4<B>) {
      if (bits::has_v4() && count >= kFewestV4 && blocks_.count() <= kMaxBlocksV4) {
        return contains_v4<B, Mode>(blocks_, count, hashes, out);
      }
    }
    bits::has_fast() ? Batch<B, bits::Fast, Mode>(blocks_).contains(count, hashes, out)
                     : Batch<B, bits::Portable, Mode>(blocks_).contains(count, hashes, out);
  }

  TELESCOPE_NOINLINE bool contains_portably(Hash hash) const noexcept {
    return P(blocks_).template contains<bits::Portable, PlainProbe>(hash);
  }

  static constexpr std::size_t kInsertsAhead = 16;  // as good as 8; at 2^24 slots a batch then takes half the time

  // Prefetches what an insert reads: the fuller the frame, the further the next empty slot.
  TELESCOPE_ALWAYS_INLINE void prefetch_insert(const Hash& hash, std::uint64_t members) const noexcept {
    const std::byte* const block = blocks_.data() + quotient(hash) / 64 * blocks_.block_bytes();
    for (std::size_t line = 0; line < 3; ++line) TELESCOPE_PREFETCH(block + line * kCacheLine);
    if (members > slots() / 4 * 3) {
      for (std::size_t line = 3; line < 6; ++line) TELESCOPE_PREFETCH(block + line * kCacheLine);
    }
  }
  // The same, with insert_one(hash) to insert one.
  template <class HashOf, class InsertOne>
  BatchInsertReport insert_many(std::size_t count, HashOf hash_of, InsertOne insert_one) noexcept;
  Result<InsertReport> insert_portably(Hash hash, const MemberSource* source) noexcept;
  template <class Isa>
  Result<InsertReport> insert_on(const Hash& hash, const MemberSource* source) noexcept;
  template <class Isa>
  Result<InsertReport> insert_far(Hash hash, unsigned local, const MemberSource* source) noexcept;
  Result<InsertReport> insert_to(Place place, const Hash& hash, const MemberSource* source, const Gate& gate) noexcept;
  Result<InsertReport> insert_coded(Hash hash, Place place, const MemberSource* source, const Gate& gate) noexcept;
  void insert_at(const Hash& hash, const Place& place, bool moves, const Gate& gate) noexcept;

  static constexpr bool kSlack = kHasSlack<A>;

  // A block, where its region starts, and its letters and slack as they are.
  struct Home {
    std::uint64_t block = ~std::uint64_t{0};  // none
    std::uint64_t start = 0;
    Letters letters;  // coded filters only
    Slack slack = Slack::none();

    std::uint32_t index(std::uint64_t slot) const noexcept { return static_cast<std::uint32_t>(slot - start); }
  };
  Home read_home(std::uint64_t block) const noexcept { return read_home(block, Runs<B>(blocks_).region_start(block)); }
  Home read_home(std::uint64_t block, std::uint64_t start) const noexcept {
    Home home{block, start, {}};
    if constexpr (L::kCoded) home.letters = codec().decode(blocks_.code(block));
    if constexpr (kSlack) home.slack = codec().slack(blocks_.code(block));
    return home;
  }
  // Makes `home` that of the run which the walk has come to, if it is another.
  void read_home(const RunWalk<B>& walk, Home& home) const noexcept {
    const std::uint64_t block = walk.quotient() / 64;
    if (home.block != block) home = read_home(block, walk.region_start());
  }
  Letter letter_of(const Home& home, std::uint64_t slot) const noexcept {
    if constexpr (L::kCoded) return home.letters.at(home.index(slot));
    if constexpr (L::kRaw) return blocks_.raw_letter(slot);
    return 0;
  }

  static SlackEntry slack_entry_of(const Home& home, std::uint64_t slot) noexcept {
    const std::uint32_t index = home.index(slot);
    return home.slack.has(index) ? static_cast<SlackEntry>(home.slack.at(index)) : SlackEntry::none;
  }
  SlotContent content_of(const Home& home, std::uint64_t slot) const noexcept {
    return {blocks_.remainder(slot), letter_of(home, slot), slack_entry_of(home, slot)};
  }

  std::optional<std::uint64_t> encode([[maybe_unused]] const Letters& letters,
                                      [[maybe_unused]] const Slack& slack) const noexcept {
    if constexpr (kSlack) return codec().encode(letters, slack);
    if constexpr (L::kCoded && !kSlack) return codec().encode(letters);
    return std::nullopt;
  }

  // The block in whose region an empty slot takes up, or leaves behind, a shift that started in `home`. A shift may go
  // round the circle and end in the home block again, a lap later.
  struct ShiftEnd {
    std::uint64_t block;
    std::uint64_t slot;  // numbered from the block's own slots
    bool home;
    bool wrapped;
  };
  ShiftEnd shift_end_of(std::uint64_t home, std::uint64_t slot) const noexcept {
    const bool wrapped = slot >= slots();
    if (wrapped) slot -= slots();
    return {slot / 64, slot, slot / 64 == home, wrapped};
  }

  // A change of one block's code, planned.
  struct CodeChange {
    std::uint64_t block = 0;
    std::uint64_t code = 0;
    bool changed = false;
  };

  template <class P = A>  // as codec()
  bool plan_plain_codes(const Hash& hash, const Place& place, CodeChange& home, CodeChange& absorbing) const noexcept;
  std::uint64_t region_end_without(const Home& home, std::uint64_t quotient, const Run& run,
                                   std::uint64_t last) const noexcept;

  // Plans the code of a block whose letters shift, to go with `slack`; letters that do not fit are evicted.
  Status plan_shift(const Home& home, FunctionRef<void(Letters&)> shift, const Slack& slack, SlotMembers<B>& members,
                    CodeChange& change, Rewrites& rewrites, OverflowReport& report) noexcept;

  // Plans the remainders of the slots whose letters change from home.letters to `now`.
  Status plan_rewrites(const Home& home, const Letters& now, SlotMembers<B>& members, Rewrites& rewrites) noexcept;

  // Plans letters for the slots of the run that the query matches.
  Result<AdaptReport> adapt_raw(const Hash& query, const Run& run, const SlotMembers<B>& members, AdaptReport report,
                                const Gate& gate) noexcept;
  Result<AdaptReport> adapt_coded(const Hash& query, const Home& home, const Run& run, SlotMembers<B>& members,
                                  AdaptReport report, const Gate& gate) noexcept;
  Result<AdaptReport> adapt_with_overflow(const Hash& query, const Home& home, const Run& run, SlotMembers<B>& members,
                                          AdaptReport report, const Gate& gate) noexcept;
  struct Separated {
    unsigned slots = 0;  // that the query hit, and hits no more
    bool room = true, memory = true;
  };
  template <class From>
  Separated separate(const Hash& query, const Home& home, const Run& run, const SlotMembers<B>& members,
                     const Slack& slack, Letters& letters, From from, Rewrites* rewrites) const noexcept
      requires(LayoutOf<A>::kCoded);
  // Returns whether the query hits the slot of this member under this letter.
  bool hits(const Hash& query, const Hash& member, Letter letter, bool has_entry) const noexcept {
    return adaptation().fits(adaptation().remainder(member, letter), letter, query) &&
           !(has_entry && slack_bit(member) != slack_bit(query));
  }
  // Returns how many slots of the run the query hits.
  unsigned count_hits(const Hash& query, const Home& home, const Run& run, const SlotMembers<B>& members,
                      const Letters& letters, const Slack& slack) const noexcept {
    unsigned count = 0;
    for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
      const std::uint32_t index = home.index(slot);
      count += hits(query, *members.member_at(slot), letters.at(index), slack.has(index));
    }
    return count;
  }

  void commit(const Rewrites& rewrites) noexcept {
    for (const Rewrite& rewrite : rewrites) {
      blocks_.set_remainder(rewrite.slot, rewrite.remainder);
      if constexpr (L::kRaw) blocks_.set_raw_letter(rewrite.slot, rewrite.letter);
    }
  }
  void commit(const CodeChange& change) noexcept {
    if constexpr (L::kCoded) {
      if (change.changed) blocks_.set_code(change.block, change.code);
    }
  }

  B blocks_;
  std::uint64_t size_ = 0;
  Overflow overflow_ = Overflow::evict;
};

}  // namespace telescope::inline v1::detail

#include "telescope/detail/move/loader.hpp"
#include "telescope/detail/move/merge.hpp"
#include "telescope/detail/move/resize.hpp"
#include "telescope/detail/update/frame_adapt.hpp"
#include "telescope/detail/update/frame_update.hpp"
