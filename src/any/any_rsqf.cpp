#include "frame_behind.hpp"
#include "telescope/detail/x86/batch_v4.hpp"
#include "telescope/filter.hpp"

namespace telescope::inline v1::detail {

using A = None<8>;

template class Frame<A>;
template Result<InsertReport> Frame<A>::insert_far<bits::Fast>(Hash, unsigned, const MemberSource*) noexcept;

#if defined(TELESCOPE_HAS_V4)
using B = Blocks<A>;
template void contains_v4<B, PlainProbe>(const B&, std::size_t, const Xxh3Keys&, std::uint8_t*) noexcept;
template void contains_v4<B, PlainProbe>(const B&, std::size_t, const AnyHashes&, std::uint8_t*) noexcept;
template void contains_v4<B, OptimisticProbe>(const B&, std::size_t, const AnyHashes&, std::uint8_t*) noexcept;
#endif

MadeFrame make_rsqf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<A, None<bits::kAnyWidth>>(width, options, writer);
}

}  // namespace telescope::inline v1::detail
