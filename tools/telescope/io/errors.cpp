#include "errors.hpp"

namespace telescope::tool {

std::string describe(const Failure& failure) {
  return failure.what.empty() ? std::string(message(failure.code)) : failure.what;
}

}  // namespace telescope::tool
