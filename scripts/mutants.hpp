// What scripts/mutants compiles in front of each source file of an instrumented copy of the tree.
//
// All mutants are compiled in. In the copy `a < b` reads `a < ::mut::lt<17> < b`: two overloaded operators with the
// precedence of the one that they stand for. The second evaluates `a < b`, or what mutant 17 makes of it. A literal `3`
// reads `::mut::k<17>(3)`.
//
// TELESCOPE_MUTANT=<2 x site + variant> in the environment makes one mutant active.
// TELESCOPE_MUTANT_REACHED=<file> makes none active and takes notes: byte `site` of the file gets bit 0 if the site was
// evaluated at run time, bits 1 and 2 if its first and its second variant would have given another value.
#pragma once

#if __cplusplus >= 202002L  // not where CMake tries out the compiler

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

// Each translation unit defines them, and the linker keeps one. Weak, so that the compiler does not know their values.
extern "C" {
__attribute__((weak)) int telescope_mutant_site = 0;  // from 1 on; -1 while notes are taken
__attribute__((weak)) int telescope_mutant_variant = 0;
__attribute__((weak)) unsigned char* telescope_mutant_notes = nullptr;
}

#define MUT_INLINE inline __attribute__((always_inline)) constexpr

namespace mut {

inline constexpr int kMostSites = 1 << 16;

// The priority puts it before every other initialisation of the program.
__attribute__((constructor(101), used)) static void start() noexcept {
  if (const char* const chosen = std::getenv("TELESCOPE_MUTANT"); chosen != nullptr) {
    const int id = std::atoi(chosen);
    telescope_mutant_site = id / 2;
    telescope_mutant_variant = id % 2;
  }
  const char* const path = std::getenv("TELESCOPE_MUTANT_REACHED");
  if (path == nullptr || telescope_mutant_notes != nullptr) return;
  // Shared memory: the notes of a program that is killed are kept too.
  const int file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::ftruncate(file, kMostSites) != 0) return;
  void* const mapped = ::mmap(nullptr, kMostSites, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) return;
  telescope_mutant_notes = static_cast<unsigned char*>(mapped);
  telescope_mutant_site = -1;
}

// Takes the rare path: the mutant of this site is active, or notes are taken.
template <class Rule, class A, class B, class R>
__attribute__((noinline, cold)) R choose(int site, const A& a, const B& b, const R& r) {
  if (telescope_mutant_site == site) return Rule::mutated(telescope_mutant_variant, a, b, r);
  unsigned char note = 1;
  if (!(Rule::mutated(0, a, b, r) == r)) note |= 2;
  if (!(Rule::mutated(1, a, b, r) == r)) note |= 4;
  unsigned char* const at = telescope_mutant_notes + site;
  if ((*at & note) != note) __atomic_fetch_or(at, note, __ATOMIC_RELAXED);
  return r;
}

template <int N>
MUT_INLINE bool is_ordinary() noexcept {
  return __builtin_expect(telescope_mutant_site != N && telescope_mutant_site >= 0, 1);
}

// Sums, shifts and masks of classes are left alone: the site does not compile, and is dropped.
template <class A>
concept Operand = std::is_arithmetic_v<A> || std::is_enum_v<A> || std::is_pointer_v<std::decay_t<A>>;

// The operator, which operands it takes, and what the two variants evaluate instead.
#define MUT_OPERATOR(name, op, wanted, first, second)                                                              \
  struct name##_rule {                                                                                             \
    template <class R, class A, class B>                                                                           \
    static R mutated(int variant, [[maybe_unused]] const A& a, [[maybe_unused]] const B& b, const R& r) {          \
      if (variant == 0) {                                                                                          \
        if constexpr (requires { static_cast<R>(first); }) return static_cast<R>(first);                           \
      } else {                                                                                                     \
        if constexpr (requires { static_cast<R>(second); }) return static_cast<R>(second);                         \
      }                                                                                                            \
      if constexpr (requires { static_cast<R>(r + 1); }) return static_cast<R>(r + 1);                             \
      return r;                                                                                                    \
    }                                                                                                              \
  };                                                                                                               \
  template <int N>                                                                                                 \
  struct name##_site {};                                                                                           \
  template <int N>                                                                                                 \
  inline constexpr name##_site<N> name{};                                                                          \
  template <int N, class A>                                                                                        \
  struct name##_left {                                                                                             \
    const A& a;                                                                                                    \
  };                                                                                                               \
  template <int N, class A>                                                                                        \
  MUT_INLINE name##_left<N, A> operator op(const A& a, name##_site<N>) noexcept {                                  \
    return {a};                                                                                                    \
  }                                                                                                                \
  template <int N, class A, class B>                                                                               \
  requires(wanted) MUT_INLINE auto operator op(name##_left<N, A> left, const B& b) noexcept(noexcept(left.a op b)) \
      ->std::remove_cvref_t<decltype(left.a op b)> {                                                               \
    const auto r = left.a op b;                                                                                    \
    if (std::is_constant_evaluated()) return r;                                                                    \
    if (is_ordinary<N>()) return r;                                                                                \
    return choose<name##_rule, A, B, std::remove_cvref_t<decltype(left.a op b)>>(N, left.a, b, r);                 \
  }

MUT_OPERATOR(lt, <, true, a <= b, a >= b)
MUT_OPERATOR(le, <=, true, a<b, a> b)
MUT_OPERATOR(gt, >, true, a >= b, a <= b)
MUT_OPERATOR(ge, >=, true, a > b, a < b)
MUT_OPERATOR(eq, ==, true, !(a == b), !(a == b))
MUT_OPERATOR(ne, !=, true, !(a != b), !(a != b))
MUT_OPERATOR(add, +, Operand<A>&& Operand<B>, a - b, a + b + 1)
MUT_OPERATOR(sub, -, Operand<A>&& Operand<B>, a + b, a - b + 1)
MUT_OPERATOR(mul, *, Operand<A>&& Operand<B>, a*(b + 1), a + b)
MUT_OPERATOR(div, /, Operand<A>&& Operand<B>, a / (b + 1), a / b + 1)
MUT_OPERATOR(rem, %, Operand<A>&& Operand<B>, a % (b + 1), a / b)
MUT_OPERATOR(shl, <<, Operand<A>&& Operand<B>, a << (b + 1), a >> b)
MUT_OPERATOR(shr, >>, Operand<A>&& Operand<B>, a >> (b + 1), a << b)
MUT_OPERATOR(bit_and, &, Operand<A>&& Operand<B>, a | b, a ^ b)
MUT_OPERATOR(bit_or, |, Operand<A>&& Operand<B>, a& b, a)
MUT_OPERATOR(bit_xor, ^, Operand<A>&& Operand<B>, a | b, a& b)

// Literals: one more, one less; `true` and `false` change places.
struct literal_rule {
  template <class R>
  static R mutated(int variant, const R&, const R&, const R& r) {
    if constexpr (std::is_same_v<R, bool>) return !r;
    return static_cast<R>(variant == 0 ? r + 1 : r - 1);
  }
};
template <int N, class T>
MUT_INLINE T k(T value) noexcept {
  if (std::is_constant_evaluated()) return value;
  if (is_ordinary<N>()) return value;
  return choose<literal_rule, T, T, T>(N, value, value, value);
}

}  // namespace mut

#undef MUT_OPERATOR
#undef MUT_INLINE

#endif
