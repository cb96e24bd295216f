// A perfect matching of slots and members for runs of any length.
//
// A slot's *kind* is what its remainder and its slack are of: the letter, and which bit the slack has, if any. Slots of
// the same kind and with the same remainder are interchangeable: they form a class. A member fits at most one class of
// each kind, the one with its remainder under that letter. So a member is not compared with n slots; it looks for its
// class once per kind that the run has, and most runs have few.
//
//   places   | . . . | . . | . | . . . . |     the slots, sorted by kind and remainder
//   classes  |  0, 3 | 0, 9| 1,4|  2, 9  |     kind, remainder: each has a row of places, filled from its first
//
// Members take places by the algorithm of Hopcroft and Karp. A round gives each class a level, its distance from the
// members that have no place, and then looks for augmenting paths that go up by one level at each step: a member takes
// the place of another, which takes the place of another in the next class, and the last one takes a place that is
// free. The first round takes free places only. Without letters it is the only one. With k letters it leaves at most k
// members over, since it fills the classes of the letter 0 first, and among them those with a slack bit.
//
// Time: O(n log n) for sorting, and for each round O(n l log n), l being the number of different kinds. There are at
// most k + 1 rounds, and at most O(sqrt(n)); two or three are usual.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "telescope/detail/scratch.hpp"
#include "telescope/function_ref.hpp"
#include "telescope/letter.hpp"

namespace telescope::inline v1::detail {

enum class Match { perfect, none, no_memory };
using Matching = Scratch<std::uint32_t, 32>;

enum class SlackEntry : std::uint8_t { zero, one, none };

struct SlotContent {
  std::uint64_t remainder;
  Letter letter;
  SlackEntry slack = SlackEntry::none;

  auto kind() const noexcept { return std::tuple(letter, slack); }
};

class ClassMatching {
 public:
  using ContentOf = FunctionRef<SlotContent(std::uint32_t slot)>;
  using RemainderOf = FunctionRef<std::uint64_t(std::uint32_t member, Letter letter)>;
  using Fits = FunctionRef<bool(std::uint32_t member, const SlotContent& slot)>;

  // Matches n slots with n members. Where fits(member, slot), remainder_of(member, letter of the slot) must be the
  // slot's remainder.
  ClassMatching(std::uint32_t n, ContentOf content_of, RemainderOf remainder_of, Fits fits,
                std::pmr::memory_resource* memory) noexcept
      : n_(n),
        content_of_(content_of),
        remainder_of_(remainder_of),
        fits_(fits),
        places_(memory),
        classes_(memory),
        kinds_(memory),
        unplaced_(memory),
        queue_(memory),
        path_(memory) {}

  // Sets member_of[slot] for each slot, if there is a perfect matching.
  TELESCOPE_NOINLINE Match run(Matching& member_of) noexcept {
    if (!make_classes()) return Match::no_memory;
    for (std::uint32_t member = 0; member < n_; ++member) {
      if (!unplaced_.push(member)) return Match::no_memory;
    }
    for (bool first = true; unplaced_.size() != 0; first = false) {
      if (!first) {
        const Match reached = set_levels();
        if (reached != Match::perfect) return reached;
      }
      if (!place_members()) return Match::no_memory;
    }
    if (!member_of.resize(n_, 0)) return Match::no_memory;
    for (const Place& place : places_) member_of[place.slot] = place.member;
    return Match::perfect;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Place {
    SlotContent content;
    std::uint32_t slot;
    std::uint32_t member;  // in the places of a class before `filled`
  };
  struct SlotClass {
    std::uint32_t first, end;  // its places
    std::uint32_t filled;      // one past the last place that has a member
    std::uint32_t next;        // the first place that no path of this round has tried
    std::uint32_t level;       // kNone if no path of this round reaches it
  };
  struct KindClasses {
    Letter letter;
    std::uint32_t first, end;  // the classes of the kind, in order of remainder
  };
  // A member on a path, the kind whose class it tries, and the place that the path takes from it.
  struct Step {
    std::uint32_t member;
    std::uint32_t kind;
    std::uint32_t place;
  };

  bool make_classes() noexcept {
    for (std::uint32_t slot = 0; slot < n_; ++slot) {
      if (!places_.push({content_of_(slot), slot, 0})) return false;
    }
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
      return std::tuple(a.content.kind(), a.content.remainder) < std::tuple(b.content.kind(), b.content.remainder);
    });
    for (std::uint32_t place = 0; place < n_; ++place) {
      const SlotContent& content = places_[place].content;
      const SlotContent* const before = place == 0 ? nullptr : &places_[place - 1].content;
      const auto number = static_cast<std::uint32_t>(classes_.size());
      if (before == nullptr || before->kind() != content.kind()) {
        if (!kinds_.push({content.letter, number, number})) return false;
      }
      if (before == nullptr || before->kind() != content.kind() || before->remainder != content.remainder) {
        if (!classes_.push({place, place, place, place, 0})) return false;
        ++kinds_[kinds_.size() - 1].end;
      }
      SlotClass& last = classes_[classes_.size() - 1];
      last.next = last.end = place + 1;  // no path of the first round goes through a place that is taken
    }
    return true;
  }

