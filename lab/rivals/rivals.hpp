// All rivals, once: tests, benchmark and experiments go over this list.
#pragma once

#include <type_traits>

#include "rivals/bloom.hpp"
#include "rivals/cuckoo.hpp"
#include "rivals/cuckooing.hpp"
#include "rivals/cyclic.hpp"
#include "rivals/quotient3.hpp"
#include "rivals/swapping.hpp"
#include "rivals/vacuum.hpp"

namespace telescope::lab {

template <class... R>
struct RivalList {
  // visit(std::type_identity<R>{}) for each.
  template <class Visit>
  static void for_each(Visit&& visit) {
    (visit(std::type_identity<R>{}), ...);
  }
};

using Rivals = RivalList<Bloom, Quotient3, Cuckoo, Vacuum, Cyclic<1>, Cyclic<2>, Cyclic<3>, Swapping, Cuckooing>;

}  // namespace telescope::lab
