// All rivals, once: tests, benchmark and experiments go over this list.
#pragma once

#include <type_traits>

#include "blocked_bloom.hpp"
#include "bloom.hpp"
#include "cuckoo.hpp"
#include "cuckooing.hpp"
#include "cyclic.hpp"
#include "quotient3.hpp"
#include "swapping.hpp"
#include "vacuum.hpp"

namespace telescope::lab {

template <class... R>
struct RivalList {
  // visit(std::type_identity<R>{}) for each.
  template <class Visit>
  static void for_each(Visit&& visit) {
    (visit(std::type_identity<R>{}), ...);
  }
};

using Rivals =
    RivalList<Bloom, BlockedBloom, Quotient3, Cuckoo, Vacuum, Cyclic<1>, Cyclic<2>, Cyclic<3>, Swapping, Cuckooing>;

}  // namespace telescope::lab
