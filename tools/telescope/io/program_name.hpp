// How users call the program. ./run of a clone, which is on nobody's PATH, tells in TELESCOPE_PROGRAM_NAME.
#pragma once

#include <cstdlib>
#include <string>

namespace telescope::tool {

inline std::string program_name() {
  const char* name = std::getenv("TELESCOPE_PROGRAM_NAME");
  return name != nullptr && *name != '\0' ? name : "telescope";
}

}  // namespace telescope::tool
