#include "frame_behind.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

MadeFrame make_rsqf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<None<8>, None<bits::kAnyWidth>>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
