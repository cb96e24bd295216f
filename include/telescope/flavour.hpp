// Which instructions the filters use on this machine. Chosen when the program starts, whatever it was compiled for; the
// bits of a filter and its answers are the same in all.
//
//   portable   any machine, with SSE2 or NEON where the target has them
//   v3         x86-64-v3: BMI, BMI2, LZCNT and AVX2
//   v4         x86-64-v4: AVX-512, for batches and for inserts
//
// The environment variable TELESCOPE_FLAVOUR (portable, v3 or v4) asks for less than the machine has: to compare, or to
// rule out a flavour when something looks wrong.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace telescope {
inline namespace v1 {

enum class Flavour { portable, v3, v4 };

constexpr std::string_view to_string(Flavour flavour) noexcept {
  return flavour == Flavour::v4 ? "v4" : flavour == Flavour::v3 ? "v3" : "portable";
}

namespace detail {

inline Flavour best_flavour() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  // Without them, tzcnt and lzcnt are other instructions, whose results differ.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const bool counts_zeros = __builtin_cpu_supports("bmi") != 0 &&
                            __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_LZCNT) != 0;
  if (!counts_zeros || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt") ||
      !__builtin_cpu_supports("avx2")) {
    return Flavour::portable;
  }
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? Flavour::v4 : Flavour::v3;
#else
  return Flavour::portable;
#endif
}

inline Flavour choose_flavour() noexcept {
  const Flavour best = best_flavour();
  const char* const wish = std::getenv("TELESCOPE_FLAVOUR");
  if (wish == nullptr) return best;
  for (const Flavour flavour : {Flavour::portable, Flavour::v3}) {
    if (wish == to_string(flavour) && flavour < best) return flavour;
  }
  return best;
}

// Before dynamic initialisation this reads `portable`, which is slower and never wrong.
inline const Flavour kFlavour = choose_flavour();

}  // namespace detail

inline Flavour flavour() noexcept { return detail::kFlavour; }

}  // namespace v1
}  // namespace telescope
