// Flavour: the instruction set that the filters use. It is chosen when the program starts, by what the processor has
// and not by how the program was compiled. The bits of a filter and its answers are the same under each.
//
//   portable   any machine; SSE2 or NEON where the target has them
//   v3         x86-64-v3: BMI, BMI2, LZCNT and AVX2
//   v4         x86-64-v4: AVX-512, for batches and for inserts
//
// The environment variable TELESCOPE_FLAVOUR (portable or v3) restricts the choice: to compare flavours, or to rule one
// out when an answer looks wrong. It has no effect if the processor has less.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace telescope::inline v1 {

enum class Flavour { portable, v3, v4 };

// Returns the name of the enumerator.
constexpr std::string_view to_string(Flavour flavour) noexcept {
  return flavour == Flavour::v4 ? "v4" : flavour == Flavour::v3 ? "v3" : "portable";
}

namespace detail {

inline Flavour best_flavour() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  // Processors without BMI and LZCNT decode tzcnt and lzcnt as bsf and bsr, whose results differ.
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

// Reads as `portable`, which is slower and never wrong, until dynamic initialisation has run.
inline const Flavour kFlavour = choose_flavour();

}  // namespace detail

// Returns the flavour in use. It does not change while the program runs.
inline Flavour flavour() noexcept { return detail::kFlavour; }

}  // namespace telescope::inline v1
