// Validates every invariant of the blocks, in one pass, whatever bytes they hold.
//
//   as many runends as occupied quotients, and as many used slots as members;
//   each run starts at its quotient or right behind the run before, and ends at the next runend;
//   no runend, remainder or letter in an empty slot;
//   each offset is what the runs say, saturated at 255;
//   each code is the one its letters and slack encode to; both belong to used slots of the home region.
#pragma once

#include "telescope/detail/query/runs.hpp"
#include "telescope/reports.hpp"

namespace telescope::inline v1 {

namespace detail {

template <class B>
class Checker {
  using L = typename B::Layout;

 public:
  Checker(const B& blocks, std::uint64_t size) noexcept : blocks_(blocks), size_(size) {}

  std::optional<Violation> run() {
    const std::uint64_t count = blocks_.count();
    std::uint64_t occupieds = 0, runends = 0, anchor = count;
    for (std::uint64_t b = count; b-- > 0;) {
      occupieds += static_cast<unsigned>(std::popcount(blocks_.occupieds(b)));
      runends += static_cast<unsigned>(std::popcount(blocks_.runends(b)));
      if (blocks_.offset(b) < kSaturated) anchor = b;
    }
    if (occupieds != runends) return Violation{"the numbers of occupied quotients and of runends differ", 0};
    if (anchor == count) return Violation{"every offset is saturated", 0};

    const std::uint64_t start = 64 * anchor + blocks_.offset(anchor);
    std::uint64_t next = start;
    for (std::uint64_t b = anchor; b < anchor + count; ++b) {
      if (auto violation = check_block(b, next)) return violation;
    }
    if (next != start + blocks_.slots()) return Violation{"the runs do not close the circle", anchor};
    if (members_ != size_) return Violation{"the number of used slots is not the number of members", 0};
    return std::nullopt;
  }

 private:
  // Checks the region of block b, which starts at `start`; sets `start` to the start of the next.
  std::optional<Violation> check_block(std::uint64_t b, std::uint64_t& start) {
    const std::uint64_t number = b % blocks_.count();
    const std::uint64_t region = start;
    if (region - 64 * b > blocks_.slots()) return Violation{"the runs spill further than there are slots", number};
    if (blocks_.offset(number) != std::min<std::uint64_t>(region - 64 * b, kSaturated)) {
      return Violation{"the offset is not where the runs before the block end", number};
    }
    std::uint64_t cursor = region;
    Letters letters;
    if constexpr (L::kCoded) letters = blocks_.adaptation().codec().decode(blocks_.code(number));
    unsigned found = 0;           // letters that belong to used slots
    std::uint64_t used_head = 0;  // which of the first slots are used
    for (std::uint64_t w = blocks_.occupieds(number); w != 0; w &= w - 1) {
      const std::uint64_t first = std::max(cursor, 64 * b + bits::countr_zero(w));
      if (!empty(cursor, first)) return Violation{"an empty slot is not zero", number};
      std::uint64_t end = first;
      while (!blocks_.runend(wrap(end))) {
        if (++end - first >= blocks_.slots()) return Violation{"a run does not end", number};
      }
      cursor = end + 1;
      members_ += cursor - first;
      if (members_ > blocks_.slots()) return Violation{"runs overlap", number};
      used_head |= bits::ones(static_cast<unsigned>(std::min<std::uint64_t>(first - region, 64)),
                              static_cast<unsigned>(std::min<std::uint64_t>(cursor - region, 64)));
      for (const PlacedLetter& p : letters.placed()) {
        found += p.index >= first - region && p.index < cursor - region;
      }
    }
    start = std::max(cursor, 64 * (b + 1));
    if (!empty(cursor, start)) return Violation{"an empty slot is not zero", number};
    if constexpr (L::kCoded) {
      if (found != letters.size()) return Violation{"a letter belongs to no used slot", number};
      if (!is_canonical(number, letters)) return Violation{"the code is not canonical", number};
      if constexpr (kHasSlack<typename B::Adaptation>) {
        const Slack slack = blocks_.adaptation().codec().slack(blocks_.code(number));
        if ((slack.bits & ~used_head) != 0) {
          return Violation{"a slack entry belongs to no slot", number};
        }
      }
    }
    return std::nullopt;
  }

  bool is_canonical(std::uint64_t number, const Letters& letters) const noexcept requires(L::kCoded) {
    const auto codec = blocks_.adaptation().codec();
    if constexpr (kHasSlack<typename B::Adaptation>) {
      return codec.encode(letters, codec.slack(blocks_.code(number))) == blocks_.code(number);
    } else {
      return codec.encode(letters) == blocks_.code(number);
    }
  }

  bool empty(std::uint64_t first, std::uint64_t last) const noexcept {
    for (std::uint64_t slot = first; slot < last; ++slot) {
      if (blocks_.runend(wrap(slot)) || blocks_.remainder(wrap(slot)) != 0) return false;
      if constexpr (L::kRaw) {
        if (blocks_.raw_letter(wrap(slot)) != 0) return false;
      }
    }
    return true;
  }

  std::uint64_t wrap(std::uint64_t slot) const noexcept { return slot % blocks_.slots(); }

  const B& blocks_;
  std::uint64_t size_;
  std::uint64_t members_ = 0;
};

template <class B>
std::optional<Violation> check_blocks(const B& blocks, std::uint64_t size) {
  return Checker<B>(blocks, size).run();
}

}  // namespace detail
}  // namespace telescope::inline v1
