// Words to try vectors on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace telescope::testing {

// Of every density: all-random ones never have a zero byte at hand.
template <std::size_t n>
std::array<std::uint64_t, n> random_words(std::mt19937_64& random) {
  std::array<std::uint64_t, n> words;
  for (std::uint64_t& word : words) {
    word = random();
    for (std::uint64_t rounds = random() % 4; rounds > 0; --rounds) word &= random();
    if (random() % 4 == 0) word &= ~(std::uint64_t{0xff} << 8 * (random() % 8));
  }
  return words;
}

}  // namespace telescope::testing
