// The paper's two-parameter arithmetic code for any eps (section "Arithmetic Coding", "General Arithmetic Coding").
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "telescope/detail/codec/letters.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// Letter 0 has probability 1 - 2^-X; letter i > 0 has 2^-X (1 - 2^-Y) 2^-Y(i-1). Integers only.
//
//   low                                                        low + range
//    |------------ letter 0 ------------|---- 1 ----|-- 2 --|-3-|...|
//                  range (1 - 2^-X)     `-- what is left, cut at 1 - 2^-Y again and again
//
// A code is the low end of the interval of the letters up to the last one that is not zero, so code == low says that
// only zeros follow. Letters have no bound but the width of what is left: the last piece of width 1 goes to one letter,
// and the letters above it do not fit.
template <unsigned X, unsigned Y>
struct GeneralCode {
  static_assert(X >= 1 && X < kCodeBits && Y >= 1 && Y < kCodeBits);

  static constexpr Letter candidates() noexcept { return 7; }

  // Wide ranges shrink slowly when X is large; a home region is never this long, and decoding must be bounded.
  static constexpr std::uint32_t kSlots = 1024;

  static std::optional<std::uint64_t> encode(const Letters& letters) noexcept {
    std::uint64_t low = 0;
    std::uint64_t range = kWhole;
    std::uint32_t slot = 0;
    for (const PlacedLetter& p : letters.placed()) {
      if (p.index >= kSlots) return std::nullopt;
      for (; slot < p.index; ++slot) range = most(range, X);
      const std::uint64_t zero = most(range, X);
      if (zero == 0) return std::nullopt;  // the letter would not move low
      low += zero;
      std::uint64_t left = range - zero;
      range = first(left);
      for (Letter l = 1; l < p.letter; ++l) {
        low += range;
        left -= range;
        if (left == 0) return std::nullopt;
        range = first(left);
      }
      ++slot;
    }
    return low;
  }

  static Letters decode(std::uint64_t code) noexcept {
    Letters letters;
    walk(code, [&](std::uint32_t slot, Letter letter) { return letters.push(slot, letter); });
    return letters;
  }

  static Letter letter_at(std::uint64_t code, std::uint32_t index) noexcept {
    Letter found = 0;
    walk(code, [&](std::uint32_t slot, Letter letter) {
      if (slot == index) found = letter;
      return slot < index;
    });
    return found;
  }

  // The code does not say which letters it holds, so any but the zero code may hold a tall one.
  static std::uint64_t exceeds_candidates(std::uint64_t code) noexcept { return (code & (kWhole - 1)) != 0; }

 private:
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << kCodeBits;

  // floor(m (2^n - 1) / 2^n), that is m - ceil(m / 2^n), without leaving 64 bits.
  static constexpr std::uint64_t most(std::uint64_t m, unsigned n) noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << n) - 1;
    return m - (m >> n) - ((m & mask) != 0 ? 1 : 0);
  }

  // What the next letter takes of the letters that are left.
  static constexpr std::uint64_t first(std::uint64_t left) noexcept { return left == 1 ? 1 : most(left, Y); }

  static_assert(most(kWhole, X) + (kWhole >> X) == kWhole);
  static_assert(most(2, X) == 1 && most(1, X) == 0);  // a range of 2 or more has room for a zero letter

  // Calls visit(slot, letter) for each letter that is not zero, in order, until it answers false.
  template <class Visit>
  static void walk(std::uint64_t code, Visit visit) noexcept {
    std::uint64_t rest = code & (kWhole - 1);  // code - low, always below range
    std::uint64_t range = kWhole;
    for (std::uint32_t slot = 0; rest != 0 && slot < kSlots; ++slot) {
      const std::uint64_t zero = most(range, X);
      if (rest < zero) {
        range = zero;
        continue;
      }
      rest -= zero;
      std::uint64_t left = range - zero;
      Letter letter = 1;
      for (range = first(left); rest >= range; range = first(left)) {
        rest -= range;
        left -= range;
        ++letter;
      }
      if (!visit(slot, letter)) return;
    }
  }
};

static_assert(Codec<GeneralCode<3, 4>>);

struct GeneralParameters {
  unsigned x;
  unsigned y;
  friend bool operator==(const GeneralParameters&, const GeneralParameters&) = default;
};

// The shortest expected code of a letter with the probabilities of Corollary hashprobcor, normalised:
//   P(0) ~ e^(-c eps),  P(k) ~ eps^k sum_{i=1..k} c^i / i!,  c = unique negatives per member.
// Its length is  P(0) log 1/(1 - 2^-x)  +  P(>0) x   -- a matter of x alone --
//             +  P(>0) log 1/(1 - 2^-y) +  E[k - 1; k > 0] y  -- and of y alone.
// Pick c as the A/S at which codes should just fill. Not part of the coder, so floating point may serve.
inline GeneralParameters pick_parameters(double eps, double unique_negatives_per_member) noexcept {
  constexpr unsigned kMost = 24;
  const double c = unique_negatives_per_member;
  if (!(eps > 0 && eps < 1 && c > 0 && std::isfinite(c))) return {kMost, kMost};  // nothing ever adapts

  double nonzero = 0;
  double above_one = 0;  // E[k - 1; k > 0]
  double term = 1;       // c^k / k!
  double sum = 0;
  double power = 1;
  for (int k = 1; k < 2000; ++k) {
    term *= c / k;
    sum += term;
    power *= eps;
    const double p = power * sum;
    nonzero += p;
    above_one += (k - 1) * p;
    if (k > c && p < 1e-15 * nonzero) break;
  }
  const double zero = std::exp(-c * eps);

  const auto cheapest = [](double often, double seldom) {
    unsigned best = 1;
    double least = INFINITY;
    for (unsigned n = 1; n <= kMost; ++n) {
      const double bits = -often * std::log2(1 - std::ldexp(1.0, -static_cast<int>(n))) + seldom * n;
      if (bits < least) {
        least = bits;
        best = n;
      }
    }
    return best;
  };
  return {cheapest(zero, nonzero), cheapest(nonzero, above_one)};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
