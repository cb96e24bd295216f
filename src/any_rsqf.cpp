#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R>
struct RsqfPolicy {
  using type = None<R>;
};

MadeFrame make_rsqf(unsigned width, const FilterOptions& options) noexcept {
  return make_frame<RsqfPolicy>(width, options);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