  // Returns the number of the class of this kind that the member fits, or kNone.
  std::uint32_t class_of(std::uint32_t member, std::uint32_t kind) const noexcept {
    const KindClasses& of_kind = kinds_[kind];
    const std::uint64_t remainder = remainder_of_(member, of_kind.letter);
    std::uint32_t first = of_kind.first;
    for (std::uint32_t count = of_kind.end - first; count > 1;) {
      const std::uint32_t half = count / 2;
      first += content(first + half).remainder <= remainder ? half : 0;
      count -= half;
    }
    const SlotContent& found = content(first);
    return found.remainder == remainder && fits_(member, found) ? first : kNone;
  }
  const SlotContent& content(std::uint32_t number) const noexcept { return places_[classes_[number].first].content; }

  // Sets the levels of a round. Returns Match::none if no class that has a free place can be reached: then there is no
  // perfect matching.
  Match set_levels() noexcept {
    for (SlotClass& each : classes_) {
      each.level = kNone;
      each.next = each.first;
    }
    (void)queue_.resize(0, 0);
    std::uint32_t last = kNone;  // the first level with a free place
    const auto reach = [&](std::uint32_t member, std::uint32_t level) {
      for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
        const std::uint32_t number = class_of(member, kind);
        if (number == kNone || classes_[number].level != kNone) continue;
        classes_[number].level = level;
        if (classes_[number].filled < classes_[number].end) last = std::min(last, level);
        if (!queue_.push(number)) return false;
      }
      return true;
    };
    for (const std::uint32_t member : unplaced_) {
      if (!reach(member, 0)) return Match::no_memory;
    }
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const SlotClass& from = classes_[queue_[head]];
      if (from.level == last) break;
      for (std::uint32_t place = from.first; place < from.filled; ++place) {
        if (!reach(places_[place].member, from.level + 1)) return Match::no_memory;
      }
    }
    return last != kNone ? Match::perfect : Match::none;
  }

  // Looks for a path from each member that has no place. Those for which there is none stay unplaced.
  bool place_members() noexcept {
    std::uint32_t left = 0;
    for (const std::uint32_t member : unplaced_) {
      bool placed = false;
      if (!augment(member, placed)) return false;
      if (!placed) unplaced_[left++] = member;
    }
    return unplaced_.resize(left, 0);
  }

  // Depth first along the levels. Returns false without memory.
  bool augment(std::uint32_t root, bool& placed) noexcept {
    if (!path_.resize(0, {}) || !path_.push({root, 0, kNone})) return false;
    while (path_.size() != 0) {
      Step& step = path_[path_.size() - 1];
      if (step.kind == kinds_.size()) {
        (void)path_.resize(path_.size() - 1, {});
        continue;
      }
      const std::uint32_t number = class_of(step.member, step.kind);
      if (number == kNone || classes_[number].level != path_.size() - 1) {
        ++step.kind;
        continue;
      }
      SlotClass& to = classes_[number];
      if (to.filled < to.end) {
        move_along_path(to.filled++);
        placed = true;
        return true;
      }
      if (to.next == to.end) {
        ++step.kind;
      } else {
        const std::uint32_t place = to.next++;
        if (!path_.push({places_[place].member, 0, place})) return false;
      }
    }
    return true;
  }

  // The last member of the path takes the free place, and each other one the place of the one behind it.
  void move_along_path(std::uint32_t free) noexcept {
    for (std::size_t i = path_.size(); i-- > 0;) {
      places_[free].member = path_[i].member;
      free = path_[i].place;
    }
  }

  std::uint32_t n_;
  ContentOf content_of_;
  RemainderOf remainder_of_;
  Fits fits_;
  Scratch<Place, 32> places_;
  Scratch<SlotClass, 32> classes_;
  Scratch<KindClasses, 16> kinds_;
  Scratch<std::uint32_t, 32> unplaced_;
  Scratch<std::uint32_t, 32> queue_;  // classes, in order of level
  Scratch<Step, 16> path_;
};

}  // namespace telescope::inline v1::detail
