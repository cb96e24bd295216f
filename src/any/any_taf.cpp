#include "frame_behind.hpp"
#include "telescope/detail/query/batch_v4.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template class Frame<Selectors<8, DefaultCode<8>>>;
template Result<InsertReport> Frame<Selectors<8, DefaultCode<8>>>::insert_far<bits::Fast>(Hash, unsigned,
                                                                                          const MemberSource*,
                                                                                          const Gate&) noexcept;

#if defined(TELESCOPE_HAS_V4)
template void contains_v4<Blocks<Selectors<8, DefaultCode<8>>>, PlainProbe>(const Blocks<Selectors<8, DefaultCode<8>>>&,
                                                                            std::size_t, const Xxh3Keys&,
                                                                            std::uint8_t*) noexcept;
template void contains_v4<Blocks<Selectors<8, DefaultCode<8>>>, PlainProbe>(const Blocks<Selectors<8, DefaultCode<8>>>&,
                                                                            std::size_t, const AnyHashes&,
                                                                            std::uint8_t*) noexcept;
template void contains_v4<Blocks<Selectors<8, DefaultCode<8>>>, OptimisticProbe>(
    const Blocks<Selectors<8, DefaultCode<8>>>&, std::size_t, const AnyHashes&, std::uint8_t*) noexcept;
#endif

MadeFrame make_taf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<Selectors<8, DefaultCode<8>>, Selectors<bits::kAnyWidth, DefaultCode<bits::kAnyWidth>>>(
      width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
