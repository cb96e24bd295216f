#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R>
struct RsqfPolicy {
  using type = None<R>;
};

MadeFrame make_rsqf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<RsqfPolicy>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
