#include "frame_behind.hpp"
#include "telescope/detail/query/batch_v4.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template class Frame<None<8>>;
template Result<InsertReport> Frame<None<8>>::insert_far<bits::Fast>(Hash, unsigned, const MemberSource*,
                                                                     const Gate&) noexcept;

#if defined(TELESCOPE_HAS_V4)
template void contains_v4<Blocks<None<8>>, PlainProbe>(const Blocks<None<8>>&, std::size_t, const Xxh3Keys&,
                                                       std::uint8_t*) noexcept;
template void contains_v4<Blocks<None<8>>, PlainProbe>(const Blocks<None<8>>&, std::size_t, const AnyHashes&,
                                                       std::uint8_t*) noexcept;
template void contains_v4<Blocks<None<8>>, OptimisticProbe>(const Blocks<None<8>>&, std::size_t, const AnyHashes&,
                                                            std::uint8_t*) noexcept;
#endif

MadeFrame make_rsqf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<None<8>, None<bits::kAnyWidth>>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
