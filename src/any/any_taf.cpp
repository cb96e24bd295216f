#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R>
struct TafPolicy {
  using type = Selectors<R, DefaultCode<R>>;
};

MadeFrame make_taf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<TafPolicy>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
