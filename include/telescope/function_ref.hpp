// FunctionRef<R(Args...)>: a reference to a callable, two words large. It owns nothing and allocates nothing, and must
// not outlive the callable. A temporary callable lives long enough where a function takes a FunctionRef as its
// parameter.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace telescope::inline v1 {

template <class Signature>
class FunctionRef;

template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& callable)
  noexcept
      : target_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* target, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(target))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(target_, std::forward<Args>(args)...); }

 private:
  void* target_;
  R (*call_)(void*, Args...);
};

}  // namespace telescope::inline v1
