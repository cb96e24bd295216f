// Random sequences of operations, with shrinking: a failure prints the shortest sequence that breaks a law.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/operations.hpp"

namespace telescope::testing {
namespace {

RC_GTEST_PROP(Model, AnySequenceKeepsTheLaws,
              (std::uint8_t kind, std::uint8_t width, std::uint8_t blocks, std::uint8_t flags)) {
  const auto steps = *rc::gen::resize(600, rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint16_t>>>(
                                               rc::gen::arbitrary<std::pair<std::uint8_t, std::uint16_t>>()));
  std::vector<std::uint8_t> bytes = {kind, width, blocks, flags};
  for (const auto& [op, key] : steps) {
    // A narrow universe, so that erases and repeats meet members.
    const auto narrow = static_cast<std::uint16_t>(key % 512 * 127);
    bytes.insert(bytes.end(), {op, static_cast<std::uint8_t>(narrow), static_cast<std::uint8_t>(narrow >> 8)});
  }
  const std::string broken = Operations::run(bytes);
  RC_LOG() << broken;
  RC_ASSERT(broken.empty());
}

}  // namespace
}  // namespace telescope::testing
