#include "any_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R>
struct ExafPolicy {
  using type = Extensions<R, ExtensionCode>;
};

MadeFrame make_exaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  return make_frame<ExafPolicy>(width, options, writer);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
