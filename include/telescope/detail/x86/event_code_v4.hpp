// The short form of the event code, read in eight lanes.
#pragma once

#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/x86/v4.hpp"

#if defined(TELESCOPE_HAS_V4)
namespace telescope::inline v1::detail::event {

TELESCOPE_V4_INLINE bits::v4::Lanes are_short(bits::v4::Eight codes) noexcept {
  return _mm512_testn_epi64_mask(codes, bits::v4::each(0xff));
}

// The letters of some slots in a row, of codes in short form. Slots are below 128 + kSlots, so no sum wraps and no
// zero byte is taken for an event.
template <unsigned kSlots>
class EightShort {
 public:
  TELESCOPE_V4_INLINE EightShort(bits::v4::Eight codes, bits::v4::Eight index) noexcept {
    using namespace bits::v4;
    const Eight first = _mm512_add_epi64(index, each(1));
    distance_ = _mm512_sub_epi8(codes, spread_lowest(first));
  }

  // Returns the codes with an event in one of the slots; in the others all letters are zero.
  TELESCOPE_V4_INLINE bits::v4::Lanes are_near() const noexcept {
    using namespace bits::v4;
    const Eight events = _mm512_movm_epi8(_mm512_mask_cmple_epu8_mask(kEventBytes, distance_, each_byte(kSlots - 1)));
    return _mm512_test_epi64_mask(events, events);
  }

  // Returns eight times the letter of the next slot.
  TELESCOPE_V4_INLINE bits::v4::Eight next() noexcept {
    using namespace bits::v4;
    const __mmask64 events = _mm512_mask_testn_epi8_mask(kEventBytes, distance_, distance_);
    distance_ = _mm512_add_epi8(distance_, each(~std::uint64_t{0}));
    return _mm512_sad_epu8(_mm512_maskz_mov_epi8(events, each_byte(8)), _mm512_setzero_si512());
  }

 private:
  static constexpr __mmask64 kEventBytes = 0x7e7e7e7e7e7e7e7e;
  static_assert(kShortEvents == 6);

  bits::v4::Eight distance_;  // byte by byte, of an event's slot from the first
};

}  // namespace telescope::inline v1::detail::event
#endif
