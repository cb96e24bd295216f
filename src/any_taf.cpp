#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {
namespace {
template <unsigned R>
struct Policy {
  using type = Selectors<R, DefaultCode<R>>;
};
}  // namespace

MadeFrame make_taf(unsigned width, const FilterOptions& options) noexcept { return make_frame<Policy>(width, options); }

}  // namespace detail
}  // namespace v1
}  // namespace telescope
