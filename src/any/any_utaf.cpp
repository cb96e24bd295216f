#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R>
struct UtafPolicy {
  using type = RawSelectors<R>;
};

MadeFrame make_utaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<UtafPolicy>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
