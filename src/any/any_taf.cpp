#include "frame_behind.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

MadeFrame make_taf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<Selectors<8, DefaultCode<8>>, Selectors<bits::kAnyWidth, DefaultCode<bits::kAnyWidth>>>(
      width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
