// How a verb ends early. The lab is a program: it throws, and main turns it into a message and an exit status.
#pragma once

#include <stdexcept>

namespace telescope::lab {

// Says that something could not be done: exit status 2.
struct LabError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Says that a law did not hold: exit status 1.
struct LawBroken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace telescope::lab
