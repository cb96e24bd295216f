#include "frame_behind.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

MadeFrame make_utaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<RawSelectors<8>, RawSelectors<bits::kAnyWidth>>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
