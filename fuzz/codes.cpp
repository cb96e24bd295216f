// The laws of every codec, on whatever the bytes say.
// Built as a libFuzzer target and replayed over corpus/codes by ctest.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../tests/support/codec_laws.hpp"
#include "paper/general_code.hpp"
#include "paper/shift_code.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"
#include "telescope/detail/codec/letters.hpp"

namespace {

using namespace telescope::detail;

void require(const char* broken_law) {
  if (broken_law != nullptr) __builtin_trap();
}

template <Codec... C>
struct Every {
  static void reads(std::uint64_t code) { (require(telescope::test::law_broken_by_code<C>(code)), ...); }
  static void writes(const Letters& letters) { (require(telescope::test::law_broken_by_letters<C>(letters)), ...); }
};
using All = Every<EventCode<4>, EventCode<8>, EventCode<2>, ShiftCode, GeneralCode<1, 1>, GeneralCode<2, 3>,
                  GeneralCode<8, 8>, GeneralCode<55, 55>, ExtensionCode>;

// One step on the letters, four bytes: what to do, where, and with which letter.
void edit(Letters& letters, const std::uint8_t* bytes) {
  const std::uint32_t index = bytes[1] + (bytes[0] & 0x10U) * 16U;
  const telescope::Letter letter = (bytes[0] & 0x20U) != 0 ? bytes[2] * 0x1010101U + bytes[3] : bytes[2] % 16U;
  switch (bytes[0] % 4) {
    case 0: letters.set(index, letter); break;
    case 1: letters.open(index); break;
    case 2: letters.close(index); break;
    default: letters.set(index % 64, letter % 4); break;
  }
}

}  // namespace

// Eight bytes of a code, then steps that edit the letters in it, and no letters at all.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t code = 0;
  const std::size_t head = std::min(size, sizeof code);
  if (head != 0) std::memcpy(&code, data, head);
  code &= (std::uint64_t{1} << kCodeBits) - 1;
  All::reads(code);

  Letters fresh;
  Letters decoded = EventCode<8>().decode(code);
  for (std::size_t at = head; at + 4 <= std::min<std::size_t>(size, 256); at += 4) {
    edit(fresh, data + at);
    edit(decoded, data + at);
  }
  All::writes(fresh);
  All::writes(decoded);
  return 0;
}
