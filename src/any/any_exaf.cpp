#include "frame_behind.hpp"
#include "telescope/detail/query/batch_v4.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template class Frame<Extensions<8, ExtensionCode>>;
template Result<InsertReport> Frame<Extensions<8, ExtensionCode>>::insert_far<bits::Fast>(Hash, unsigned,
                                                                                          const MemberSource*,
                                                                                          const Gate&) noexcept;

#if defined(TELESCOPE_HAS_V4)
template void contains_v4<Blocks<Extensions<8, ExtensionCode>>, PlainProbe>(const Blocks<Extensions<8, ExtensionCode>>&,
                                                                            std::size_t, const Xxh3Keys&,
                                                                            std::uint8_t*) noexcept;
template void contains_v4<Blocks<Extensions<8, ExtensionCode>>, PlainProbe>(const Blocks<Extensions<8, ExtensionCode>>&,
                                                                            std::size_t, const AnyHashes&,
                                                                            std::uint8_t*) noexcept;
template void contains_v4<Blocks<Extensions<8, ExtensionCode>>, OptimisticProbe>(
    const Blocks<Extensions<8, ExtensionCode>>&, std::size_t, const AnyHashes&, std::uint8_t*) noexcept;
#endif

MadeFrame make_exaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<Extensions<8, ExtensionCode>, Extensions<bits::kAnyWidth, ExtensionCode>>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
