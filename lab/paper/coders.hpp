// TAF with the paper's coders in place of ours, to compare them.
#pragma once

#include "paper/general_code.hpp"
#include "paper/shift_code.hpp"
#include "telescope/filter.hpp"

namespace telescope::inline v1 {

// The shift coder is made for remainders of 8 bits and stops at selector 6.
template <unsigned R, KeyHash H = Xxh3>
requires(R == 8) using TafShift = Filter<detail::Selectors<R, detail::ShiftCode>, H>;
template <unsigned R, unsigned X, unsigned Y, KeyHash H = Xxh3>
using TafGeneral = Filter<detail::Selectors<R, detail::GeneralCode<X, Y>>, H>;

}  // namespace telescope::inline v1
