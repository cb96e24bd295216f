#include "frame_behind.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template class Frame<RawSelectors<8>>;
template Result<InsertReport> Frame<RawSelectors<8>>::insert_far<bits::Fast>(Hash, unsigned, const MemberSource*,
                                                                             const Gate&) noexcept;

MadeFrame make_utaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<RawSelectors<8>, RawSelectors<bits::kAnyWidth>>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
