#include "frame_behind.hpp"
#include "telescope/filter.hpp"

namespace telescope::inline v1::detail {

using A = RawSelectors<8>;

template class Frame<A>;
template Result<InsertReport> Frame<A>::insert_far<bits::Fast>(Hash, unsigned, const MemberSource*) noexcept;

MadeFrame make_utaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<A, RawSelectors<bits::kAnyWidth>>(width, options, writer);
}

}  // namespace telescope::inline v1::detail
