// The C library's rand_r as GNU/Linux has it, which the FireHose streams depend on: 32 bits of state, 31 bits out, the
// same on every machine.
#pragma once

#include <cstdint>

namespace telescope::lab {

class RandR {
 public:
  static constexpr std::uint32_t kMax = 0x7fffffff;

  constexpr explicit RandR(std::uint32_t seed) noexcept : state_(seed) {}

  constexpr std::uint32_t next() noexcept {
    std::uint32_t bits = step() % 2048;
    bits = bits << 10 ^ step() % 1024;
    return bits << 10 ^ step() % 1024;
  }

 private:
  constexpr std::uint32_t step() noexcept { return (state_ = state_ * 1103515245 + 12345) >> 16; }

  std::uint32_t state_;
};

inline constexpr std::uint32_t kFirehoseSeed = 678912345;  // the generators' default

}  // namespace telescope::lab
