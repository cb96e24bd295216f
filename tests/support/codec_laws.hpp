// The laws of codec/letters.hpp as functions, and blocks of letters to try them on.
// Tests, fuzzing and benchmarks share them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "telescope/detail/codec/letters.hpp"

namespace telescope::test {

using detail::kCodeBits;
using detail::Letters;
using detail::PlacedLetter;

// The name of the law that C breaks in reading `code`, or nullptr.
template <detail::Codec C>
const char* law_broken_by_code(std::uint64_t code) {
  const Letters letters = C().decode(code);
  if (code == 0 && (!letters.empty() || C().exceeds_candidates(code))) return "code 0 holds nothing";
  std::uint64_t next = 0;
  for (const PlacedLetter& p : letters.placed()) {
    if (p.letter == 0) return "letters are not zero";
    if (p.index < next) return "letters are in order";
    next = std::uint64_t{p.index} + 1;
    if (C().letter_at(code, p.index) != p.letter) return "letter_at finds each letter";
    if (C().letter_at(code, p.index + 1) != letters.at(p.index + 1)) return "letter_at agrees behind a letter";
    const std::uint32_t before = p.index == 0 ? 0 : p.index - 1;
    if (C().letter_at(code, before) != letters.at(before)) return "letter_at agrees before a letter";
    if constexpr (requires { C().candidates(); }) {
      if (p.letter >= C().candidates() && !C().exceeds_candidates(code)) return "a letter past the candidates is told";
    }
  }
  for (const std::uint32_t index : {0U, 1U, 63U, 64U, 255U, 256U, 1U << 20, ~0U}) {
    if (C().letter_at(code, index) != letters.at(index)) return "letter_at agrees anywhere";
  }
  const std::optional<std::uint64_t> again = C().encode(letters);
  if (again) {
    if (*again >> kCodeBits != 0) return "a code has 56 bits";
    if (C().decode(*again) != letters) return "decode undoes encode";
  }
  return nullptr;
}

// The same in writing `letters`.
template <detail::Codec C>
const char* law_broken_by_letters(const Letters& letters) {
  const std::optional<std::uint64_t> code = C().encode(letters);
  if (letters.empty() && code != std::uint64_t{0}) return "no letters make code 0";
  if (!code) return nullptr;
  if (*code >> kCodeBits != 0) return "a code has 56 bits";
  if (!letters.empty() && *code == 0) return "code 0 holds nothing";
  if (C().decode(*code) != letters) return "decode undoes encode";
  return law_broken_by_code<C>(*code);
}

class LetterSampler {
 public:
  // Corollary hashprobcor, normalised: P(0) ~ e^(-c eps), P(k) ~ eps^k sum_{i=1..k} c^i / i!. These are upper
  // bounds, so normalised they have more letters, and larger ones, than a filter would have.
  static LetterSampler corollary(double eps, double unique_negatives_per_member, std::uint64_t seed) {
    const double c = unique_negatives_per_member;
    std::vector<double> likely = {std::exp(-c * eps)};
    double term = 1;
    double sum = 0;
    double power = 1;
    for (int k = 1; k < 64; ++k) {
      term *= c / k;
      sum += term;
      power *= eps;
      likely.push_back(power * sum);
    }
    return LetterSampler(likely, seed);
  }

  // Each of c unique negatives per member hits a member with probability eps, once.
  static LetterSampler poisson(double eps, double unique_negatives_per_member, std::uint64_t seed) {
    std::vector<double> likely = {1};
    for (int k = 1; k < 64; ++k) likely.push_back(likely.back() * eps * unique_negatives_per_member / k);
    return LetterSampler(likely, seed);
  }

  // Not a std distribution: those differ from one standard library to the next.
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  Letter letter() {
    const double u = uniform();
    Letter k = 0;
    while (k + 1 < below_.size() && u >= below_[k]) ++k;
    return k;
  }

  // 64 slots at load .95; a slot without a member has letter zero.
  Letters block() {
    Letters letters;
    for (std::uint32_t slot = 0; slot < 64; ++slot) {
      const Letter l = uniform() < 0.95 ? letter() : 0;
      if (l != 0) letters.push(slot, l);
    }
    return letters;
  }

  std::vector<Letters> blocks(std::size_t count) {
    std::vector<Letters> all;
    all.reserve(count);
    while (all.size() < count) all.push_back(block());
    return all;
  }

 private:
  LetterSampler(const std::vector<double>& likely, std::uint64_t seed) : random_(seed) {
    double total = 0;
    for (const double p : likely) below_.push_back(total += p);
    for (double& b : below_) b /= total;
  }

  std::mt19937_64 random_;
  std::vector<double> below_;
};

template <detail::Codec C>
std::size_t overflows(const std::vector<Letters>& blocks) {
  std::size_t count = 0;
  for (const Letters& letters : blocks) count += C().encode(letters).has_value() ? 0 : 1;
  return count;
}

}  // namespace telescope::test
