#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R>
struct UtafPolicy {
  using type = RawSelectors<R>;
};

MadeFrame make_utaf(unsigned width, const FilterOptions& options) noexcept {
  return make_frame<UtafPolicy>(width, options);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
