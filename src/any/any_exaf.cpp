#include "frame_behind.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

MadeFrame make_exaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<Extensions<8, ExtensionCode>, Extensions<bits::kAnyWidth, ExtensionCode>>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
